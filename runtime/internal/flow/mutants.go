package flow

// This file owns deliberate mistakes, for the random walk to find: each is compiled in by a build tag only.

// A mistake is one of them.
type mistake int

const (
	none               mistake = iota
	acknowledgesFirst          // the original is acknowledged before its replacement is confirmed
	acknowledgesCopies         // a swallowed copy is acknowledged
	keepsFirstID               // the first id of a copied member of an entry is kept
	freesUnsure                // the credit of an unsure acknowledgement is freed
)
