package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

const (
	maxTime   = 10 * time.Second // of a processor
	maxMemory = 1 << 30
	maxOutput = 3 << 20          // a thousand findings in SARIF, with documents
	patience  = 10 * time.Minute // until a run is stopped, on a busy machine
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "hostile:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("hostile", flag.ContinueOnError)
	size := flags.Int("size", 1_000_000, "about the size of the catalogs, in `BYTES`")
	only := flags.String("only", "", "the `NAMES` of the catalogs to run, with commas (default: all)")
	start := flags.String("commands", "", "the `STARTS` of the commands to run, with commas (default: all)")
	if err := flags.Parse(args); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "bqgen-hostile-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	bqgen, err := filepath.Abs(flags.Arg(0))
	if err != nil {
		return err
	}
	if flags.NArg() == 0 {
		bqgen = filepath.Join(dir, "bqgen.exe")
		if text, err := exec.Command("go", "build", "-o", bqgen, "./cmd/bqgen").CombinedOutput(); err != nil {
			return fmt.Errorf("build bqgen: %w: %s", err, text)
		}
	}
	catalogs := corpus(*size)
	names := slices.Sorted(maps.Keys(catalogs))
	if *only != "" {
		names = strings.Split(*only, ",")
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "catalog\tcommand\texit\tseconds\tMB\tkB printed\t")
	bad := 0
	for _, name := range names {
		if catalogs[name] == nil {
			return fmt.Errorf("there is no catalog %q", name)
		}
		for _, r := range tryAll(bqgen, filepath.Join(dir, "files"), catalogs[name](), strings.Split(*start, ",")) {
			if r.fault != "" {
				bad++
			}
			fmt.Fprintf(table, "%s\t%s\t%d\t%.1f\t%d\t%d\t%s\n",
				name, r.command, r.exit, r.time.Seconds(), r.memory>>20, r.output>>10, r.fault)
		}
		table.Flush()
	}
	if bad > 0 {
		return fmt.Errorf("%d runs took too much", bad)
	}
	return nil
}

// commands are the arguments of the runs. Every run has a new folder.
var commands = []string{
	"lint --format json", "lint", "fmt --check", "fmt", "generate --out gen", "check --out gen",
	"breaking --against old.yaml", "breaking --against old.yaml --format sarif", "docs --out site",
	"docs --out pages --format markdown",
	"export asyncapi --out asyncapi.yaml", "export jsonschema --out schemas",
}

// againstGit compares catalogs of several files with what is committed of them, where git is installed.
const againstGit = "breaking --against-git HEAD"

// commit commits all files of a folder to a new repository in it.
func commit(dir string) error {
	for _, args := range []string{
		"init -q", "add -A", "-c user.name=A -c user.email=a@example.com -c commit.gpgSign=false commit -q -m c",
	} {
		cmd := exec.Command("git", strings.Fields(args)...)
		cmd.Dir = dir
		if text, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w: %s", args, err, text)
		}
	}
	return nil
}

// A result is what a run took.
type result struct {
	command string
	exit    int
	time    time.Duration
	memory  int // in bytes; 0 where it is not known
	output  int // in bytes
	fault   string
}

// tryAll runs the commands that begin with one of the starts.
func tryAll(bqgen, dir string, p pair, starts []string) []result {
	var all []result
	usual := commands
	if _, err := exec.LookPath("git"); err == nil && p.files != nil {
		usual = append(slices.Clip(commands), againstGit)
	}
	for _, command := range p.commandsOr(usual) {
		if !slices.ContainsFunc(starts, func(start string) bool { return strings.HasPrefix(command, start) }) {
			continue
		}
		all = append(all, try(bqgen, dir, command, p))
	}
	return all
}

func try(bqgen, dir, command string, p pair) result {
	r := result{command: command, exit: -1}
	err := os.RemoveAll(dir)
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	for name, text := range p.all() {
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)
		}
	}
	if err == nil && command == againstGit {
		err = commit(dir)
	}
	if err != nil {
		r.fault = err.Error()
		return r
	}
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	cmd := exec.CommandContext(ctx, bqgen, strings.Fields(command)...)
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); cmd.ProcessState == nil {
		r.fault = err.Error()
		return r
	}
	state := cmd.ProcessState
	r.exit, r.time, r.memory, r.output = state.ExitCode(), state.UserTime()+state.SystemTime(), memoryOf(state), out.Len()
	r.fault = r.faultOf(out.String())
	return r
}

// faultOf says what a run took too much of.
func (r result) faultOf(output string) string {
	var faults []string
	if r.exit != 0 && r.exit != 1 {
		faults = append(faults, "FAILED "+output[:min(len(output), 200)])
	}
	if r.time > maxTime {
		faults = append(faults, "SLOW")
	}
	if r.memory > maxMemory {
		faults = append(faults, "MEMORY")
	}
	if r.output > maxOutput {
		faults = append(faults, "OUTPUT")
	}
	return strings.Join(faults, " ")
}
