package crash

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	bq "github.com/babelqueue/bqgen/runtime"
)

// jobVariable is the environment variable that makes a process a consumer or a publisher.
const jobVariable = "BQ_CRASH_JOB"

// A job tells such a process what to do.
type job struct {
	Role    string // consumer or publisher
	URL     string
	Queue   bq.Queue
	Variant int // of a consumer: its place among the variants
}

// Exit codes of such a process.
const (
	exitOK     = 0
	exitFailed = 1
)

// reports is the file descriptor on which such a process reports, one line per report. The contents of a pipe outlive
// the process that wrote them. The process shuts down when its standard input is closed, also by its parent's death.
const reports = 3

// A process is a consumer or a publisher.
type process struct {
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	reports io.ReadCloser
}

// processes counts the processes started, to name their logs.
var processes atomic.Int64

// spawn starts a process. Its output and the data races that it finds are written to files in the folder logs.
func spawn(j job, logs string) (*process, error) {
	text, err := json.Marshal(j)
	if err != nil {
		return nil, err
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	base := filepath.Join(logs, strconv.FormatInt(1000+processes.Add(1), 10)+"-"+j.Role)
	log, err := os.Create(base + ".log")
	if err != nil {
		return nil, err
	}
	defer log.Close()
	from, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer to.Close() // the child has its own
	cmd := exec.Command(program)
	cmd.Dir = logs // GORACE has no way to write a path with a space in it
	cmd.Env = append(os.Environ(), jobVariable+"="+string(text), "GORACE=exitcode=0 log_path="+filepath.Base(base)+".race")
	cmd.Stdout, cmd.Stderr = log, log
	cmd.ExtraFiles = []*os.File{to} // file descriptor 3
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, errors.Join(err, from.Close())
	}
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(err, from.Close())
	}
	return &process{cmd, stdin, from}, nil
}

// showLogs prints the end of the last processes' output when the test has failed. go test -artifacts keeps all of it.
func showLogs(t *testing.T, logs string) {
	if !t.Failed() {
		return
	}
	files, _ := filepath.Glob(filepath.Join(logs, "*.log"))
	for _, name := range files[max(0, len(files)-4):] {
		const shown = 3000
		text, err := os.ReadFile(name)
		text = unreachable.ReplaceAll(text, nil)
		t.Logf("%s (%v):\n%s", filepath.Base(name), err, text[max(0, len(text)-shown):])
	}
}

// unreachable matches the many lines that the Pulsar client prints while there is no broker.
var unreachable = regexp.MustCompile(`(?m)^.*Failed to connect to broker.*\n`)

// knownRace matches a data race of the Pulsar client (v0.21.0): a producer that reconnects sets its name and its
// encryptor, to the values they had before, while its other goroutine sends with them.
var knownRace = regexp.MustCompile(`(?i)write at .*\n` +
	` +github\.com/apache/pulsar-client-go/pulsar\.\(\*partitionProducer\)\.grabCnx\(\)\n` +
	`.*producer_partition\.go:(348|358)\b`)

// races returns the data races that the processes found, except the known one.
func races(logs string) []string {
	var found []string
	files, _ := filepath.Glob(filepath.Join(logs, "*.race.*"))
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			found = append(found, err.Error())
		}
		for report := range strings.SplitSeq(string(text), "==================\n") {
			if strings.Contains(report, "DATA RACE") && !knownRace.MatchString(report) {
				found = append(found, report)
			}
		}
	}
	return found
}
