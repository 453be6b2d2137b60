// Command bqgen generates Go code from urns.yaml, a catalog of messages: typed publishers and handlers for Apache
// Pulsar.
//
//	bqgen init          Write a catalog to start from
//	bqgen import        Import JSON Schemas or AsyncAPI documents into a new catalog
//	bqgen generate      Generate Go code from a catalog
//	bqgen check         Check that the generated code is up to date
//	bqgen fmt           Format a catalog
//	bqgen lint          Check a catalog against style rules
//	bqgen breaking      Compare two versions of a catalog for breaking changes
//	bqgen docs          Generate documentation from a catalog, as a site or as Markdown
//	bqgen export        Export a catalog as JSON Schema or AsyncAPI
//	bqgen send          Publish one message, checked against the catalog
//	bqgen tail          Show the messages on the topic of a queue
//	bqgen dlq           List, show, redrive and drop dead letters
//	bqgen replay        Publish messages of a queue again, each once
//	bqgen status        Show the topics, subscriptions and dead letters of a catalog on a cluster
//	bqgen provision     Create the topics and subscriptions that a catalog needs
//	bqgen schema        Print the JSON Schema of catalogs, for editors
//	bqgen version       Print the version
//
// The exit code is 0 when all is well, 1 when the catalog or the generated files have to change, and 2 when the run
// itself failed. Findings go to standard output, errors of the run to standard error.
//
// In a project, add bqgen as a tool and call it from go generate:
//
//	go get -tool github.com/babelqueue/bqgen/cmd/bqgen
//	//go:generate go tool bqgen generate --catalog urns.yaml --out ./orderevents
package main

import (
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// memoryLimit makes the garbage collector work harder before a large catalog takes a gigabyte.
const memoryLimit = 700 << 20

// garbagePercent makes it work less before that: a run is short, and most catalogs are small.
const garbagePercent = 200

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	signal.Ignore(syscall.SIGPIPE) // a write to a closed pipe is an error instead
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}
