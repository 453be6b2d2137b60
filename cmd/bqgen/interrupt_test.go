package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// hang is a command that is interrupted, and does not end.
func hang() {
	ctx, _ := interruptible(&cobra.Command{})
	fmt.Println("ready")
	<-ctx.Done()
	fmt.Println("stopped")
	select {}
}

// TestASecondInterruptEndsTheProcess is O19 for a command that the first ctrl-C does not end.
func TestASecondInterruptEndsTheProcess(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "bqgen-hang")
	if err := os.Symlink(program, link); err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(link)
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer kill.Stop()
	lines := bufio.NewScanner(pipe)
	for _, want := range []string{"ready", "stopped"} {
		if !lines.Scan() || lines.Text() != want {
			t.Fatalf("it says %q, want %q", lines.Text(), want)
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Skip(err)
		}
	}
	// The second one may come a moment before it is let through.
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case <-again.C:
			cmd.Process.Signal(os.Interrupt) // it may have ended
		case err := <-ended:
			if err == nil || err.Error() != "signal: interrupt" {
				t.Errorf("it ended with %v", err)
			}
			return
		}
	}
}
