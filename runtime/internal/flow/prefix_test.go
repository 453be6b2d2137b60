package flow

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPrefixesLetInWhatIsNotLeftOut compares the expression with what it stands for, for all short names.
func TestPrefixesLetInWhatIsNotLeftOut(t *testing.T) {
	defer func(endings []string) { leftOut = endings }(leftOut)
	leftOut = []string{".d", "dd", "-D"} // short ones, of which many names have a part
	names := []string{""}
	for first := 0; len(names[len(names)-1]) < 5; {
		last := len(names)
		for _, name := range names[first:last] {
			for _, letter := range []string{"d", ".", "-", "D", "]"} {
				names = append(names, name+letter)
			}
		}
		first = last
	}
	for _, prefix := range []string{"x", "d", ".", "x-", "d]"} {
		known := []string{
			"persistent://a/b/" + prefix + "dD", "persistent://a/b/" + prefix + "]", "persistent://a/b/y",
			"persistent://a/other/" + prefix + "-",
		}
		p := Prefix{Namespace: "a/b", Name: prefix, Without: []string{"a/b/" + prefix + "..", "a/b/" + prefix}}
		_, expression, _ := strings.Cut(p.expression(known), "://")
		re := regexp.MustCompile(expression)
		for _, name := range names {
			full := "persistent://a/b/" + name
			want := strings.HasPrefix(name, prefix) && !slices.Contains(known, full) &&
				name != prefix && name != prefix+".." && !slices.ContainsFunc(leftOut, func(end string) bool {
				return strings.HasSuffix(name, end)
			})
			if got := re.MatchString(full); got != want {
				t.Fatalf("prefix %q, topic %q: %v, want %v", prefix, name, got, want)
			}
		}
	}
}

func TestPrefixesAreAnchored(t *testing.T) {
	for prefix, names := range map[string]map[string]bool{
		"orders": {
			"orders": true, "orders-eu": true, "orders.dlqs": true, "orders-DLQ-1": true, "orders.é": true,
			"reorders": false, "orders.dlq": false, "orders-eu-babelqueue-DLQ": false, "orders-RETRY": false,
			"orders.billing.retry": false, "order": false,
		},
		"orders.dlq":  {"orders.dlq": false, "orders.dlqs": true, "orders.dlq-eu": true, "orders.dlq.dlq": false},
		"orders-RETR": {"orders-RETR": true, "orders-RETRY": false, "orders-RETRY-1": true},
	} {
		p := Prefix{Namespace: "public/default", Name: prefix}
		_, expression, _ := strings.Cut(p.expression(nil), "://")
		re := regexp.MustCompile(expression)
		for name, want := range names {
			if got := re.MatchString("persistent://public/default/" + name); got != want {
				t.Errorf("prefix %s, topic %s: %v, want %v", prefix, name, got, want)
			}
		}
	}
}
