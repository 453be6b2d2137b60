package near

// maxName is the length up to which names are compared, in bytes.
const maxName = 200

// distance counts the insertions, deletions, replacements and swaps of neighbours that turn a into b,
// in bytes. Beyond limit it returns limit+1, as it does for names longer than maxName+limit. It takes time that grows
// with limit times the length: only the parts of the names that are at most limit apart are compared.
func distance(a, b string, limit int) int {
	if limit < 0 || len(a)-len(b) > limit || len(b)-len(a) > limit || len(b) > maxName+limit {
		return limit + 1
	}
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if max(len(a), len(b)) <= 1 {
		return max(len(a), len(b))
	}
	// Row i of the table has the distances of a[:i] from b[:j]. Those with i and j further apart than limit are beyond
	// it, and left out.
	var rows [3][maxName + 10]int
	before, last, next := rows[0][:len(b)+1], rows[1][:len(b)+1], rows[2][:len(b)+1]
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		from, to := max(1, i-limit), min(len(b), i+limit)
		next[from-1] = limit + 1
		if from == 1 {
			next[0] = i
		}
		if to == i+limit {
			last[to] = limit + 1
		}
		nearestSoFar := next[from-1]
		for j := from; j <= to; j++ {
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
	return min(last[len(b)], limit+1)
}
