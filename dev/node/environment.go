package node

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// An Env is a folder with packages, and the Node that runs them.
type Env struct {
	tool *tool
	dir  string
}

// Environment returns the environment with the packages of a package.json and its package-lock.json. It makes the
// environment when this machine does not have it yet.
//
// The error matches ErrUnavailable when there is no Node, or the packages cannot be installed.
func Environment(ctx context.Context, manifest, lock []byte) (*Env, error) {
	t, err := findTool(ctx)
	if err != nil {
		return nil, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("make a Node environment: %w", err)
	}
	cache = filepath.Join(cache, "bqgen", "node")
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%s", t.name, manifest, lock)
	env := &Env{tool: t, dir: filepath.Join(cache, hex.EncodeToString(h.Sum(nil))[:32])}
	if env.exists() {
		return env, nil
	}
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return nil, fmt.Errorf("make a Node environment: %w", err)
	}
	if err := build(ctx, env, manifest, lock); err != nil {
		return nil, fmt.Errorf("make a Node environment: %w", err)
	}
	return env, nil
}

// exists reports whether the environment exists. It is complete then, since a rename creates it.
func (e *Env) exists() bool {
	info, err := os.Stat(e.dir)
	return err == nil && info.IsDir()
}

func build(ctx context.Context, env *Env, manifest, lock []byte) (err error) {
	dir, err := os.MkdirTemp(filepath.Dir(env.dir), "new-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	for name, text := range map[string][]byte{"package.json": manifest, "package-lock.json": lock} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return err
		}
	}
	npm := env.tool.npm(ctx, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", dir)
	npm.Dir = dir
	if err := output(npm); err != nil {
		return fmt.Errorf("%w: the packages cannot be installed: %w", ErrUnavailable, err)
	}
	if err := os.Rename(dir, env.dir); err != nil && !env.exists() { // another process may have been faster
		return err
	}
	return nil
}

// Path returns the path of a file in a package, such as "@asyncapi/specs/package.json".
func (e *Env) Path(file string) string {
	return filepath.Join(e.dir, "node_modules", filepath.FromSlash(file))
}

// Command returns the command that runs a script. The script may require the packages.
func (e *Env) Command(ctx context.Context, script string, args ...string) *exec.Cmd {
	cmd := e.tool.node(ctx, append([]string{script}, args...)...)
	cmd.Env = append(os.Environ(), "NODE_PATH="+filepath.Join(e.dir, "node_modules"))
	return cmd
}
