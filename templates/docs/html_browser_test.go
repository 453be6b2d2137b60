package docs

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/dev/browser"
	"github.com/babelqueue/bqgen/internal/pagename"
	"github.com/babelqueue/bqgen/schema"
)

// openBrowser starts a browser. It skips the test where there is none, except in CI.
func openBrowser(t *testing.T) *browser.Browser {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser")
	}
	b, err := browser.Start(t.Context())
	if errors.Is(err, browser.ErrUnavailable) && os.Getenv("CI") != "true" {
		t.Skip(err)
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

// artifacts is the folder for screenshots. It comes from the environment; there are none when it is empty.
var artifacts = os.Getenv("BQ_ARTIFACTS")

// keepScreenshot writes a screenshot of the open page to the folder for screenshots.
func keepScreenshot(t *testing.T, b *browser.Browser, name string) {
	t.Helper()
	if artifacts == "" {
		return
	}
	if err := os.MkdirAll(artifacts, 0o755); err != nil {
		t.Fatal(err)
	}
	shot, err := b.Screenshot()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(artifacts, name+".png"), shot, 0o644); err != nil {
		t.Fatal(err)
	}
}

// written writes a site to a folder and returns its address.
func written(t *testing.T, c *schema.Catalog) string {
	t.Helper()
	dir := t.TempDir()
	if _, err := HTML.Kind().Write(dir, generate(t, c, HTML)); err != nil {
		t.Fatal(err)
	}
	return "file://" + filepath.ToSlash(dir)
}

// screens are what people read the site on, by the suffix of their screenshots.
var screens = map[string]browser.Screen{
	"":            {Width: 1280, Height: 900},
	"-dark":       {Width: 1280, Height: 900, Dark: true},
	"-tablet":     {Width: 768, Height: 1024},
	"-phone":      {Width: 360, Height: 740, Phone: true},
	"-phone-dark": {Width: 360, Height: 740, Phone: true, Dark: true},
	"-paper":      {Width: 794, Height: 1123, Print: true},
}

// misfits is an expression for what does not fit: elements outside the screen, and elements whose content is wider than
// they are. Only samples of code may scroll sideways. WIDTH is the width of the screen. The page does not know it: a
// phone shows a page that is too wide on a smaller scale.
const misfits = `(() => {
	const found = new Set();
	const say = (why, e) => found.add(why + " " + e.tagName + "." + (e.className.baseVal ?? e.className));
	if (document.documentElement.scrollWidth > WIDTH) found.add("the page is " + document.documentElement.scrollWidth);
	for (const e of document.querySelectorAll("body *")) {
		if (e.closest("svg,pre") && !e.matches("svg,pre")) continue;
		const box = e.getBoundingClientRect();
		if (box.width === 0 || box.right <= 0) continue; // not shown, or only read aloud
		if (box.right > WIDTH + .5 || box.left < -.5) say("outside:", e);
		if (!e.matches("svg,pre,input") && e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1) say("too narrow:", e);
	}
	for (const label of document.querySelectorAll("svg a text")) {
		const box = label.parentElement.querySelector("rect").getBBox(), text = label.getBBox();
		if (box.width > 0 && text.x + text.width > box.x + box.width) found.add("too long: " + label.textContent);
	}
	return [...found].slice(0, 8).join("; ");
})()`

// widerThan returns what is wider than width on the open page.
func widerThan(t *testing.T, b *browser.Browser, width string) string {
	t.Helper()
	var found string
	if err := b.Evaluate(strings.ReplaceAll(misfits, "WIDTH", width), &found); err != nil {
		t.Fatal(err)
	}
	return found
}

