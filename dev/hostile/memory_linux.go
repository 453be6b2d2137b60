package main

import (
	"os"
	"syscall"
)

// memoryOf returns the largest size that a process had, in bytes.
func memoryOf(state *os.ProcessState) int {
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		return int(usage.Maxrss) << 10
	}
	return 0
}
