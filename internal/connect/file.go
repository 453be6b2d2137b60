package connect

import (
	"fmt"
	"io"
	"os"
)

// maxFile bounds the files with settings, tokens and certificates, in bytes.
const maxFile = 4 << 20

// readFile reads a file, or a pipe as a shell makes one, up to maxFile.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("%s is larger than %d MiB", path, maxFile>>20)
	}
	return data, err
}
