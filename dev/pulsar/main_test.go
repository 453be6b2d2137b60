//go:build linux || darwin

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/dev/pulsar/internal/fakes"
)

func TestMain(m *testing.M) {
	fakes.Main()
	if os.Getenv("BQ_TEST_AS_PROGRAM") != "" {
		os.Unsetenv("BQ_TEST_AS_PROGRAM")
		main()
	}
	os.Exit(m.Run())
}

// buffer collects output that is written while the test reads it.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// A session is a program with the test's ends of what it touches.
type session struct {
	program
	out, err buffer
	signal   chan os.Signal
	orphan   chan struct{}
}

// newSession returns a program on a machine where the only tools are the
// fakes named. Its temporary files are in the folder that is returned.
func newSession(t *testing.T, tools ...string) (s *session, installed *fakes.Tools, temp string) {
	t.Helper()
	installed = fakes.Install(t, tools...)
	temp = t.TempDir()
	t.Setenv("PATH", installed.Dir)
	t.Setenv("JAVA_HOME", "")
	t.Setenv("TMPDIR", temp)
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	s = &session{signal: make(chan os.Signal, 8), orphan: make(chan struct{})}
	s.program = program{
		stdin: strings.NewReader(""), stdout: &s.out, stderr: &s.err,
		env:     []string{"KEPT=1"},
		signals: s.signal, orphaned: s.orphan,
	}
	return s, installed, temp
}

// shell is the command line of exec for a shell script.
func shell(script string) []string { return []string{"exec", "--", "/bin/sh", "-c", script} }

// eventually waits until the condition holds.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !condition(); {
		if time.Now().After(deadline) {
			t.Fatalf("%s did not come to pass", what)
		}
		<-time.After(5 * time.Millisecond)
	}
}

// mustContain fails the test for each part that is not in text.
func mustContain(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in:\n%s", part, text)
		}
	}
}

