package near

// distance counts the insertions, deletions, replacements and swaps of neighbours that turn a into b,
// in bytes. Beyond limit it stops and returns limit+1.
func distance(a, b string, limit int) int {
	if limit < 0 || len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	// The rest starts and ends with a difference, so the table is small or the answer is far.
	if max(len(a), len(b)) <= 1 {
		return max(len(a), len(b))
	}
	before, last, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next[0] = i
		nearestSoFar := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(last[j-1]+cost, last[j]+1, next[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
			nearestSoFar = min(nearestSoFar, next[j])
		}
		if nearestSoFar > limit {
			return limit + 1
		}
		before, last, next = last, next, before
	}
	return last[len(b)]
}
