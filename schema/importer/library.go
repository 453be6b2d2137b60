package importer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/babelqueue/bqgen/internal/pointer"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

const (
	// maxScanned is the number of files below the root that are searched for an $id.
	maxScanned = 10_000
	// maxScannedSize is the size of these files together, in bytes.
	maxScannedSize = 128 << 20
)

// A scope is what the references of a schema are relative to.
type scope struct {
	file    string // path below the root
	base    *url.URL
	dialect dialect
}

// A target is a schema and its scope.
type target struct {
	node  *source.Node
	scope *scope
}

// A library holds the files below a root.
type library struct {
	source.Reporter
	folder fs.FS
	nameOf func(string) string // the name of a file in findings
	reader *source.Reader

	files     map[string]*source.Node                  // nil for a file that cannot be read
	resources map[string]target                        // by URI without fragment
	anchors   map[string]target                        // by URI with fragment
	scopes    map[*source.Node]*scope                  // of schemas that set one
	members   map[*source.Node]map[string]*source.Node // of large mappings
	elsewhere map[string]string                        // $ids of files that were scanned -> their paths; nil before
}

func newLibrary(folder fs.FS, nameOf func(string) string, findings source.Reporter) *library {
	return &library{
		Reporter: findings, folder: folder, nameOf: nameOf, reader: source.NewReader(findings),
		files: map[string]*source.Node{}, resources: map[string]target{}, anchors: map[string]target{},
		scopes: map[*source.Node]*scope{}, members: map[*source.Node]map[string]*source.Node{},
	}
}

// member is [source.Node.Get] for mappings that many references lead into.
func (l *library) member(n *source.Node, name string) *source.Node {
	if len(n.Pairs) < 32 {
		return n.Get(name)
	}
	index := l.members[n]
	if index == nil {
		index = make(map[string]*source.Node, len(n.Pairs))
		for _, p := range n.Pairs {
			index[p.Key.Text] = p.Value
		}
		l.members[n] = index
	}
	return index[name]
}

// fileURL is the base of a file that has no $id.
func fileURL(name string) *url.URL { return &url.URL{Scheme: "file", Path: "/" + name} }

// open reads a file. The error is about a file that is not there or cannot be used; faults inside are findings.
func (l *library) open(name string) (target, error) {
	if !fs.ValidPath(name) {
		return target{}, fmt.Errorf("%s leads out of the root", text.Quote(name))
	}
	top, known := l.files[name]
	if !known {
		src, err := l.bytes(name)
		if err != nil {
			return target{}, err
		}
		file := source.File{Name: l.nameOf(name), What: "the file"}
		if top = read(l.reader, file, name, src); top != nil {
			l.index(top, fileScope(name, top))
		}
		l.files[name] = top
	}
	if top == nil {
		return target{}, errUnreadable
	}
	return target{top, l.scopeOf(top, fileScope(name, top))}, nil
}

// fileScope is the scope of a file. The schemas of AsyncAPI are of draft 07.
func fileScope(name string, top *source.Node) *scope {
	d := newest
	if top.Get("asyncapi") != nil {
		d = draft7
	}
	return &scope{file: name, base: fileURL(name), dialect: dialectOf(top, d)}
}

var errUnreadable = errors.New("the file has errors")

// bytes returns the bytes of an ordinary file.
func (l *library) bytes(name string) ([]byte, error) {
	info, err := fs.Stat(l.folder, name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("open %s: it is not an ordinary file", text.Quote(name))
	}
	f, err := l.folder.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, source.MaxSource+1)) // one byte more, so that the excess is noticed
}

// read reads a file by its name; one of another name is JSON when it starts like it.
func read(r *source.Reader, f source.File, name string, src []byte) *source.Node {
	start := bytes.TrimLeft(src, " \t\r\n")
	switch path.Ext(name) {
	case ".json":
		return r.ReadJSON(f, src)
	case ".yaml", ".yml":
		return r.Read(f, src)
	}
	if len(start) > 0 && (start[0] == '{' || start[0] == '[') {
		return r.ReadJSON(f, src)
	}
	return r.Read(f, src)
}

// index notes the $ids and anchors of a document.
func (l *library) index(top *source.Node, sc *scope) {
	l.resources[uriOf(sc.base)] = target{top, sc}
	walkScopes(top, sc, func(n *source.Node, sc *scope) {
		l.scopes[n] = sc
		if _, taken := l.resources[uriOf(sc.base)]; !taken {
			l.resources[uriOf(sc.base)] = target{n, sc}
		}
	}, func(n *source.Node, sc *scope, name string) {
		if key := uriOf(sc.base) + "#" + name; l.anchors[key].node == nil {
			l.anchors[key] = target{n, sc}
		}
	})
}

type (
	onScope  func(n *source.Node, sc *scope)
	onAnchor func(n *source.Node, sc *scope, name string)
)

// walkScopes visits the schemas that set a scope, and those with an anchor.
func walkScopes(n *source.Node, sc *scope, scoped onScope, anchored onAnchor) {
	if n.Kind == source.Mapping {
		if own, anchor := ownScope(n, sc); own != sc {
			scoped(n, own)
			sc = own
		} else if anchor != "" {
			anchored(n, sc, anchor)
		}
		for _, key := range []string{"$anchor", "$dynamicAnchor"} {
			if a := n.Get(key); a != nil && isText(a) {
				anchored(n, sc, a.Text)
			}
		}
	}
	for _, item := range n.Items {
		walkScopes(item, sc, scoped, anchored)
	}
	for _, p := range n.Pairs {
		switch p.Key.Text {
		case "enum", "const", "default", "examples":
			continue
		}
		walkScopes(p.Value, sc, scoped, anchored)
	}
}

