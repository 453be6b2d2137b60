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

// Environment returns the environment with the packages of requirements, a list for pip of every package, dependencies
// included, with its exact version. It is created if this machine does not have it yet.
//
// The error matches [ErrUnavailable] if there is no suitable Python or the packages cannot be downloaded.
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

// key names the environment of an interpreter and a list.
func key(i *interpreter, requirements []byte) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n", i.path, i.identity)
	h.Write(requirements)
	return hex.EncodeToString(h.Sum(nil))[:32]
}

// Command returns the command that runs a Python program in the environment. The user's own packages and Python's
// environment variables do not affect it.
func (e *Env) Command(ctx context.Context, program string, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, e.interpreter(), append([]string{"-I", program}, args...)...)
}

func (e *Env) interpreter() string {
	if runtime.GOOS == "windows" {
		return filepath.Join(e.dir, "Scripts", "python.exe")
	}
	return filepath.Join(e.dir, "bin", "python")
}

// exists reports whether the environment exists. If so, it is complete: it is created by a rename.
func (e *Env) exists() bool {
	_, err := os.Stat(e.interpreter())
	return err == nil
}

// buildPrefix starts the names of folders in which environments are built.
const buildPrefix = "new-"

// build creates the environment in a temporary folder and then renames it. This breaks only the scripts next to the
// interpreter, which are not used: python -m does not need them.
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
		return run(ctx, (&Env{dir}).interpreter(),
			append([]string{"-I", "-m", "pip", "--disable-pip-version-check", "--no-input"}, args...)...)
	}
	// Without --no-deps, a package missing from the list would be installed in any version. With it, pip check reports it.
	if err := pip("install", "--quiet", "--only-binary=:all:", "--no-deps", "--requirement", list); err != nil {
		return fmt.Errorf("%w: its packages cannot be installed: %w", ErrUnavailable, err)
	}
	if err := pip("check"); err != nil {
		return fmt.Errorf("the list of packages is not complete: %w", err)
	}
	if err := os.Rename(dir, env.dir); err != nil && !env.exists() { // another process may have been quicker
		return err
	}
	return nil
}

// abandoned is the age at which a build folder is considered left behind.
const abandoned = time.Hour

// sweep removes what killed builds left behind.
func sweep(cache string) {
	left, err := filepath.Glob(filepath.Join(cache, buildPrefix+"*"))
	if err != nil {
		return
	}
	for _, dir := range left {
		if info, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) || err == nil && time.Since(info.ModTime()) < abandoned {
			continue
		}
		_ = os.RemoveAll(dir) // the next run tries again
	}
}
