// Command pulsar runs a real Apache Pulsar broker for people and for tests. It needs Java 17 or later and Maven 3.
//
//	go run ./dev/pulsar run
//
// runs a broker in the foreground until ctrl-C, on ports 6650 and 8080 if they are free.
//
//	go run ./dev/pulsar exec -- go test ./...
//
// runs a command while a broker runs on free ports. Two environment variables tell the command where it is:
// BQ_PULSAR_URL is the address for Pulsar clients, BQ_PULSAR_ADMIN_URL the admin endpoint. Signals are passed on to the
// command, and its exit code is passed back. If the machine cannot run a broker, the command runs without these
// variables, and a line says so; if CI=true is set, this is an error instead.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// Exit codes of the program itself. Those of a command run by exec are passed on.
const (
	exitOK     = 0
	exitFailed = 2
)

const usage = `Usage:

  pulsar run [-port N] [-http-port N] [-dir FOLDER]
        run a broker in the foreground until ctrl-C
  pulsar exec [-dir FOLDER] -- COMMAND [ARGUMENT...]
        run a command while a broker runs, with its addresses in
        BQ_PULSAR_URL and BQ_PULSAR_ADMIN_URL
`

// A program is the command line with everything that it depends on.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	env            []string
	signals        <-chan os.Signal
	orphaned       <-chan struct{} // closed when the parent process has ended
}

func main() {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	p := program{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		env:      os.Environ(),
		signals:  signals,
		orphaned: watchParent(context.Background()),
	}
	os.Exit(p.run(os.Args[1:]))
}

// run runs the command line and returns the exit code.
func (p *program) run(args []string) int {
	if len(args) == 0 {
		fmt.Fprint(p.stderr, usage)
		return exitFailed
	}
	switch args[0] {
	case "run":
		return p.runBroker(args[1:])
	case "exec":
		return p.exec(args[1:])
	case "help", "-h", "-help", "--help":
		fmt.Fprint(p.stdout, usage)
		return exitOK
	default:
		return p.fail("unknown command %q\n%s", args[0], usage)
	}
}

// fail prints an error of the program itself and returns its exit code.
func (p *program) fail(format string, args ...any) int {
	fmt.Fprintf(p.stderr, "pulsar: "+format+"\n", args...)
	return exitFailed
}
