package gonames

import (
	"go/token"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/load"
)

// The names here are what users build on: a change renames their fields.
func TestNamesOfPropertiesArePinned(t *testing.T) {
	for name, want := range map[string]string{
		// Words.
		"order_id": "OrderID", "orderId": "OrderID", "OrderID": "OrderID", "order-id": "OrderID", "order.id": "OrderID",
		"order id": "OrderID",
		"a/b:c":    "ABC", "__a__b__": "AB", "customer's": "CustomerS", "iPhone": "IPhone", "eBay": "EBay", "aB": "AB",
		"HTTPServer": "HTTPServer", "XMLHTTPRequest": "XMLHTTPRequest", "V2Order": "V2Order", "S3Bucket": "S3Bucket",

		// Initialisms, and what only looks like one.
		"id": "ID", "ids": "IDs", "user_ids": "UserIDs", "userIDs": "UserIDs", "userIDsList": "UserIDsList",
		"valid_id": "ValidID",
		"identity": "Identity", "some_idea": "SomeIdea", "idea": "Idea", "paid": "Paid", "https_url": "HTTPSURL",
		"urls": "URLs", "utf8": "UTF8",
		"ipv6": "IPv6", "oauth2_token": "OAuth2Token", "ownerIDGTE": "OwnerIDGTE", "URLList": "URLList",
		"httpStatus2xx": "HTTPStatus2xx",
		"idx":           "Idx", "guid": "GUID", "apis": "APIs", "css": "CSS",

		// All upper case.
		"OPEN": "Open", "IN_PROGRESS": "InProgress", "USER_ID": "UserID", "IDEA": "Idea", "EUR": "EUR", "XL": "XL",
		"A": "A", "NEW_YORK": "NewYork",

		// Digits.
		"2fa": "X2fa", "1.10": "X1_10", "110": "X110", "a1": "A1", "sha256": "Sha256", "-1": "Minus1", "+1": "Plus1",
		"a-1": "A1", "2024-01-02": "X2024_01_02",

		// Symbols.
		"$ref": "DollarRef", "@type": "AtType", "#": "Hash", "C++": "CPlusPlus", "C#": "CHash", "<=": "LessEqual",
		"!=": "NotEqual", "*": "Star", "50%": "X50Percent",
		"a,omitzero": "ACommaOmitzero", "a`b": "ABacktickB", `a\nb`: "ABackslashNb",

		// Without letters.
		"": "Empty", " ": "Space", "_": "Underscore", "-": "Dash", ".": "Dot", "--": "DashDash", "\t": "Tab",
		"👍": "U1F44D", "\u200b": "U200B", "\x00": "U0000",

		// Other scripts.
		"größe": "Größe", "GRÖSSE": "Grösse", "é": "É", "e\u0301": "E", "日本": "X日本", "ß": "Xß", "ǆ": "Ǆ",
		"ελληνικά": "Ελληνικά", "имя_файла": "ИмяФайла", "नाम": "Xनम",

		// Words of Go and of the generated code are no names of their own once they are exported.
		"type": "Type", "func": "Func", "string": "String", "nil": "Nil", "any": "Any", "err": "Err",
	} {
		if got := exported(name); got != want {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
	}
}

func TestNamesOfURNsArePinned(t *testing.T) {
	for urn, want := range map[string]string{
		"urn:babel:orders:created":       "OrdersCreated",
		"urn:babel:orders:created.v2":    "OrdersCreatedV2",
		"urn:babel:user-ids:changed":     "UserIDsChanged",
		"URN:Babel:Orders:Created":       "OrdersCreated",
		"urn:babel:orders":               "Orders",
		"urn:orders":                     "Orders",
		"urn:babel:":                     "URNBabel",
		"urn:babel::":                    "URNBabel",
		"urn:babel:👍":                    "U1F44D",
		"urn:babel:*":                    "Star",
		"urn":                            "URN",
		"orders.created":                 "OrdersCreated",
		"http://example.com/a#b":         "HTTPExampleComAHashB",
		"urn:babel:close":                "CloseMessage",
		"urn:babel:publishers":           "PublishersMessage",
		"urn:babel:new:publishers":       "NewPublishersMessage",
		"urn:babel:orders:publisher":     "OrdersPublisher",
		"urn:babel:new:orders-publisher": "NewOrdersPublisher",
		"urn:babel:2fa:requested":        "X2faRequested",
	} {
		if got := messageName(urn); got != want {
			t.Errorf("%q: got %s, want %s", urn, got, want)
		}
	}
}

func TestNamesOfTypesStayWhenTheyAreGoNames(t *testing.T) {
	for name, want := range map[string]string{
		"Money": "Money", "OrderId": "OrderId", "HTML": "HTML", "Order_Line": "Order_Line", "Größe": "Größe",
		"order_id": "OrderID", "order-line": "OrderLine", "2d": "X2d",
	} {
		if got := typeName(name); got != want {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
	}
}

func TestEveryNameBecomesAnExportedIdentifier(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.String().Draw(t, "name")
		for _, got := range []string{exported(name), messageName(name), typeName(name)} {
			if !token.IsIdentifier(got) || !token.IsExported(got) {
				t.Fatalf("got %q", got)
			}
		}
		if got := "T" + part(name); !token.IsIdentifier(got) {
			t.Fatalf("got %q behind a T", got)
		}
	})
}

