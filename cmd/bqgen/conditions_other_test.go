//go:build !linux

package main

// addConditions adds none: the scripts that need them ask for linux.
func addConditions(map[string]func()) {}
