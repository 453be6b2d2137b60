package standalone

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSettingsHoldPortsAndStayLocal(t *testing.T) {
	got := settings(ports{broker: 6650, http: 8080}, nil)
	for name, want := range map[string]string{
		"brokerServicePort":                      "6650",
		"webServicePort":                         "8080",
		"bindAddress":                            "127.0.0.1",
		"advertisedAddress":                      "127.0.0.1",
		"listeningInterface":                     loopbackInterface(),
		"delayedDeliveryTickTimeMillis":          "100",
		"brokerDeleteInactiveTopicsEnabled":      "false",
		"acknowledgmentAtBatchIndexLevelEnabled": "true",
		"allowAutoTopicCreation":                 "true",
	} {
		if got[name] != want {
			t.Errorf("%s = %q, want %q", name, got[name], want)
		}
	}
}

func TestSettingsOfTheCallerWin(t *testing.T) {
	got := settings(ports{broker: 1, http: 2}, map[string]string{
		"delayedDeliveryTickTimeMillis": "1000",
		"maxMessageSize":                "1024",
	})
	if got["delayedDeliveryTickTimeMillis"] != "1000" || got["maxMessageSize"] != "1024" {
		t.Errorf("the caller's settings are not in %v", got)
	}
}

func TestCheckSettings(t *testing.T) {
	for name, tc := range map[string]struct {
		in   map[string]string
		want string // empty: accepted
	}{
		"none": {in: nil},
		"ordinary": {in: map[string]string{
			"maxMessageSize": "1024", "dbStorage_rocksDB_blockCacheSize": "1", "a.b": "",
		}},
		"value with comma": {in: map[string]string{"superUserRoles": "a,b"}},
		"empty name": {
			in:   map[string]string{"": "x"},
			want: `setting "": a name is letters, digits, underscores and dots`,
		},
		"name with line end": {
			in:   map[string]string{"a\nbindAddress": "0.0.0.0"},
			want: `setting "a\nbindAddress": a name is letters, digits, underscores and dots`,
		},
		"value with line end": {
			in:   map[string]string{"a": "1\nbindAddress=0.0.0.0"},
			want: `setting a: the value "1\nbindAddress=0.0.0.0" holds a control character`,
		},
		"address": {
			in:   map[string]string{"bindAddress": "0.0.0.0"},
			want: `setting bindAddress: decided by the package, use the ports of Options`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			if err := checkSettings(tc.in); err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestRenderPropertiesIsSortedASCII(t *testing.T) {
	got := string(renderProperties(map[string]string{
		"b": `C:\tmp`,
		"a": "plain = value # here",
		"c": " leading space",
		"d": "Grüße 🎉",
		"e": "",
	}))
	want := "a=plain = value # here\n" +
		`b=C:\\tmp` + "\n" +
		`c=\ leading space` + "\n" +
		`d=Gr\u00fc\u00dfe \ud83c\udf89` + "\n" +
		"e=\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
