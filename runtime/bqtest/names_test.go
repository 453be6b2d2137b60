package bqtest

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseTopic(t *testing.T) {
	const d = "persistent://public/default/"
	for name, want := range map[string]topicName{
		"orders":                                {d + "orders", d + "orders", -1},
		"acme/shop/orders":                      {"persistent://acme/shop/orders", "persistent://acme/shop/orders", -1},
		"acme/west/shop/orders":                 {"persistent://acme/west/shop/orders", "persistent://acme/west/shop/orders", -1},
		"persistent://acme/shop/orders":         {"persistent://acme/shop/orders", "persistent://acme/shop/orders", -1},
		"orders-partition-12":                   {d + "orders-partition-12", d + "orders", 12},
		"a-partition-1-partition-2":             {d + "a-partition-1-partition-2", d + "a-partition-1", 2},
		"persistent://acme/shop/x/y/z":          {"persistent://acme/shop/x/y/z", "persistent://acme/shop/x/y/z", -1},
		"orders-partition":                      {d + "orders-partition", d + "orders-partition", -1},
		"ключ":                                  {d + "ключ", d + "ключ", -1},
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
		"non-persistent://a/b/c":                {},
	} {
		got, err := parseTopic(name)
		if (err != nil) != (want == topicName{}) {
			t.Errorf("parseTopic(%q): %v", name, err)
		}
		if err != nil {
			if !strings.Contains(err.Error(), fmt.Sprintf("parse topic name %q", name)) {
				t.Errorf("parseTopic(%q): %v does not say what it was doing", name, err)
			}
			continue
		}
		if got != want {
			t.Errorf("parseTopic(%q) = %+v, want %+v", name, got, want)
		}
	}
}
