//go:build !mutant_ackfirst && !mutant_ackcopies && !mutant_firstid && !mutant_freeunsure

package flow

const mutant = none
