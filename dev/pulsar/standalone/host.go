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

// cacheDir is where what was resolved once is remembered.
func cacheDir() (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(base, "bqgen", "pulsar-"+Version), nil
}

// A launcher is a way to run a broker.
type launcher interface {
	// describe names it for people.
	describe() string
	// prepare fetches what is needed and not there yet.
	prepare(ctx context.Context, o Options) error
	// bind is the address that the broker itself listens on.
	bind() string
	// launch starts the broker of the site, its output going to the site's
	// log. again says that it was launched there before.
	launch(s *site, o Options, again bool) (*process, error)
	// terminate asks the broker to end; kill ends it. kill waits, terminate does
	// not.
	terminate(p *process) error
	kill(p *process) error
	// remove takes away what is left of a broker that has ended, beside its
	// folder.
	remove() error
}

// chooseLauncher picks Java with Maven, or else Docker.
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
