package main

import (
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"unsafe"
)

// addConditions adds bqgen as it runs for a user who is not root, and bqgen that cannot write files of more than
// 2,500 bytes, as on a full disk.
func addConditions(commands map[string]func()) {
	commands["bqgen-as-user"] = func() {
		dropOverride()
		main()
	}
	commands["bqgen-full-disk"] = func() {
		signal.Ignore(syscall.SIGXFSZ)
		limit := syscall.Rlimit{Cur: 2500, Max: 2500}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			panic(err)
		}
		main()
	}
}

// dropOverride takes the right to ignore permissions from root, on the thread that runs main.
func dropOverride() {
	if os.Geteuid() != 0 {
		return
	}
	runtime.LockOSThread()
	const version3, dacOverride, dacReadSearch = 0x20080522, 1, 2
	header := struct{ version, pid uint32 }{version: version3}
	var sets [2]struct{ effective, permitted, inheritable uint32 }
	call := func(trap uintptr) {
		_, _, errno := syscall.RawSyscall(trap, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&sets)), 0)
		if errno != 0 {
			panic(errno)
		}
	}
	call(syscall.SYS_CAPGET)
	sets[0].effective &^= 1<<dacOverride | 1<<dacReadSearch
	call(syscall.SYS_CAPSET)
}
