package bqotel_test

import (
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"
)

// What follows evaluates the part of PromQL that the alert rules use, minute by minute and without Prometheus. It does
// not extrapolate: increase is what was counted between two samples of a series, with resets.

// night is how many minutes are evaluated.
const night = 90

// A series has a value for each minute; NaN is no sample.
type series struct {
	labels map[string]string // and __name__
	values [night]float64
}

// A promValue is an element of an instant vector.
type promValue struct {
	labels map[string]string
	value  float64
}

// A promQL evaluates one expression at one minute.
type promQL struct {
	t      *testing.T
	tokens []string
	now    int
	all    []*series
}

var promToken = regexp.MustCompile(`[a-zA-Z_]+|[0-9.]+[smh]?|"[^"]*"|[=!><]=|[{}()\[\],=<>]`)

func evaluate(t *testing.T, expr string, now int, all []*series) []promValue {
	t.Helper()
	q := &promQL{t, promToken.FindAllString(expr, -1), now, all}
	v := q.set()
	if len(q.tokens) > 0 {
		t.Fatalf("%s: cannot evaluate from %v on", expr, q.tokens)
	}
	return v
}

func (q *promQL) peek() string {
	if len(q.tokens) == 0 {
		return ""
	}
	return q.tokens[0]
}

func (q *promQL) next() string {
	s := q.peek()
	if s == "" {
		q.t.Fatal("the expression ends early")
	}
	q.tokens = q.tokens[1:]
	return s
}

func (q *promQL) want(s string) {
	if got := q.next(); got != s {
		q.t.Fatalf("%q where %q is expected", got, s)
	}
}

func (q *promQL) number() float64 {
	v, err := strconv.ParseFloat(q.next(), 64)
	if err != nil {
		q.t.Fatal(err)
	}
	return v
}

func (q *promQL) names() (all []string) {
	q.want("(")
	for q.peek() != ")" {
		if s := q.next(); s != "," {
			all = append(all, s)
		}
	}
	q.want(")")
	return all
}

// set is: compare { unless on (labels) compare }.
func (q *promQL) set() []promValue {
	left := q.compare()
	for q.peek() == "unless" {
		q.next()
		q.want("on")
		on := q.names()
		right := q.compare()
		left = slices.DeleteFunc(left, func(l promValue) bool {
			return slices.ContainsFunc(right, func(r promValue) bool { return q.key(l, on) == q.key(r, on) })
		})
	}
	return left
}

func (q *promQL) compare() []promValue {
	v := q.primary()
	switch op := q.peek(); op {
	case ">", "==":
		q.next()
		bound := q.number()
		return slices.DeleteFunc(v, func(e promValue) bool {
			return op == ">" && !(e.value > bound) || op == "==" && e.value != bound
		})
	}
	return v
}

// key joins labels of an element, which must have them.
func (q *promQL) key(v promValue, names []string) string {
	key := ""
	for _, n := range names {
		if v.labels[n] == "" {
			q.t.Errorf("%v has no label %s", v.labels, n)
		}
		key += v.labels[n] + "\x00"
	}
	return key
}

func (q *promQL) primary() []promValue {
	switch name := q.next(); name {
	case "sum", "max":
		q.want("by")
		by := q.names()
		q.want("(")
		inner := q.set()
		q.want(")")
		return q.aggregate(by, inner, func(a, b float64) float64 {
			if name == "sum" {
				return a + b
			}
			return max(a, b)
		})
	case "increase", "rate":
		q.want("(")
		chosen := q.selector(q.next())
		q.want("[")
		window, err := time.ParseDuration(q.next())
		if err != nil {
			q.t.Fatal(err)
		}
		q.want("]")
		q.want(")")
		var v []promValue
		for _, s := range chosen {
			if n, ok := increase(s, q.now, int(window.Minutes())); ok {
				if name == "rate" {
					n /= window.Seconds()
				}
				v = append(v, promValue{s.labels, n})
			}
		}
		return v
	case "histogram_quantile":
		q.want("(")
		quantile := q.number()
		q.want(",")
		inner := q.set()
		q.want(")")
		return q.quantile(quantile, inner)
	case "absent":
		q.want("(")
		v := q.instant(q.selector(q.next()))
		q.want(")")
		if len(v) == 0 {
			return []promValue{{map[string]string{}, 1}}
		}
		return nil
	default:
		return q.instant(q.selector(name))
	}
}