func TestPagesFitOnEveryScreen(t *testing.T) {
	b := openBrowser(t)
	sites := map[string]string{
		"shop":    written(t, load(t, shop)),
		"every":   written(t, load(t, everyKeyword)),
		"small":   written(t, parse(t, large(3, 5))),
		"large":   written(t, parse(t, large(60, 90))),
		"hostile": written(t, parse(t, hostile(t))),
		"empty":   written(t, parse(t, "bqgen: 1\npackage: shop\nqueues: {}\nurns: {}\n")),
	}
	type view struct{ name, site, page string }
	for _, v := range []view{
		{"index", "shop", "index"},
		{"message", "shop", "urn-babel-orders-created"},
		{"type", "shop", "type-money"},
		{"enum", "shop", "type-currency"},
		{"queue", "shop", "queue-orders"},
		{"flow", "shop", "flow"},
		{"deprecated", "shop", "urn-babel-mail-receipt.sent"},
		{"every-index", "every", "index"},
		{"every-message", "every", "urn-babel-all-things"},
		{"every-deprecated", "every", "urn-babel-all-old"},
		{"small-flow", "small", "flow"},
		{"large-flow", "large", "flow"},
		{"hostile-index", "hostile", "index"},
		{"hostile-flow", "hostile", "flow"},
		{"hostile-message", "hostile", pagename.URN(longName + ":u")},
		{"hostile-queue", "hostile", pagename.Queue(longName + "q")},
		{"empty-index", "empty", "index"},
		{"empty-flow", "empty", "flow"},
	} {
		for suffix, screen := range screens {
			if screen.Dark && artifacts == "" {
				continue // the colours take no space
			}
			t.Run(v.name+suffix, func(t *testing.T) {
				if err := b.Open(sites[v.site]+"/"+v.page+".html", screen); err != nil {
					t.Fatal(err)
				}
				if found := widerThan(t, b, strconv.Itoa(screen.Width)); found != "" {
					t.Errorf("does not fit on %d pixels: %s", screen.Width, found)
				}
				keepScreenshot(t, b, v.name+suffix)
				if len(b.Complaints) > 0 {
					t.Errorf("the browser complains: %s", strings.Join(b.Complaints, "\n"))
				}
			})
		}
	}
}

func TestTheCheckOfScreensFindsMisfits(t *testing.T) {
	b := openBrowser(t)
	file := filepath.Join(t.TempDir(), "a.html")
	const head = `<!DOCTYPE html><meta name="viewport" content="width=device-width"><body style="margin:0">`
	for name, body := range map[string]string{
		"a wide element":     `<div style="width:361px">x</div>`,
		"a long word":        `<p>` + longName,
		"a clipped word":     `<p style="overflow:hidden">` + longName,
		"a scrolled picture": `<div style="overflow:auto"><svg width="400" height="9"></svg></div>`,
		"a long label":       `<svg width="90" height="9"><a><rect width="9" height="9"/><text>too long</text></a></svg>`,
	} {
		if err := os.WriteFile(file, []byte(head+body), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := b.Open("file://"+filepath.ToSlash(file), screens["-phone"]); err != nil {
			t.Fatal(err)
		}
		if widerThan(t, b, "360") == "" {
			t.Errorf("%s is not found", name)
		}
	}
}

// Where the picture does not fit, the same is told in words.
func TestTheFlowIsShownOnEveryScreen(t *testing.T) {
	b := openBrowser(t)
	site := written(t, load(t, shop))
	for suffix, picture := range map[string]bool{"": true, "-tablet": true, "-paper": true, "-phone": false} {
		if err := b.Open(site+"/flow.html", screens[suffix]); err != nil {
			t.Fatal(err)
		}
		var got bool
		if err := b.Evaluate(`document.querySelector("svg.flow").checkVisibility()`, &got); err != nil || got != picture {
			t.Errorf("screen %q: the picture is shown: %v, want %v (%v)", suffix, got, picture, err)
		}
		var row string
		if err := b.Evaluate(`document.querySelector(".flows tbody tr").innerText`, &row); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"OrderCreated", "orders", "checkout", "billing", "warehouse"} {
			if !strings.Contains(row, want) {
				t.Errorf("screen %q: the row %q does not contain %s", suffix, row, want)
			}
		}
		var small float64
		const sizes = `Math.min(...[...document.querySelectorAll("svg.flow text")]
			.map(e => parseFloat(getComputedStyle(e).fontSize) * e.ownerSVGElement.getScreenCTM().a))`
		if picture {
			if err := b.Evaluate(sizes, &small); err != nil || small < 9.5 {
				t.Errorf("screen %q: the smallest text has %.1f pixels (%v)", suffix, small, err)
			}
		}
	}
}

