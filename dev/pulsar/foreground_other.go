//go:build !(linux || darwin)

package main

import (
	"os"
	"syscall"
)

// terminalSends reports whether the terminal has already sent the signal to the command: it sends ctrl-C to every
// process of the console.
func terminalSends(s os.Signal) bool { return s == syscall.SIGINT }
