package wire

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseTopic(t *testing.T) {
	const d, acme = "persistent://public/default/", "persistent://acme/shop/"
	for name, want := range map[string]Topic{
		"orders":                        {d + "orders", d + "orders", "public/default", -1, true},
		"acme/shop/orders":              {acme + "orders", acme + "orders", "acme/shop", -1, true},
		"persistent://acme/shop/orders": {acme + "orders", acme + "orders", "acme/shop", -1, true},
		"orders-partition-12":           {d + "orders-partition-12", d + "orders", "public/default", 12, true},
		"a-partition-1-partition-2":     {d + "a-partition-1-partition-2", d + "a-partition-1", "public/default", 2, true},
		"acme/shop/x/orders":            {acme + "x/orders", acme + "x/orders", "acme/shop/x", -1, true},
		"persistent://acme/shop/x/y/z":  {acme + "x/y/z", acme + "x/y/z", "acme/shop/x", -1, true},
		"orders-partition":              {d + "orders-partition", d + "orders-partition", "public/default", -1, true},
		"ключ":                          {d + "ключ", d + "ключ", "public/default", -1, true},
		"non-persistent://a/b/c":        {"non-persistent://a/b/c", "non-persistent://a/b/c", "a/b", -1, false},

		"":                                      {},
		"a/b":                                   {},
		"a/b/c/d/e":                             {},
		"orders-partition-":                     {},
		"orders-partition-x":                    {},
		"orders-partition-99999999999999999999": {},
		"persistent://":                         {},
		"persistent://a/b":                      {},
		"persistent://a/b/":                     {},
		"http://a/b/c":                          {},
	} {
		got, err := ParseTopic(name)
		if (err != nil) != (want == Topic{}) {
			t.Errorf("ParseTopic(%q): %v", name, err)
		}
		if err != nil {
			if !strings.Contains(err.Error(), fmt.Sprintf("parse topic name %q", name)) {
				t.Errorf("ParseTopic(%q): %v does not say what it was doing", name, err)
			}
			continue
		}
		if got != want {
			t.Errorf("ParseTopic(%q) = %+v, want %+v", name, got, want)
		}
	}
}
