// Package target renders a catalog as a folder of Go code, and finds out how the folder differs from that.
package target
