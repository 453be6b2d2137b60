//go:build linux || darwin

package fakes

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// broker listens on the ports of its settings and answers the requests that a starting broker gets. Modes:
//
//	crash            ends at once, with a last line in its log
//	port taken once  the first time, ends as one whose port is taken
//	never ready      its namespace does not appear; it logs when it is asked for the second time
//	deaf             ignores SIGTERM
func broker(dir, mode string, settings map[string]string) int {
	terminated := make(chan os.Signal, 1)
	if mode == "deaf" {
		signal.Ignore(syscall.SIGTERM)
	} else {
		signal.Notify(terminated, syscall.SIGTERM)
	}
	switch {
	case mode == "crash":
		fmt.Println("first line\nthe reason of the crash")
		return 1
	case mode == "port taken once" && once(dir, "port"):
		fmt.Println("bind(..) failed: Address already in use")
		return 1
	}
	clients, err := net.Listen("tcp", "127.0.0.1:"+settings["brokerServicePort"])
	if err != nil {
		fmt.Println(err)
		return 1
	}
	admin, err := net.Listen("tcp", "127.0.0.1:"+settings["webServicePort"])
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("listening")
	go http.Serve(admin, endpoints(mode, "pulsar://"+clients.Addr().String()))
	<-terminated
	fmt.Println("terminated")
	return 0
}

func endpoints(mode, serviceURL string) http.Handler {
	mux := http.NewServeMux()
	var asked atomic.Int64
	mux.HandleFunc("GET /admin/v2/namespaces/public", func(w http.ResponseWriter, _ *http.Request) {
		namespaces := []string{}
		if mode != "never ready" {
			namespaces = append(namespaces, "public/default")
		} else if asked.Add(1) == 2 {
			fmt.Println("asked again")
		}
		json.NewEncoder(w).Encode(namespaces)
	})
	mux.HandleFunc("GET /lookup/v2/topic/persistent/public/default/{topic}", func(w http.ResponseWriter, _ *http.Request) {
		json.NewEncoder(w).Encode(map[string]string{"brokerUrl": serviceURL})
	})
	mux.HandleFunc("GET /admin/v2/brokers/health", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "ok")
	})
	mux.HandleFunc("POST /admin/v2/brokers/shutdown", func(http.ResponseWriter, *http.Request) {
		fmt.Println("closed in order")
	})
	return mux
}
