package standalone

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// A host is the machine as far as the package depends on it: its environment, programs, folders and clock.
type host struct {
	getenv      func(string) string
	lookPath    func(string) (string, error)
	cacheDir    func() (string, error)
	withTimeout func(context.Context, time.Duration, error) (context.Context, context.CancelFunc)
}

// thisHost returns the machine that the program runs on.
func thisHost() *host {
	return &host{
		getenv:      os.Getenv,
		lookPath:    exec.LookPath,
		cacheDir:    cacheDir,
		withTimeout: context.WithTimeoutCause,
	}
}

// cacheDir returns the folder that remembers what was resolved before.
func cacheDir() (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(base, "bqgen", "pulsar-"+Version), nil
}

// chooseLauncher returns the launcher for this machine.
func (h *host) chooseLauncher(ctx context.Context) (*javaLauncher, error) {
	if !supported {
		return nil, &UnavailableError{Reason: "only Linux and macOS are supported"}
	}
	l, whyNot := h.findJava(ctx)
	if whyNot != "" {
		return nil, &UnavailableError{
			Reason: whyNot + " (Java " + minJavaText + " or later and Maven 3 are needed)",
		}
	}
	return l, nil
}
