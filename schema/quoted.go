package schema

// Quote makes any text of a catalog fit to stand in a message: cut, on one line and without characters that steer a
// terminal.
func Quote(s string) string { return quote(s) }
