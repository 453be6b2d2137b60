//go:build linux || darwin

package standalone

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/log"
	"github.com/google/go-cmp/cmp"
)

// The tests of this file run the real thing.

const realTimeout = 4 * time.Minute

// realContext bounds a test with a real broker.
func realContext(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), realTimeout)
	t.Cleanup(cancel)
	return ctx
}

// unavailable skips the test when no broker can be had here, unless it is CI,
// which must have one.
func unavailable(t *testing.T, err error) {
	t.Helper()
	if errors.Is(err, ErrUnavailable) && os.Getenv("CI") != "true" {
		t.Skipf("left out: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// session is a client with a producer and a consumer of one topic.
type session struct {
	client   pulsar.Client
	producer pulsar.Producer
	consumer pulsar.Consumer
}

func openSession(t *testing.T, b *Broker) *session {
	t.Helper()
	const topic = "persistent://public/default/real"
	client, err := pulsar.NewClient(pulsar.ClientOptions{
		URL:    b.ServiceURL(),
		Logger: log.NewLoggerWithSlog(slog.New(slog.NewTextHandler(io.Discard, nil))),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	consumer := onceStorageIsBack(t, func() (pulsar.Consumer, error) {
		return client.Subscribe(pulsar.ConsumerOptions{
			Topic:                       topic,
			SubscriptionName:            "real",
			Type:                        pulsar.Shared,
			SubscriptionInitialPosition: pulsar.SubscriptionPositionEarliest,
			AckWithResponse:             true,
		})
	})
	producer := onceStorageIsBack(t, func() (pulsar.Producer, error) {
		return client.CreateProducer(pulsar.ProducerOptions{
			Topic: topic,
			// Without a timeout: the client's goroutine for it outlives Close.
			SendTimeout: -1,
		})
	})
	return &session{client, producer, consumer}
}

// onceStorageIsBack tries again while a broker that was just restarted on a busy machine does not find its storage.
func onceStorageIsBack[T any](t *testing.T, try func() (T, error)) T {
	t.Helper()
	ctx := realContext(t)
	for {
		v, err := try()
		if err == nil {
			return v
		}
		if !strings.Contains(err.Error(), "PersistenceError") {
			t.Fatal(err)
		}
		select {
		case <-ctx.Done():
			t.Fatal(err)
		case <-time.After(time.Second):
		}
	}
}

func (s *session) send(t *testing.T, message pulsar.ProducerMessage) {
	t.Helper()
	if _, err := s.producer.Send(realContext(t), &message); err != nil {
		t.Fatal(err)
	}
}

// receive returns the next message.
func (s *session) receive(t *testing.T) pulsar.Message {
	t.Helper()
	m, err := s.consumer.Receive(realContext(t))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// expect receives and acknowledges the messages, in order.
func (s *session) expect(t *testing.T, payloads ...string) {
	t.Helper()
	var got []string
	for range payloads {
		m := s.receive(t)
		if err := s.consumer.Ack(m); err != nil {
			t.Fatal(err)
		}
		got = append(got, string(m.Payload()))
	}
	if diff := cmp.Diff(payloads, got); diff != "" {
		t.Fatalf("messages (-want +got)\n%s", diff)
	}
}

func TestRealBroker(t *testing.T) {
	folders := tempFolders(t)
	began := time.Now()
	b, err := Start(realContext(t), Options{Log: t.Output()})
	unavailable(t, err)
	t.Cleanup(func() { b.Stop(context.Background()) })
	t.Logf("ready after %.1f s", time.Since(began).Seconds())

	checkListeners(t, b)
	s := openSession(t, b)
	s.send(t, pulsar.ProducerMessage{Payload: []byte("one")})
	s.expect(t, "one")

	const delay = time.Second
	sent := time.Now()
	s.send(t, pulsar.ProducerMessage{Payload: []byte("later"), DeliverAfter: delay})
	s.expect(t, "later")
	// The broker delivers up to a tick early. How late depends on the machine; expect gives up at some time.
	if took := time.Since(sent); took < delay-200*time.Millisecond {
		t.Errorf("a message delayed by %s came after %s", delay, took)
	}

	// What was published survives a crash, and what was acknowledged stays so.
	s.send(t, pulsar.ProducerMessage{Payload: []byte("two")})
	s.send(t, pulsar.ProducerMessage{Payload: []byte("three")})
	large := strings.Repeat("x", 4<<20) // is read back from storage
	s.send(t, pulsar.ProducerMessage{Payload: []byte(large)})
	s.client.Close()
	if err := b.Kill(); err != nil {
		t.Fatal(err)
	}
	mustRestart(t, b)
	s = openSession(t, b)
	s.expect(t, "two")

	// The same over an orderly restart.
	s.client.Close()
	mustRestart(t, b)
	s = openSession(t, b)
	s.send(t, pulsar.ProducerMessage{Payload: []byte("four")})
	s.expect(t, "three", large, "four")
	s.client.Close()

	began = time.Now()
	if err := b.Stop(realContext(t)); err != nil {
		t.Fatal(err)
	}
	t.Logf("stopped after %.1f s", time.Since(began).Seconds())
	if !PortFree(b.site.ports.broker) || !PortFree(b.site.ports.http) {
		t.Error("a port is taken after Stop")
	}
	if left := processesNaming(t, b.Dir()); left != "" {
		t.Errorf("processes after Stop:\n%s", left)
	}
	if left := folders(); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func mustRestart(t *testing.T, b *Broker) {
	t.Helper()
	began := time.Now()
	if err := b.Restart(realContext(t)); err != nil {
		t.Fatal(err)
	}
	t.Logf("restarted after %.1f s", time.Since(began).Seconds())
}

// processesNaming lists the processes whose command line names the folder.
func processesNaming(t *testing.T, dir string) string {
	t.Helper()
	all, err := exec.Command("ps", "-A", "-o", "pid=,args=").Output()
	if err != nil {
		t.Fatal(err)
	}
	var found strings.Builder
	for line := range strings.Lines(string(all)) {
		if strings.Contains(line, dir) {
			found.WriteString(line)
		}
	}
	return found.String()
}

var killParent = flag.Bool("kill.parent", false, "kill a process that has started a real broker, too")

func TestRealBrokerEndsWithItsParent(t *testing.T) {
	if !*killParent {
		t.Skip("left out without -kill.parent: make crash sets it")
	}
	_, err := thisHost().chooseLauncher(realContext(t))
	unavailable(t, err)
	folders := tempFolders(t)
	helper, pid := startHelper(t, "broker")
	if !running(pid) {
		t.Fatal("the broker is not running to begin with")
	}
	if err := helper.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the end of the broker", func() bool { return !running(pid) })
	if len(folders()) != 1 {
		t.Fatalf("folders: %q", folders())
	}
	eventually(t, "the end of all that names its folder", func() bool {
		return processesNaming(t, folders()[0]) == ""
	})
}

// checkListeners fails the test unless the broker listens on its two TCP ports, and has no TCP or UDP port that is open
// on another address than loopback.
func checkListeners(t *testing.T, b *Broker) {
	t.Helper()
	all, err := exec.Command("ss", "-H", "--listening", "--tcp", "--udp", "--numeric", "--processes").Output()
	if err != nil {
		t.Logf("listeners not checked, ss does not list them: %v", err)
		return
	}
	var got []string
	for line := range strings.Lines(string(all)) {
		if strings.Contains(line, fmt.Sprintf("pid=%d,", b.proc.cmd.Process.Pid)) {
			got = append(got, strings.Fields(line)[4])
		}
	}
	for _, want := range []int{b.site.ports.broker, b.site.ports.http} {
		if !slices.Contains(got, fmt.Sprintf("127.0.0.1:%d", want)) {
			t.Errorf("nothing listens on port %d: %q", want, got)
		}
	}
	for _, listener := range got { // the storage has one too
		if !strings.HasPrefix(listener, "127.0.0.1:") {
			t.Errorf("the broker can be reached from elsewhere: %s", listener)
		}
	}
}
