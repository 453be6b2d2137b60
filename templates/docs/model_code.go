package docs

import (
	"go/scanner"
	"go/token"
	"regexp"
	"strings"
)

// goCode marks the tokens of Go code.
func goCode(src string) code {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, []byte(src), func(token.Position, string) {}, scanner.ScanComments)
	var c code
	done := 0
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		class := ""
		switch {
		case tok == token.COMMENT:
			class = "comment"
		case tok == token.STRING || tok == token.CHAR:
			class = "string"
		case tok == token.INT || tok == token.FLOAT:
			class = "number"
		case tok.IsKeyword() || lit == "nil":
			class = "keyword"
		default:
			continue
		}
		start := file.Offset(pos)
		c = c.add("", src[done:start]).add(class, lit)
		done = start + len(lit)
	}
	return c.add("", src[done:])
}

var jsonToken = regexp.MustCompile(`("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b`)

// jsonCode marks the tokens of a JSON text.
func jsonCode(src string) code {
	var c code
	done := 0
	for _, m := range jsonToken.FindAllStringSubmatchIndex(src, -1) {
		class, end := "number", m[1]
		switch {
		case m[2] >= 0 && m[4] >= 0:
			class, end = "keyword", m[3]
		case m[2] >= 0:
			class = "string"
		}
		c = c.add("", src[done:m[0]]).add(class, src[m[0]:end])
		done = end
	}
	return c.add("", src[done:])
}

func (c code) add(class, text string) code {
	if strings.TrimSpace(text) == "" && len(c) > 0 {
		class = c[len(c)-1].Class // spaces look the same in every class
	}
	switch {
	case text == "":
		return c
	case len(c) > 0 && c[len(c)-1].Class == class:
		c[len(c)-1].Text += text
		return c
	}
	return append(c, mark{class, text})
}
