package payload

import (
	"errors"
	"math"
	"math/big"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// wire reads text by decode and writes it by encode again.
func wire(text string, decode func(*Decoder), encode func(*Encoder)) (string, error) {
	if err := Unmarshal([]byte(text), decode); err != nil {
		return "", err
	}
	out, err := Marshal(encode)
	return string(out), err
}

type testRank int32

func (v testRank) Valid() bool { return v == -1 || v == 7 }

type testSerial uint64

func (v testSerial) Valid() bool { return v == math.MaxUint64 || v == 1 }

func TestValuesOfEveryFormatComeBack(t *testing.T) {
	var (
		i32    int32
		u64    uint64
		f32    float32
		data   []byte
		number Decimal
		addr   netip.Addr
		rank   testRank
		serial testSerial
		big    big.Int
	)
	for name, tt := range map[string]struct {
		decode func(*Decoder)
		encode func(*Encoder)
		want   map[string]string // after a round trip, or the violation
	}{
		"int32": {
			func(d *Decoder) { d.Int32(&i32) },
			func(e *Encoder) { e.Int32(i32) },
			map[string]string{
				"2147483647": "2147483647", "-2147483648": "-2147483648", "1e3": "1000",
				"1.5":        " type want an integer | 1.5",
				"2147483648": " range want an integer of 32 bits | 2147483648",
				"1e99":       " range want an integer of 32 bits | 1e99",
			},
		},
		"uint64": {
			func(d *Decoder) { d.Uint64(&u64) },
			func(e *Encoder) { e.Uint64(u64) },
			map[string]string{
				"18446744073709551615": "18446744073709551615", "-0": "0",
				"-1":  " range want an integer of 64 bits that is not negative | -1",
				"0.5": " type want an integer | 0.5", `"1"`: ` type want an integer | "1"`,
			},
		},
		"float": {
			func(d *Decoder) { d.Float32(&f32) },
			func(e *Encoder) { e.Float32(f32) },
			map[string]string{
				"0.1": "0.1", "16777216": "16777216",
				"1e39": " range want a number that a float32 can hold | 1e39", "1e-7": "1e-7",
			},
		},
		"byte": {
			func(d *Decoder) { d.Base64(&data) },
			func(e *Encoder) { e.Base64(data) },
			map[string]string{
				`""`: `""`, `"AQI="`: `"AQI="`, `"\u0041QID"`: `"AQID"`,
				`"AQI"`:    ` format want bytes in base64 | "AQI"`,
				`"AR=="`:   ` format want bytes in base64 | "AR=="`,
				`"AQID\n"`: ` format want bytes in base64 | "AQID\n"`,
				`"-_=="`:   ` format want bytes in base64 | "-_=="`,
			},
		},
		"decimal": {
			func(d *Decoder) { d.Decimal(&number) },
			func(e *Encoder) { e.Decimal(number) },
			map[string]string{
				`"1.50"`: `"1.50"`, `"1e3"`: ` format want a decimal number such as -12.50 | "1e3"`,
				"1.5": " type want a decimal number as a string | 1.5",
			},
		},
		"ipv4": {
			func(d *Decoder) { d.IPv4(&addr) },
			func(e *Encoder) { e.IPv4(addr) },
			map[string]string{
				`"127.0.0.1"`: `"127.0.0.1"`, `"::1"`: ` format want an address of IPv4 | "::1"`,
				`"01.2.3.4"`: ` format want an address of IPv4 | "01.2.3.4"`,
			},
		},
		"ipv6": {
			func(d *Decoder) { d.IPv6(&addr) },
			func(e *Encoder) { e.IPv6(addr) },
			map[string]string{
				`"0:0::1"`: `"::1"`, `"::ffff:1.2.3.4"`: `"::ffff:1.2.3.4"`,
				`"fe80::1%eth0"`: ` format want an address of IPv6 | "fe80::1%eth0"`,
				`"1.2.3.4"`:      ` format want an address of IPv6 | "1.2.3.4"`,
			},
		},
		"integer enum": {
			func(d *Decoder) { DecodeIntegerEnum(d, &rank) },
			func(e *Encoder) { EncodeIntegerEnum(e, rank) },
			map[string]string{
				"-1": "-1", "7.0": "7", "8": " enum want a value of the enum | 8",
				"4294967295": " enum want a value of the enum | 4294967295",
				"7.5":        " type want an integer | 7.5", "1e99": " enum want a value of the enum | 1e99",
			},
		},
		"unsigned enum": {
			func(d *Decoder) { DecodeIntegerEnum(d, &serial) },
			func(e *Encoder) { EncodeIntegerEnum(e, serial) },
			map[string]string{
				"1": "1", "18446744073709551615": "18446744073709551615",
				"-1":                   " enum want a value of the enum | -1",
				"18446744073709551617": " enum want a value of the enum | 18446744073709551617",
			},
		},
		"Go type": {
			func(d *Decoder) { d.Unmarshaler(&big) },
			func(e *Encoder) { e.Marshaler(&big) },
			map[string]string{
				"123456789012345678901234567890": "123456789012345678901234567890",
				"1.5":                            " x-go-type want what its Go type can read | 1.5",
			},
		},
		"string const": {
			func(d *Decoder) { d.Const(`"é"`) },
			func(e *Encoder) { e.Literal(`"é"`) },
			map[string]string{
				`"é"`: `"é"`, `"\u00e9"`: `"é"`, `"e"`: ` const want "é" | "e"`,
				"null": ` const want "é" | null`,
			},
		},
		"number const": {
			func(d *Decoder) { d.Const("1.5") },
			func(e *Encoder) { e.Literal("1.5") },
			map[string]string{
				"1.50": "1.5", "15e-1": "1.5",
				"1.500000000000000000001": " const want 1.5 | 1.500000000000000000001",
				`"1.5"`:                   ` const want 1.5 | "1.5"`,
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			for text, want := range tt.want {
				got, err := wire(text, tt.decode, tt.encode)
				if err != nil {
					got = violations(t, err)[0]
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", text, diff)
				}
			}
		})
	}
}

type unwilling struct{}

func (unwilling) MarshalJSON() ([]byte, error) { return nil, errors.New("no") }

type careless struct{}

func (careless) MarshalJSON() ([]byte, error) { return []byte("{"), nil }

func TestWhatCannotBeWritten(t *testing.T) {
	for want, encode := range map[string]func(*Encoder){
		` enum want a value of the enum | 5`: func(e *Encoder) {
			EncodeIntegerEnum(e, testRank(5))
		},
		` range want a finite number | +Inf`: func(e *Encoder) {
			e.Float32(float32(math.Inf(1)))
		},
		` format want a decimal number such as -12.50 | ""`: func(e *Encoder) {
			e.Decimal("")
		},
		` format want an address of IPv4 | "invalid IP"`: func(e *Encoder) {
			e.IPv4(netip.Addr{})
		},
		` format want an address of IPv6 | "fe80::1%eth0"`: func(e *Encoder) {
			e.IPv6(netip.MustParseAddr("fe80::1%eth0"))
		},
		` x-go-type its Go type cannot write it | no`: func(e *Encoder) {
			e.Marshaler(unwilling{})
		},
		` syntax want JSON: unexpected end of text, want a member name at byte 1 | `: func(e *Encoder) {
			e.Marshaler(careless{})
		},
	} {
		_, err := Marshal(encode)
		if diff := cmp.Diff([]string{want}, violations(t, err)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestKeyTextIsTheValueWithoutQuotes(t *testing.T) {
	for want, encode := range map[string]func(*Encoder){
		"AQID": func(e *Encoder) { e.Base64([]byte{1, 2, 3}) }, "a\"": func(e *Encoder) { e.String("a\"") },
		"5": func(e *Encoder) { e.Int64(5) }, "": func(e *Encoder) { e.String("\xff") },
	} {
		if got := KeyText(encode); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
