//go:build mutant_ackcopies

package flow

const mutant = acknowledgesCopies