// ownScope returns the scope inside a schema. Up to draft 07, an $id that is only a fragment is an anchor.
func ownScope(n *source.Node, sc *scope) (own *scope, anchor string) {
	d := dialectOf(n, sc.dialect)
	id := n.Get("$id")
	if id == nil && d <= draft4 {
		id = n.Get("id")
	}
	base := sc.base
	if id != nil && isText(id) {
		if name, ok := strings.CutPrefix(id.Text, "#"); ok {
			anchor = name
		} else if u, err := sc.base.Parse(id.Text); err == nil {
			u.Fragment, u.RawFragment = "", ""
			base = u
		}
	}
	if base == sc.base && d == sc.dialect {
		return sc, anchor
	}
	return &scope{file: sc.file, base: base, dialect: d}, ""
}

// scopeOf returns the scope inside a schema that stands in another.
func (l *library) scopeOf(n *source.Node, around *scope) *scope {
	if own := l.scopes[n]; own != nil {
		return own
	}
	return around
}

func uriOf(u *url.URL) string {
	plain := *u
	plain.Fragment, plain.RawFragment = "", ""
	return plain.String()
}

func isText(n *source.Node) bool {
	return n.Kind == source.Scalar && (!n.Plain || source.ClassifyPlain(n.Text) == source.PlainString)
}

// resolve finds what a reference leads to.
func (l *library) resolve(ref string, from *scope) (target, error) {
	u, err := from.base.Parse(ref)
	if err != nil {
		return target{}, errors.New("it is no valid reference")
	}
	t, err := l.resource(u, ref, from)
	if err != nil {
		return target{}, err
	}
	switch fragment := u.Fragment; {
	case fragment == "":
		return t, nil
	case fragment[0] == '/':
		return l.pointer(t, fragment)
	default:
		if t := l.anchors[uriOf(t.scope.base)+"#"+fragment]; t.node != nil {
			return t, nil
		}
		return target{}, errors.New("there is no such anchor")
	}
}

// pointer follows a JSON Pointer.
func (l *library) pointer(t target, p string) (target, error) {
	for _, segment := range strings.Split(p, "/")[1:] {
		name, ok := pointer.Unescape(segment)
		if !ok {
			return target{}, errors.New("it is no valid JSON Pointer")
		}
		var next *source.Node
		switch t.node.Kind {
		case source.Mapping:
			next = l.member(t.node, name)
		case source.Sequence:
			if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(t.node.Items) {
				next = t.node.Items[i]
			}
		}
		if next == nil {
			return target{}, fmt.Errorf("there is no %s", text.Quote(name))
		}
		t = target{next, l.scopeOf(next, t.scope)}
	}
	return t, nil
}

// resource finds a document, or a schema with an $id, by its URI: among those that were read, as a file, and by $id
// among the files below the root.
func (l *library) resource(u *url.URL, ref string, from *scope) (target, error) {
	uri := uriOf(u)
	if t, known := l.resources[uri]; known {
		return t, nil
	}
	name, _, _ := strings.Cut(ref, "#")
	isPath := !u.IsAbs() || u.Scheme == "file" || isRelative(name)
	var missing error
	if isPath {
		plain, err := url.PathUnescape(name)
		if err != nil || strings.ContainsAny(plain, "\\\x00") {
			return target{}, errors.New("it is no path of a file")
		}
		t, err := l.open(path.Join(path.Dir(from.file), plain))
		if err == nil || errors.Is(err, errUnreadable) {
			return t, err
		}
		missing = err
	}
	l.scan()
	if file, ok := l.elsewhere[uri]; ok {
		if _, err := l.open(file); err != nil {
			return target{}, err
		}
		if t, known := l.resources[uri]; known {
			return t, nil
		}
	}
	if missing != nil && !errors.Is(missing, fs.ErrNotExist) {
		return target{}, missing
	}
	if isPath {
		return target{}, errors.New("there is no such file below the root")
	}
	return target{}, errors.New("no file below the root has this $id, and nothing is read from the network")
}

func isRelative(name string) bool {
	u, err := url.Parse(name)
	return err == nil && !u.IsAbs() && u.Host == ""
}

// scan notes the $ids of all files below the root. Faults of files that nothing refers to are nobody's business.
func (l *library) scan() {
	if l.elsewhere != nil {
		return
	}
	l.elsewhere = map[string]string{}
	files, size := 0, 0
	_ = fs.WalkDir(l.folder, ".", func(name string, entry fs.DirEntry, err error) error {
		ext := path.Ext(name)
		if err != nil || !entry.Type().IsRegular() || ext != ".json" && ext != ".yaml" && ext != ".yml" {
			return nil
		}
		src, err := l.bytes(name)
		if files, size = files+1, size+len(src); files > maxScanned || size > maxScannedSize {
			l.Warn(schema.Pos{File: l.nameOf("."), Line: 1, Column: 1}, ruleRoot, "use --root to name a smaller folder",
				"the root is too large: only %d files were searched for an $id", files-1)
			return fs.SkipAll
		}
		if err != nil || !bytes.Contains(src, []byte("id")) {
			return nil
		}
		l.note(name, src)
		return nil
	})
}

// note notes the $ids in a file. The first file by name wins.
func (l *library) note(name string, src []byte) {
	top := read(source.NewReader(&source.Findings{}), source.File{Name: name, What: "the file"}, name, src)
	if top == nil {
		return
	}
	add := func(_ *source.Node, sc *scope) {
		if _, taken := l.elsewhere[uriOf(sc.base)]; !taken {
			l.elsewhere[uriOf(sc.base)] = name
		}
	}
	walkScopes(top, &scope{file: name, base: fileURL(name), dialect: newest}, add,
		func(*source.Node, *scope, string) {})
}
