//go:build mutant_freeunsure

package flow

const mutant = freesUnsure
