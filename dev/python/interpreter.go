package python

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// ErrUnavailable is matched by the error when this machine cannot make an environment: Python is missing or too old, or
// the packages cannot be installed.
var ErrUnavailable = errors.New("the Python environment is not available on this machine")

// An interpreter is a Python on this machine.
type interpreter struct {
	path     string
	identity string // version, build and platform: what compiled packages depend on
}

// probe prints whether the interpreter is suitable, and what identifies it.
const probe = `import sys, sysconfig
print(sys.version_info >= (3, 9))
print(sys.version, sysconfig.get_platform(), sys.base_prefix)`

// findInterpreter finds a suitable Python.
func findInterpreter(ctx context.Context) (*interpreter, error) {
	for _, name := range []string{"python3", "python"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		out, err := exec.CommandContext(ctx, path, "-I", "-c", probe).Output()
		suitable, identity, _ := strings.Cut(string(out), "\n")
		switch {
		case err != nil:
			return nil, fmt.Errorf("%w: %s does not run: %w", ErrUnavailable, path, err)
		case strings.TrimSpace(suitable) != "True":
			return nil, fmt.Errorf("%w: %s is older than Python 3.9", ErrUnavailable, path)
		}
		return &interpreter{path, identity}, nil
	}
	return nil, fmt.Errorf("%w: there is no program python3 or python", ErrUnavailable)
}

// run runs a program to its end. An error contains the end of what it printed.
func run(ctx context.Context, program string, args ...string) error {
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second // a killed program may leave children that keep the pipe open
	err := cmd.Run()
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	const shown = 2000
	text := bytes.TrimSpace(out.Bytes())
	text = bytes.ToValidUTF8(text[max(0, len(text)-shown):], []byte("?"))
	return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, text)
}
