package standalone

import (
	"fmt"
	"net"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// listen takes a port until the test ends.
func listen(t *testing.T, address string) int {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l.Addr().(*net.TCPAddr).Port
}

func TestFreePortsDiffer(t *testing.T) {
	free, err := freePorts(20)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	for _, port := range free {
		if seen[port] {
			t.Errorf("port %d came twice: %v", port, free)
		}
		seen[port] = true
	}
	if len(free) != 20 {
		t.Errorf("%d ports, want 20", len(free))
	}
}

func TestPortFree(t *testing.T) {
	for name, address := range map[string]string{
		"loopback listener":       "127.0.0.1:0",
		"all-address listener":    "0.0.0.0:0",
		"all addresses, IPv6 too": ":0",
	} {
		t.Run(name, func(t *testing.T) {
			if port := listen(t, address); PortFree(port) {
				t.Errorf("port %d is taken on %s and was called free", port, address)
			}
		})
	}
	free, err := freePorts(1)
	if err != nil {
		t.Fatal(err)
	}
	if !PortFree(free[0]) {
		t.Errorf("port %d is free and was called taken", free[0])
	}
}

func TestChoosePorts(t *testing.T) {
	free, err := freePorts(2)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("asked for", func(t *testing.T) {
		got, err := choosePorts(free[0], free[1])
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]int{free[0], free[1]}, []int{got.broker, got.http}); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
	t.Run("free ones instead of zeros", func(t *testing.T) {
		got, err := choosePorts(0, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got.broker == 0 || got.http == 0 || got.broker == got.http {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("taken", func(t *testing.T) {
		taken := listen(t, "127.0.0.1:0")
		_, err := choosePorts(0, taken)
		if diff := cmp.Diff(fmt.Sprintf("port %d is in use", taken), fmt.Sprint(err)); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}
