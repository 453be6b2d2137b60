package docs

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/schema"
)

// The name of a queue is a stranger's: a shell must take it for one word.
func TestCommandsAreSafeToCopy(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	for _, name := range []string{"orders", "a b", "$(echo x)", "`id`", "it's", "a;b", "*", "", "a\\b", "é"} {
		out, err := exec.Command(sh, "-c", "printf '%s' "+shellWord(name)).Output()
		if err != nil || string(out) != name {
			t.Errorf("%q is %q to a shell, %v", name, out, err)
		}
	}
}

func TestCommandsOfAQueue(t *testing.T) {
	q := &schema.Queue{Name: "orders", DeadLetter: "orders.dlq"}
	for want, q := range map[string]*schema.Queue{
		"bqgen status|bqgen tail orders --since 10m|bqgen dlq list orders|bqgen dlq redrive orders --dry-run": q,
		"bqgen status|bqgen tail mail --since 10m":                                                            {Name: "mail"},
		"bqgen status|bqgen tail orders --since 10m|bqgen dlq list orders --service billing|" +
			"bqgen dlq redrive orders --service billing --dry-run": {Name: "orders", Services: []*schema.Service{
			{Name: "billing", DeadLetter: "x"}}},
	} {
		if got := strings.ReplaceAll(commands(q).String(), "\n", "|"); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}
