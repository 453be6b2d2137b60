//go:build linux || darwin

package standalone

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/dev/pulsar/internal/fakes"
)

// fakeBroker starts a broker that is a fake of Java's, with options changed by
// change.
func fakeBroker(t *testing.T, mode string, change func(*Options)) (*Broker, *lines, error) {
	t.Helper()
	tools := fakes.Install(t, "java", "mvn")
	tools.Set(t, "java", mode)
	return fakeBrokerWith(t, tools, change)
}

func fakeBrokerWith(t *testing.T, tools *fakes.Tools, change func(*Options)) (*Broker, *lines, error) {
	t.Helper()
	said := &lines{}
	options := Options{Log: said, host: fakeHost(t, tools)}
	if change != nil {
		change(&options)
	}
	b, err := Start(testContext(t), options)
	if err == nil {
		t.Cleanup(func() { b.Stop(context.Background()) })
	}
	return b, said, err
}

func mustStart(t *testing.T, mode string, change func(*Options)) *Broker {
	t.Helper()
	b, _, err := fakeBroker(t, mode, change)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// answers reports whether the broker's admin endpoint answers.
func answers(t *testing.T, b *Broker) bool {
	t.Helper()
	err := newAdmin(b.AdminURL()).healthy(testContext(t))
	return err == nil
}

func TestStartAndStopLeaveNothingBehind(t *testing.T) {
	folders := tempFolders(t)
	b := mustStart(t, "", nil)
	if !answers(t, b) {
		t.Error("the broker does not answer after Start")
	}
	if want := "pulsar://127.0.0.1:" + strconv.Itoa(b.site.ports.broker); b.ServiceURL() != want {
		t.Errorf("service URL %q, want %q", b.ServiceURL(), want)
	}
	if want := "http://127.0.0.1:" + strconv.Itoa(b.site.ports.http); b.AdminURL() != want {
		t.Errorf("admin URL %q, want %q", b.AdminURL(), want)
	}
	ended, pid := b.Ended(), b.proc.cmd.Process.Pid
	for range 2 { // the second does nothing
		if err := b.Stop(testContext(t)); err != nil {
			t.Fatal(err)
		}
	}
	<-ended
	if running(pid) {
		t.Error("the process runs after Stop")
	}
	if !PortFree(b.site.ports.broker) || !PortFree(b.site.ports.http) {
		t.Error("a port is taken after Stop")
	}
	if left := folders(); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestStartTakesThePortsAskedFor(t *testing.T) {
	free, err := freePorts(2)
	if err != nil {
		t.Fatal(err)
	}
	b := mustStart(t, "", func(o *Options) { o.BrokerPort, o.HTTPPort = free[0], free[1] })
	if diff := cmp.Diff([]int{free[0], free[1]}, []int{b.site.ports.broker, b.site.ports.http}); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestStartWithATakenPortNamesIt(t *testing.T) {
	folders := tempFolders(t)
	taken := listen(t, "127.0.0.1:0")
	_, _, err := fakeBroker(t, "", func(o *Options) { o.BrokerPort = taken })
	if diff := cmp.Diff("start pulsar: port "+strconv.Itoa(taken)+" is in use", errorText(t, err)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if left := folders(); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestStartTriesOtherPortsWhenOneWasTakenMeanwhile(t *testing.T) {
	folders := tempFolders(t)
	b, said, err := fakeBroker(t, "port taken once", nil)
	if err != nil {
		t.Fatal(err)
	}
	mustContain(t, said.String(), "another program has taken a port", "ready after")
	if diff := cmp.Diff([]string{b.Dir()}, folders()); diff != "" {
		t.Errorf("folders (-want +got)\n%s", diff)
	}
}

func TestStartWithFixedPortsIsNotTriedAgain(t *testing.T) {
	free, err := freePorts(2)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = fakeBroker(t, "port taken once", func(o *Options) { o.BrokerPort, o.HTTPPort = free[0], free[1] })
	if !errors.Is(err, errPortTaken) {
		t.Errorf("got %v, want a taken port", err)
	}
}

func TestAFailedStartKeepsAndShowsTheLog(t *testing.T) {
	folders := tempFolders(t)
	_, _, err := fakeBroker(t, "crash", nil)
	failed := startError(t, err)
	if errors.Is(err, ErrUnavailable) {
		t.Error("a broker that fails is reported as unavailable")
	}
	if diff := cmp.Diff([]string{"first line", "the reason of the crash"}, failed.Tail); diff != "" {
		t.Errorf("tail (-want +got)\n%s", diff)
	}
	mustContain(t, err.Error(), "start pulsar: ended by itself: exit status 1",
		"(log: "+failed.LogPath+")", "\n\tthe reason of the crash")
	if _, err := os.Stat(failed.LogPath); err != nil {
		t.Errorf("the log was not kept: %v", err)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(failed.LogPath), "tmp")); !os.IsNotExist(err) {
		t.Errorf("the data was kept: %v", err)
	}
	if diff := cmp.Diff([]string{filepath.Dir(failed.LogPath)}, folders()); diff != "" {
		t.Errorf("folders (-want +got)\n%s", diff)
	}
}

// The start timeout ends when the broker has been asked twice, so that the first answer has been read, however slow the
// machine is.
func TestABrokerThatIsNeverReadyIsEnded(t *testing.T) {
	folders := tempFolders(t)
	askedAgain := func() bool {
		for _, dir := range folders() {
			if slices.Contains(tail(filepath.Join(dir, "pulsar.log"), 10), "asked again") {
				return true
			}
		}
		return false
	}
	var limit time.Duration
	_, _, err := fakeBroker(t, "never ready", func(o *Options) {
		o.StartTimeout = time.Hour
		o.host.withTimeout = func(ctx context.Context, d time.Duration, cause error) (context.Context, context.CancelFunc) {
			limit = d
			ctx, cancel := context.WithCancelCause(ctx)
			go func() {
				defer cancel(cause)
				for !askedAgain() {
					select {
					case <-time.After(5 * time.Millisecond):
					case <-ctx.Done():
						return
					}
				}
			}()
			return ctx, func() { cancel(nil) }
		}
	})
	if limit != time.Hour {
		t.Errorf("the start was limited to %s, want StartTimeout", limit)
	}
	failed := startError(t, err)
	mustContain(t, err.Error(), "not ready: gave up after 1h0m0s", "the namespace public/default does not exist yet")
	if diff := cmp.Diff([]string{"listening", "asked again"}, failed.Tail); diff != "" {
		t.Errorf("tail (-want +got)\n%s", diff)
	}
}

func TestACancelledStartLeavesNothingBehind(t *testing.T) {
	folders := tempFolders(t)
	tools := fakes.Install(t, "java", "mvn")
	tools.Set(t, "java", "never ready")
	ctx, cancel := context.WithCancel(testContext(t))
	failed := make(chan error, 1)
	options := Options{host: fakeHost(t, tools)}
	go func() {
		_, err := Start(ctx, options)
		failed <- err
	}()
	eventually(t, "the launch", func() bool { return len(folders()) > 0 && len(tools.Calls(t, "java")) > 1 })
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	if left := folders(); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestUnavailableSaysWhatIsMissing(t *testing.T) {
	_, _, err := fakeBrokerWith(t, fakes.Install(t), nil)
	if !errors.Is(err, ErrUnavailable) {
		t.Fatalf("not ErrUnavailable: %v", err)
	}
	want := "start pulsar: no Apache Pulsar can be started on this machine: java not found in JAVA_HOME or PATH " +
		"(Java 17 or later and Maven 3 are needed)"
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestKillAndRestartKeepFolderAndPorts(t *testing.T) {
	b := mustStart(t, "", nil)
	before := []string{b.Dir(), b.ServiceURL(), b.AdminURL()}
	first := b.Ended()
	for range 2 { // the second finds it dead
		if err := b.Kill(); err != nil {
			t.Fatal(err)
		}
	}
	<-first
	if answers(t, b) {
		t.Error("the broker answers after Kill")
	}
	if err := b.Restart(testContext(t)); err != nil {
		t.Fatal(err)
	}
	if !answers(t, b) {
		t.Error("the broker does not answer after Restart")
	}
	if diff := cmp.Diff(before, []string{b.Dir(), b.ServiceURL(), b.AdminURL()}); diff != "" {
		t.Errorf("(-before +after)\n%s", diff)
	}
	if err := b.Stop(testContext(t)); err != nil {
		t.Errorf("stop after kill and restart: %v", err)
	}
}

func TestAFrozenBrokerDoesNotAnswerUntilItIsThawed(t *testing.T) {
	b := mustStart(t, "", nil)
	if err := b.Freeze(); err != nil {
		t.Fatal(err)
	}
	client := http.Client{Timeout: 300 * time.Millisecond}
	for until := time.Now().Add(time.Minute); ; { // the system stops a process as soon as one of its threads runs
		resp, err := client.Get(b.AdminURL())
		if err != nil {
			break
		}
		resp.Body.Close()
		if time.Now().After(until) {
			t.Fatal("a frozen broker answers")
		}
	}
	if err := b.Thaw(); err != nil {
		t.Fatal(err)
	}
	if !answers(t, b) {
		t.Error("the broker does not answer after Thaw")
	}
	if err := b.Stop(testContext(t)); err != nil {
		t.Error(err)
	}
	if err := b.Freeze(); err == nil {
		t.Error("a broker that was stopped can be frozen")
	}
}

func TestRestartOfARunningBrokerStopsItInOrder(t *testing.T) {
	b := mustStart(t, "", nil)
	if err := b.Restart(testContext(t)); err != nil {
		t.Fatal(err)
	}
	want := []string{"listening", "closed in order", "terminated", "listening"}
	if diff := cmp.Diff(want, tail(b.LogPath(), 10)); diff != "" {
		t.Errorf("log (-want +got)\n%s", diff)
	}
}

func TestStopInOrderWhenTheFolderIsKept(t *testing.T) {
	for name, change := range map[string]func(*Options, string){
		"Dir":  func(o *Options, dir string) { o.Dir = filepath.Join(dir, "new", "folder") },
		"Keep": func(o *Options, dir string) { o.Keep = true },
	} {
		t.Run(name, func(t *testing.T) {
			tempFolders(t)
			b := mustStart(t, "", func(o *Options) { change(o, t.TempDir()) })
			if err := b.Stop(testContext(t)); err != nil {
				t.Fatal(err)
			}
			want := []string{"listening", "closed in order", "terminated"}
			if diff := cmp.Diff(want, tail(b.LogPath(), 10)); diff != "" {
				t.Errorf("log (-want +got)\n%s", diff)
			}
		})
	}
}

func TestStopKillsABrokerThatDoesNotListen(t *testing.T) {
	b := mustStart(t, "deaf", func(o *Options) { o.Keep, o.Dir = true, t.TempDir() })
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	pid := b.proc.cmd.Process.Pid
	if err := b.Stop(ctx); err != nil {
		t.Fatal(err)
	}
	if running(pid) {
		t.Error("the process runs after Stop")
	}
}

func TestStopWithAnEndedContextStillEndsTheBroker(t *testing.T) {
	b := mustStart(t, "", func(o *Options) { o.Dir = t.TempDir() })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	pid := b.proc.cmd.Process.Pid
	if err := b.Stop(ctx); err != nil {
		t.Fatal(err)
	}
	if running(pid) {
		t.Error("the process runs after Stop")
	}
}

func TestABrokerThatEndedByItselfIsReportedByStop(t *testing.T) {
	folders := tempFolders(t)
	b := mustStart(t, "", nil)
	b.proc.cmd.Process.Kill() // not through Kill
	<-b.Ended()
	err := b.Stop(testContext(t))
	mustContain(t, errorText(t, err), "stop pulsar: it had ended by itself: signal: killed (log: "+b.LogPath())
	if diff := cmp.Diff([]string{b.Dir()}, folders()); diff != "" {
		t.Errorf("folders (-want +got)\n%s", diff)
	}
}

func TestKeepLogLeavesTheLogAlone(t *testing.T) {
	folders := tempFolders(t)
	b := mustStart(t, "", nil)
	b.KeepLog()
	if err := b.Stop(testContext(t)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(b.LogPath()); err != nil {
		t.Errorf("the log is gone: %v", err)
	}
	if _, err := os.Stat(b.site.path("tmp")); !os.IsNotExist(err) {
		t.Errorf("the data is there: %v", err)
	}
	if diff := cmp.Diff([]string{b.Dir()}, folders()); diff != "" {
		t.Errorf("folders (-want +got)\n%s", diff)
	}
}

func TestNothingWorksAfterStop(t *testing.T) {
	b := mustStart(t, "", nil)
	if err := b.Stop(testContext(t)); err != nil {
		t.Fatal(err)
	}
	if err := b.Kill(); !errors.Is(err, errStopped) {
		t.Errorf("Kill: %v", err)
	}
	if err := b.Restart(testContext(t)); !errors.Is(err, errStopped) {
		t.Errorf("Restart: %v", err)
	}
}

func TestAFolderIsForOneBrokerAtATime(t *testing.T) {
	dir := t.TempDir()
	in := func(o *Options) { o.Dir = dir }
	first := mustStart(t, "", in)
	_, _, err := fakeBroker(t, "", in)
	if diff := cmp.Diff("start pulsar: the folder "+dir+" is in use by another broker", errorText(t, err)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if !answers(t, first) {
		t.Error("the first broker does not answer any more")
	}
	if err := first.Stop(testContext(t)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := fakeBroker(t, "crash", in); errors.Is(err, errLocked) {
		t.Errorf("after Stop: %v", err)
	}
	mustStart(t, "", in) // after a start that failed
}

func TestConfigReachesTheBroker(t *testing.T) {
	b := mustStart(t, "", func(o *Options) { o.Config = map[string]string{"maxMessageSize": "1024"} })
	content, err := os.ReadFile(b.site.path("standalone.conf"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains("\n"+string(content), "\nmaxMessageSize=1024\n") {
		t.Errorf("the setting is missing in:\n%s", content)
	}
}

func TestAnotherBrokerOnThePortIsFoundOut(t *testing.T) {
	// A broker of somebody else answers where ours is expected.
	other := mustStart(t, "", nil)
	s := &site{ports: ports{broker: other.site.ports.broker + 1, http: other.site.ports.http}}
	err := waitReady(testContext(t), s, "", nil)
	if !errors.Is(err, errOtherBroker) {
		t.Errorf("got %v, want another broker", err)
	}
}

func TestAdminErrorsNameTheRequest(t *testing.T) {
	b := mustStart(t, "", nil)
	a := newAdmin(b.AdminURL())
	_, err := a.do(testContext(t), http.MethodGet, "/nothing/here")
	if diff := cmp.Diff("GET /nothing/here: 404 Not Found", errorText(t, err)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
