package docs

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/dev/browser"
	"github.com/babelqueue/bqgen/schema"
)

// openBrowser starts a browser, or leaves the test out where there is none. In CI there has to be one.
func openBrowser(t *testing.T) *browser.Browser {
	t.Helper()
	b, err := browser.Start(t.Context())
	if errors.Is(err, browser.ErrUnavailable) && os.Getenv("CI") != "true" {
		t.Skipf("left out: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// artifacts is where screenshots go: BQ_ARTIFACTS, or what go test keeps with -artifacts.
func artifacts(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("BQ_ARTIFACTS")
	if dir == "" {
		dir = t.ArtifactDir()
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Logf("screenshots are in %s", dir)
	return dir
}

// written puts a site into a folder and gives its address.
func written(t *testing.T, c *schema.Catalog) string {
	t.Helper()
	dir := t.TempDir()
	if _, err := HTML.Kind().Write(dir, generate(t, c, HTML)); err != nil {
		t.Fatal(err)
	}
	return "file://" + filepath.ToSlash(dir)
}

var (
	desktop = browser.Screen{Width: 1280, Height: 900}
	dark    = browser.Screen{Width: 1280, Height: 900, Dark: true}
	phone   = browser.Screen{Width: 390, Height: 844, Phone: true}
	night   = browser.Screen{Width: 390, Height: 844, Phone: true, Dark: true}
	paper   = browser.Screen{Width: 794, Height: 1123, Print: true}
)

func TestTheSiteInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	b := openBrowser(t)
	dir := artifacts(t)
	sites := map[string]string{
		"shop":    written(t, load(t, shop)),
		"every":   written(t, load(t, everyKeyword)),
		"small":   written(t, parse(t, large(3, 5))),
		"large":   written(t, parse(t, large(60, 90))),
		"hostile": written(t, parse(t, hostile(t))),
	}
	for _, tc := range []struct {
		name, site, page string
		screen           browser.Screen
	}{
		{"index", "shop", "index", desktop}, {"index-dark", "shop", "index", dark},
		{"index-phone", "shop", "index", phone}, {"index-phone-dark", "shop", "index", night}, {"index-paper", "shop", "index", paper},
		{"message", "shop", "urn-babel-orders-created", desktop}, {"message-dark", "shop", "urn-babel-orders-created", dark},
		{"message-phone", "shop", "urn-babel-orders-created", phone}, {"message-paper", "shop", "urn-babel-orders-created", paper},
		{"deprecated", "shop", "urn-babel-mail-receipt.sent", desktop},
		{"type", "shop", "type-money", desktop}, {"queue", "shop", "queue-orders", desktop}, {"queue-phone", "shop", "queue-orders", phone},
		{"every-keyword", "every", "urn-babel-all-things", desktop}, {"every-keyword-phone-dark", "every", "urn-babel-all-things", night},
		{"every-index", "every", "index", desktop}, {"old", "every", "urn-babel-all-old", desktop},
		{"flow-3", "small", "flow", desktop}, {"flow-60", "large", "flow", desktop}, {"flow-60-dark", "large", "flow", dark}, {"flow-phone", "large", "flow", phone},
		{"hostile", "hostile", "index", desktop}, {"hostile-phone", "hostile", "index", phone},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if err := b.Open(sites[tc.site]+"/"+tc.page+".html", tc.screen); err != nil {
				t.Fatal(err)
			}
			var broad string
			err := b.Evaluate(`document.documentElement.scrollWidth <= innerWidth ? "" : [...document.querySelectorAll("main *")].filter(e => !e.closest(".scroll,.picture,pre") && e.getBoundingClientRect().right > innerWidth).map(e => e.tagName + "." + e.className).slice(0, 5).join()`, &broad)
			if err != nil || broad != "" {
				t.Errorf("the page is broader than the screen: %s, %v", broad, err)
			}
			shot, err := b.Screenshot()
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, tc.name+".png"), shot, 0o644)
			}
			if err != nil {
				t.Error(err)
			}
			if len(b.Complaints) > 0 {
				t.Errorf("the browser complains: %s", strings.Join(b.Complaints, "\n"))
			}
		})
	}
}

