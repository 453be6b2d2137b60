package docs

import (
	"go/scanner"
	"go/token"
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

// jsonCode marks the tokens of a JSON text.
func jsonCode(src string) code {
	var c code
	done := 0
	for i := 0; i < len(src); {
		class, end := jsonToken(src, i)
		if class == "" {
			i++
			continue
		}
		c = c.add("", src[done:i]).add(class, src[i:end])
		i, done = end, end
	}
	return c.add("", src[done:])
}

// jsonToken returns the class and the end of the token at i, or "" for a sign or a space.
func jsonToken(src string, i int) (class string, end int) {
	switch b := src[i]; {
	case b == '"':
		end = i + 1
		for end < len(src) && src[end] != '"' {
			if src[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end+1, len(src))
		if strings.HasPrefix(strings.TrimLeft(src[end:], " \n"), ":") {
			return "keyword", end
		}
		return "string", end
	case b == '-' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z':
		for end = i + 1; end < len(src) && !strings.ContainsRune(" \n,:]}", rune(src[end])); end++ {
		}
		return "number", end
	}
	return "", i
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
