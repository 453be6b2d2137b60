//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package standalone

import "syscall"

// setPdeathsig does nothing: these kernels do not offer it alike, and the
// watchdog does the same.
func setPdeathsig(*syscall.SysProcAttr) {}