func TestDarkIsDarkAndTextsStandOut(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	b := openBrowser(t)
	site := written(t, load(t, shop))
	// The contrast of every text with what is behind it, as WCAG has it: 4.5 at least.
	const faint = `(() => {
		const parse = c => { const m = c.match(/[\d.]+/g).map(Number); return m.length < 4 ? [...m, 1] : m; };
		const light = c => { const [r, g, b] = c.map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
		const behind = e => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c[3] === 1) return c; } return [255, 255, 255, 1]; };
		const faint = [];
		for (const e of document.querySelectorAll("body *")) {
			if (e.closest("svg,script,style") || ![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || e.getBoundingClientRect().width === 0) continue;
			const a = light(parse(getComputedStyle(e).color).slice(0, 3)), b = light(behind(e).slice(0, 3));
			const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
			if (contrast < 4.5) faint.push(e.tagName + "." + e.className + " " + contrast.toFixed(2));
		}
		return [...new Set(faint)].join();
	})()`
	for _, page := range []string{"index", "urn-babel-orders-created", "urn-babel-mail-receipt.sent", "queue-orders"} {
		for _, screen := range []browser.Screen{desktop, dark} {
			if err := b.Open(site+"/"+page+".html", screen); err != nil {
				t.Fatal(err)
			}
			var found, back string
			if err := errors.Join(b.Evaluate(faint, &found), b.Evaluate("getComputedStyle(document.body).backgroundColor", &back)); err != nil {
				t.Fatal(err)
			}
			if found != "" {
				t.Errorf("%s, dark is %v: hard to read: %s", page, screen.Dark, found)
			}
			if isDark := !strings.HasPrefix(back, "rgb(2"); isDark != screen.Dark {
				t.Errorf("%s, dark is %v: the background is %s", page, screen.Dark, back)
			}
		}
	}
}

func TestSearchAndKeyboard(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	b := openBrowser(t)
	if err := b.Open(written(t, load(t, shop))+"/index.html", desktop); err != nil {
		t.Fatal(err)
	}
	const shown = `[...document.querySelectorAll("[data-words]:not([hidden]) a")].map(a => a.textContent).join()`
	type step struct {
		key, text string
	}
	write := func(s string) (steps []step) {
		for _, r := range s {
			steps = append(steps, step{string(r), string(r)})
		}
		return steps
	}
	for _, tc := range []struct {
		name  string
		steps []step
		value string // expression
		want  string
	}{
		{"everything is there first", nil, shown, "OrderCreated,OrderCancelled,PaymentCaptured,ParcelDispatched,ReceiptRequested,ReminderRequested,ReceiptSent,Money,Currency,Address"},
		{"a slash goes to the search", []step{{"/", "/"}}, "document.activeElement.id + document.activeElement.value", "q"},
		{"a field finds its messages and types", write("tracking"), shown, "ParcelDispatched"},
		{"the count is told", nil, `document.getElementById("found").textContent`, "1 found"},
		{"what has no hits is hidden", nil, `String(document.getElementById("queues").checkVisibility())`, "false"},
		{"nothing is told, too", write("qqq"), `document.getElementById("found").textContent`, "Nothing found"},
		{"escape takes it back", []step{{"Escape", ""}}, shown, "OrderCreated,OrderCancelled,PaymentCaptured,ParcelDispatched,ReceiptRequested,ReminderRequested,ReceiptSent,Money,Currency,Address"},
		{"words are all wanted, in any order", write("mailer BILLING"), shown, "ReceiptRequested"},
		{"tab goes on to the first hit or the picture", []step{{"Escape", ""}, {"Tab", ""}}, `document.activeElement.className`, "picture"},
		{"and into the picture", []step{{"Tab", ""}, {"Tab", ""}, {"Tab", ""}}, `document.querySelector("svg.flow").classList.contains("pointed") + " " + document.querySelectorAll(".fl-edge.on").length`, "true 3"},
	} {
		for _, s := range tc.steps {
			if err := b.Press(s.key, s.text); err != nil {
				t.Fatal(err)
			}
		}
		var got string
		if err := b.Evaluate(tc.value, &got); err != nil || got != tc.want {
			t.Errorf("%s: got %q, want %q (%v)", tc.name, got, tc.want, err)
		}
	}
	if len(b.Complaints) > 0 {
		t.Errorf("the browser complains: %s", strings.Join(b.Complaints, "\n"))
	}
}
