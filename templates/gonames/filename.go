package gonames

import (
	"fmt"
	"hash/fnv"
	"strings"
	"unicode/utf8"
)

// The suffixes of generated files, and the files that belong to no single URN. All names end in suffix.
const (
	suffix      = ".bq.go"
	codecSuffix = ".codec" + suffix

	catalogStem    = "catalog"
	typesStem      = "types"
	CatalogFile    = catalogStem + suffix
	TypesFile      = typesStem + suffix
	TypesCodecFile = typesStem + codecSuffix
)

// fileStem is the name without suffix of the files for the message with this Go name: snake case, and ASCII and lower
// case only, since some file systems fold case and Unicode forms. It avoids what the go command or Windows interpret in
// a file's name.
func fileStem(name string) string {
	var parts []string
	for _, word := range split(name, false) {
		parts = append(parts, asciiWord(word))
	}
	stem := strings.Join(parts, "_")
	const longestStem = 100
	if len(stem) > longestStem {
		h := fnv.New32a()
		h.Write([]byte(name))
		stem = fmt.Sprintf("%s_%08x", strings.TrimRight(stem[:longestStem], "_"), h.Sum32())
	}
	if isTaken(stem) || isConstraint(stem) {
		stem += "_urn"
	}
	return stem
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

// isTaken reports whether stem is that of another generated file or, whatever the extension, a device of Windows.
func isTaken(stem string) bool {
	switch stem {
	case catalogStem, typesStem, "con", "prn", "aux", "nul":
		return true
	}
	device := strings.TrimRight(stem, "0123456789")
	return len(stem) == 4 && (device == "com" || device == "lpt")
}

// isConstraint reports whether the go command would build a file of this stem for some systems only. The go command
// looks at the last words before the first dot.
func isConstraint(stem string) bool {
	parts := strings.Split(stem, "_")
	if n := len(parts) - 1; parts[n] == "test" {
		parts = parts[:n]
	}
	return len(parts) > 0 && systems[parts[len(parts)-1]]
}

// systems are the values of GOOS and GOARCH that go/build knows, including past and future ones.
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
