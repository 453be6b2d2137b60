package main

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/babelqueue/bqgen/dev/pulsar/standalone"
)

// Environment variables with the addresses of the broker.
const (
	serviceURLVariable = "BQ_PULSAR_URL"
	adminURLVariable   = "BQ_PULSAR_ADMIN_URL"
)

// orphanGrace is how long the command may take to end after the parent of this program has ended.
const orphanGrace = 10 * time.Second

// exec implements the command exec: it runs another command while a broker runs.
func (p *program) exec(args []string) int {
	options := standalone.Options{Log: p.stderr}
	flags := p.flagSet("exec")
	flags.StringVar(&options.Dir, "dir", "", "folder to keep the broker's data in (default: a temporary folder)")
	if code, ok := parse(flags, args); !ok {
		return code
	}
	command := flags.Args()
	if len(command) == 0 {
		return p.fail("exec: no command given: pulsar exec -- COMMAND [ARGUMENT...]")
	}
	// Checked first: a mistyped command should not cost the start of a broker.
	if _, err := exec.LookPath(command[0]); err != nil {
		return p.fail("exec: %v", err)
	}

	ctx, stop := p.interruptible()
	broker, err := standalone.Start(ctx, options)
	stop()
	if code, ok := p.interrupted(ctx); ok {
		if broker != nil {
			stopBroker(broker)
		}
		return code
	}
	switch {
	case err == nil:
		return p.runWith(broker, command)
	case !errors.Is(err, standalone.ErrUnavailable):
		return p.fail("%v", err)
	case inCI(p.env):
		return p.fail("%v\npulsar: CI=true is set, so a broker is required", err)
	default:
		fmt.Fprintf(p.stderr, "pulsar: %v\npulsar: running %s without %s: tests that need a real broker are skipped\n",
			err, command[0], serviceURLVariable)
		code, _ := p.runCommand(command, withoutVariables(p.env, serviceURLVariable, adminURLVariable))
		return code
	}
}

// runWith runs the command with the broker, then stops the broker. If the command failed by itself, the broker's log is
// kept.
func (p *program) runWith(broker *standalone.Broker, command []string) int {
	env := append(withoutVariables(p.env, serviceURLVariable, adminURLVariable),
		serviceURLVariable+"="+broker.ServiceURL(),
		adminURLVariable+"="+broker.AdminURL())
	code, toldToEnd := p.runCommand(command, env)
	if code != exitOK && !toldToEnd {
		broker.KeepLog()
		fmt.Fprintf(p.stderr, "pulsar: the command failed (exit code %d); the broker's log is %s\n", code, broker.LogPath())
	}
	if err := stopBroker(broker); err != nil {
		fmt.Fprintf(p.stderr, "pulsar: %v\n", err)
		if code == exitOK {
			code = exitFailed
		}
	}
	return code
}

// runCommand runs a command and forwards signals to it. It returns the command's exit code and whether it was told to
// end.
func (p *program) runCommand(command, env []string) (code int, toldToEnd bool) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.stdin, p.stdout, p.stderr
	cmd.Env = env
	if err := cmd.Start(); err != nil {
		return p.fail("exec: %v", err), false
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	orphaned := p.orphaned
	var overdue <-chan time.Time
	for {
		select {
		case err := <-ended:
			return p.exitCode(cmd, err), toldToEnd
		case s := <-p.signals:
			toldToEnd = true
			if !terminalSends(s) {
				cmd.Process.Signal(s)
			}
		case <-orphaned:
			orphaned, toldToEnd = nil, true
			cmd.Process.Signal(syscall.SIGTERM)
			overdue = time.After(orphanGrace)
		case <-overdue:
			cmd.Process.Kill()
		}
	}
}

// exitCode returns the exit code of a command: its own, or, as in a shell, 128 plus the number of the signal that ended
// it.
func (p *program) exitCode(cmd *exec.Cmd, err error) int {
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return p.fail("exec: %v", err)
	}
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return cmd.ProcessState.ExitCode()
}

// inCI reports whether CI=true is set, as CI systems do.
func inCI(env []string) bool {
	value := ""
	for _, entry := range env {
		if v, ok := strings.CutPrefix(entry, "CI="); ok {
			value = v // the last one counts
		}
	}
	return value == "true" || value == "1"
}

// withoutVariables returns the environment without the named variables.
func withoutVariables(env []string, names ...string) []string {
	kept := make([]string, 0, len(env)+len(names))
next:
	for _, entry := range env {
		for _, name := range names {
			if strings.HasPrefix(entry, name+"=") {
				continue next
			}
		}
		kept = append(kept, entry)
	}
	return kept
}
