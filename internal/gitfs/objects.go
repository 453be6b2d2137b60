package gitfs

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
)

// An objects is a git process that is asked for one object after another: a process for each of the thousands of files
// that a catalog may refer to would take minutes.
type objects struct {
	cmd    *exec.Cmd
	cancel context.CancelFunc
	stdin  io.WriteCloser
	stdout *bufio.Reader
	stderr bytes.Buffer
	left   int64 // of the object that is being read, with the line end behind it
}

func (r *Repository) startObjects() (*objects, error) {
	ctx, cancel := context.WithCancel(context.Background())
	o := &objects{cmd: r.command(ctx, "cat-file", "--batch"), cancel: cancel}
	o.cmd.Stderr = &o.stderr
	var err error
	if o.stdin, err = o.cmd.StdinPipe(); err == nil {
		var stdout io.ReadCloser
		if stdout, err = o.cmd.StdoutPipe(); err == nil {
			o.stdout = bufio.NewReader(stdout)
			err = o.cmd.Start()
		}
	}
	if err != nil {
		cancel()
		return nil, gitError("cat-file", err, nil)
	}
	return o, nil
}

// ask asks for an object, by its id or, for the top of a commit, by COMMIT^{tree}. It returns its size; the content
// comes from Read.
func (o *objects) ask(object, kind string) (size int64, err error) {
	if _, err = io.WriteString(o.stdin, object+"\n"); err != nil {
		return 0, o.failed(err)
	}
	head, err := o.stdout.ReadString('\n') // ID SP KIND SP SIZE, or a complaint that names what was asked for
	if err != nil {
		return 0, o.failed(err)
	}
	fields := strings.Fields(head)
	if len(fields) != 3 {
		return 0, fmt.Errorf("git cat-file: %s: %w", object, errNoObject)
	}
	if size, err = strconv.ParseInt(fields[2], 10, 64); err != nil {
		return 0, fmt.Errorf("git cat-file: unexpected output %q", head)
	}
	o.left = size + 1
	if fields[1] != kind {
		return 0, fmt.Errorf("git cat-file: %s is a %s: %w", object, fields[1], errNoObject)
	}
	return size, nil
}

// errNoObject is about an object that the clone does not have, as in a partial one. Others can still be asked for.
var errNoObject = errors.New("the object is missing in this clone")

// Read reads the content of the object that was asked for last.
func (o *objects) Read(p []byte) (int, error) {
	if o.left <= 1 {
		return 0, io.EOF
	}
	n, err := o.stdout.Read(p[:min(int64(len(p)), o.left-1)])
	o.left -= int64(n)
	if err != nil {
		return n, o.failed(err)
	}
	return n, nil
}

// maxSkipped is the rest of an object that is read to get behind it. A longer one is left to the process, which ends.
const maxSkipped = 1 << 16

// skip goes to the end of an object. It reports whether another one can be asked for.
func (o *objects) skip() bool {
	if o.left > maxSkipped {
		return false
	}
	_, err := o.stdout.Discard(int(o.left))
	o.left = 0
	return err == nil
}

// failed ends the process and says why it broke off.
func (o *objects) failed(err error) error {
	waited := o.close()
	if o.stderr.Len() == 0 && waited == nil {
		waited = err
	}
	return gitError("cat-file", waited, o.stderr.Bytes())
}

// close ends the process and waits for it.
func (o *objects) close() error {
	o.cancel()
	return o.cmd.Wait()
}
