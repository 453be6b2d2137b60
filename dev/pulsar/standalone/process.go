package standalone

import (
	"errors"
	"os"
)

// ignoreEnded drops the error of signalling a process that has ended.
func ignoreEnded(err error) error {
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

// errLocked reports that another process, or another broker of this one, holds a lock.
var errLocked = errors.New("held by another")