// brokerFolders lists the folders of brokers in temp.
func brokerFolders(t *testing.T, temp string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(temp, "bqgen-*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestExecGivesTheCommandABroker(t *testing.T) {
	s, _, temp := newSession(t, "java", "mvn")
	s.env = append(s.env, "BQ_PULSAR_URL=stale", "BQ_PULSAR_ADMIN_URL=stale")
	code := s.run(shell(`echo "$KEPT|$BQ_PULSAR_URL|$BQ_PULSAR_ADMIN_URL"`))
	if code != exitOK {
		t.Errorf("exit code %d:\n%s", code, s.err.String())
	}
	got := strings.Split(strings.TrimSpace(s.out.String()), "|")
	if len(got) != 3 || got[0] != "1" ||
		!strings.HasPrefix(got[1], "pulsar://127.0.0.1:") || !strings.HasPrefix(got[2], "http://127.0.0.1:") {
		t.Errorf("the command saw %q", got)
	}
	mustContain(t, s.err.String(), "pulsar: starting Apache Pulsar", "pulsar: ready after")
	if left := brokerFolders(t, temp); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestExecPassesOnExitCodes(t *testing.T) {
	for name, tc := range map[string]struct {
		script string
		want   int
	}{
		"success":          {"exit 0", 0},
		"failure":          {"exit 7", 7},
		"ended by signal":  {"kill -s TERM $$", 128 + int(syscall.SIGTERM)},
		"input is its own": {`read -r line; test "$line" = hello`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s, _, temp := newSession(t, "java", "mvn")
			s.stdin = strings.NewReader("hello\n")
			if code := s.run(shell(tc.script)); code != tc.want {
				t.Errorf("exit code %d, want %d:\n%s", code, tc.want, s.err.String())
			}
			// The log of the broker stays for a command that failed.
			logs, err := filepath.Glob(filepath.Join(temp, "bqgen-pulsar-*", "pulsar.log"))
			if err != nil {
				t.Fatal(err)
			}
			if failed := tc.want != 0; failed != (len(logs) == 1) {
				t.Errorf("logs kept: %q", logs)
			} else if failed {
				mustContain(t, s.err.String(), "the broker's log is "+logs[0])
			}
		})
	}
}

func TestExecWithoutABroker(t *testing.T) {
	for name, tc := range map[string]struct {
		env  []string
		code int
		out  string
		said []string
	}{
		"for people: runs without the variables": {
			env:  []string{"BQ_PULSAR_URL=stale", "BQ_PULSAR_ADMIN_URL=stale"},
			code: 5, out: "unset unset\n",
			said: []string{
				"no Apache Pulsar can be started on this machine: java not found in JAVA_HOME or PATH",
				"running /bin/sh without BQ_PULSAR_URL: tests that need a real broker are skipped",
			},
		},
		"CI: fails": {
			env: []string{"CI=true"}, code: exitFailed,
			said: []string{"java not found in JAVA_HOME or PATH", "CI=true is set, so a broker is required"},
		},
		"not CI": {env: []string{"CI=false"}, code: 5, out: "unset unset\n"},
	} {
		t.Run(name, func(t *testing.T) {
			s, _, _ := newSession(t)
			s.env = tc.env
			code := s.run(shell(`echo "${BQ_PULSAR_URL-unset} ${BQ_PULSAR_ADMIN_URL-unset}"; exit 5`))
			if code != tc.code {
				t.Errorf("exit code %d, want %d", code, tc.code)
			}
			if diff := cmp.Diff(tc.out, s.out.String()); diff != "" {
				t.Errorf("output (-want +got)\n%s", diff)
			}
			mustContain(t, s.err.String(), tc.said...)
		})
	}
}

func TestExecWithABrokerThatFailsDoesNotRunTheCommand(t *testing.T) {
	s, tools, _ := newSession(t, "java", "mvn")
	tools.Set(t, "java", "crash")
	if code := s.run(shell("echo ran")); code != exitFailed {
		t.Errorf("exit code %d, want %d", code, exitFailed)
	}
	if s.out.String() != "" {
		t.Errorf("the command ran: %s", s.out.String())
	}
	mustContain(t, s.err.String(), "pulsar: start pulsar: ended by itself: exit status 1", "the reason of the crash")
}

func TestExecPassesSignalsOn(t *testing.T) {
	s, _, temp := newSession(t, "java", "mvn")
	code := make(chan int, 1)
	go func() {
		// The shell sees to its trap when a command of it ends, so these are short.
		code <- s.run(shell(`trap 'echo got TERM; exit 9' TERM; echo waiting; while :; do /bin/sleep 0.01; done`))
	}()
	eventually(t, "the start of the command", func() bool { return strings.Contains(s.out.String(), "waiting") })
	s.signal <- syscall.SIGTERM
	if got := <-code; got != 9 {
		t.Errorf("exit code %d, want the command's 9", got)
	}
	mustContain(t, s.out.String(), "got TERM")
	if left := brokerFolders(t, temp); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestExecEndsTheCommandWhenTheParentHasEnded(t *testing.T) {
	s, _, temp := newSession(t, "java", "mvn")
	code := make(chan int, 1)
	go func() { code <- s.run(shell(`echo waiting; exec /bin/sleep 1000`)) }()
	eventually(t, "the start of the command", func() bool { return strings.Contains(s.out.String(), "waiting") })
	close(s.orphan)
	if got, want := <-code, 128+int(syscall.SIGTERM); got != want {
		t.Errorf("exit code %d, want %d", got, want)
	}
	if left := brokerFolders(t, temp); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestASignalDuringTheStartEndsIt(t *testing.T) {
	for _, command := range [][]string{shell("echo ran"), {"run"}} {
		t.Run(command[0], func(t *testing.T) {
			s, tools, temp := newSession(t, "java", "mvn")
			tools.Set(t, "java", "never ready")
			code := make(chan int, 1)
			go func() { code <- s.run(command) }()
			eventually(t, "the launch", func() bool { return len(tools.Calls(t, "java")) == 2 })
			s.signal <- syscall.SIGINT
			if got, want := <-code, 128+int(syscall.SIGINT); got != want {
				t.Errorf("exit code %d, want %d", got, want)
			}
			mustContain(t, s.err.String(), "pulsar: stopped: interrupt")
			if s.out.String() != "" {
				t.Errorf("the command ran: %s", s.out.String())
			}
			if left := brokerFolders(t, temp); len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

func TestRunPrintsTheAddressesUntilCtrlC(t *testing.T) {
	s, _, temp := newSession(t, "java", "mvn")
	code := make(chan int, 1)
	go func() { code <- s.run([]string{"run"}) }()
	eventually(t, "the start", func() bool { return strings.Contains(s.out.String(), "ctrl-C stops it") })
	mustContain(t, s.out.String(), "service URL  pulsar://127.0.0.1:", "admin URL    http://127.0.0.1:",
		"log          "+temp)
	s.signal <- syscall.SIGINT
	if got := <-code; got != exitOK {
		t.Errorf("exit code %d:\n%s", got, s.err.String())
	}
	if left := brokerFolders(t, temp); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestCommandLineMistakes(t *testing.T) {
	for name, tc := range map[string]struct {
		args []string
		code int
		said string
	}{
		"nothing":              {nil, exitFailed, "Usage:"},
		"unknown command":      {[]string{"start"}, exitFailed, `unknown command "start"`},
		"exec without command": {[]string{"exec", "--"}, exitFailed, "exec: no command given"},
		"exec of what does not exist": {
			[]string{"exec", "--", "/does/not/exist"}, exitFailed, "/does/not/exist",
		},
		"run with an argument":  {[]string{"run", "now"}, exitFailed, `run: unexpected argument "now"`},
		"run with a wrong flag": {[]string{"run", "-prot", "1"}, exitFailed, "flag provided but not defined: -prot"},
		"run with a wrong port": {[]string{"run", "-port", "70000"}, exitFailed, "port 70000: must be between 0 and 65535"},
		"help of a command":     {[]string{"run", "-h"}, exitOK, "default 6650"},
	} {
		t.Run(name, func(t *testing.T) {
			s, _, _ := newSession(t)
			if code := s.run(tc.args); code != tc.code {
				t.Errorf("exit code %d, want %d", code, tc.code)
			}
			mustContain(t, s.err.String(), tc.said)
		})
	}
	s, _, _ := newSession(t)
	if code := s.run([]string{"help"}); code != exitOK {
		t.Errorf("help: exit code %d", code)
	}
	mustContain(t, s.out.String(), "Usage:")
}

func TestInCI(t *testing.T) {
	for want, envs := range map[bool][][]string{
		true:  {{"CI=true"}, {"CI=1"}, {"CI=false", "CI=true"}},
		false: {{}, {"CI="}, {"CI=false"}, {"XCI=true"}, {"CI=true", "CI="}},
	} {
		for _, env := range envs {
			if got := inCI(env); got != want {
				t.Errorf("%q: %t, want %t", env, got, want)
			}
		}
	}
}
