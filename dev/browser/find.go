package browser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// ErrUnavailable is matched by the error when this machine has no browser.
var ErrUnavailable = errors.New("there is no Chromium or Chrome on this machine")

// names are the names of the browser in PATH, and its places on systems that do not put it there.
var names = []string{
	"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
	"/usr/lib/chromium/chromium",
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
	"/Applications/Chromium.app/Contents/MacOS/Chromium",
}

// Find returns the path of the browser: the first one of chromium, chromium-browser, google-chrome,
// google-chrome-stable and chrome in PATH, or where Debian and macOS install it. Without one, the error matches
// ErrUnavailable.
func Find() (string, error) {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrUnavailable
}

// installLimit is how long the package manager may take, including its download.
const installLimit = 4 * time.Minute

// ensure returns the path of the browser. It installs a missing browser if the machine belongs to CI: CI=true, root and
// apt-get.
func ensure(ctx context.Context) (string, error) {
	path, err := Find()
	if err == nil || os.Getenv("CI") != "true" || os.Geteuid() != 0 {
		return path, err
	}
	apt, lookErr := exec.LookPath("apt-get")
	if lookErr != nil {
		return "", err
	}
	// Tests of several packages may do this at the same time, but the package manager serves only one.
	unlock, lockErr := lockedfile.MutexAt(filepath.Join(os.TempDir(), "bqgen-install-browser.lock")).Lock()
	if lockErr != nil {
		return "", fmt.Errorf("%w, and it cannot be installed: %w", err, lockErr)
	}
	defer unlock()
	if path, err := Find(); err == nil {
		return path, nil
	}
	ctx, cancel := context.WithTimeout(ctx, installLimit)
	defer cancel()
	for _, args := range [][]string{
		{"update", "-qq"}, {"install", "-y", "-qq", "--no-install-recommends", "chromium"},
	} {
		var out bytes.Buffer
		cmd := exec.CommandContext(ctx, apt, args...)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		cmd.Stdout, cmd.Stderr = &out, &out
		cmd.WaitDelay = time.Second
		if runErr := cmd.Run(); runErr != nil {
			text := out.Bytes()
			return "", fmt.Errorf("%w, and apt-get %s: %w\n%s", err, args[0], runErr, text[max(0, len(text)-2000):])
		}
	}
	return Find()
}
