package importer

import (
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// A Source is a schema to import.
type Source struct {
	File    string // path in the root
	Pointer string // JSON Pointer to the schema in the file; empty for the whole file
}

// JSONSchema imports each schema as the payload of one message. The error is not nil when a file cannot be read, or the
// catalog cannot be written; faults of the files are in the findings.
func JSONSchema(o Options, sources ...Source) (*Result, error) {
	i := start(o, sources[0].File)
	for _, s := range sources {
		t, ok, err := i.read(s.File)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		at := t
		if s.Pointer != "" {
			if at, err = i.library.pointer(t, s.Pointer); err != nil {
				i.findings.Report(t.node.Pos, ruleRef, "", "%s: %v", s.Pointer, err)
				continue
			}
		}
		i.schemaMessage(s, at)
	}
	return i.finish(sources[0].File)
}

func (i *importer) schemaMessage(s Source, at target) {
	data := i.payload(at)
	if data == nil {
		return
	}
	file := nameOfFile(s.File)
	names := []string{titleOf(at.node), lastSegment(s.Pointer)}
	if s.Pointer != "" {
		names = append(names, nameOfOwner(s.Pointer))
	}
	names = append(names, file, nameOfFolder(s.File)+" "+file)
	m := &message{
		pos: at.node.Pos, urn: i.urn(names...), queue: i.queueOf(i.queueName(), at.node.Pos),
		summary: summaryOf(at.node), data: data,
	}
	if data.get("examples") != nil { // they are of the whole payload
		m.examples = items(at.node.Get("examples"))
		data.remove("examples")
	}
	i.catalog.messages = append(i.catalog.messages, m)
}

// queueName is the queue of messages that have no channel.
func (i *importer) queueName() string {
	if i.Queue != "" {
		return i.Queue
	}
	return i.Package
}

// nameOfOwner returns the last name in a JSON Pointer.
func nameOfOwner(pointer string) string {
	for pointer != "" {
		if name := lastSegment(pointer); name != "" {
			return name
		}
		pointer = pointer[:strings.LastIndexByte(pointer, '/')]
	}
	return ""
}

func nameOfFolder(file string) string {
	at := strings.LastIndexByte(strings.TrimSuffix(file, "/"), '/')
	if at < 0 {
		return ""
	}
	return nameOfFile(file[:at])
}

// maxSummary is how many characters a summary has.
const maxSummary = 300

// summaryOf returns the title of a schema, or the first sentence of its description.
func summaryOf(n *source.Node) string {
	for _, key := range []string{"summary", "title", "description"} {
		if d := n.Get(key); d != nil && isText(d) && strings.TrimSpace(d.Text) != "" {
			first, _, _ := strings.Cut(strings.TrimSpace(d.Text), "\n")
			if sentence, _, more := strings.Cut(first, ". "); more {
				first = sentence + "."
			}
			return text.Shorten(strings.TrimSpace(first), maxSummary)
		}
	}
	return ""
}
