// Command hostile runs bqgen on catalogs that were built to hang it, fill its memory or flood its output. It prints
// what each run took.
//
//	go run ./dev/hostile [-size BYTES] [-only NAME,...] [-commands START,...] [BQGEN]
//
// It fails when a run takes more than ten seconds of processor time, more than a gigabyte of memory, prints more than
// two megabytes, or ends with an exit code other than 0 and 1. Without BQGEN, the path of a program, it builds one.
//
// The kernel's time counts. Ext4 creates files slowly for some seconds after many were deleted, as between two runs:
// let TMPDIR be on a file system in memory to measure bqgen alone.
package main
