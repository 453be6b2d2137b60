package standalone

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Limits for resolving the jars.
const (
	resolveLimit    = 10 * time.Minute
	resolveAttempts = 3
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

// stamp is the list's first line: a list made from another pom.xml is stale.
func stamp() string {
	sum := sha256.Sum256(pomXML)
	return "# made from pom.xml " + hex.EncodeToString(sum[:])
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
		return &UnavailableError{Missing: []string{"the broker's jars are gone and mvn was not found in PATH"}}
	}
	if err := os.WriteFile(filepath.Join(c.dir, "pom.xml"), pomXML, 0o600); err != nil {
		return err
	}
	if _, err := c.runMaven(ctx, "--offline"); err == nil {
		return nil
	}
	if err := context.Cause(ctx); err != nil {
		return fmt.Errorf("resolve the broker's jars: %w", err)
	}
	return c.download(ctx, logf)
}

// download runs Maven with the network, again after a network error.
func (c *jarCache) download(ctx context.Context, logf func(string, ...any)) error {
	logf("resolving the jars of Apache Pulsar %s with Maven; the first time this downloads about 235 MB", Version)
	start := time.Now()
	pause := c.pause
	if pause == nil {
		pause = sleep
	}
	for attempt := 1; ; attempt++ {
		// -U: ask again for what an earlier run failed to get.
		output, err := c.runMaven(ctx, "-U")
		if err == nil {
			logf("resolved in %s", time.Since(start).Round(time.Second))
			return nil
		}
		if cause := context.Cause(ctx); cause != nil {
			if errors.Is(ctx.Err(), context.Canceled) { // called off, which says nothing of this machine
				return cause
			}
			err = cause
		} else if attempt < resolveAttempts && networkTrouble.MatchString(output) {
			logf("Maven reported a network error (attempt %d of %d), trying again: %s",
				attempt, resolveAttempts, mavenSays(output))
			if pause(ctx, time.Duration(attempt)*3*time.Second) == nil {
				continue
			}
			err = context.Cause(ctx)
		}
		why := fmt.Sprintf("Maven could not resolve the jars of Apache Pulsar %s: %v", Version, err)
		if output != "" {
			why += ": " + mavenSays(output)
		}
		return &UnavailableError{Missing: []string{why}, Err: err}
	}
}

// runMaven makes Maven write the class path into the list and returns its output.
func (c *jarCache) runMaven(ctx context.Context, flag string) (output string, err error) {
	raw := filepath.Join(c.dir, "classpath.new")
	log, err := os.CreateTemp(c.dir, "maven-*.log")
	if err != nil {
		return "", err
	}
	defer os.Remove(log.Name())
	defer log.Close()
	cmd := exec.Command(c.mvn, flag, "--batch-mode", "--quiet",
		"--file", filepath.Join(c.dir, "pom.xml"),
		"-Dstyle.color=never",
		"org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath",
		"-DincludeScope=runtime",
		"-Dmdep.outputFile="+raw)
	cmd.Dir = c.dir // away from the .mvn settings of whatever project we are in
	cmd.Stdout, cmd.Stderr = log, log
	if err := runTool(ctx, cmd); err != nil {
		return string(readEnd(log.Name(), tailBytes)), err
	}
	classpath, err := os.ReadFile(raw)
	if err != nil {
		return "", fmt.Errorf("read Maven's class path: %w", err)
	}
	defer os.Remove(raw)
	if err := writeAtomically(c.listPath(), stamp()+"\n"+string(classpath)+"\n"); err != nil {
		return "", err
	}
	if _, ok := c.load(); !ok {
		return "", fmt.Errorf("the class path that Maven wrote names jars that do not exist")
	}
	return "", nil
}

// writeAtomically replaces the file at path, so that a reader sees either the old or the new content.
func writeAtomically(path, content string) error {
	if err := os.WriteFile(path+".tmp", []byte(content), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".tmp", path)
}

// networkTrouble matches errors in Maven's output that may be temporary. A missing jar or a wrong pom.xml is not.
var networkTrouble = regexp.MustCompile(`(?i)could not transfer|unknown host|connection (?:reset|refused)|` +
	`timed? ?out|network is unreachable|no route to host|temporary failure|` +
	`remote host terminated|premature end|status(?: code)?:? (?:429|5\d\d)`)

// mavenSays returns the first error in Maven's output.
func mavenSays(output string) string {
	for line := range strings.Lines(output) {
		if text, ok := strings.CutPrefix(line, "[ERROR] "); ok {
			return printable(strings.TrimSpace(text))
		}
	}
	if output = strings.TrimSpace(output); output == "" {
		return "no output"
	}
	first, _, _ := strings.Cut(output, "\n")
	return printable(first)
}

// sleep waits for d or until ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
