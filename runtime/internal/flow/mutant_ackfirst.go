//go:build mutant_ackfirst

package flow

const mutant = acknowledgesFirst
