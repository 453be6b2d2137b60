package standalone

import (
	"bytes"
	"io"
	"os"
	"strings"
	"unicode"
)

// tailBytes bounds how much is read from the end of a log: more than enough for the lines shown.
const tailBytes = 16 << 10

// tail returns the last max lines of the file at path, without control characters, or nothing if it cannot be read.
func tail(path string, max int) []string {
	end := readEnd(path, tailBytes)
	if len(end) == 0 {
		return nil
	}
	lines := strings.Split(strings.TrimRight(string(end), "\n"), "\n")
	if len(lines) > max {
		lines = lines[len(lines)-max:]
	}
	for i, line := range lines {
		lines[i] = printable(line)
	}
	return lines
}

// printable replaces control characters, so that a log line cannot move a terminal's cursor or set colors.
func printable(line string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case unicode.IsPrint(r):
			return r
		default:
			return '?'
		}
	}, strings.TrimRight(line, "\r"))
}

// readEnd returns up to limit bytes from the end of the file at path.
func readEnd(path string, limit int64) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	from := max(info.Size()-limit, 0)
	end, err := io.ReadAll(io.NewSectionReader(f, from, limit))
	if err != nil {
		return nil
	}
	if from > 0 { // the first line is likely cut
		if i := bytes.IndexByte(end, '\n'); i >= 0 {
			end = end[i+1:]
		}
	}
	return end
}
