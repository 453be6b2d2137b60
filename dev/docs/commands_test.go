package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// bqgen runs the command with arguments and returns its standard output.
func bqgen(t *testing.T, args ...string) string {
	t.Helper()
	program, err := buildBqgen()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(program, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("bqgen %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// binaries is the folder for built programs; TestMain removes it.
var binaries string

func TestMain(m *testing.M) {
	var err error
	if binaries, err = os.MkdirTemp("", "bqgen-docs-"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(binaries)
	os.Exit(code)
}

var buildBqgen = sync.OnceValues(func() (string, error) {
	program := filepath.Join(binaries, "bqgen")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	build := exec.Command("go", "build", "-o", program, "./cmd/bqgen")
	build.Dir = root
	build.Stderr = os.Stderr
	return program, build.Run()
})

// helpCommand recognises a command and its purpose in the help of bqgen.
var helpCommand = regexp.MustCompile(`(?m)^  ([a-z]+) +(\S.*)$`)

// commands returns the purposes of the commands of bqgen, by name, without help.
func commands(t *testing.T) map[string]string {
	t.Helper()
	_, list, found := strings.Cut(bqgen(t, "--help"), "Available Commands:\n")
	if !found {
		t.Fatal("bqgen --help does not list its commands")
	}
	list, _, _ = strings.Cut(list, "\n\n")
	purposes := map[string]string{}
	for _, m := range helpCommand.FindAllStringSubmatch(list, -1) {
		if m[1] != "help" {
			purposes[m[1]] = m[2]
		}
	}
	return purposes
}

// The README may say more about a command than its help does.
func TestTheTableOfCommandsIsTrue(t *testing.T) {
	want := commands(t)
	for _, r := range readDocument(t, "README.md").table(t, "command") {
		for _, span := range spans(r.cells[0]) {
			name, ok := strings.CutPrefix(span, "bqgen ")
			if !ok {
				continue
			}
			if purpose, ok := want[name]; !ok || !strings.HasPrefix(r.cells[1], purpose) {
				t.Errorf("README.md:%d: %s: got %q, want %q", r.line, name, r.cells[1], purpose)
			}
			delete(want, name)
		}
	}
	for name := range want {
		t.Errorf("the table of commands in README.md lacks %s", name)
	}
}

// The package documentation of the command lists the commands with their purposes.
func TestTheDocumentationOfTheCommandIsTrue(t *testing.T) {
	source, err := os.ReadFile(filepath.Join(root, "cmd", "bqgen", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^//\tbqgen ([a-z]+) +(\S.*)$`).FindAllStringSubmatch(string(source), -1) {
		got[m[1]] = m[2]
	}
	if diff := cmp.Diff(commands(t), got); diff != "" {
		t.Errorf("commands in cmd/bqgen/main.go (-help +documentation):\n%s", diff)
	}
}

// useOfBqgen recognises a use of the command, and captures the names of the command and its subcommand, and the
// arguments.
var useOfBqgen = regexp.MustCompile(`(?:^|[\s/:])bqgen((?: +[a-z]+){0,2})((?: +[^\s|&;>]+)*)`)

var flagName = regexp.MustCompile(`(?:^|\s)(--[a-z-]+)`)

// TestUsesOfBqgenAreReal checks each use of bqgen in code: the command exists and has the flags.
func TestUsesOfBqgenAreReal(t *testing.T) {
	known := commands(t)
	help := map[string]string{"": bqgen(t, "--help")}
	for name := range known {
		help[name] = bqgen(t, name, "--help")
		_, list, _ := strings.Cut(help[name], "Available Commands:\n")
		for _, m := range helpCommand.FindAllStringSubmatch(list, -1) {
			help[name+" "+m[1]] = bqgen(t, name, m[1], "--help")
		}
	}
	uses := 0
	for _, d := range documents(t) {
		for _, f := range d.code() {
			for _, m := range useOfBqgen.FindAllStringSubmatch(f.text, -1) {
				command := strings.Join(strings.Fields(m[1]), " ")
				text, ok := help[command]
				if name, _, two := strings.Cut(command, " "); two && !ok && !strings.Contains(help[name], "Available Commands:") {
					text, ok = help[name] // the second word is an argument
				}
				if !ok {
					t.Errorf("%s:%d: there is no command bqgen %s", d.name, f.line, command)
					continue
				}
				uses++
				for _, flag := range flagName.FindAllStringSubmatch(m[2], -1) {
					if !regexp.MustCompile(`(?m)^ +(?:-\w, )?` + flag[1] + `\b`).MatchString(text) {
						t.Errorf("%s:%d: bqgen %s has no flag %s", d.name, f.line, command, flag[1])
					}
				}
			}
		}
	}
	if uses < 10 {
		t.Errorf("only %d uses of bqgen were found", uses)
	}
}

var useOfMake = regexp.MustCompile(`(?:^|[\s;&])make ([a-z][a-z-]*)`)

// TestMakeTargetsExist checks each use of make in code.
func TestMakeTargetsExist(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	uses := 0
	for _, d := range documents(t) {
		for _, f := range d.code() {
			for _, m := range useOfMake.FindAllStringSubmatch(f.text, -1) {
				uses++
				if !regexp.MustCompile(`(?m)^` + m[1] + `:`).Match(makefile) {
					t.Errorf("%s:%d: the Makefile has no target %s", d.name, f.line, m[1])
				}
			}
		}
	}
	if uses < 5 {
		t.Errorf("only %d uses of make were found", uses)
	}
}

var runOfGo = regexp.MustCompile(`go run (?:github\.com/babelqueue/bqgen|\.)(/[\w/]+)`)

// TestProgramsExist checks each go run of a program of this module.
func TestProgramsExist(t *testing.T) {
	for _, d := range documents(t) {
		for _, f := range d.code() {
			for _, m := range runOfGo.FindAllStringSubmatch(f.text, -1) {
				files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(m[1]), "*.go"))
				if err != nil || len(files) == 0 {
					t.Errorf("%s:%d: there is no program in %s", d.name, f.line, m[1])
				}
			}
		}
	}
}
