package standalone

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// dockerImage is the official image of the same release. It is named by its tag: unlike the jars, nobody has published
// a digest to compare it with.
const dockerImage = "apachepulsar/pulsar:" + Version

// dockerCommandLimit bounds each docker command, so that a daemon that hangs does not block the caller; dockerPullLimit
// bounds the download of the image.
const (
	dockerCommandLimit = 60 * time.Second
	dockerPullLimit    = 10 * time.Minute
)

// dockerLauncher runs the broker in a container. The child process is the attached docker command, which ends with the
// container.
type dockerLauncher struct {
	docker    string // path of the program
	container string
}

// findDocker returns the launcher, or the reason why there is none.
func (h *host) findDocker(ctx context.Context) (*dockerLauncher, string) {
	docker, err := h.lookPath("docker")
	if err != nil {
		return nil, "docker not found in PATH"
	}
	l := &dockerLauncher{docker: docker, container: "bqgen-pulsar-" + strings.ToLower(rand.Text())}
	if err := l.run(ctx, 15*time.Second, "info"); err != nil {
		return nil, "docker is installed but its daemon does not answer"
	}
	return l, ""
}

func (l *dockerLauncher) describe() string { return "Docker (" + dockerImage + ")" }

// bind returns the address for all interfaces of the container; Docker publishes the ports on the loopback address
// only.
func (l *dockerLauncher) bind() string { return "0.0.0.0" }

func (l *dockerLauncher) prepare(ctx context.Context, o Options) error {
	if l.run(ctx, dockerCommandLimit, "image", "inspect", dockerImage) == nil {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	o.logf("pulling the Docker image %s; the first time this downloads more than 1 GB", dockerImage)
	if err := l.run(ctx, dockerPullLimit, "pull", "--quiet", dockerImage); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &UnavailableError{
			Missing: []string{fmt.Sprintf("docker pull %s failed: %v", dockerImage, err)},
			Err:     err,
		}
	}
	return nil
}

// launch creates the container, or starts it again with its data.
func (l *dockerLauncher) launch(s *site, o Options, again bool) (*process, error) {
	args := dockerRunArguments(s, l.container)
	if again {
		args = []string{"start", "--attach", l.container}
	}
	log, err := s.openLog(again)
	if err != nil {
		return nil, err
	}
	defer log.Close() // the child has its own
	cmd := exec.Command(l.docker, args...)
	cmd.Stdout, cmd.Stderr = log, log
	return startProcess(cmd, !o.noPdeathsig, func(int) []string {
		// Killing the attached command would leave the container running.
		return []string{l.docker, "rm", "--force", "--volumes", l.container}
	})
}

// dockerRunArguments returns the arguments of docker that create the container.
func dockerRunArguments(s *site, container string) []string {
	args := []string{"run", "--name", container}
	for _, port := range []int{s.ports.broker, s.ports.http} {
		// The same number inside, because the broker tells clients its address.
		args = append(args, "--publish", fmt.Sprintf("%s:%d:%d", loopback, port, port))
	}
	args = append(args, "--env", "PULSAR_MEM=-Xms64m -Xmx512m")
	for _, name := range slices.Sorted(maps.Keys(s.settings)) {
		args = append(args, "--env", "PULSAR_PREFIX_"+name+"="+s.settings[name])
	}
	return append(args, dockerImage, "bash", "-c",
		"bin/apply-config-from-env.py conf/standalone.conf && exec bin/pulsar standalone -nss -nfw")
}

func (l *dockerLauncher) terminate(*process) error {
	return l.run(context.Background(), dockerCommandLimit,
		"stop", "--time", strconv.Itoa(int(stopGrace.Seconds())), l.container)
}

func (l *dockerLauncher) kill(p *process) error {
	err := l.run(context.Background(), dockerCommandLimit, "kill", l.container)
	if err == nil && p.wait(context.Background(), dockerCommandLimit) {
		return nil
	}
	if !p.alive() { // it ended before it could be killed
		return nil
	}
	// The container may not exist yet, or may outlive its command.
	if err := p.kill(); err != nil {
		return err
	}
	return l.remove()
}

func (l *dockerLauncher) freeze(*process) error {
	return l.run(context.Background(), dockerCommandLimit, "pause", l.container)
}

func (l *dockerLauncher) thaw(*process) error {
	return l.run(context.Background(), dockerCommandLimit, "unpause", l.container)
}

// remove deletes the container and its volumes.
func (l *dockerLauncher) remove() error {
	return l.run(context.Background(), dockerCommandLimit, "rm", "--force", "--volumes", l.container)
}

// run runs one docker command. The error contains its output.
func (l *dockerLauncher) run(ctx context.Context, limit time.Duration, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	out, err := os.CreateTemp("", "bqgen-docker-")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name())
	defer out.Close()
	cmd := exec.Command(l.docker, args...)
	cmd.Stdout, cmd.Stderr = out, out
	if err := runTool(ctx, cmd); err != nil {
		said := bytes.TrimSpace(readEnd(out.Name(), tailBytes))
		return fmt.Errorf("docker %s: %w: %s", args[0], err, printable(string(said)))
	}
	return nil
}
