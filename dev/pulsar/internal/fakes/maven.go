//go:build linux || darwin

package fakes

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/babelqueue/bqgen/dev/pulsar/internal/jars"
)

// The jars that maven names, and what is in the one that exists.
const (
	brokerJar        = "broker.jar"
	missingJar       = "missing.jar"
	brokerJarContent = "jar"
)

// trustJars makes a program accept the jars of maven.
func trustJars() {
	sum := sha256.Sum256([]byte(brokerJarContent))
	jars.Trust(brokerJar, hex.EncodeToString(sum[:]))
	jars.Trust(missingJar, hex.EncodeToString(sum[:]))
}

// maven "resolves" one jar, which it creates in its folder. Modes:
//
//	online              knows nothing offline; with a network it works
//	flaky               as online, and the first time the network fails
//	network down        every attempt with a network fails
//	no such artifact    fails for good
//	hang                never ends
//	lie                 names a jar that does not exist
//	forge               the jar has other contents than expected
//	forge online        as online and forge
func maven(dir string, args []string) int {
	record(dir, "mvn", args[:1])
	offline := slices.Contains(args, "--offline")
	mode := mode(dir, "mvn")
	switch {
	case mode == "hang":
		time.Sleep(time.Hour)
	case mode == "no such artifact":
		fmt.Println("[ERROR] Could not find artifact a:b:jar:1 in central")
		return 1
	case offline && mode != "" && mode != "lie" && mode != "forge":
		fmt.Println("[ERROR] Cannot access central in offline mode")
		return 1
	case mode == "network down", mode == "flaky" && once(dir, "network"):
		fmt.Println("[ERROR] Could not transfer artifact a:b:pom:1: transfer failed: Unknown host\x1b[m")
		return 1
	}
	jar, content := filepath.Join(dir, brokerJar), brokerJarContent
	if strings.HasPrefix(mode, "forge") {
		content = "another jar"
	}
	if mode == "lie" {
		jar = filepath.Join(dir, missingJar)
	} else if err := os.WriteFile(jar, []byte(content), 0o600); err != nil {
		return 1
	}
	for _, arg := range args {
		if path, ok := strings.CutPrefix(arg, "-Dmdep.outputFile="); ok {
			if err := os.WriteFile(path, []byte(jar), 0o600); err != nil {
				return 1
			}
			return 0
		}
	}
	return 1
}
