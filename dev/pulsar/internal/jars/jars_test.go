package jars

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestEverySumIsWellFormed(t *testing.T) {
	line := regexp.MustCompile(`^[0-9a-f]{64}  [^/\s]+\.jar\n$`)
	lines := 0
	for text := range strings.Lines(Sums) {
		lines++
		if !line.MatchString(text) {
			t.Errorf("line %d: %q", lines, text)
		}
	}
	if lines != len(parse(Sums)) {
		t.Errorf("%d lines name %d jars", lines, len(parse(Sums)))
	}
}

func TestVerify(t *testing.T) {
	const sum = "f6c7b8a7d1d5a8b1d5f2f0f2f0f1c0a1a9e8a3b0d1c2e3f4a5b6c7d8e9f0a1b2"
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	// The SHA-256 of "abc", from FIPS 180-2.
	Trust("abc.jar", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
	Trust("changed.jar", sum)
	Trust("missing.jar", sum)
	good := write("abc.jar", "abc")
	for name, tc := range map[string]struct {
		paths []string
		want  string
		is    error
	}{
		"none":        {},
		"as expected": {paths: []string{good, good}},
		"changed":     {[]string{good, write("changed.jar", "abc")}, "changed.jar has SHA-256 ba7816bf", ErrChecksum},
		"unknown":     {[]string{write("other.jar", "abc")}, "other.jar is not among the broker's jars", ErrChecksum},
		"missing":     {[]string{filepath.Join(dir, "missing.jar")}, "missing.jar", os.ErrNotExist},
	} {
		t.Run(name, func(t *testing.T) {
			err := Verify(tc.paths)
			if tc.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if !errors.Is(err, tc.is) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %v with %q", err, tc.is, tc.want)
			}
		})
	}
}
