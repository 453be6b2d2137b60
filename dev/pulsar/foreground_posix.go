//go:build linux || darwin

package main

import (
	"os"
	"syscall"
	"unsafe"
)

// terminalSends reports whether the terminal has already sent the signal to the command: it sends ctrl-C to every
// process in the foreground. Receiving it twice may mean something else to the command.
func terminalSends(s os.Signal) bool {
	return (s == syscall.SIGINT || s == syscall.SIGQUIT) && inForeground()
}

// inForeground reports whether this process is in the terminal's foreground process group.
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
