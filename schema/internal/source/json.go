package source

import (
	"encoding/json"
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
)

// JSON returns the value as compact JSON, with members in the file's order and numbers as written, and the same value
// as encoding/json would decode it with numbers as json.Number. What JSON cannot represent is passed to invalid, and
// stands in the result as a string, or as 0 when it is a number that is out of range.
func (n *Node) JSON(invalid func(n *Node)) (compact []byte, value any) {
	return n.appendJSON(nil, invalid)
}

func (n *Node) appendJSON(dst []byte, invalid func(*Node)) ([]byte, any) {
	switch n.Kind {
	case Mapping:
		value := make(map[string]any, len(n.Pairs))
		dst = append(dst, '{')
		for i, p := range n.Pairs {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(text.AppendJSON(dst, p.Key.Text), ':')
			dst, value[p.Key.Text] = p.Value.appendJSON(dst, invalid)
		}
		return append(dst, '}'), value
	case Sequence:
		value := make([]any, len(n.Items))
		dst = append(dst, '[')
		for i, item := range n.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst, value[i] = item.appendJSON(dst, invalid)
		}
		return append(dst, ']'), value
	case Scalar:
		return n.appendScalar(dst, invalid)
	}
	return dst, nil
}

// JSONStart returns the first bytes of the value as compact JSON: most of them and some more, or all.
func (n *Node) JSONStart(most int) []byte { return n.appendStart(nil, most) }

func (n *Node) appendStart(dst []byte, most int) []byte {
	start := func(s string) string { return strings.ToValidUTF8(s[:min(len(s), most)], "") }
	switch n.Kind {
	case Mapping:
		dst = append(dst, '{')
		for i, p := range n.Pairs {
			if len(dst) > most {
				return dst
			}
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(text.AppendJSON(dst, start(p.Key.Text)), ':')
			dst = p.Value.appendStart(dst, most)
		}
		return append(dst, '}')
	case Sequence:
		dst = append(dst, '[')
		for i, item := range n.Items {
			if len(dst) > most {
				return dst
			}
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.appendStart(dst, most)
		}
		return append(dst, ']')
	case Scalar:
		if len(n.Text) > most {
			return text.AppendJSON(dst, start(n.Text))
		}
		dst, _ = n.appendScalar(dst, func(*Node) {})
	}
	return dst
}

func (n *Node) appendScalar(dst []byte, invalid func(*Node)) ([]byte, any) {
	if !n.Plain {
		return text.AppendJSON(dst, n.Text), n.Text
	}
	switch ClassifyPlain(n.Text) {
	case PlainNull:
		return append(dst, "null"...), nil
	case PlainBool:
		return append(dst, n.Text...), n.Text == "true"
	case PlainNumber:
		if !IsWorkable(n.Text) {
			invalid(n)
			return append(dst, '0'), json.Number("0") // nobody should compute with it
		}
		return append(dst, n.Text...), json.Number(n.Text)
	case PlainAmbiguous:
		invalid(n)
	}
	return text.AppendJSON(dst, n.Text), n.Text
}

// ScalarOf returns a node for a scalar in JSON, as if it stood in the file.
func ScalarOf(compact string) (n *Node, value any) {
	n = &Node{Kind: Scalar, Text: compact, Plain: compact[0] != '"', size: 1, depth: 1}
	switch {
	case compact[0] == '"':
		_ = json.Unmarshal([]byte(compact), &n.Text) // JSON that AppendJSON wrote
		value = n.Text
	case compact == "true", compact == "false":
		value = compact == "true"
	default:
		value = json.Number(compact)
	}
	return n, value
}
