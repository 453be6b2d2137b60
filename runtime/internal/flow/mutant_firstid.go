//go:build mutant_firstid

package flow

const mutant = keepsFirstID