// faint is an expression for texts with a contrast below 4.5, what WCAG asks for, with their background.
const faint = `(() => {
	const parse = c => { const m = c.match(/[\d.]+/g).map(Number); return m.length < 4 ? [...m, 1] : m; };
	const linear = v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
	const light = c => { const [r, g, b] = c.map(v => linear(v / 255)); return .2126 * r + .7152 * g + .0722 * b; };
	const behind = e => {
		for (; e; e = e.parentElement) {
			const box = e.matches("svg g") && e.querySelector(":scope > rect");
			const c = parse(box ? getComputedStyle(box).fill : getComputedStyle(e).backgroundColor);
			if (c[3] === 1) return c;
		}
		return [255, 255, 255, 1];
	};
	const faint = new Set();
	for (const e of document.querySelectorAll("body *")) {
		if (e.closest("script,style,title") || e.getBoundingClientRect().width === 0) continue;
		if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
		const style = getComputedStyle(e), ink = e.matches("svg text") ? style.fill : style.color;
		const a = light(parse(ink).slice(0, 3)), b = light(behind(e).slice(0, 3));
		const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
		if (contrast < 4.5) faint.add(e.tagName + "." + (e.className.baseVal ?? e.className) + " " + contrast.toFixed(2));
	}
	return [...faint].join();
})()`

func TestDarkIsDarkAndTextsStandOut(t *testing.T) {
	b := openBrowser(t)
	site := written(t, load(t, shop))
	for _, page := range []string{
		"index", "flow", "urn-babel-orders-created", "urn-babel-mail-receipt.sent", "queue-orders",
	} {
		for _, suffix := range []string{"", "-dark", "-phone", "-phone-dark"} {
			if err := b.Open(site+"/"+page+".html", screens[suffix]); err != nil {
				t.Fatal(err)
			}
			var found, back string
			err := errors.Join(b.Evaluate(faint, &found),
				b.Evaluate("getComputedStyle(document.body).backgroundColor", &back))
			if err != nil {
				t.Fatal(err)
			}
			if found != "" {
				t.Errorf("%s%s: hard to read: %s", page, suffix, found)
			}
			if isDark := !strings.HasPrefix(back, "rgb(2"); isDark != screens[suffix].Dark {
				t.Errorf("%s%s: the background is %s", page, suffix, back)
			}
		}
	}
}

func TestSearchAndKeyboard(t *testing.T) {
	b := openBrowser(t)
	if err := b.Open(written(t, load(t, shop))+"/index.html", screens[""]); err != nil {
		t.Fatal(err)
	}
	const (
		shown = `[...document.querySelectorAll("[data-words]:not([hidden]) a")].map(a => a.textContent).join()`
		all   = "OrderCreated,OrderCancelled,PaymentCaptured,ParcelDispatched,ReceiptRequested,ReminderRequested," +
			"ReceiptSent,Money,Currency,Address"
		count  = `document.getElementById("found").textContent`
		active = `document.activeElement.id + document.activeElement.value`
		queues = `String(document.getElementById("queues").checkVisibility())`
		inFlow = `String(document.activeElement.closest("svg.flow") !== null)`
		lit    = `document.querySelector("svg.flow").classList.contains("lit") + " " +
			document.querySelectorAll(".fl-edge.on").length`
	)
	type key struct{ name, text string }
	typed := func(s string) (keys []key) {
		for _, r := range s {
			keys = append(keys, key{string(r), string(r)})
		}
		return keys
	}
	escape, tab := key{"Escape", ""}, key{"Tab", ""}
	for _, tc := range []struct {
		name  string
		keys  []key
		value string // an expression
		want  string
	}{
		{"everything is shown first", nil, shown, all},
		{"a slash leads to the search", typed("/"), active, "q"},
		{"a field finds its messages and types", typed("tracking"), shown, "ParcelDispatched"},
		{"results are counted", nil, count, "1 result"},
		{"other sections are hidden", nil, queues, "false"},
		{"no results are reported", typed("qqq"), count, "No results"},
		{"escape clears the search", []key{escape}, shown, all},
		{"all words must match, in any order", typed("mailer BILLING"), shown, "ReceiptRequested"},
		{"tab leads to the picture", []key{escape, tab}, inFlow, "true"},
		{"the picture highlights what has the focus", []key{tab, tab}, lit, "true 2"}, // competing consumers are one box
	} {
		for _, k := range tc.keys {
			if err := b.Press(k.name, k.text); err != nil {
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
