//go:build linux || darwin

package fakes

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// docker knows the commands info, image, pull, run, start, stop, kill and rm,
// for one container. The container is a process of its own, as a real one is,
// and outlives the attached command. Modes: those of the broker, and
//
//	no daemon    nothing works
//	no image     the image must be pulled first
//	no pull      as no image, and pulling fails
func docker(dir string, args []string) int {
	record(dir, "docker", args)
	mode := mode(dir, "docker")
	container := filepath.Join(dir, "container")
	switch {
	case mode == "no daemon":
		fmt.Fprintln(os.Stderr, "Cannot connect to the Docker daemon")
		return 1
	case args[0] == "info":
		return 0
	case args[0] == "image":
		if strings.HasPrefix(mode, "no ") {
			return 1
		}
		return 0
	case args[0] == "pull":
		if mode == "no pull" {
			fmt.Fprintln(os.Stderr, "manifest unknown")
			return 1
		}
		return 0
	case args[0] == "inside": // not docker's: the process in the container
		return broker(dir, mode, readProperties(container))
	case args[0] == "run":
		var settings strings.Builder
		for _, arg := range args {
			if setting, ok := strings.CutPrefix(arg, "PULSAR_PREFIX_"); ok {
				settings.WriteString(setting + "\n")
			}
		}
		if err := os.WriteFile(container, []byte(settings.String()), 0o600); err != nil {
			return 1
		}
		return attach(dir)
	case args[0] == "start":
		return attach(dir)
	case args[0] == "stop":
		return signalContainer(dir, syscall.SIGTERM)
	case args[0] == "kill":
		return signalContainer(dir, syscall.SIGKILL)
	case args[0] == "rm":
		signalContainer(dir, syscall.SIGKILL)
		os.Remove(container)
		return 0
	}
	return 125
}

// attach starts the container's process and waits until it ends.
func attach(dir string) int {
	signal.Ignore(syscall.SIGTERM)
	self, err := os.Executable()
	if err != nil {
		return 125
	}
	inside := exec.Command(self, "inside")
	inside.Stdout, inside.Stderr = os.Stdout, os.Stderr
	inside.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := inside.Start(); err != nil {
		return 125
	}
	pid := strconv.Itoa(inside.Process.Pid)
	if err := os.WriteFile(PIDFile(dir), []byte(pid), 0o600); err != nil {
		return 125
	}
	inside.Wait()
	os.Remove(PIDFile(dir))
	return inside.ProcessState.ExitCode()
}

// PIDFile returns the file with the process id of the running fake container.
func PIDFile(dir string) string { return filepath.Join(dir, "container.pid") }

// signalContainer signals the container's process and waits until it ends.
func signalContainer(dir string, s syscall.Signal) int {
	content, err := os.ReadFile(PIDFile(dir))
	if err != nil {
		return 1 // it does not run
	}
	pid, err := strconv.Atoi(string(content))
	if err != nil {
		return 125
	}
	syscall.Kill(pid, s)
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if syscall.Kill(pid, 0) != nil {
			os.Remove(PIDFile(dir))
			return 0
		}
	}
	return 1
}
