//go:build !(linux || darwin)

package standalone

import (
	"context"
	"errors"
	"os/exec"
	"time"
)

// supported says whether this system can keep processes from outliving this one. Start fails before it calls anything
// below.
const supported = false

var errUnsupported = errors.New("not supported on this system")

type process struct{ done chan struct{} }

func startProcess(*exec.Cmd, bool, func(int) []string) (*process, error) {
	return nil, errUnsupported
}

func killGroup(int) []string { return nil }

func runTool(context.Context, *exec.Cmd) error { return errUnsupported }

func lockFile(context.Context, string) (func(), error) { return nil, errUnsupported }

func tryLockFile(string) (func(), error) { return nil, errUnsupported }

func (p *process) alive() bool                              { return false }
func (p *process) terminate() error                         { return errUnsupported }
func (p *process) kill() error                              { return errUnsupported }
func (p *process) freeze() error                            { return errUnsupported }
func (p *process) thaw() error                              { return errUnsupported }
func (p *process) wait(context.Context, time.Duration) bool { return true }
func (p *process) describeEnd() string                      { return errUnsupported.Error() }
