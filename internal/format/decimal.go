package format

// Decimal accepts an exact decimal number: digits with at most one point between them, an optional minus sign, no
// superfluous leading zero. 99.90 is one; .5, 5., 1e3 and +1 are not.
func Decimal[S ~string | ~[]byte](text S) bool {
	i := 0
	if len(text) > 0 && text[0] == '-' {
		i++
	}
	start := i
	for i < len(text) && '0' <= text[i] && text[i] <= '9' {
		i++
	}
	if i == start || text[start] == '0' && i-start > 1 {
		return false
	}
	if i == len(text) {
		return true
	}
	if text[i] != '.' || i+1 == len(text) {
		return false
	}
	for i++; i < len(text); i++ {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}
