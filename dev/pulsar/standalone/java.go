package standalone

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// minJava is the oldest Java that Pulsar 4.0 runs on.
const (
	minJava     = 17
	minJavaText = "17"
)

// javaLauncher runs the broker's jars in a Java process.
type javaLauncher struct {
	java  string // path of the program
	major int
	jars  *jarCache
}

// findJava returns the launcher, or the reason why there is none.
func (h *host) findJava(ctx context.Context) (*javaLauncher, string) {
	java, major, why := h.findJavaProgram(ctx)
	if why != "" {
		return nil, why
	}
	dir, err := h.cacheDir()
	if err != nil {
		return nil, "no cache folder: " + err.Error()
	}
	jars := &jarCache{dir: dir}
	if mvn, err := h.lookPath("mvn"); err == nil {
		jars.mvn = mvn
	} else if _, ok := jars.load(); !ok {
		return nil, "mvn not found in PATH"
	}
	return &javaLauncher{java: java, major: major, jars: jars}, ""
}

// findJavaProgram looks for a sufficiently new Java in JAVA_HOME, then in PATH.
func (h *host) findJavaProgram(ctx context.Context) (path string, major int, why string) {
	var candidates, reasons []string
	if home := h.getenv("JAVA_HOME"); home != "" {
		candidates = append(candidates, filepath.Join(home, "bin", "java"))
	}
	if path, err := h.lookPath("java"); err == nil {
		candidates = append(candidates, path)
	}
	for _, path := range candidates {
		major, err := javaVersion(ctx, path)
		switch {
		case err != nil:
			reasons = append(reasons, fmt.Sprintf("%s does not run: %v", path, err))
		case major < minJava:
			reasons = append(reasons, fmt.Sprintf("%s is Java %d, too old", path, major))
		default:
			return path, major, ""
		}
	}
	if len(reasons) == 0 {
		return "", 0, "java not found in JAVA_HOME or PATH"
	}
	return "", 0, strings.Join(reasons, ", ")
}

func javaVersion(ctx context.Context, java string) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, java, "-version").CombinedOutput()
	if err != nil {
		return 0, err
	}
	major, ok := parseJavaVersion(string(out))
	if !ok {
		return 0, fmt.Errorf("no version in the output of java -version")
	}
	return major, nil
}

var javaVersionLine = regexp.MustCompile(`(?m)^\S+ version "(\d+)(?:\.(\d+))?`)

// parseJavaVersion extracts the feature release from the output of java -version: 17 from 17.0.15, 8 from 1.8.0_402.
func parseJavaVersion(output string) (major int, ok bool) {
	m := javaVersionLine.FindStringSubmatch(output)
	if m == nil {
		return 0, false
	}
	text := m[1]
	if text == "1" && m[2] != "" {
		text = m[2]
	}
	major, err := strconv.Atoi(text)
	return major, err == nil
}

// describe returns a name for messages.
func (l *javaLauncher) describe() string {
	return fmt.Sprintf("Java %d (%s)", l.major, l.java)
}

// prepare downloads what is needed and missing.
func (l *javaLauncher) prepare(ctx context.Context, o Options) error {
	return l.jars.resolve(ctx, o.logf)
}

// launch starts the broker of the site and appends its output to the site's log. again says that it was launched there
// before. The arguments are in a file: the class path alone is longer than some systems allow, and the file shows what
// was run.
func (l *javaLauncher) launch(s *site, o Options, again bool) (*process, error) {
	classpath, ok := l.jars.load()
	if !ok {
		return nil, fmt.Errorf("the jars listed in %s are gone", l.jars.listPath())
	}
	// A killed broker leaves its unpacked libraries behind.
	if err := errors.Join(os.RemoveAll(s.path("tmp")), os.MkdirAll(s.path("tmp"), 0o700)); err != nil {
		return nil, err
	}
	if err := os.WriteFile(s.path("log4j2.xml"), log4jConfig, 0o600); err != nil {
		return nil, err
	}
	if err := os.WriteFile(s.path("standalone.conf"), renderProperties(s.settings), 0o600); err != nil {
		return nil, err
	}
	args := renderArgFile(javaArguments(s, classpath))
	if err := os.WriteFile(s.path("java.args"), args, 0o600); err != nil {
		return nil, err
	}
	log, err := s.openLog(again)
	if err != nil {
		return nil, err
	}
	defer log.Close() // the child has its own
	cmd := exec.Command(l.java, "@"+s.path("java.args"))
	cmd.Dir = s.dir
	cmd.Env = withoutPrefix(os.Environ(), "PULSAR_") // one of them would choose another storage
	cmd.Stdout, cmd.Stderr = log, log
	return startProcess(cmd, !o.noPdeathsig, killGroup)
}

// javaArguments returns the arguments of java for the broker.
func javaArguments(s *site, classpath string) []string {
	args := []string{
		"-Xms64m", "-Xmx512m",
		"-XX:+IgnoreUnrecognizedVMOptions", // for virtual machines other than HotSpot
		// A quick start matters more than peak speed.
		"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto",
		"-XX:+ExitOnOutOfMemoryError",
		"-Djava.net.preferIPv4Stack=true",
		"-Djava.awt.headless=true",
		// Native libraries are unpacked here and removed with the folder.
		"-Djava.io.tmpdir=" + s.path("tmp"),
		"-Dlog4j2.configurationFile=" + s.path("log4j2.xml"),
		"-Dlog4j2.disableJmx=true",
		"-Dio.netty.tryReflectionSetAccessible=true",
	}
	for _, opened := range []string{
		"java.base/java.nio",
		"java.base/jdk.internal.misc",
		"java.base/jdk.internal.platform",
		"java.base/sun.net",
		"java.management/sun.management",
	} {
		args = append(args, "--add-opens="+opened+"=ALL-UNNAMED")
	}
	return append(args,
		"-cp", classpath,
		"org.apache.pulsar.PulsarStandaloneStarter",
		"--config", s.path("standalone.conf"),
		"--metadata-dir", s.path("metadata"),
		"--bookkeeper-dir", s.path("bookkeeper"),
		"-nss", // no stream storage
		"-nfw", // no functions worker
	)
}

var argFileEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`)

// renderArgFile renders arguments as a Java argument file (java @file).
func renderArgFile(args []string) []byte {
	var b strings.Builder
	for _, arg := range args {
		b.WriteString(`"` + argFileEscapes.Replace(arg) + "\"\n")
	}
	return []byte(b.String())
}

// withoutPrefix returns the environment without the variables whose names start with prefix.
func withoutPrefix(env []string, prefix string) []string {
	kept := make([]string, 0, len(env))
	for _, entry := range env {
		if !strings.HasPrefix(entry, prefix) {
			kept = append(kept, entry)
		}
	}
	return kept
}