// selector is: name { label = "value" }.
func (q *promQL) selector(name string) (chosen []*series) {
	match := map[string]string{"__name__": name}
	if q.peek() == "{" {
		q.next()
		for q.peek() != "}" {
			label := q.next()
			q.want("=")
			match[label] = strings.Trim(q.next(), `"`)
			if q.peek() == "," {
				q.next()
			}
		}
		q.want("}")
	}
	for _, s := range q.all {
		fits := true
		for label, value := range match {
			fits = fits && s.labels[label] == value
		}
		if fits {
			chosen = append(chosen, s)
		}
	}
	return chosen
}

func (q *promQL) instant(chosen []*series) (v []promValue) {
	for _, s := range chosen {
		if x := s.values[q.now]; !math.IsNaN(x) {
			v = append(v, promValue{s.labels, x})
		}
	}
	return v
}

func increase(s *series, now, window int) (n float64, ok bool) {
	last, samples := math.NaN(), 0
	for _, x := range s.values[max(now-window, 0) : now+1] {
		if math.IsNaN(x) {
			continue
		}
		samples++
		switch {
		case math.IsNaN(last):
		case x < last: // the process has started again
			n += x
		default:
			n += x - last
		}
		last = x
	}
	return n, samples > 1
}

func (q *promQL) aggregate(by []string, v []promValue, join func(a, b float64) float64) (out []promValue) {
	at := map[string]int{}
	for _, e := range v {
		key := q.key(e, by)
		if i, ok := at[key]; ok {
			out[i].value = join(out[i].value, e.value)
			continue
		}
		labels := map[string]string{}
		for _, name := range by {
			labels[name] = e.labels[name]
		}
		at[key], out = len(out), append(out, promValue{labels, e.value})
	}
	return out
}

// quantile returns the upper bound of the bucket that a quantile is in.
func (q *promQL) quantile(quantile float64, buckets []promValue) (out []promValue) {
	var others []string
	for _, b := range buckets {
		for name := range b.labels {
			if name != "le" && !slices.Contains(others, name) {
				others = append(others, name)
			}
		}
	}
	groups := map[string][]promValue{}
	for _, b := range buckets {
		groups[q.key(b, others)] = append(groups[q.key(b, others)], b)
	}
	bound := func(v promValue) float64 {
		le, err := strconv.ParseFloat(v.labels["le"], 64)
		if err != nil {
			q.t.Fatalf("a bucket without a bound: %v", v.labels)
		}
		return le
	}
	for _, g := range groups {
		slices.SortFunc(g, func(a, b promValue) int {
			if bound(a) < bound(b) {
				return -1
			}
			return 1
		})
		total := g[len(g)-1].value
		for _, b := range g {
			if total > 0 && b.value >= quantile*total {
				out = append(out, promValue{b.labels, bound(b)})
				break
			}
		}
	}
	return out
}

// A rule of the file.
type alertRule struct {
	Alert, Expr, For string
	Labels           map[string]string
}

// fires reports whether a rule fires at any time of a night.
func (r *alertRule) fires(t *testing.T, all []*series) bool {
	t.Helper()
	pending, wait := 0, 0
	if r.For != "" {
		d, err := time.ParseDuration(r.For)
		if err != nil {
			t.Fatal(err)
		}
		wait = int(d.Minutes())
	}
	for now := range night {
		if len(evaluate(t, r.Expr, now, all)) == 0 {
			pending = 0
			continue
		}
		if pending++; pending > wait {
			return true
		}
	}
	return false
}

// quietNight returns the series of a consumer and a publisher that have work and no trouble.
func quietNight() map[string]*series {
	all := map[string]*series{}
	add := func(key, name string, value func(minute int) float64, labels ...string) {
		s := &series{labels: map[string]string{"__name__": name, "instance": "pod-1"}}
		for i := 0; i < len(labels); i += 2 {
			s.labels[labels[i]] = labels[i+1]
		}
		for m := range night {
			s.values[m] = value(m)
		}
		all[key] = s
	}
	constant := func(n float64) func(int) float64 { return func(int) float64 { return n } }
	growing := func(perMinute float64) func(int) float64 {
		return func(m int) float64 { return perMinute * float64(m) }
	}
	add("dead", "bq_dead_letters_total", constant(3), "queue", "orders", "reason", "failed")
	add("acked", "bq_deliveries_total", growing(60), "queue", "orders", "urn", "u", "outcome", "acknowledged")
	add("returned", "bq_deliveries_total", constant(0), "queue", "orders", "urn", "u", "outcome", "returned")
	add("quick", "bq_handler_duration_seconds_bucket", growing(60), "queue", "orders", "urn", "u", "le", "0.05")
	add("slow", "bq_handler_duration_seconds_bucket", growing(60), "queue", "orders", "urn", "u", "le", "120")
	add("all", "bq_handler_duration_seconds_bucket", growing(60), "queue", "orders", "urn", "u", "le", "+Inf")
	add("published", "bq_published_total", growing(60), "urn", "u", "outcome", "confirmed")
	add("unpublished", "bq_published_total", constant(0), "urn", "u", "outcome", "failed")
	add("unsettled", "bq_unsettled", constant(1), "queue", "orders")
	add("oldest", "bq_oldest_unsettled_seconds", constant(0.1), "queue", "orders")
	add("paused", "bq_paused", constant(0), "queue", "orders")
	return all
}

