package source

import "testing"

func TestUnquotedScalarsAreJudgedByTheirText(t *testing.T) {
	tests := map[PlainKind][]string{
		PlainNull:   {"", "~", "null", "Null", "NULL"},
		PlainBool:   {"true", "false"},
		PlainNumber: {"0", "-0", "1", "-1", "10", "1.10", "1e3", "1E+3", "1.5e-7", "123456789123456789123"},
		PlainAmbiguous: {
			"True", "FALSE", "yes", "NO", "on", "Off", "y", "N", "<<", "=",
			"010", "0o17", "0x1F", "0b101", "+1", "-010", "1_000", "1.", ".5", "-.5", "1.e3", "12:30", "-1:30:59.5", ".inf",
			"-.INF", ".nan", "0_1",
			"2024-01-02", "2024-1-2", "2024-01-02T10:00:00Z", "2024-01-02t1:00:00.5+02:00", "2024-01-02 10:00:00",
			"2024-01-02\t10:00:00 -5",
		},
		PlainString: {
			"a", "nO", "yEs", "nope", "one", "Y2", "1a", "v1.2", "1.2.3", "1-2", "--1", "+", "-", ".", "..", ".x", "0xZZ", "0b2",
			"12:3x", "1:60",
			"2024-01", "2024-01-02x", "2024-01-02 later", "2024-01-02T", "2024-01-02T10:00:00Z\u202e", "2024-01-02T\nx", "tRUE",
			"nil", "urn:babel:orders:created", "٣", "1e", "e3", "infinity",
		},
	}
	for want, texts := range tests {
		for _, text := range texts {
			if got := ClassifyPlain(text); got != want {
				t.Errorf("%q is of kind %d, want %d", text, got, want)
			}
		}
	}
}

func TestWholeNumber(t *testing.T) {
	for text, want := range map[string]bool{
		"0": true, "1": true, "-1": true, "-0": true, "2147483648": true,
		"": false, "-": false, "01": false, "-01": false, "1.0": false, "1e3": false, "+1": false, "1_0": false, "٣": false,
	} {
		if got := IsWhole(text); got != want {
			t.Errorf("IsWhole(%q) = %v", text, got)
		}
	}
}
