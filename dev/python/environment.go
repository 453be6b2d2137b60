package python

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// An Env is a virtual environment.
type Env struct {
	dir string
}

// Environment returns the environment with the packages of requirements, a list for pip that names every package,
// dependencies included, with its exact version. It makes the environment when this machine does not have it yet.
//
// The error matches ErrUnavailable when there is no suitable Python or the packages cannot be installed.
func Environment(ctx context.Context, requirements []byte) (*Env, error) {
	i, err := findInterpreter(ctx)
	if err != nil {
		return nil, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("make a python environment: %w", err)
	}
	cache = filepath.Join(cache, "bqgen", "python")
	env := &Env{dir: filepath.Join(cache, key(i, requirements))}
	if env.exists() {
		return env, nil
	}
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return nil, fmt.Errorf("make a python environment: %w", err)
	}
	sweep(cache)
	if err := build(ctx, i, env, requirements); err != nil {
		return nil, fmt.Errorf("make a python environment: %w", err)
	}
	return env, nil
}

// key returns the name of the environment for an interpreter and a list.
func key(i *interpreter, requirements []byte) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n", i.path, i.identity)
	h.Write(requirements)
	return hex.EncodeToString(h.Sum(nil))[:32]
}

// Command returns the command that runs a Python program in the environment. It ignores the user's own packages and
// Python's environment variables.
func (e *Env) Command(ctx context.Context, program string, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, e.interpreter(), append([]string{"-I", program}, args...)...)
}

func (e *Env) interpreter() string {
	if runtime.GOOS == "windows" {
		return filepath.Join(e.dir, "Scripts", "python.exe")
	}
	return filepath.Join(e.dir, "bin", "python")
}

// exists reports whether the environment exists. It is complete then, since a rename creates it.
func (e *Env) exists() bool {
	_, err := os.Stat(e.interpreter())
	return err == nil
}

// buildPrefix begins the names of the folders in which environments are made.
const buildPrefix = "new-"

// build makes the environment in a folder of its own and then renames the folder. Virtual environments can be moved,
// except for the scripts next to the interpreter, which nobody runs: python -m does not need them.
func build(ctx context.Context, i *interpreter, env *Env, requirements []byte) (err error) {
	dir, err := os.MkdirTemp(filepath.Dir(env.dir), buildPrefix)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := run(ctx, i.path, "-I", "-m", "venv", dir); err != nil {
		return fmt.Errorf("%w: python's venv module does not work: %w", ErrUnavailable, err)
	}
	list := filepath.Join(dir, "requirements.txt")
	if err := os.WriteFile(list, requirements, 0o600); err != nil {
		return err
	}
	pip := func(args ...string) error {
		args = append([]string{"-I", "-m", "pip", "--disable-pip-version-check", "--no-input"}, args...)
		return run(ctx, (&Env{dir}).interpreter(), args...)
	}
	// Without --no-deps, pip would add packages that are not in the list, in any version. With it, check reports them.
	if err := pip("install", "--quiet", "--only-binary=:all:", "--no-deps", "--requirement", list); err != nil {
		return fmt.Errorf("%w: the packages cannot be installed: %w", ErrUnavailable, err)
	}
	if err := pip("check"); err != nil {
		return fmt.Errorf("the list of packages is not complete: %w", err)
	}
	if err := os.Rename(dir, env.dir); err != nil && !env.exists() { // another process may have been faster
		return err
	}
	return nil
}

// abandoned is the age from which a folder with buildPrefix is considered left behind.
const abandoned = time.Hour

// sweep removes what killed builds left behind.
func sweep(cache string) {
	left, err := filepath.Glob(filepath.Join(cache, buildPrefix+"*"))
	if err != nil {
		return
	}
	for _, dir := range left {
		info, err := os.Stat(dir)
		if errors.Is(err, fs.ErrNotExist) || err == nil && time.Since(info.ModTime()) < abandoned {
			continue
		}
		_ = os.RemoveAll(dir) // the next run tries again
	}
}
