//go:build linux || darwin

package main

import (
	"os"
	"syscall"
	"unsafe"
)

// terminalSends reports whether a signal of this kind comes from the terminal,
// which sends ctrl-C to every process in the foreground: the command has it
// already, and twice can mean something else to it.
func terminalSends(s os.Signal) bool {
	return (s == syscall.SIGINT || s == syscall.SIGQUIT) && inForeground()
}

// inForeground reports whether this process belongs to the terminal's
// foreground group.
func inForeground() bool {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return false // no terminal
	}
	defer tty.Close()
	var group int32
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, tty.Fd(), syscall.TIOCGPGRP, uintptr(unsafe.Pointer(&group)))
	return errno == 0 && int(group) == syscall.Getpgrp()
}
