package docs

import (
	"cmp"
	"fmt"
	"slices"
)

// A flow is the layout of a picture that shows who publishes and who handles each message: services that publish on the
// left, messages by queue in the middle, services that handle on the right. The consumers of a work queue are one node:
// each message goes to one of them. Units are pixels.
type flow struct {
	Width, Height float64
	Headings      []flowHeading
	Groups        []flowGroup
	Nodes         []flowNode
	Edges         []flowEdge
}

// A flowHeading is the heading of a column.
type flowHeading struct {
	X, Y float64 // of its centre and its base line
	Text string
}

// A flowGroup is a queue.
type flowGroup struct {
	X, Y, W, H float64
	Queue      *queuePage
}

// A flowNode is a message, a service, or the consumers of a work queue. A service may have several: on both sides, and
// in each band.
type flowNode struct {
	X, Y, W, H float64
	Key        string // the same for all nodes of one service
	Message    *message
	Service    *service
	Colour     int // of a service
}

// A flowEdge leads from a service to a message or from a message to a service.
type flowEdge struct {
	From, To   flowNode
	X1, Y1     float64
	X2, Y2     float64
	Colour     int
	Deprecated bool
}

const (
	flowMargin   = 12
	serviceWidth = 164
	messageWidth = 296
	flowGap      = 104 // between the columns, for the lines
	nodeHeight   = 28
	nodeStep     = 36
	groupHead    = 34
	groupFoot    = 10
	groupGap     = 18
	flowHead     = 34 // for the headings
	flowColours  = 8  // of services, in flow.css

	flowMiddle = flowMargin + serviceWidth + flowGap
	flowRight  = flowMiddle + messageWidth + flowGap
	flowWidth  = flowRight + serviceWidth + flowMargin
)

// maxLines is the number of lines that the eye can follow from one end of a picture to the other.
const maxLines = 40

// layOut places everything. A small picture is one band, in which every service appears once on a side. In a larger one
// each queue is a band of its own and services are repeated, so that no line leaves its band.
func layOut(s *site) *flow {
	f := &flow{Width: flowWidth, Headings: []flowHeading{
		{flowMargin + serviceWidth/2, 26, "publish"},
		{flowMiddle + messageWidth/2, 26, "messages by queue"},
		{flowRight + serviceWidth/2, 26, "handle"},
	}}
	colours := map[*service]int{}
	for i, service := range s.Services {
		colours[service] = i
	}
	for i, q := range s.Queues {
		if q.Group != nil {
			colours[q.Group] = len(s.Services) + i
		}
	}
	lines := 0
	for _, m := range s.Messages {
		lines += len(m.Publishers) + len(m.Receivers())
	}
	bands := [][]*queuePage{s.Queues}
	if lines > maxLines {
		bands = nil
		for _, q := range s.Queues {
			bands = append(bands, []*queuePage{q})
		}
	}
	y := float64(flowMargin + flowHead)
	for _, queues := range bands {
		b := &band{flow: f, top: y, nodes: map[*message]flowNode{}, colours: colours}
		b.layOut(queues)
		y = b.bottom + groupGap
	}
	f.Height = y - groupGap + flowMargin
	return f
}

// A band is a horizontal part of the picture that no line leaves.
type band struct {
	*flow
	top, bottom float64
	nodes       map[*message]flowNode
	colours     map[*service]int
}

func (b *band) layOut(queues []*queuePage) {
	b.bottom = b.top
	publishes, handles := map[*service][]*message{}, map[*service][]*message{}
	y := b.top
	for _, q := range queues {
		h := groupHead + groupFoot + float64(len(q.Messages))*nodeStep
		b.Groups = append(b.Groups, flowGroup{X: flowMiddle, Y: y, W: messageWidth, H: h, Queue: q})
		for i, m := range q.Messages {
			n := flowNode{
				X: flowMiddle + 10, Y: y + groupHead + float64(i)*nodeStep, W: messageWidth - 20, H: nodeHeight,
				Key: fmt.Sprint("m", len(b.Nodes)), Message: m,
			}
			b.nodes[m] = n
			b.Nodes = append(b.Nodes, n)
			for _, s := range m.Publishers {
				publishes[s] = append(publishes[s], m)
			}
			for _, s := range m.Receivers() {
				handles[s] = append(handles[s], m)
			}
		}
		b.bottom = y + h
		y += h + groupGap
	}
	b.bottom = max(b.bottom, b.top+nodeStep*float64(max(len(publishes), len(handles))))
	b.column(flowMargin, publishes, true)
	b.column(flowRight, handles, false)
}

// column places the services of one side and draws their lines.
func (b *band) column(x float64, messages map[*service][]*message, publish bool) {
	for _, n := range b.place(x, messages) {
		b.Nodes = append(b.Nodes, n)
		for _, m := range messages[n.Service] {
			from, to := n, b.nodes[m]
			if !publish {
				from, to = to, from
			}
			b.Edges = append(b.Edges, flowEdge{
				From: from, To: to, Colour: n.Colour, Deprecated: m.Deprecated != nil,
				X1: from.X + from.W, Y1: from.Y + nodeHeight/2, X2: to.X, Y2: to.Y + nodeHeight/2,
			})
		}
	}
}

// place returns the services of one side. They are as near to their messages as the others allow, and in the order of
// the messages, which keeps crossing lines rare.
func (b *band) place(x float64, messages map[*service][]*message) []flowNode {
	var column []flowNode
	for s, list := range messages {
		centre := 0.0
		for _, m := range list {
			centre += b.nodes[m].Y / float64(len(list))
		}
		column = append(column, flowNode{
			X: x, Y: centre, W: serviceWidth, H: nodeHeight,
			Key: fmt.Sprint("s", b.colours[s]), Service: s, Colour: b.colours[s] % flowColours,
		})
	}
	slices.SortFunc(column, func(a, c flowNode) int {
		return cmp.Or(cmp.Compare(a.Y, c.Y), cmp.Compare(b.colours[a.Service], b.colours[c.Service]))
	})
	next := b.top
	for i := range column {
		column[i].Y = max(column[i].Y, next)
		next = column[i].Y + nodeStep
	}
	limit := b.bottom - nodeHeight
	for i := len(column) - 1; i >= 0; i-- { // move up what is below the band
		column[i].Y = min(column[i].Y, limit)
		limit = column[i].Y - nodeStep
	}
	return column
}
