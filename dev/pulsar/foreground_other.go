//go:build !(linux || darwin)

package main

import (
	"os"
	"syscall"
)

// terminalSends reports whether a signal of this kind comes from the terminal,
// which sends ctrl-C to every process of the console.
func terminalSends(s os.Signal) bool { return s == syscall.SIGINT }
