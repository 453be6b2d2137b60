package docs

import (
	"cmp"
	"slices"
)

// A flow is the picture of who publishes what to whom, laid out: services that publish on the left, messages by queue in the
// middle, services that handle on the right. Units are pixels.
type flow struct {
	Width, Height float64
	Groups        []flowGroup
	Nodes         []flowNode
	Edges         []flowEdge
}

// A flowGroup is a queue.
type flowGroup struct {
	X, Y, W, H float64
	Queue      *queuePage
}

// A flowNode is a service or a message.
type flowNode struct {
	X, Y, W, H float64
	Message    *message // or
	Service    *service
	Colour     int // of a service
}

// A flowEdge leads from a service to a message or from a message to a service.
type flowEdge struct {
	From, To   int // in Nodes
	X1, Y1     float64
	X2, Y2     float64
	Colour     int
	Deprecated bool
}

const (
	flowMargin   = 12
	serviceWidth = 164
	messageWidth = 296
	flowGap      = 132 // where the lines are
	nodeHeight   = 28
	nodeStep     = 36
	groupHead    = 34
	groupFoot    = 10
	groupGap     = 18
	flowHead     = 34 // the columns' headings
	flowColours  = 8
)

// layOut places everything. The order of services is that of the messages that they have to do with, so that lines cross as
// little as can be had for one pass.
func layOut(s *site) *flow {
	f := &flow{Width: 2*flowMargin + 2*serviceWidth + 2*flowGap + messageWidth}
	middle := flowMargin + serviceWidth + float64(flowGap)
	at := map[*message]int{}
	y := float64(flowMargin + flowHead)
	for _, q := range s.Queues {
		h := groupHead + groupFoot + float64(len(q.Messages))*nodeStep
		f.Groups = append(f.Groups, flowGroup{X: middle, Y: y, W: messageWidth, H: h, Queue: q})
		for i, m := range q.Messages {
			at[m] = len(f.Nodes)
			f.Nodes = append(f.Nodes, flowNode{
				X: middle + 10, Y: y + groupHead + float64(i)*nodeStep, W: messageWidth - 20, H: nodeHeight, Message: m,
			})
		}
		y += h + groupGap
	}
	bottom := y - groupGap
	for i, c := range []struct {
		x        float64
		messages func(*service) []*message
	}{
		{flowMargin, func(s *service) []*message { return s.Sends }},
		{middle + messageWidth + flowGap, func(s *service) []*message { return s.Handles }},
	} {
		bottom = max(bottom, f.column(s.Services, at, c.x, bottom, i == 0, c.messages))
	}
	f.Height = bottom + flowMargin
	return f
}

// column places the services of one side and draws their lines. It returns where the column ends.
func (f *flow) column(services []*service, at map[*message]int, x, bottom float64, sends bool, messages func(*service) []*message) float64 {
	type placed struct {
		node    flowNode
		centre  float64
		service *service
	}
	var column []placed
	for i, s := range services {
		if len(messages(s)) == 0 {
			continue
		}
		centre := 0.0
		for _, m := range messages(s) {
			centre += f.Nodes[at[m]].Y
		}
		node := flowNode{X: x, W: serviceWidth, H: nodeHeight, Service: s, Colour: i % flowColours}
		column = append(column, placed{node, centre / float64(len(messages(s))), s})
	}
	slices.SortStableFunc(column, func(a, b placed) int { return cmp.Compare(a.centre, b.centre) })
	top := float64(flowMargin + flowHead)
	bottom = max(bottom, top+float64(len(column))*nodeStep)
	next := top
	for i := range column { // as near to its messages as those above allow
		column[i].node.Y = max(column[i].centre, next)
		next = column[i].node.Y + nodeStep
	}
	limit := bottom - nodeHeight
	for i := len(column) - 1; i >= 0; i-- { // and back up where that went too far
		column[i].node.Y = min(column[i].node.Y, limit)
		limit = column[i].node.Y - nodeStep
	}
	for _, c := range column {
		me := len(f.Nodes)
		f.Nodes = append(f.Nodes, c.node)
		for _, m := range messages(c.service) {
			other := f.Nodes[at[m]]
			e := flowEdge{Colour: c.node.Colour, Deprecated: m.Deprecated != nil}
			if sends {
				e.From, e.To = me, at[m]
				e.X1, e.Y1 = c.node.X+c.node.W, c.node.Y+nodeHeight/2
				e.X2, e.Y2 = other.X, other.Y+nodeHeight/2
			} else {
				e.From, e.To = at[m], me
				e.X1, e.Y1 = other.X+other.W, other.Y+nodeHeight/2
				e.X2, e.Y2 = c.node.X, c.node.Y+nodeHeight/2
			}
			f.Edges = append(f.Edges, e)
		}
	}
	return bottom
}
