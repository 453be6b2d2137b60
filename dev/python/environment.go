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

// Environment returns the environment with the packages of requirements, a list as pip reads it in which every package,
// dependencies included, stands with its exact version. It is made when this machine does not have it yet.
//
// The error is ErrUnavailable (errors.Is) when there is no suitable Python or the packages cannot be had.
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

// Command returns the command that runs a Python program in the environment. Neither the user's own packages nor the
// environment variables of Python have a say in it.
func (e *Env) Command(ctx context.Context, program string, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, e.interpreter(), append([]string{"-I", program}, args...)...)
}

func (e *Env) interpreter() string {
	if runtime.GOOS == "windows" {
		return filepath.Join(e.dir, "Scripts", "python.exe")
	}
	return filepath.Join(e.dir, "bin", "python")
}

// exists reports whether the environment is there. It is whole then: it comes into being by a rename.
func (e *Env) exists() bool {
	_, err := os.Stat(e.interpreter())
	return err == nil
}

// buildPrefix begins the names of folders in which environments are made.
const buildPrefix = "new-"

// build makes the environment in a folder of its own and then renames that. What a virtual environment holds does not
// care, but for the scripts beside the interpreter, which nobody runs: python -m does without them.
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
		return run(ctx, (&Env{dir}).interpreter(), append([]string{"-I", "-m", "pip", "--disable-pip-version-check", "--no-input"}, args...)...)
	}
	// Without --no-deps a package that the list forgot would come in at any version; check then finds it missing.
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

// abandoned is the age at which a folder that is being filled is taken for left behind.
const abandoned = time.Hour

// sweep removes what builds that were killed left behind.
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
