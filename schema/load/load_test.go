package load

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

func TestLoadFailsOnlyWhenTheFileCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	for name, tt := range map[string]struct {
		path string
		is   error
	}{
		"missing":     {filepath.Join(dir, "urns.yaml"), fs.ErrNotExist},
		"a directory": {dir, nil},
		"a bad name":  {"urns\x00.yaml", nil},
	} {
		t.Run(name, func(t *testing.T) {
			c, findings, err := Load(tt.path)
			if c != nil || findings != nil || err == nil || !strings.HasPrefix(err.Error(), "read catalog: ") {
				t.Fatalf("got %v, %v, %v", c, findings, err)
			}
			if tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("error %v is not %v", err, tt.is)
			}
		})
	}
}

func TestLoadShowsThePathItWasGiven(t *testing.T) {
	path := filepath.Join(t.TempDir(), "urns.yaml")
	if err := os.WriteFile(path, []byte("bqgen: 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, findings, err := Load(path)
	if err != nil || len(findings) == 0 || findings[0].Pos.File != path {
		t.Errorf("error %v, findings %v", err, findings)
	}
}

func TestLoadReadsOrdinaryFilesOnly(t *testing.T) {
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip("no device without an end here")
	}
	if _, _, err := Load("/dev/zero"); err == nil || !strings.Contains(err.Error(), "it is not an ordinary file") {
		t.Errorf("error %v", err)
	}
	if _, err := ReadFile("/dev/zero"); err == nil {
		t.Error("no error from ReadFile")
	}
}

func TestReadFileStopsAtTheLimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "urns.yaml")
	if err := os.WriteFile(path, bytes.Repeat([]byte("#"), source.MaxSource+100), 0o644); err != nil {
		t.Fatal(err)
	}
	text, err := ReadFile(path)
	if err != nil || len(text) != source.MaxSource+1 {
		t.Errorf("%d bytes, error %v", len(text), err)
	}
	if _, findings, err := Load(path); err != nil || len(findings) != 1 || findings[0].Rule != schema.RuleTooLarge {
		t.Errorf("error %v, findings %v", err, findings)
	}
}