// change sets the values of a series from one minute to another.
func (s *series) change(from, to int, value func(minute int) float64) {
	for m := from; m < to; m++ {
		s.values[m] = value(m)
	}
}

// TestAlertsFire is O50: which rules fire in which night.
func TestAlertsFire(t *testing.T) {
	text, err := os.ReadFile("prometheus-alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Groups []struct{ Rules []alertRule } }
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	constant := func(n float64) func(int) float64 { return func(int) float64 { return n } }
	none := func(int) float64 { return math.NaN() }
	restart := func(night map[string]*series) { // a deployment: 2 minutes without a process, then counters start at 0
		for _, s := range night {
			if strings.HasSuffix(s.labels["__name__"], "_total") || s.labels["le"] != "" {
				before := s.values[40]
				s.change(42, len(s.values), func(m int) float64 { return max(s.values[m]-before, 0) })
			}
			s.change(40, 42, none)
		}
	}
	fired := map[string]bool{}
	for name, test := range map[string]struct {
		happens func(map[string]*series)
		want    string
	}{
		"quiet":   {func(map[string]*series) {}, ""},
		"restart": {restart, ""},
		"one dead letter": {func(n map[string]*series) { n["dead"].change(40, night, constant(4)) },
			"BabelQueueDeadLetters ticket"},
		"a burst of dead letters": {func(n map[string]*series) { n["dead"].change(40, night, constant(10_003)) },
			"BabelQueueDeadLetters ticket, BabelQueueManyDeadLetters page"},
		"paused for long, with messages in hand": {func(n map[string]*series) {
			n["paused"].change(30, 75, constant(1))
			n["oldest"].change(30, 75, func(m int) float64 { return float64(60 * (m - 30)) })
		}, "BabelQueuePaused info"},
		"a handler hangs": {func(n map[string]*series) {
			n["oldest"].change(30, night, func(m int) float64 { return float64(60 * (m - 30)) })
		}, "BabelQueueStuck page"},
		"retries cannot be published": {func(n map[string]*series) {
			n["returned"].change(30, night, func(m int) float64 { return float64(m - 30) })
		}, "BabelQueueCannotSettle page"},
		"slow handlers": {func(n map[string]*series) {
			n["quick"].change(30, night, constant(n["quick"].values[30]))
		}, "BabelQueueSlowHandlers ticket"},
		"the broker is gone for 3 minutes": {func(n map[string]*series) {
			n["unpublished"].change(30, night, func(m int) float64 { return float64(10 * min(m-30, 3)) })
		}, "BabelQueuePublishFails page"},
		"no metrics": {func(n map[string]*series) {
			for _, s := range n {
				s.change(30, night, none)
			}
		}, "BabelQueueMetricsMissing page"},
	} {
		t.Run(name, func(t *testing.T) {
			all := quietNight()
			test.happens(all)
			var list []*series
			for _, s := range all {
				list = append(list, s)
			}
			var got []string
			for _, r := range file.Groups[0].Rules {
				if r.fires(t, list) {
					got = append(got, r.Alert+" "+r.Labels["severity"])
					fired[r.Alert] = true
				}
			}
			if s := strings.Join(got, ", "); s != test.want {
				t.Errorf("fires %q, want %q", s, test.want)
			}
		})
	}
	for _, r := range file.Groups[0].Rules {
		if !fired[r.Alert] {
			t.Errorf("%s never fires", r.Alert)
		}
	}
}

// TestTheSeriesOfAlertTestsExist: they have the names and labels of a scrape.
func TestTheSeriesOfAlertTestsExist(t *testing.T) {
	real := scrape(t)
	for key, s := range quietNight() {
		labels, ok := real[s.labels["__name__"]]
		if !ok {
			t.Errorf("%s: there is no series %s", key, s.labels["__name__"])
		}
		for name := range s.labels {
			if name != "__name__" && name != "instance" && !slices.Contains(labels, name) {
				t.Errorf("%s: the series %s has the labels %v, not %s", key, s.labels["__name__"], labels, name)
			}
		}
	}
}
