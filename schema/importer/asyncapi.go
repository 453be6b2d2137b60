package importer

import (
	"cmp"
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/internal/topic"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// AsyncAPI imports the messages of AsyncAPI documents, of versions 2 and 3: those of the channels, and those of the
// components that no channel has. The error is as with [JSONSchema].
func AsyncAPI(o Options, files ...string) (*Result, error) {
	i := start(o, files[0])
	for _, file := range files {
		t, ok, err := i.read(file)
		if err != nil {
			return nil, err
		}
		if ok {
			i.document(t)
		}
	}
	return i.finish(files[0])
}

// An asyncDocument is the import of one document.
type asyncDocument struct {
	*importer
	top  target
	app  string // the name of the application that the document describes
	met  map[*source.Node]bool
	keys map[*source.Node]string            // the names of messages among the components
	uses map[*source.Node][]*channelMessage // by channel

	reported map[*source.Node]bool // keys that were left out

	described map[*source.Node]int // what the descriptions and examples of a message or a trait weigh
	repeated  int                  // the weight of those that were used again
}

func (i *importer) document(t target) {
	version := t.node.Get("asyncapi")
	if version == nil || version.Kind != source.Scalar {
		i.findings.Report(t.node.Pos, ruleFault, "import jsonschema takes JSON Schemas",
			"the file is no AsyncAPI document: it has no asyncapi, its version")
		return
	}
	d := &asyncDocument{
		importer: i, top: t, met: map[*source.Node]bool{}, keys: map[*source.Node]string{},
		uses: map[*source.Node][]*channelMessage{}, reported: map[*source.Node]bool{}, described: map[*source.Node]int{},
	}
	d.info()
	components := inside(t.node, "components", "messages")
	for _, p := range pairs(components) {
		d.keys[d.follow(target{p.Value, t.scope}).node] = p.Key.Text
	}
	switch {
	case strings.HasPrefix(version.Text, "2."):
		d.channels2()
	case strings.HasPrefix(version.Text, "3."):
		d.channels3()
	default:
		i.findings.Report(version.Pos, ruleFault, "", "AsyncAPI %s is neither version 2 nor 3", text.Quote(version.Text))
		return
	}
	for _, p := range pairs(components) {
		if m := d.follow(target{p.Value, t.scope}); m.node != nil && !d.met[m.node] {
			d.message(m, p.Key.Text, i.queueOf(i.queueName(), p.Key.Pos))
		}
	}
}

// info takes the title and the description of the first document.
func (d *asyncDocument) info() {
	info := d.top.node.Get("info")
	if info == nil {
		return
	}
	d.app = strings.TrimSpace(textOf(info, "title"))
	if d.catalog.title == "" {
		d.catalog.title, d.catalog.description = d.app, strings.TrimSpace(textOf(info, "description"))
	}
}

// follow returns what a reference object leads to, or the object itself. Its node is nil after a finding.
func (d *asyncDocument) follow(t target) target {
	for range 100 { // references may form a circle
		ref := t.node.Get("$ref")
		if ref == nil {
			return t
		}
		next, err := d.importer.library.resolve(ref.Text, t.scope)
		if err != nil {
			return d.unfollowed(ref, t, err.Error())
		}
		t = next
	}
	return d.unfollowed(t.node.Get("$ref"), t, "it leads in a circle")
}

func (d *asyncDocument) unfollowed(ref *source.Node, t target, why string) target {
	d.losses = append(d.losses, Loss{ref.Pos, "$ref", text.Quote(ref.Text) + " cannot be followed: " + why})
	return target{scope: t.scope}
}

// child follows a member of an object.
func (d *asyncDocument) child(t target, key string) target {
	if t.node == nil || t.node.Get(key) == nil {
		return target{scope: t.scope}
	}
	return d.follow(target{t.node.Get(key), t.scope})
}

// message adds a message. The name is what the document calls it where it is used. It returns nil when the message
// cannot be carried over, which was reported.
func (d *asyncDocument) message(m target, key string, q *queue) *message {
	again := d.met[m.node]
	d.met[m.node] = true
	payload, ok := d.payloadOf(m)
	if !ok {
		return nil
	}
	data := d.payload(payload)
	if data == nil {
		return nil
	}
	names := []string{textOf(m.node, "name"), d.keys[m.node], key, textOf(m.node, "messageId"), titleOf(m.node)}
	if again {
		names = []string{key, q.name + " " + key} // on another channel
	}
	added := &message{pos: m.node.Pos, urn: d.urnOfMessage(names), queue: q, data: data}
	isAfforded := d.affords(m.node)
	if isAfforded {
		added.summary, added.description = summaryOf(m.node), strings.TrimSpace(textOf(m.node, "description"))
	}
	for _, trait := range items(m.node.Get("traits")) {
		if t := d.follow(target{trait, m.scope}); t.node != nil {
			d.addTrait(added, t.node)
		}
	}
	if isAfforded {
		d.addExamples(added, m.node)
	}
	if added.summary == "" {
		added.summary = summaryOf(payload.node)
	}
	if added.description == added.summary {
		added.description = ""
	}
	d.leftOut(m.node)
	d.catalog.messages = append(d.catalog.messages, added)
	return added
}

// urnOfMessage takes a name that is a URN, as exported documents have it, as it is.
func (d *asyncDocument) urnOfMessage(names []string) string {
	for _, name := range names {
		isURN := strings.HasPrefix(name, "urn:") && len(name) <= maxName && !strings.ContainsAny(name, " \t\r\n")
		if isURN && d.urns[strings.ToLower(name)] == 0 {
			return d.urns.take("-", name)
		}
	}
	return d.urn(names...)
}

// maxDescribed is the weight of the descriptions and examples that messages have from traits, or once more on another
// channel. The catalog repeats them for each.
const maxDescribed = 30_000

// affords reports whether a message may have the descriptions and examples of n, which is a message or a trait. They
// limit no payload, so that they are no loss in the sense of strict.
func (d *asyncDocument) affords(n *source.Node) bool {
	weight, again := d.described[n]
	if !again {
		for _, key := range []string{"summary", "title", "description", "examples"} {
			if part := n.Get(key); part != nil {
				weight += part.Weight()
			}
		}
		d.described[n] = weight
		return true
	}
	if d.repeated+weight <= maxDescribed {
		d.repeated += weight
		return true
	}
	if !d.reported[n] {
		d.reported[n] = true
		d.findings.Warn(n.Pos, ruleLost, "describe the messages one by one",
			"descriptions and examples are not carried over to all messages that share them: there is too much to repeat")
	}
	return false
}

func (d *asyncDocument) addTrait(m *message, trait *source.Node) {
	d.leftOut(trait)
	if !d.affords(trait) {
		return
	}
	if m.summary == "" {
		m.summary = summaryOf(trait)
	}
	if m.description == "" {
		m.description = strings.TrimSpace(textOf(trait, "description"))
	}
	d.addExamples(m, trait)
}

// noPlace are the parts of messages and channels that a catalog has no place for, with what to do about them.
var noPlace = []struct{ key, what, hint string }{
	{"headers", "the envelope of messages is fixed", "put what consumers need into the payload"},
	{"correlationId", "the envelope has a trace_id of its own", "put an id that consumers need into the payload"},
	{"bindings", "queues are topics of Pulsar", "set key, topic and max_attempts in the catalog where they are meant"},
}

// leftOut reports those of noPlace that a message or a channel has. They limit no payload, so that they are no loss in
// the sense of strict.
func (d *asyncDocument) leftOut(n *source.Node) {
	for _, p := range pairs(n) {
		for _, none := range noPlace {
			if p.Key.Text == none.key && !d.reported[p.Key] {
				d.reported[p.Key] = true
				d.findings.Warn(p.Key.Pos, ruleLost, none.hint, "%s is not carried over: %s", none.key, none.what)
			}
		}
	}
}

// addExamples adds the payloads among the examples. An AsyncAPI example may also be of headers only.
func (d *asyncDocument) addExamples(m *message, n *source.Node) {
	for _, e := range items(n.Get("examples")) {
		switch p := e.Get("payload"); {
		case p == nil:
		case hasLongName(p):
			d.findings.Warn(p.Pos, ruleFault, "shorten it", "an example is left out: a name in it is too long")
		default:
			m.examples = append(m.examples, p)
		}
	}
}

// payloadOf returns the schema of a message's payload. One in another language than JSON Schema is lost.
func (d *asyncDocument) payloadOf(m target) (target, bool) {
	format := m.node.Get("schemaFormat")
	p := m.node.Get("payload")
	if p == nil {
		return target{&source.Node{Pos: m.node.Pos, Kind: source.Mapping}, m.scope}, true
	}
	t := target{p, m.scope}
	if inner := p.Get("schema"); inner != nil && p.Get("schemaFormat") != nil {
		format, t = p.Get("schemaFormat"), target{inner, m.scope}
	}
	if format != nil && !isJSONSchema(format.Text) {
		d.losses = append(d.losses, Loss{format.Pos, "schemaFormat", "only JSON Schema is imported"})
		return target{&source.Node{Pos: m.node.Pos, Kind: source.Mapping}, m.scope}, true
	}
	return t, true
}

func isJSONSchema(format string) bool {
	for _, prefix := range []string{
		"application/schema+json", "application/schema+yaml", "application/vnd.aai.asyncapi",
	} {
		if strings.HasPrefix(format, prefix) {
			return true
		}
	}
	return false
}

// channelQueue returns the queue of a channel. An address that names a topic is one; another gives the queue its name.
func (d *asyncDocument) channelQueue(key, address string, channel *source.Node, at schema.Pos) *queue {
	d.leftOut(channel)
	if d.Queue != "" {
		return d.queueOf(d.Queue, at)
	}
	known := cmp.Or(address, key)
	if q := d.channels[known]; q != nil {
		return q
	}
	name := d.queueNames.take("-", cmp.Or(kebab(key), kebab(address), d.queueName()))
	q := d.queueOf(name, at)
	d.channels[known] = q
	q.description = strings.TrimSpace(textOf(channel, "description"))
	if address != name && d.isTopic(address) {
		q.topic = address
	}
	return q
}

// isTopic reports whether an address is the name of a topic that no other queue has.
func (d *asyncDocument) isTopic(address string) bool {
	if address == "" || strings.ContainsAny(address, "{}") || topic.Check(address) != nil {
		return false
	}
	if full := topic.Full(address); !d.topics[full] {
		d.topics[full] = true
		return true
	}
	return false
}

// channels2 adds the messages of version 2. There, publish is what others may publish, which the application consumes.
func (d *asyncDocument) channels2() {
	for _, p := range pairs(d.top.node.Get("channels")) {
		channel := d.follow(target{p.Value, d.top.scope})
		if channel.node == nil {
			continue
		}
		q := d.channelQueue(p.Key.Text, p.Key.Text, channel.node, p.Key.Pos)
		added := map[*source.Node]*message{}
		for _, action := range []string{"publish", "subscribe"} {
			operation := d.child(channel, action)
			if operation.node == nil {
				continue
			}
			for _, m := range d.messages2(operation) {
				if m.node == nil {
					continue
				}
				name := textOf(operation.node, "operationId")
				if name == "" {
					name = p.Key.Text
				}
				if added[m.node] == nil {
					added[m.node] = d.message(m, name, q)
				}
				d.role(added[m.node], action == "subscribe")
			}
		}
	}
}

// messages2 are the messages of an operation of version 2: one, or a oneOf.
func (d *asyncDocument) messages2(operation target) []target {
	m := d.child(operation, "message")
	if m.node == nil {
		return nil
	}
	several := m.node.Get("oneOf")
	if several == nil {
		return []target{m}
	}
	var all []target
	for _, item := range several.Items {
		all = append(all, d.follow(target{item, m.scope}))
	}
	return all
}

// role notes that the application publishes a message, or consumes it.
func (d *asyncDocument) role(m *message, publishes bool) {
	if m == nil || d.app == "" {
		return
	}
	list := &m.consumers
	if publishes {
		list = &m.publishers
	}
	for _, name := range *list {
		if name == d.app {
			return
		}
	}
	*list = append(*list, d.app)
}

// A channelMessage is a message of a channel, as version 3 declares them.
type channelMessage struct {
	target  *source.Node
	message *message
}

// channels3 adds the messages of version 3, then the operations.
func (d *asyncDocument) channels3() {
	for _, p := range pairs(d.top.node.Get("channels")) {
		channel := d.follow(target{p.Value, d.top.scope})
		if channel.node == nil || len(pairs(channel.node.Get("messages"))) == 0 {
			continue
		}
		q := d.channelQueue(p.Key.Text, textOf(channel.node, "address"), channel.node, p.Key.Pos)
		for _, entry := range pairs(channel.node.Get("messages")) {
			if m := d.follow(target{entry.Value, channel.scope}); m.node != nil {
				use := &channelMessage{m.node, d.message(m, entry.Key.Text, q)}
				d.uses[channel.node] = append(d.uses[channel.node], use)
			}
		}
	}
	for _, p := range pairs(d.top.node.Get("operations")) {
		operation := d.follow(target{p.Value, d.top.scope})
		if operation.node == nil {
			continue
		}
		sends := textOf(operation.node, "action") == "send"
		d.operation3(operation, sends)
		if reply := d.child(operation, "reply"); reply.node != nil {
			d.operation3(reply, !sends)
		}
	}
}

// operation3 notes the role of the application for the messages of an operation: those that it lists, or all of its
// channel.
func (d *asyncDocument) operation3(operation target, sends bool) {
	channel := d.child(operation, "channel")
	if channel.node == nil {
		return
	}
	listed := map[*source.Node]bool{}
	list := operation.node.Get("messages")
	for _, item := range items(list) {
		if m := d.follow(target{item, operation.scope}); m.node != nil {
			listed[m.node] = true
		}
	}
	for _, u := range d.uses[channel.node] {
		if list == nil || listed[u.target] {
			d.role(u.message, sends)
		}
	}
}

func pairs(n *source.Node) []source.Pair {
	if n == nil {
		return nil
	}
	return n.Pairs
}

func items(n *source.Node) []*source.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// inside returns a value deeper in an object, or nil.
func inside(n *source.Node, keys ...string) *source.Node {
	for _, key := range keys {
		if n = n.Get(key); n == nil {
			return nil
		}
	}
	return n
}

// textOf returns the text of a key, or "".
func textOf(n *source.Node, key string) string {
	if v := n.Get(key); v != nil && isText(v) {
		return v.Text
	}
	return ""
}
