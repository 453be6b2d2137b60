// Command bqgen turns urns.yaml, a catalog of messages, into Go: typed publishers and handlers for Apache Pulsar.
//
//	bqgen init                                                  writes a catalog to start from
//	bqgen generate --catalog urns.yaml --out ./orderevents      writes the Go code
//	bqgen check --catalog urns.yaml --out ./orderevents         says whether it is up to date
//	bqgen fmt --catalog urns.yaml                               gives the catalog its canonical layout
//	bqgen lint --catalog urns.yaml                              says what is worth a second thought
//	bqgen breaking --catalog urns.yaml --against-git main       says whom a change breaks
//	bqgen schema                                                prints the JSON Schema of catalogs, for editors
//	bqgen version                                               says which bqgen this is
//
// It exits with 0 when all is well, with 1 when the catalog or the generated files need work, and with 2 when the run
// itself failed. What it finds goes to standard output, what troubles the run to standard error.
//
// In a project, add it as a tool and call it from go generate:
//
//	go get -tool github.com/babelqueue/bqgen/cmd/bqgen
//	//go:generate go tool bqgen generate --catalog urns.yaml --out ./orderevents
package main

import "os"

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }
