package standalone

import "syscall"

// setPdeathsig has the kernel kill the child when the thread that started it
// ends.
func setPdeathsig(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
