package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/load"
)

// loadFromGit reads a catalog, and the files it refers to, as git has them at REF[:PATH].
func loadFromGit(catalog, spec string) (*schema.Catalog, schema.Diagnostics, error) {
	ref, name, hasPath := strings.Cut(spec, ":")
	g := &gitTree{dir: filepath.Dir(catalog)}
	if err := g.resolve(ref); err != nil {
		return nil, nil, err
	}
	if !hasPath {
		prefix, err := g.git("rev-parse", "--show-prefix")
		if err != nil {
			return nil, nil, err
		}
		name = strings.TrimSuffix(string(prefix), "\n") + filepath.Base(catalog)
	}
	if !fs.ValidPath(name) {
		return nil, nil, fmt.Errorf("read %q in git: a path counts from the top of the repository, with slashes and without dots", name)
	}
	c, findings, err := load.LoadFS(g, name)
	if err != nil {
		return nil, nil, fmt.Errorf("read %q at %q in git: %w", name, ref, err)
	}
	return c, findings, nil
}

// A gitTree is the files of a commit, as a file system to read from.
type gitTree struct {
	dir    string // in the repository
	commit string
}

var objectName = regexp.MustCompile(`^[0-9a-f]{40,64}$`)

// resolve finds the commit. Whatever ref says, it is neither an option nor more than one revision.
func (g *gitTree) resolve(ref string) error {
	if ref == "" || strings.ContainsAny(ref, "\x00\r\n") {
		return fmt.Errorf("read from git: %q is no revision", ref)
	}
	out, err := g.git("rev-parse", "--verify", "--end-of-options", ref+"^{commit}")
	if err != nil {
		return fmt.Errorf("find revision %q: %w", ref, err)
	}
	g.commit = strings.TrimSpace(string(out))
	if !objectName.MatchString(g.commit) {
		return fmt.Errorf("find revision %q: git names no commit", ref)
	}
	return nil
}

// git runs a command that only reads, with no remote repository to fetch from and nobody to ask.
func (g *gitTree) git(args ...string) ([]byte, error) {
	cmd := exec.Command("git", append([]string{"--no-pager", "-c", "protocol.allow=never", "-c", "core.fsmonitor=false"}, args...)...)
	cmd.Dir = g.dir
	cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "LC_ALL=C")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if text := strings.TrimSpace(stderr.String()); text != "" {
			first, _, _ := strings.Cut(text, "\n")
			return nil, fmt.Errorf("git %s: %s", args[0], strings.TrimPrefix(first, "fatal: "))
		}
		return nil, fmt.Errorf("git %s: %w", args[0], err)
	}
	return stdout.Bytes(), nil
}

// Open gives a file of the commit.
func (g *gitTree) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) || strings.ContainsAny(name, "\x00\r\n") {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	out, err := g.git("cat-file", "blob", g.commit+":"+name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("%w (%v)", fs.ErrNotExist, err)}
	}
	return &gitFile{Reader: bytes.NewReader(out), name: path.Base(name), size: int64(len(out))}, nil
}

// A gitFile is a blob in memory.
type gitFile struct {
	*bytes.Reader
	name string
	size int64
}

func (f *gitFile) Stat() (fs.FileInfo, error) { return gitInfo{f}, nil }
func (f *gitFile) Close() error               { return nil }

type gitInfo struct{ file *gitFile }

func (i gitInfo) Name() string       { return i.file.name }
func (i gitInfo) Size() int64        { return i.file.size }
func (i gitInfo) Mode() fs.FileMode  { return 0o444 }
func (i gitInfo) ModTime() time.Time { return time.Time{} }
func (i gitInfo) IsDir() bool        { return false }
func (i gitInfo) Sys() any           { return nil }
