package standalone

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// A site is what one broker occupies: its folder, ports and settings.
type site struct {
	dir      string
	temp     bool // the folder was made for this broker and goes with it
	ports    ports
	settings map[string]string
	unlock   func() // lets another broker have the folder; for one that is not temporary
}

// newSite creates the folder and chooses the ports.
func newSite(o Options) (*site, error) {
	p, err := choosePorts(o.BrokerPort, o.HTTPPort)
	if err != nil {
		return nil, err
	}
	s := &site{ports: p, settings: settings(p, o.Config)}
	if o.Dir == "" {
		s.temp = true
		s.dir, err = os.MkdirTemp("", "bqgen-pulsar-")
	} else {
		s.dir, err = filepath.Abs(o.Dir)
		err = errors.Join(err, os.MkdirAll(s.dir, 0o700))
	}
	if err != nil {
		return nil, fmt.Errorf("make the broker's folder: %w", err)
	}
	if s.temp {
		return s, nil
	}
	s.unlock, err = tryLockFile(s.path("lock"))
	if errors.Is(err, errLocked) {
		return nil, fmt.Errorf("the folder %s is in use by another broker", s.dir)
	}
	return s, err
}

// release unlocks the folder.
func (s *site) release() {
	if s.unlock != nil {
		s.unlock()
		s.unlock = nil
	}
}

// path returns the path of a file of the site.
func (s *site) path(name string) string { return filepath.Join(s.dir, name) }

func (s *site) logPath() string { return s.path("pulsar.log") }

// openLog opens the log for appending. It is truncated unless the broker is launched again.
func (s *site) openLog(again bool) (*os.File, error) {
	flags := os.O_CREATE | os.O_APPEND | os.O_WRONLY
	if !again {
		flags |= os.O_TRUNC
	}
	return os.OpenFile(s.logPath(), flags, 0o600)
}

func (s *site) serviceURL() string { return fmt.Sprintf("pulsar://%s:%d", loopback, s.ports.broker) }

func (s *site) adminURL() string { return fmt.Sprintf("http://%s:%d", loopback, s.ports.http) }

// remove deletes the folder if it is temporary; otherwise it belongs to the user.
func (s *site) remove() error {
	if !s.temp {
		return nil
	}
	return os.RemoveAll(s.dir)
}

// removeData deletes the data in a temporary folder but keeps the log and the configuration, for finding out what went
// wrong.
func (s *site) removeData() error {
	if !s.temp {
		return nil
	}
	var errs []error
	for _, name := range []string{"tmp", "metadata", "bookkeeper"} {
		errs = append(errs, os.RemoveAll(s.path(name)))
	}
	return errors.Join(errs...)
}
