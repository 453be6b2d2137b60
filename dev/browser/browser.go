package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// A Browser is a running browser with one page. It is not safe for concurrent use.
type Browser struct {
	ctx     context.Context
	cmd     *exec.Cmd
	stderr  *bytes.Buffer
	profile string
	pipe    *pipe
	session string
	// Complaints are the messages of the page's console and of its content security policy since Open.
	Complaints []string
}

// startLimit is how long the browser may take to start, callLimit how long it may take to answer.
const (
	startLimit = 60 * time.Second
	callLimit  = 60 * time.Second
)

// flags keep the browser from doing anything on its own.
var flags = []string{
	"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
	"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
	"--hide-scrollbars", "--remote-debugging-pipe",
}

// Start starts a browser with an empty profile. It runs until Close, or until ctx is done. The error matches
// ErrUnavailable when there is no browser.
func Start(ctx context.Context) (b *Browser, err error) {
	path, err := ensure(ctx)
	if err != nil {
		return nil, fmt.Errorf("start a browser: %w", err)
	}
	b = &Browser{ctx: ctx, stderr: &bytes.Buffer{}}
	defer func() {
		if err != nil {
			closed := b.Close() // afterwards the log is complete
			err = errors.Join(fmt.Errorf("start %s: %w\n%s", path, err, b.log()), closed)
			b = nil
		}
	}()
	if b.profile, err = os.MkdirTemp("", "bqgen-browser-"); err != nil {
		return b, err
	}
	fromUs, toBrowser, err := os.Pipe()
	if err != nil {
		return b, err
	}
	fromBrowser, toUs, err := os.Pipe()
	if err != nil {
		return b, err
	}
	b.cmd = exec.CommandContext(ctx, path, append(flags, "--user-data-dir="+b.profile, "about:blank")...)
	b.cmd.ExtraFiles = []*os.File{fromUs, toUs} // 3 and 4, as the protocol requires
	b.cmd.Stderr = b.stderr
	b.cmd.WaitDelay = 2 * time.Second
	ownGroup(b.cmd)
	err = b.cmd.Start()
	fromUs.Close()
	toUs.Close()
	b.pipe = newPipe(fromBrowser, toBrowser)
	if err != nil {
		b.cmd = nil
		return b, err
	}
	return b, b.attach()
}

// attach creates the page and subscribes to its events.
func (b *Browser) attach() error {
	var target struct{ TargetID string }
	err := b.within(startLimit, "", "Target.createTarget", args{"url": "about:blank"}, &target)
	if err != nil {
		return err
	}
	var session struct{ SessionID string }
	attach := args{"targetId": target.TargetID, "flatten": true}
	if err := b.within(startLimit, "", "Target.attachToTarget", attach, &session); err != nil {
		return err
	}
	b.session = session.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		if err := b.call(domain+".enable", nil, nil); err != nil {
			return err
		}
	}
	return nil
}

// Close ends the browser and removes its profile.
func (b *Browser) Close() error {
	var errs []error
	if b.pipe != nil {
		if b.cmd != nil {
			_ = b.within(2*time.Second, "", "Browser.close", nil, nil) // it may be dead already
		}
		errs = append(errs, b.pipe.close())
	}
	if b.cmd != nil {
		endGroup(b.cmd)
		_ = b.cmd.Wait() // however it ended
	}
	if b.profile != "" {
		errs = append(errs, removeAll(b.profile))
	}
	return errors.Join(errs...)
}

// removeAll removes a folder, which an ending process may still write to.
func removeAll(dir string) (err error) {
	for range 20 {
		if err = os.RemoveAll(dir); err == nil {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return err
}

func (b *Browser) log() []byte {
	text := b.stderr.Bytes()
	return text[max(0, len(text)-2000):]
}

type args map[string]any

// call calls a method of the protocol on the page.
func (b *Browser) call(method string, params args, result any) error {
	return b.within(callLimit, b.session, method, params, result)
}

// within calls a method and stores its result, unless result is nil.
func (b *Browser) within(limit time.Duration, session, method string, params args, result any) error {
	ctx, cancel := context.WithTimeout(b.ctx, limit)
	defer cancel()
	text, err := b.pipe.call(ctx, session, method, params, b.event)
	if err == nil && result != nil {
		err = json.Unmarshal(text, result)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}

// event records the complaints of the page.
func (b *Browser) event(method string, params json.RawMessage) {
	switch method {
	case "Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled":
		b.Complaints = append(b.Complaints, method+": "+string(params))
	}
}
