package golang

import (
	"fmt"
	"hash/fnv"
	"strings"
	"unicode/utf8"
)

const (
	suffix      = ".bq.go"
	catalogFile = "catalog" + suffix
	typesFile   = "types" + suffix
)

// fileName is the file for the message with this Go name: snake case, ASCII only and lower case only, as some file
// systems fold case and Unicode forms, and free of what the go command or Windows reads into a file's name.
func fileName(name string) string {
	var parts []string
	for _, word := range split(name, false) {
		parts = append(parts, asciiWord(word))
	}
	stem := strings.Join(parts, "_")
	const longest = 100
	if len(stem) > longest {
		h := fnv.New32a()
		h.Write([]byte(name))
		stem = fmt.Sprintf("%s_%08x", strings.TrimRight(stem[:longest], "_"), h.Sum32())
	}
	if isTaken(stem) || isConstraint(stem) {
		stem += "_urn"
	}
	return stem + suffix
}

func asciiWord(word string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(word) {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "u%x", r)
		}
	}
	return b.String()
}

// isTaken reports whether stem is that of another generated file, or is a device of Windows whatever its extension.
func isTaken(stem string) bool {
	if stem+suffix == catalogFile || stem+suffix == typesFile {
		return true
	}
	switch stem {
	case "con", "prn", "aux", "nul":
		return true
	}
	device := strings.TrimRight(stem, "0123456789")
	return len(stem) == 4 && (device == "com" || device == "lpt")
}

// isConstraint reports whether the go command would build a file of this stem only for some systems. It looks at the
// last words of what is in front of the first dot.
func isConstraint(stem string) bool {
	parts := strings.Split(stem, "_")
	if n := len(parts) - 1; parts[n] == "test" {
		parts = parts[:n]
	}
	return len(parts) > 0 && systems[parts[len(parts)-1]]
}

// systems are the values of GOOS and GOARCH that go/build knows, past and future ones included.
var systems = func() map[string]bool {
	m := map[string]bool{}
	const list = `aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1
		wasip2 windows zos unix 386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le mips64p32
		mips64p32le ppc ppc64 ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm wasm32 wasm64`
	for _, word := range strings.Fields(list) {
		m[word] = true
	}
	return m
}()
