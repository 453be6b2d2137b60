package envelope

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// publicSuite is the place of the contract's public conformance suite, next to the project. It is not part of the
// project, since others maintain it.
const publicSuite = "../../../shared/conformance/public"

// TestPublicConformance runs the cases of the public suite that concern envelopes and Pulsar.
func TestPublicConformance(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(publicSuite, "manifest.json"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the public conformance suite is not next to the project")
	} else if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Cases []struct {
			Name, File string
			Valid      bool
			Expect     struct {
				URN           string
				Data          json.RawMessage
				Attempts      int64
				Lang          string
				SchemaVersion json.Number    `json:"schema_version"`
				DeadLetter    map[string]any `json:"dead_letter"`
			}
		}
		Pulsar struct {
			Projection struct {
				EnvelopeFile string `json:"envelope_file"`
				Properties   map[string]string
			} `json:"property_projection"`
		}
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		t.Fatal(err)
	}
	if len(manifest.Cases) == 0 || len(manifest.Pulsar.Projection.Properties) == 0 {
		t.Fatal("the manifest contains no cases")
	}
	read := func(t *testing.T, file string) []byte {
		body, err := os.ReadFile(filepath.Join(publicSuite, file))
		if err != nil {
			t.Fatal(err)
		}
		return body
	}
	for _, c := range manifest.Cases {
		t.Run(c.Name, func(t *testing.T) {
			body := read(t, c.File)
			e, err := Parse(body)
			if (err == nil) != c.Valid {
				t.Fatalf("got %v, want valid %v", err, c.Valid)
			}
			if !c.Valid {
				return
			}
			if e.URN() != c.Expect.URN || e.Attempts != c.Expect.Attempts || e.Meta.Lang != c.Expect.Lang ||
				e.Meta.SchemaVersion != c.Expect.SchemaVersion.String() {
				t.Errorf("got %+v, want %+v", e, c.Expect)
			}
			if diff := cmp.Diff(decode(t, c.Expect.Data), decode(t, e.Data)); diff != "" {
				t.Errorf("data (-want +got):\n%s", diff)
			}
			var whole struct {
				DeadLetter map[string]any `json:"dead_letter"`
			}
			if err := json.Unmarshal(e.WithAttempts(9), &whole); err != nil {
				t.Fatal(err)
			}
			for name, want := range c.Expect.DeadLetter {
				if whole.DeadLetter[name] != want {
					t.Errorf("dead_letter.%s is %v, want %v", name, whole.DeadLetter[name], want)
				}
			}
		})
	}
	t.Run("pulsar property projection", func(t *testing.T) {
		e, err := Parse(read(t, manifest.Pulsar.Projection.EnvelopeFile))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(manifest.Pulsar.Projection.Properties, e.Properties()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func decode(t *testing.T, text []byte) (v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}
