package standalone

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/babelqueue/bqgen/dev/pulsar/internal/jars"
)

// A jarCache remembers where Maven put the broker's jars. The jars stay in Maven's own repository. The folder contains
// a list of them, so that a second start needs neither Maven nor the network.
type jarCache struct {
	dir string
	mvn string // path of the program; empty when there is none

	pause func(ctx context.Context, d time.Duration) error // sleeps; nil for real time
}

// listPath is the file with the class path.
func (c *jarCache) listPath() string { return filepath.Join(c.dir, "classpath") }

// stamp returns the list's first line: a list made from another pom.xml, or verified with other checksums, is stale.
func stamp() string {
	sum := sha256.Sum256(append(slices.Clone(pomXML), jars.Sums...))
	return "# made from pom.xml and checksums " + hex.EncodeToString(sum[:])
}

// load returns the class path if it is known and all its jars exist.
func (c *jarCache) load() (classpath string, ok bool) {
	content, err := os.ReadFile(c.listPath())
	if err != nil {
		return "", false
	}
	first, classpath, _ := strings.Cut(string(content), "\n")
	classpath = strings.TrimSpace(classpath)
	if first != stamp() || classpath == "" {
		return "", false
	}
	for _, jar := range filepath.SplitList(classpath) {
		if info, err := os.Stat(jar); err != nil || info.Size() == 0 {
			return "", false
		}
	}
	return classpath, true
}

// resolve makes Maven resolve the jars unless they are known already. Maven tries its own repository first and then
// downloads.
func (c *jarCache) resolve(ctx context.Context, logf func(string, ...any)) error {
	if _, ok := c.load(); ok {
		return nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, resolveLimit,
		fmt.Errorf("gave up after %s", resolveLimit))
	defer cancel()
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return fmt.Errorf("make the cache folder: %w", err)
	}
	// Maven's repository does not support concurrent writers.
	unlock, err := lockFile(ctx, filepath.Join(c.dir, "lock"))
	if err != nil {
		return err
	}
	defer unlock()
	if _, ok := c.load(); ok { // another process was quicker
		return nil
	}
	if c.mvn == "" {
		return &UnavailableError{Reason: "the broker's jars are gone and mvn was not found in PATH"}
	}
	if err := os.WriteFile(filepath.Join(c.dir, "pom.xml"), pomXML, 0o600); err != nil {
		return err
	}
	if _, err := c.runMaven(ctx, "--offline"); err == nil {
		return nil
	} else if errors.Is(err, jars.ErrChecksum) {
		return fmt.Errorf("resolve the broker's jars: %w", err)
	}
	if err := context.Cause(ctx); err != nil {
		return fmt.Errorf("resolve the broker's jars: %w", err)
	}
	return c.download(ctx, logf)
}

// writeAtomically replaces the file at path, so that a reader sees either the old or the new content.
func writeAtomically(path, content string) error {
	if err := os.WriteFile(path+".tmp", []byte(content), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".tmp", path)
}
