package docs

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"

	"github.com/babelqueue/bqgen/internal/testenv"
	"github.com/babelqueue/bqgen/internal/text"
)

func TestSitesAreWellFormed(t *testing.T) {
	testenv.SkipUnderRace(t, "one goroutine goes through many catalogs")
	for name, catalog := range map[string]string{
		"three services": large(3, 5),
		"sixty services": large(60, 90),
		"nothing in it":  "bqgen: 1\npackage: shop\nqueues: {}\nurns: {}\n",
		"no services": "bqgen: 1\npackage: shop\nqueues: {q: {}, empty: {}}\n" +
			"urns: {'urn:a:b': {queue: q, data: {type: object}}}\n",
	} {
		t.Run(name, func(t *testing.T) { checkSite(t, generate(t, parse(t, catalog), HTML)) })
	}
	t.Run("shop", func(t *testing.T) { checkSite(t, generate(t, load(t, shop), HTML)) })
	t.Run("example", func(t *testing.T) { checkSite(t, generate(t, load(t, example), HTML)) })
	t.Run("every keyword", func(t *testing.T) { checkSite(t, generate(t, load(t, everyKeyword), HTML)) })
}

// nasty are texts that would do something if they were not escaped.
var nasty = []string{
	`</title><script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)`,
	`javascript:alert(1)`, `</style><script>alert(2)</script>`, `<!-- -->`, `-->`, `]]>`, `{{.Site}}`,
	`{{template "top"}}`, "a`b", `a\"b`, `../../etc/passwd`, `a/b?c#d`, `con`, `👍👩‍🚀`, `日本語`, `größe`,
	"\u202etxt.exe", "a\u200bb", "\u2066x\u2069", `&lt;b&gt;`, `%3Cscript%3E`, `a|b`, `*x*`,
	`[x](https://example.com)`, `https://example.com/x`, `<details>`, `C++`, `a  b`, `Ａ`, `A`, `a`, "x\ty",
	`@everyone`, longName,
}

// longName has no place where a line may break.
var longName = strings.Repeat("long", 60)

// hostile returns a catalog in which every text is one of nasty.
func hostile(t *testing.T) string {
	t.Helper()
	q := func(s string) string { return fmt.Sprintf("%q", s) } // for these, Go quotes as YAML does
	var b strings.Builder
	fmt.Fprintf(&b, "bqgen: 1\npackage: shop\ninfo: {title: %s, owner: %s, description: %s}\nqueues:\n",
		q(nasty[0]), q(nasty[1]), q(nasty[4]))
	for i, s := range nasty {
		fmt.Fprintf(&b, "  %s: {name: Queue%d, topic: topic-%d, description: %s}\n", q(s+"q"), i, i, q(s))
	}
	b.WriteString("types:\n")
	for i, s := range nasty {
		fmt.Fprintf(&b, "  T%d: {type: string, enum: [%s, x], description: %s}\n", i, q(s+"v"), q(s))
	}
	b.WriteString("urns:\n")
	for i, s := range nasty {
		fmt.Fprintf(&b, "  %s:\n    queue: %s\n    name: Message%d\n    summary: %s\n    description: %s\n",
			q(s+":u"), q(s+"q"), i, q(s), q(s))
		fmt.Fprintf(&b, "    publishers: [%s]\n    consumers: [%s]\n    deprecated: {reason: %s}\n",
			q(s+"p"), q(s+"c"), q(s))
		fmt.Fprintf(&b, "    data:\n      type: object\n      required: [%[1]s]\n      properties:\n"+
			"        %[1]s: {type: string, description: %[2]s}\n        other: {$ref: '#/types/T%[3]d'}\n"+
			"    examples: [{%[1]s: %[2]s}]\n", q(s+"m"), q(s), i)
	}
	return b.String()
}

