package standalone

import (
	"fmt"
	"net"
	"strconv"
	"time"
)

// loopback is the only address a broker listens on.
const loopback = "127.0.0.1"

// ports are the two ports that clients use. The storage in the same process finds its own port.
type ports struct {
	broker int // Pulsar's binary protocol
	http   int // the admin and lookup endpoints
}

// choosePorts returns the requested ports, with zeros replaced by free ones. It is an error if a requested port is in
// use.
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

// PortFree reports whether nothing listens on the TCP port of the loopback address. Another program may take the port
// at any time.
func PortFree(port int) bool {
	address := net.JoinHostPort(loopback, strconv.Itoa(port))
	// Some systems allow a second listener next to one on all addresses, so binding is not enough.
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

// freePorts returns n different ports that are free.
func freePorts(n int) ([]int, error) {
	free := make([]int, 0, n)
	for range n {
		// All are held until the last is found, so no port appears twice.
		listener, err := net.Listen("tcp", net.JoinHostPort(loopback, "0"))
		if err != nil {
			return nil, fmt.Errorf("find a free port: %w", err)
		}
		defer listener.Close()
		free = append(free, listener.Addr().(*net.TCPAddr).Port)
	}
	return free, nil
}
