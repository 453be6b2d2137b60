package source

import (
	"encoding/json"
	"math"
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
)

// JSON returns the value as compact JSON, with members in the file's order and numbers as written, and the same value
// as encoding/json would decode it with numbers as json.Number. What JSON cannot represent is passed to invalid, and
// stands in the result as a string, or as 0 when it is a number that is out of range.
func (n *Node) JSON(invalid func(n *Node)) (compact []byte, value any) {
	return n.appendJSON(nil, math.MaxInt, invalid)
}

// JSONStart returns the first bytes of the value as compact JSON: most of them and some more, or all.
func (n *Node) JSONStart(most int) []byte {
	start, _ := n.appendJSON(nil, most, func(*Node) {})
	return start
}

// appendJSON begins no more values when there are more than most bytes, and cuts texts that are longer.
func (n *Node) appendJSON(dst []byte, most int, invalid func(*Node)) ([]byte, any) {
	cut := func(s string) string {
		if len(s) <= most {
			return s
		}
		return strings.ToValidUTF8(s[:most], "")
	}
	switch n.Kind {
	case Mapping:
		value := make(map[string]any, min(len(n.Pairs), most))
		dst = append(dst, '{')
		for i, p := range n.Pairs {
			if len(dst) > most {
				break
			}
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(text.AppendJSON(dst, cut(p.Key.Text)), ':')
			dst, value[p.Key.Text] = p.Value.appendJSON(dst, most, invalid)
		}
		return append(dst, '}'), value
	case Sequence:
		value := make([]any, 0, min(len(n.Items), most))
		dst = append(dst, '[')
		for i, item := range n.Items {
			if len(dst) > most {
				break
			}
			if i > 0 {
				dst = append(dst, ',')
			}
			var v any
			dst, v = item.appendJSON(dst, most, invalid)
			value = append(value, v)
		}
		return append(dst, ']'), value
	case Scalar:
		if len(n.Text) > most {
			return text.AppendJSON(dst, cut(n.Text)), n.Text
		}
		return n.appendScalar(dst, invalid)
	}
	return dst, nil
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
