// Package jars knows the SHA-256 checksums of the jars that make up the broker, so that no other code is run.
//
// The file sha256sums.txt is made anew when standalone/pom.xml changes: let Maven resolve the jars, compare them with
// those that the project publishes, and run
//
//	tr : '\n' <~/.cache/bqgen/pulsar-VERSION/classpath | grep jar$ | xargs sha256sum | sed 's,  .*/,  ,' | sort -k 2
package jars

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Sums is the list of checksums, in the format of sha256sum, by base name.
//
//go:embed sha256sums.txt
var Sums string

// ErrChecksum reports a jar that is not one of the broker's, or has other contents.
var ErrChecksum = errors.New("wrong checksum")

var known = parse(Sums)

func parse(sums string) map[string]string {
	byName := map[string]string{}
	for line := range strings.Lines(sums) {
		if sum, name, ok := strings.Cut(strings.TrimSpace(line), "  "); ok {
			byName[name] = sum
		}
	}
	return byName
}

// Trust adds a jar with any contents that have that checksum, in hexadecimal. It is for tests and must not be called
// concurrently with Verify.
func Trust(name, sum string) { known[name] = sum }

// Verify checks the jars at the paths. The error matches ErrChecksum if one is unknown or has other contents.
func Verify(paths []string) error {
	for _, path := range paths {
		want, ok := known[filepath.Base(path)]
		if !ok {
			return fmt.Errorf("%w: %s is not among the broker's jars", ErrChecksum, path)
		}
		got, err := sum(path)
		if err != nil {
			return err
		}
		if got != want {
			return fmt.Errorf("%w: %s has SHA-256 %s, want %s; delete the file to download it again",
				ErrChecksum, path, got, want)
		}
	}
	return nil
}

func sum(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
