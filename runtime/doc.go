// Package bq is the runtime under the code that bqgen generates.
package bq
