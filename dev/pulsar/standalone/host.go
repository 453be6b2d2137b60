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

// A launcher is a way to run a broker.
type launcher interface {
	// describe returns a name for messages.
	describe() string
	// prepare downloads what is needed and missing.
	prepare(ctx context.Context, o Options) error
	// bind returns the address that the broker listens on.
	bind() string
	// launch starts the broker of the site and appends its output to the site's log. again says that it was launched there
	// before.
	launch(s *site, o Options, again bool) (*process, error)
	// terminate asks the broker to end and does not wait. kill ends it and waits.
	terminate(p *process) error
	kill(p *process) error
	// freeze stops the broker's process without ending it; thaw lets it go on.
	freeze(p *process) error
	thaw(p *process) error
	// remove removes what an ended broker leaves behind, besides its folder.
	remove() error
}

// chooseLauncher returns the launcher for Java and Maven, or else for Docker.
func (h *host) chooseLauncher(ctx context.Context) (launcher, error) {
	if !supported {
		return nil, &UnavailableError{Missing: []string{"only Linux and macOS are supported"}}
	}
	j, whyNotJava := h.findJava(ctx)
	if whyNotJava == "" {
		return j, nil
	}
	d, whyNotDocker := h.findDocker(ctx)
	if whyNotDocker == "" {
		return d, nil
	}
	return nil, &UnavailableError{Missing: []string{
		whyNotJava + " (Java " + minJavaText + " or later and Maven 3 are needed)",
		whyNotDocker,
	}}
}
