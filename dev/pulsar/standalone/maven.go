package standalone

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/babelqueue/bqgen/dev/pulsar/internal/jars"
)

// Limits for resolving the jars.
const (
	resolveLimit    = 10 * time.Minute
	resolveAttempts = 3
)

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
		if errors.Is(err, jars.ErrChecksum) {
			return fmt.Errorf("resolve the broker's jars: %w", err)
		}
		if cause := context.Cause(ctx); cause != nil {
			if errors.Is(ctx.Err(), context.Canceled) { // which says nothing about this machine
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
		return &UnavailableError{Reason: why, Err: err}
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
	err = jars.Verify(filepath.SplitList(strings.TrimSpace(string(classpath))))
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("the class path that Maven wrote names jars that do not exist: %w", err)
	} else if err != nil {
		return "", err
	}
	if err := writeAtomically(c.listPath(), stamp()+"\n"+string(classpath)+"\n"); err != nil {
		return "", err
	}
	if _, ok := c.load(); !ok {
		return "", fmt.Errorf("the class path that Maven wrote is empty or names empty jars")
	}
	return "", nil
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
