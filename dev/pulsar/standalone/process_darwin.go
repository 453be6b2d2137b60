package standalone

import "syscall"

// setPdeathsig does nothing: this kernel does not offer it. The watchdog is
// there for that.
func setPdeathsig(*syscall.SysProcAttr) {}
