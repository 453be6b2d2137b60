package format

// Decimal accepts an exact decimal number: digits with at most one point between them and an optional minus sign in
// front. It accepts 99.90 and rejects .5, 5., 1e3, +1 and leading zeros such as 01.
func Decimal[S ~string | ~[]byte](text S) bool {
	i := 0
	if len(text) > 0 && text[0] == '-' {
		i++
	}
	start := i
	for i < len(text) && isDigit(text[i]) {
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
		if !isDigit(text[i]) {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