func TestFileNamesAreBuiltAndStoredEverywhere(t *testing.T) {
	for name, want := range map[string]string{
		"OrderCreated": "order_created", "OrderID": "order_id", "UserIDs": "user_ids", "HTTPServer": "http_server",
		"V2Order": "v2_order", "A_b": "a_b",
		"Catalog": "catalog_urn", "Types": "types_urn", "Con": "con_urn", "Lpt1": "lpt1_urn", "Com": "com", "Lpt10": "lpt10",
		"XLinux": "x_linux_urn", "XAmd64": "x_amd64_urn", "XLinuxTest": "x_linux_test_urn", "Linux": "linux_urn",
		"LinuxDone": "linux_done", "XTest": "x_test", "Test": "test",
		"Größe": "gruf6udfe", "X日本": "xu65e5u672c",
	} {
		if got := fileStem(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	long := strings.Repeat("VeryLong", 50)
	if got, other := fileStem(long), fileStem(long+"Er"); len(got) > 120 || got == other {
		t.Errorf("a long name has the file %s, and one that is longer %s", got, other)
	}
}

func TestDistinctKeepsNamesThatNobodyElsePrefers(t *testing.T) {
	for _, tt := range []struct{ preferred, want string }{
		{"A B C", "A B C"},
		{"A A A", "A A2 A3"},
		{"A A A2", "A A3 A2"},
		{"A2 A A A", "A2 A A3 A4"},
		{"A1 A1 A1", "A1 A1_2 A1_3"},
		{"A1 A1 A1_2", "A1 A1_3 A1_2"},
		{"Method Method", "MethodField MethodField2"},
		{"MethodField Method", "MethodField MethodField2"},
	} {
		got := strings.Join(distinct(strings.Fields(tt.preferred), map[string]bool{"Method": true}, "Field"), " ")
		if got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.preferred, got, tt.want)
		}
	}
}

// The name of a part starts with those of all that it is inside of.
func TestLongNamesAreCutAndStayDistinct(t *testing.T) {
	const depth = 40
	level := strings.Repeat("größe", 30)
	open := strings.Repeat("{type: object, properties: {"+level+": ", depth)
	c, findings := load.Parse("urns.yaml", []byte("bqgen: 1\npackage: shop\nqueues: {q: {}}\nurns:\n  urn:a:b:c:\n"+
		"    queue: q\n    data: "+open+"{type: string, enum: ["+level+"1, "+level+"2]}"+strings.Repeat("}}", depth)+"\n"))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	names, findings := Of(c)
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	met := map[string]bool{}
	check := func(name string) {
		if len(name) > longest+len("Values") || !token.IsIdentifier(name) || met[name] {
			t.Errorf("the name %s has %d bytes, met %v", name, len(name), met[name])
		}
		met[name] = true
	}
	s := c.URNs[0].Data
	for s.Kind == schema.Object {
		p := s.Properties[0]
		if s = p.Schema; names.Fields[p] != names.Fields[c.URNs[0].Data.Properties[0]] {
			t.Errorf("the field of the same member is %s", names.Fields[p])
		}
		check(names.Schemas[s].Type)
	}
	for _, name := range append(names.Schemas[s].Constants, names.Schemas[s].Values) {
		check(name)
	}
	if len(met) != depth+3 {
		t.Errorf("%d names, want %d", len(met), depth+3)
	}
}
