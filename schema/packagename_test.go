package schema

import (
	"strings"
	"testing"
)

func TestPackageNames(t *testing.T) {
	for _, name := range []string{"orderevents", "a", "v2", "order_events", "internal", "runtime", "time", "string", "a_",
		"x1"} {
		if err := CheckPackageName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for name, reason := range map[string]string{
		"":              "blank",
		" ":             "blank",
		"_":             "cannot be imported",
		"main":          "is a program",
		"init":          "keeps that name for functions",
		"documentation": "ignores files",
		"testdata":      "ignores a folder",
		"vendor":        "other modules' code",
		"func":          "keyword",
		"orders_test":   "test package",
		"Orders":        "not lower case",
		"orderEvents":   "not lower case",
		"ÉTÉ":           "not lower case",
		"größe":         "not made of letters a to z",
		"order-events":  "not made of letters a to z",
		"order.events":  "not made of letters a to z",
		"order events":  "not made of letters a to z",
		"a/b":           "not made of letters a to z",
		"a\nb":          "not made of letters a to z",
		"1a":            "starts with a digit",
	} {
		err := CheckPackageName(name)
		if err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%q: error %v, want one that says %q", name, err, reason)
		}
	}
}
