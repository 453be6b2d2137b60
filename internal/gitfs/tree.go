package gitfs

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"path"
	"strconv"
	"strings"
	"time"
)

// A Tree is the files of a commit, as an [fs.FS] with paths from the top of the repository. It opens ordinary files
// only, no folders, symbolic links or submodules.
type Tree struct {
	repository *Repository
	commit     string
}

// Open opens a file of the commit. Its content is read from git as it is read from the file, not before.
func (t *Tree) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) || strings.ContainsAny(name, "\x00\r\n") {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	e, err := t.find(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &file{tree: t, entry: e}, nil
}

// An entry is a file as a commit lists it.
type entry struct {
	name   string // base name
	object string
	size   int64
}

// find looks a file up in the commit.
func (t *Tree) find(name string) (entry, error) {
	// MODE SP TYPE SP OBJECT SP SIZE TAB NAME NUL
	out, err := t.repository.git("ls-tree", "-z", "-l", "--full-tree", t.commit, "--", name)
	if err != nil {
		return entry{}, err
	}
	line, _, _ := bytes.Cut(out, []byte{0})
	about, found, ok := bytes.Cut(line, []byte{'\t'})
	if !ok || string(found) != name {
		return entry{}, fs.ErrNotExist
	}
	fields := strings.Fields(string(about))
	if len(fields) != 4 || fields[1] != "blob" || !strings.HasPrefix(fields[0], "100") {
		return entry{}, fmt.Errorf("it is not an ordinary file in git: %w", fs.ErrInvalid)
	}
	size, err := strconv.ParseInt(fields[3], 10, 64)
	if err != nil || !objectName.MatchString(fields[2]) {
		return entry{}, fmt.Errorf("git ls-tree: unexpected output %q", line)
	}
	return entry{name: path.Base(name), object: fields[2], size: size}, nil
}

// A file reads a blob from a git process, which the first Read starts and Close ends.
type file struct {
	tree  *Tree
	entry entry

	cmd    *exec.Cmd
	cancel context.CancelFunc
	stdout io.Reader
	stderr bytes.Buffer
	end    error // what every further Read returns
}

func (f *file) Stat() (fs.FileInfo, error) { return f.entry, nil }

func (f *file) Read(p []byte) (int, error) {
	if f.end == nil && f.cmd == nil {
		f.end = f.start()
	}
	if f.end != nil {
		return 0, f.end
	}
	n, err := f.stdout.Read(p)
	if err == io.EOF {
		f.end = f.wait()
		err = f.end
	}
	return n, err
}

func (f *file) start() error {
	ctx, cancel := context.WithCancel(context.Background())
	cmd := f.tree.repository.command(ctx, "cat-file", "blob", f.entry.object)
	cmd.Stderr = &f.stderr
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		return gitError("cat-file", err)
	}
	f.cmd, f.cancel, f.stdout = cmd, cancel, stdout
	return nil
}

// wait returns io.EOF when git has read the blob to its end.
func (f *file) wait() error {
	err := f.cmd.Wait()
	f.cancel()
	if err == nil {
		return io.EOF
	}
	if exit, ok := err.(*exec.ExitError); ok {
		exit.Stderr = f.stderr.Bytes()
	}
	return gitError("cat-file", err)
}

// Close ends the git process if it is still running.
func (f *file) Close() error {
	if f.end == nil && f.cmd != nil {
		f.cancel()
		_ = f.cmd.Wait() // it was told to stop
	}
	f.end = fs.ErrClosed
	return nil
}

func (e entry) Name() string       { return e.name }
func (e entry) Size() int64        { return e.size }
func (e entry) Mode() fs.FileMode  { return 0o444 }
func (e entry) ModTime() time.Time { return time.Time{} }
func (e entry) IsDir() bool        { return false }
func (e entry) Sys() any           { return nil }
