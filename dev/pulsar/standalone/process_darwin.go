package standalone

import "syscall"

// setPdeathsig does nothing: this kernel has no such signal. The watchdog ends an orphan.
func setPdeathsig(*syscall.SysProcAttr) {}
