package standalone

import (
	"fmt"
	"net"
	"strconv"
	"time"
)

// loopback is the only address a broker listens on.
const loopback = "127.0.0.1"

// ports are the two that others reach a broker at. Its storage runs in the
// same process and finds a port of its own.
type ports struct {
	broker int // Pulsar's binary protocol
	http   int // the admin and lookup endpoints
}

// choosePorts returns the ports asked for and free ones in place of zeros. A
// port that was asked for and is taken is an error that names it.
func choosePorts(broker, http int) (ports, error) {
	for _, port := range []int{broker, http} {
		if port != 0 && !PortFree(port) {
			return ports{}, fmt.Errorf("port %d is in use", port)
		}
	}
	free, err := freePorts(2)
	if err != nil {
		return ports{}, err
	}
	chosen := ports{broker: broker, http: http}
	if chosen.broker == 0 {
		chosen.broker = free[0]
	}
	if chosen.http == 0 {
		chosen.http = free[1]
	}
	return chosen, nil
}

// PortFree reports whether nothing listens on the TCP port of the loopback
// address. The answer can be out of date as soon as it is given.
func PortFree(port int) bool {
	address := net.JoinHostPort(loopback, strconv.Itoa(port))
	// Some systems let a second listener bind beside one on all addresses, so
	// binding alone does not tell.
	if conn, err := net.DialTimeout("tcp", address, time.Second); err == nil {
		conn.Close()
		return false
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return false
	}
	listener.Close()
	return true
}

// freePorts returns n different ports that were free a moment ago.
func freePorts(n int) ([]int, error) {
	free := make([]int, 0, n)
	for range n {
		// All are held until the last is found, so no port comes twice.
		listener, err := net.Listen("tcp", net.JoinHostPort(loopback, "0"))
		if err != nil {
			return nil, fmt.Errorf("find a free port: %w", err)
		}
		defer listener.Close()
		free = append(free, listener.Addr().(*net.TCPAddr).Port)
	}
	return free, nil
}
