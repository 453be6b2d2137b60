package main

import (
	"os"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

var longAgo = time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)

// mtime old FILE... sets a time of modification long ago; mtime kept FILE... and mtime changed FILE... look for it.
func mtime(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: mtime old|kept|changed FILE...")
	}
	for _, name := range args[1:] {
		path := ts.MkAbs(name)
		if args[0] == "old" {
			ts.Check(os.Chtimes(path, longAgo, longAgo))
			continue
		}
		info, err := os.Stat(path)
		ts.Check(err)
		if kept := info.ModTime().Equal(longAgo); kept != (args[0] == "kept") {
			ts.Fatalf("%s was modified at %v, want it %s", name, info.ModTime(), args[0])
		}
	}
}
