package standalone

import (
	"errors"
	"os"
)

// ignoreEnded drops the error of a signal to a process that has ended already.
func ignoreEnded(err error) error {
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

// errLocked says that another process, or another broker of this one, holds a
// lock.
var errLocked = errors.New("held by another")
