package standalone

import "syscall"

// setPdeathsig makes the kernel kill the child when the thread that started it ends.
func setPdeathsig(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