func TestTextsOfTheCatalogAreEscaped(t *testing.T) {
	testenv.SkipUnderRace(t, "one goroutine goes through many catalogs")
	c := parse(t, hostile(t))
	files := generate(t, c, HTML)
	checkSite(t, files)
	if want := 2 + len(nasty)*5; len(files) != want {
		t.Errorf("%d files, want %d", len(files), want)
	}
	var all strings.Builder
	for name, content := range files {
		for _, r := range string(content) {
			if r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co) && r != '\u200d' {
				t.Errorf("%s contains the invisible character %U", name, r)
				break
			}
		}
		tree, err := html.Parse(bytes.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		for n := range tree.Descendants() {
			if n.Type == html.ElementNode && n.Data == "script" && textOf(n) != script {
				t.Errorf("%s has an unexpected script: %.80q", name, textOf(n))
			}
			if n.Type == html.ElementNode && n.Data == "style" && textOf(n) != style {
				t.Errorf("%s has an unexpected style: %.80q", name, textOf(n))
			}
		}
		all.WriteString(textOf(tree))
	}
	for _, s := range nasty {
		if shown := text.OneLine(s); !strings.Contains(all.String(), shown) {
			t.Errorf("%q is on no page", shown)
		}
	}
}

func TestNamesOfPagesAreSafeEverywhereAndStable(t *testing.T) {
	catalog := hostile(t)
	safe := regexp.MustCompile(`^[a-z0-9][a-z0-9._~-]*[a-z0-9]\.(html|md|svg)$`)
	for _, f := range []Format{HTML, Markdown} {
		files := generate(t, parse(t, catalog), f)
		for name := range files {
			if name != "README.md" && !safe.MatchString(name) || len(name) > 140 {
				t.Errorf("the name %q is not safe", name)
			}
		}
		more := generate(t, parse(t, catalog+"  'urn:babel:one:more': {queue: \"aq\", data: {type: object}}\n"), f)
		for name := range files {
			if more[name] == nil {
				t.Errorf("%s has another name now", name)
			}
		}
		if len(more) != len(files)+1 {
			t.Errorf("%d files became %d", len(files), len(more))
		}
	}
}

func TestTheSameCatalogYieldsTheSameBytes(t *testing.T) {
	for _, f := range []Format{HTML, Markdown} {
		first := generate(t, load(t, shop), f)
		for range 5 {
			for name, content := range generate(t, load(t, shop), f) {
				if !bytes.Equal(first[name], content) {
					t.Fatalf("%s differs from run to run", name)
				}
			}
		}
	}
}

func TestPagesContainWhatTheCatalogSays(t *testing.T) {
	files := generate(t, load(t, shop), HTML)
	for page, wants := range map[string][]string{
		"urn-babel-mail-receipt.sent.html": {"Deprecated.", "Nobody listens; the mailer keeps its own journal."},
		"queue-orders.html":                {"persistent://public/default/orders.dlq", "attempts3", "NewOrdersConsumer"},
		"queue-notifications.html":         {"dropped", "attempts2", "mailer"},
		"type-currency.html":               {"ISO 4217 code.", "EUR", "Money"},
		"urn-babel-orders-created.html": {
			"/customer_id", "team-orders", "OrderCreated", "lines[].", "HandleOrderCreated", "Happy birthday",
		},
		"index.html": {"7 messages", "2 queues", "5 services"},
	} {
		tree, err := html.Parse(bytes.NewReader(files[page]))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(textOf(tree), want) {
				t.Errorf("%s does not contain %q", page, want)
			}
		}
	}
}

func TestLongNamesBreakAfterTheirSeparators(t *testing.T) {
	for name, want := range map[string]string{
		"persistent://public/default/orders.dlq": "persistent://|public/|default/|orders.|dlq",
		"urn:babel:orders:created":               "urn:|babel:|orders:|created",
		"...":                                    "...",
		"orders":                                 "orders",
		"":                                       "",
	} {
		if got := strings.Join(pieces(name), "|"); got != want {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
	}
}
