package docs

// A site is what there is to say about a catalog. All texts are clean: free of control characters and of those that
// show a reader something else than what is there.
type site struct {
	Title       string
	Owner       string
	Description []string // paragraphs
	Package     string
	Source      string
	Messages    []*message
	Types       []*typePage
	Queues      []*queuePage
	Services    []*service
	Flow        *flow
}

// A message is one URN.
type message struct {
	Page        string // name of its file, without extension
	URN         string
	GoName      string
	Summary     string
	Description []string
	Deprecated  *deprecation
	Queue       *queuePage
	Key         string // JSON Pointer, or empty
	KeyRow      string // id of the row that Key leads to, or empty
	Publishers  []*service
	Consumers   []*service
	Type        *typePage // when the payload is a named type, else nil
	Payload     shape
	Defs        []*typePage
	Examples    []code
	Publish     code
	Handle      code
	Words       string // what a search finds it by
}

// A deprecation says that a message should not be published any more.
type deprecation struct {
	Use    *message // its successor, or nil
	Reason string
}

// A typePage is a named payload type.
type typePage struct {
	Page        string
	Name        string
	GoName      string
	From        string // the file or the URN it is in, or empty when it is the catalog's own
	Description []string
	Deprecated  bool
	Shape       shape
	UsedBy      []link
	Words       string
}

// A queuePage is one queue.
type queuePage struct {
	Page        string
	Name        string
	GoName      string
	Description []string
	Topic       string
	MaxAttempts int
	DeadLetter  string // topic, or empty when messages are dropped
	Messages    []*message
	Senders     []*service
	Listeners   []*service
	Consume     code // or empty
}

// A service publishes or handles messages.
type service struct {
	Name    string
	ID      string // of its entry on the first page
	Sends   []*message
	Handles []*message
}

// A link leads to another page.
type link struct{ Text, Page string }

// A shape is the form of a payload or a named type.
type shape struct {
	Type  []link // in words; a part without a page is plain text
	Facts []fact
	Rows  []row // its members and what is inside of them, in depth
}

// A row is a member, or the elements of an array, the values of a map, or one form of a union.
type row struct {
	ID          string // unique on its page
	Depth       int
	Parent      string // the path up to Name
	Name        string
	Type        []link
	Required    bool
	Branch      bool // a form of a union, not a member
	Inside      bool // elements or values, not a member
	Key         bool // the message key
	Deprecated  bool
	Sensitive   string
	GoName      string
	Title       string
	Description []string
	Facts       []fact
}

// A fact is a constraint or another thing worth knowing.
type fact struct {
	Text  string   // such as "matches"
	Codes []string // values, patterns and the like
}

// A code is a text to be shown with its tokens marked.
type code []mark

type mark struct {
	Class string // comment, string, number, keyword or empty
	Text  string
}

func (c code) String() string {
	var all []byte
	for _, t := range c {
		all = append(all, t.Text...)
	}
	return string(all)
}
