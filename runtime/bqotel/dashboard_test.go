package bqotel_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	otelprometheus "go.opentelemetry.io/otel/exporters/prometheus"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"gopkg.in/yaml.v3"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqotel"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// metricName is a name of a metric in an expression.
var metricName = regexp.MustCompile(`\bbq_[a-z_]+`)

// labelName is the name of a label in a scrape.
var labelName = regexp.MustCompile(`[{,]([a-z_]+)="`)

// scrape returns the labels, by name, of all series that Prometheus would get of a consumer and a publisher.
func scrape(t *testing.T) map[string][]string {
	t.Helper()
	registry := prometheus.NewRegistry()
	exporter, err := otelprometheus.New(otelprometheus.WithRegisterer(registry))
	if err != nil {
		t.Fatal(err)
	}
	telemetry, err := bqotel.New(bqotel.WithMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(exporter))))
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{Telemetry: telemetry}
	client := bqtest.NewBroker(t).Client()
	hold, release := make(chan bool), make(chan bool)
	c := l.run(t, client, orderevents.OrdersQueue(),
		func(context.Context, *bq.Message[orderevents.OrderCancelled]) error {
			hold <- true
			<-release
			return nil
		})
	stop, err := l.Watch("orders", c)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	publishers := orderevents.NewPublishers(client, l.Publisher())
	defer publishers.Close(context.Background())
	for i := range 2 {
		if _, err := l.publish(context.Background(), publishers); err != nil {
			t.Fatal(err)
		}
		<-hold
		if i == 0 {
			release <- true
		}
	}
	// The first message is settled, the second is not: all series exist.
	var names map[string][]string
	eventually(t, "all series", func() bool {
		w := httptest.NewRecorder()
		promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
		names = map[string][]string{}
		for line := range strings.Lines(w.Body.String()) {
			if name := metricName.FindString(line); strings.HasPrefix(line, "bq_") {
				for _, label := range labelName.FindAllStringSubmatch(line, -1) {
					names[name] = append(names[name], label[1])
				}
			}
		}
		return names["bq_deliveries_total"] != nil && names["bq_oldest_unsettled_seconds"] != nil
	})
	close(release)
	return names
}

// TestDashboardAndAlertsNameWhatExists is O48 and O50 for the names: what the files ask for is in a scrape, and every
// metric has a panel.
func TestDashboardAndAlertsNameWhatExists(t *testing.T) {
	names := scrape(t)
	text, err := os.ReadFile("grafana-dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Panels []struct {
			ID         int
			Title      string
			Datasource struct{ UID string }
			Targets    []struct {
				Expr       string
				Datasource struct{ UID string }
			}
		}
	}
	if err := json.Unmarshal(text, &dashboard); err != nil {
		t.Fatal(err)
	}
	ids, shown := map[int]bool{}, ""
	for _, p := range dashboard.Panels {
		if ids[p.ID] || p.Datasource.UID != "${datasource}" {
			t.Errorf("panel %q: its id %d is not its own, or its data source is fixed", p.Title, p.ID)
		}
		ids[p.ID] = true
		for _, target := range p.Targets {
			if target.Datasource.UID != "${datasource}" {
				t.Errorf("panel %q: its data source is fixed", p.Title)
			}
			shown += target.Expr + "\n"
		}
	}
	alerts, err := os.ReadFile("prometheus-alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var rules struct {
		Groups []struct {
			Name  string
			Rules []struct {
				Alert, Expr, For    string
				Labels, Annotations map[string]string
			}
		}
	}
	if err := yaml.Unmarshal(alerts, &rules); err != nil {
		t.Fatal(err)
	}
	asked := string(text)
	for _, r := range rules.Groups[0].Rules {
		asked += r.Expr + "\n"
		if !slices.Contains([]string{"page", "ticket", "info"}, r.Labels["severity"]) || r.Annotations["summary"] == "" ||
			r.Annotations["description"] == "" {
			t.Errorf("alert %s has no severity, summary or description", r.Alert)
		}
	}
	for _, name := range metricName.FindAllString(asked, -1) {
		if names[name] == nil {
			t.Errorf("%s is asked for and does not exist; there are %v", name, names)
		}
	}
	for name := range names {
		base := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(name, "_bucket"), "_sum"), "_count")
		if !strings.Contains(shown, base) {
			t.Errorf("%s has no panel", name)
		}
	}
}
