//go:build linux || darwin

package standalone

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/dev/pulsar/internal/fakes"
)

// verbs returns the commands that docker was called with, without arguments.
func verbs(t *testing.T, tools *fakes.Tools) []string {
	t.Helper()
	var got []string
	for _, call := range tools.Calls(t, "docker") {
		verb, _, _ := strings.Cut(call, " ")
		got = append(got, verb)
	}
	return got
}

func TestDockerLife(t *testing.T) {
	folders := tempFolders(t)
	tools := fakes.Install(t, "docker")
	b, _, err := fakeBrokerWith(t, tools, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !answers(t, b) {
		t.Error("the broker does not answer after Start")
	}
	if err := b.Kill(); err != nil {
		t.Fatal(err)
	}
	if answers(t, b) {
		t.Error("the broker answers after Kill")
	}
	if err := b.Restart(testContext(t)); err != nil {
		t.Fatal(err)
	}
	if err := b.Restart(testContext(t)); err != nil {
		t.Fatal(err)
	}
	if !answers(t, b) {
		t.Error("the broker does not answer after Restart")
	}
	if err := b.Stop(testContext(t)); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"info", "image", "run", "inside",
		"kill", "start", "inside", // killed, started again
		"stop", "start", "inside", // stopped in order, started again
		"kill", "rm",
	}
	if diff := cmp.Diff(want, verbs(t, tools)); diff != "" {
		t.Errorf("commands (-want +got)\n%s", diff)
	}
	if left := folders(); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestDockerPullsTheImageWhenItIsMissing(t *testing.T) {
	tools := fakes.Install(t, "docker")
	tools.Set(t, "docker", "no image")
	_, said, err := fakeBrokerWith(t, tools, nil)
	if err != nil {
		t.Fatal(err)
	}
	mustContain(t, said.String(), "pulling the Docker image apachepulsar/pulsar:"+Version)
	if diff := cmp.Diff([]string{"info", "image", "pull", "run", "inside"}, verbs(t, tools)); diff != "" {
		t.Errorf("commands (-want +got)\n%s", diff)
	}
}

func TestDockerPullThatFailsIsUnavailable(t *testing.T) {
	tools := fakes.Install(t, "docker")
	tools.Set(t, "docker", "no pull")
	_, _, err := fakeBrokerWith(t, tools, nil)
	if !errors.Is(err, ErrUnavailable) {
		t.Errorf("not ErrUnavailable: %v", err)
	}
	mustContain(t, errorText(t, err), "docker pull", "manifest unknown")
}

func TestDockerCrashOnStartRemovesTheContainer(t *testing.T) {
	tempFolders(t)
	tools := fakes.Install(t, "docker")
	tools.Set(t, "docker", "crash")
	_, _, err := fakeBrokerWith(t, tools, nil)
	failed := startError(t, err)
	mustContain(t, strings.Join(failed.Tail, "\n"), "the reason of the crash")
	if got := verbs(t, tools); got[len(got)-1] != "rm" {
		t.Errorf("the container was not removed: %q", got)
	}
}

func TestDockerContainerEndsWhenTheParentIsKilled(t *testing.T) {
	tools := fakes.Install(t, "docker")
	// The helper looks in PATH, where there is no Java then.
	helper, _ := startHelper(t, "broker", "PATH="+tools.Dir, "JAVA_HOME=")
	content, err := os.ReadFile(fakes.PIDFile(tools.Dir))
	if err != nil {
		t.Fatal(err)
	}
	inside, err := strconv.Atoi(string(content))
	if err != nil {
		t.Fatal(err)
	}
	if !running(inside) {
		t.Fatal("the container is not running to begin with")
	}
	if err := helper.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the end of the container", func() bool { return !running(inside) })
	eventually(t, "the container's removal", func() bool {
		calls := verbs(t, tools)
		return calls[len(calls)-1] == "rm"
	})
}

func TestDockerRunArguments(t *testing.T) {
	s := &site{ports: ports{broker: 6650, http: 8080}, settings: map[string]string{"b": "2 3", "a": "1"}}
	want := []string{
		"run", "--name", "box",
		"--publish", "127.0.0.1:6650:6650",
		"--publish", "127.0.0.1:8080:8080",
		"--env", "PULSAR_MEM=-Xms64m -Xmx512m",
		"--env", "PULSAR_PREFIX_a=1",
		"--env", "PULSAR_PREFIX_b=2 3",
		"apachepulsar/pulsar:" + Version, "bash", "-c",
		"bin/apply-config-from-env.py conf/standalone.conf && exec bin/pulsar standalone -nss -nfw",
	}
	if diff := cmp.Diff(want, dockerRunArguments(s, "box")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestDockerKillOfAContainerThatDoesNotExistYet(t *testing.T) {
	tools := fakes.Install(t, "docker")
	l, why := fakeHost(t, tools).findDocker(testContext(t))
	if why != "" {
		t.Fatal(why)
	}
	// An attached command that has not come to its container.
	p := startSleep(t)
	if err := l.kill(p); err != nil {
		t.Fatal(err)
	}
	if p.alive() {
		t.Error("the attached command runs after kill")
	}
}
