// Package provision compares what a catalog needs with what a Pulsar cluster has, and creates what is missing. It never
// changes or deletes what exists.
package provision
