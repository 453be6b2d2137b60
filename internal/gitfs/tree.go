package gitfs

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"
)

// A Tree is the files of a commit, as an [fs.FS] with paths from the top of the repository. It opens ordinary files
// only, no folders, symbolic links or submodules. It is not for several goroutines at once. Close it after use.
type Tree struct {
	repository *Repository
	commit     string
	idle       *objects                    // a process that can be asked; nil when there is none
	folders    map[string]map[string]entry // by object; the top is that of ""
	read       int64                       // bytes of the folders that were read
}

// maxFolders is the size of all folders that are read, in bytes. A file takes some thirty of them. Commits can have the
// same large folder under many names.
const maxFolders = 64 << 20

// Open opens a file of the commit. Its content is read from git as it is read from the file, not before. Open the next
// file when this one is closed.
func (t *Tree) Open(name string) (fs.File, error) {
	f, err := t.open(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return f, nil
}

func (t *Tree) open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, fs.ErrInvalid
	}
	e, err := t.find(name)
	if err != nil {
		return nil, err
	}
	o, size, err := t.ask(e.object, "blob")
	if err != nil {
		return nil, err
	}
	return &file{tree: t, name: path.Base(name), size: size, content: o}, nil
}

// Close ends the git process. An opened file can still be read.
func (t *Tree) Close() {
	if t.idle != nil {
		_ = t.idle.close() // it was told to stop
		t.idle = nil
	}
}

// ask asks a process for an object. The process is the caller's until it is given back.
func (t *Tree) ask(object, kind string) (*objects, int64, error) {
	o := t.idle
	t.idle = nil
	if o == nil {
		var err error
		if o, err = t.repository.startObjects(); err != nil {
			return nil, 0, err
		}
	}
	size, err := o.ask(object, kind)
	switch {
	case errors.Is(err, errNoObject):
		t.giveBack(o)
		return nil, 0, err
	case err != nil:
		_ = o.close() // the first error counts
		return nil, 0, err
	}
	return o, size, nil
}

// giveBack takes a process back for the next object, or ends it.
func (t *Tree) giveBack(o *objects) {
	if t.idle == nil && o.skip() {
		t.idle = o
		return
	}
	_ = o.close() // it was told to stop
}

// An entry is what a folder of the commit lists.
type entry struct{ mode, object string }

// The modes of what is not an ordinary file. Those of files begin with 100.
const (
	folderMode    = "40000"
	linkMode      = "120000"
	submoduleMode = "160000"
)

// find looks a file up in the commit.
func (t *Tree) find(name string) (entry, error) {
	e := entry{mode: folderMode}
	for at, part := range strings.Split(name, "/") {
		if e.mode == linkMode {
			link := strings.Join(strings.Split(name, "/")[:at], "/")
			return entry{}, fmt.Errorf("%s is a symbolic link in git, use the path that it leads to: %w", link, fs.ErrNotExist)
		}
		if e.mode != folderMode {
			return entry{}, fs.ErrNotExist
		}
		folder, err := t.folder(e.object)
		if err != nil {
			return entry{}, err
		}
		inside, ok := folder[part]
		if !ok {
			return entry{}, fs.ErrNotExist
		}
		e = inside
	}
	if !strings.HasPrefix(e.mode, "100") {
		return entry{}, fmt.Errorf("it is not an ordinary file in git: %w", fs.ErrInvalid)
	}
	return e, nil
}

// folder returns what is in a folder, or at the top for "".
func (t *Tree) folder(object string) (map[string]entry, error) {
	if known := t.folders[object]; known != nil {
		return known, nil
	}
	asked := object
	if object == "" {
		asked = t.commit + "^{tree}"
	}
	o, size, err := t.ask(asked, "tree")
	if err != nil {
		return nil, err
	}
	defer t.giveBack(o)
	if t.read += size; t.read > maxFolders {
		return nil, errors.New("the folders around the files are too large to read in git")
	}
	content, err := io.ReadAll(o)
	if err != nil {
		return nil, err
	}
	folder, err := parseFolder(content, len(t.commit)/2)
	if err != nil {
		return nil, err
	}
	if t.folders == nil {
		t.folders = map[string]map[string]entry{}
	}
	t.folders[object] = folder
	return folder, nil
}

// parseFolder parses a folder as git stores it: MODE SP NAME NUL ID for each entry.
func parseFolder(content []byte, idSize int) (map[string]entry, error) {
	folder := map[string]entry{}
	for len(content) > 0 {
		about, rest, ok := bytes.Cut(content, []byte{0})
		mode, name, alsoOK := strings.Cut(string(about), " ")
		if !ok || !alsoOK || len(rest) < idSize {
			return nil, errors.New("git cat-file: unexpected content of a folder")
		}
		if _, twice := folder[name]; !twice { // as in git, the first counts
			folder[name] = entry{mode: mode, object: hex.EncodeToString(rest[:idSize])}
		}
		content = rest[idSize:]
	}
	return folder, nil
}

// A file reads a blob from a git process.
type file struct {
	tree    *Tree
	name    string // base name
	size    int64
	content *objects // nil when the file is closed
}

func (f *file) Stat() (fs.FileInfo, error) { return f, nil }

func (f *file) Read(p []byte) (int, error) {
	if f.content == nil {
		return 0, fs.ErrClosed
	}
	return f.content.Read(p)
}

// Close ends the git process if it is not at the end of the file.
func (f *file) Close() error {
	if f.content != nil {
		f.tree.giveBack(f.content)
		f.content = nil
	}
	return nil
}

func (f *file) Name() string       { return f.name }
func (f *file) Size() int64        { return f.size }
func (f *file) Mode() fs.FileMode  { return 0o444 }
func (f *file) ModTime() time.Time { return time.Time{} }
func (f *file) IsDir() bool        { return false }
func (f *file) Sys() any           { return nil }
