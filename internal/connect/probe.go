package connect

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/babelqueue/bqgen/internal/text"
)

// probeTimeout bounds each step of a probe: the connection, TLS, the broker's answer.
const probeTimeout = 4 * time.Second

// probe opens a connection to the broker as a client does, and returns why that does not work. The Pulsar client itself
// tries for long and then says little.
func (c *Config) probe(ctx context.Context) error {
	address := c.Get(ServiceURL)
	scheme, hosts, _ := strings.Cut(address, "://")
	var failed error
	for _, host := range strings.Split(hosts, ",") {
		u, err := url.Parse(scheme + "://" + host)
		if err != nil {
			return fmt.Errorf("%s: %q is not a URL", c.values[ServiceURL].from, address)
		}
		if failed = c.probeHost(ctx, u); failed == nil {
			return nil
		}
		failed = fmt.Errorf("connect to %s: %w", u, failed)
	}
	return failed
}

func (c *Config) probeHost(ctx context.Context, u *url.URL) error {
	isTLS := u.Scheme == "pulsar+ssl"
	port := u.Port()
	switch {
	case port != "":
	case isTLS:
		port = "6651"
	default:
		port = "6650"
	}
	dialer := net.Dialer{Timeout: probeTimeout}
	conn, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), port))
	if err != nil {
		return fmt.Errorf("nothing answered, see --service-url: %w", err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(2 * probeTimeout)); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Now()) })
	defer stop()
	if isTLS {
		t, err := c.tlsConfig(u.Hostname())
		if err != nil {
			return err
		}
		secure := tls.Client(conn, t)
		if err := secure.Handshake(); err != nil {
			return c.explainTLS(u.Hostname(), silent(err))
		}
		conn = secure
	}
	method, data, err := c.loginOfProbe()
	if err != nil {
		return err
	}
	if _, err := conn.Write(connectCommand(method, data)); err != nil {
		return fmt.Errorf("it closed the connection: %w", err)
	}
	message, err := answer(bufio.NewReader(conn))
	if err != nil || message == "" || method == "" && c.logsInLater() {
		return err
	}
	if method == "token" {
		message = hide(message, data)
		if why := describeToken(data, time.Now()); why != "" {
			message += "; " + why
		}
	}
	return fmt.Errorf("the broker refused the connection: %s", message)
}

// logsInLater reports whether the probe leaves logging in to the client.
func (c *Config) logsInLater() bool {
	way, _ := c.credentials()
	return way == withOAuth2 || way == withBasic
}

// loginOfProbe returns the method and the data that the probe logs in with, if any.
func (c *Config) loginOfProbe() (method, data string, err error) {
	switch way, _ := c.credentials(); way {
	case withToken, withTokenFile:
		data, err = c.token()
		return "token", data, err
	case withCertificate:
		return "tls", "", nil
	}
	return "", "", nil
}

// connectCommand returns a frame with the command that opens a connection: protocol buffers, written by hand because
// the client's are not exported.
func connectCommand(method, data string) []byte {
	var command []byte
	field := func(number byte, text string) {
		command = append(command, number<<3|2)
		command = binary.AppendUvarint(command, uint64(len(text)))
		command = append(command, text...)
	}
	field(1, "bqgen")
	if data != "" {
		field(3, data)
	}
	command = append(command, 4<<3, 19) // the protocol's version
	if method != "" {
		field(5, method)
	}
	base := []byte{1 << 3, 2, 2<<3 | 2} // type CONNECT, then the command
	base = binary.AppendUvarint(base, uint64(len(command)))
	base = append(base, command...)
	frame := binary.BigEndian.AppendUint32(nil, uint32(4+len(base)))
	frame = binary.BigEndian.AppendUint32(frame, uint32(len(base)))
	return append(frame, base...)
}

// The types of commands that a broker may answer with.
const (
	commandConnected = 3
	commandError     = 14
	commandChallenge = 36
)

// maxAnswer bounds the size of a broker's first answer.
const maxAnswer = 64 << 10

// answer reads what the other side says to a connect command. It returns a broker's refusal, or an error if this is no
// broker.
func answer(r *bufio.Reader) (refusal string, err error) {
	head, err := r.Peek(8)
	switch {
	case bytes.HasPrefix(head, []byte("HTTP/")) || bytes.HasPrefix(head, []byte("<")):
		return "", errors.New("this is HTTP: --service-url needs the port for Pulsar clients, such as 6650")
	case len(head) > 2 && (head[0] == 0x15 || head[0] == 0x16) && head[1] == 3:
		return "", errors.New("this speaks TLS: --service-url needs pulsar+ssl://")
	case errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET):
		return "", errors.New("it closed the connection without an answer: is this the port for Pulsar clients, and " +
			"does it need pulsar+ssl://?")
	case err != nil:
		return "", fmt.Errorf("it accepts connections and does not answer as a broker: %w", silent(err))
	}
	size := binary.BigEndian.Uint32(head[4:])
	if size > maxAnswer || size+4 > binary.BigEndian.Uint32(head) {
		return "", errors.New("this is no Pulsar broker: see --service-url")
	}
	command := make([]byte, 8+size)
	if _, err := io.ReadFull(r, command); err != nil {
		return "", fmt.Errorf("read the broker's answer: %w", silent(err))
	}
	fields := protoFields(command[8:])
	switch kind := fields[1]; kind.number {
	case commandConnected, commandChallenge:
		return "", nil
	case commandError:
		message := protoFields(fields[commandError].bytes)[3].bytes
		return text.OneLine(text.Shorten(string(message), 300)), nil
	default:
		return "", errors.New("this is no Pulsar broker: see --service-url")
	}
}

// A protoField is a field of a protocol buffers message.
type protoField struct {
	number uint64
	bytes  []byte
}

// protoFields reads the fields of a message, of a repeated one the last, as far as it can.
func protoFields(b []byte) map[int]protoField {
	fields := map[int]protoField{}
	for len(b) > 0 {
		tag, n := binary.Uvarint(b)
		if n <= 0 {
			break
		}
		b = b[n:]
		v, n := binary.Uvarint(b)
		if n <= 0 {
			break
		}
		b = b[n:]
		switch tag & 7 {
		case 0:
			fields[int(tag>>3)] = protoField{number: v}
		case 2:
			if v > uint64(len(b)) {
				return fields
			}
			fields[int(tag>>3)] = protoField{bytes: b[:v]}
			b = b[v:]
		default:
			return fields
		}
	}
	return fields
}

// silent shortens the error for a time that is over.
func silent(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return errors.New("no answer in time")
	}
	return err
}
