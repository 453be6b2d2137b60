package near

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	keys := []string{"queue", "topic", "max_attempts", "dead_letter", "data", "key"}
	tests := []struct{ name, want string }{
		{"queu", "queue"},
		{"queeu", "queue"},
		{"quue", "queue"},
		{"queues", "queue"},
		{"maxAttempts", "max_attempts"},
		{"MAX-ATTEMPTS", "max_attempts"},
		{"max_atempt", "max_attempts"},
		{"deadLetter", "dead_letter"},
		{"Queue", "queue"},
		{"dta", "data"},
		{"kye", "key"},
		{"queue", ""},
		{"", ""},
		{"x", ""},
		{"retries", ""},
		{"quxxe", ""},
	}
	for _, tt := range tests {
		if got := Nearest(tt.name, keys); got != tt.want {
			t.Errorf("Nearest(%q) = %q, want %q", tt.name, got, tt.want)
		}
	}
	if got := Nearest("abcdef", []string{"abcdeg", "abcdeh"}); got != "abcdeg" {
		t.Errorf("of equally near names %q won, not the first", got)
	}
}

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b     string
		distance int
	}{
		{"", "", 0}, {"a", "a", 0}, {"a", "", 1}, {"", "ab", 2}, {"a", "b", 1},
		{"ab", "ba", 1}, {"abcd", "abdc", 1}, {"xabcdy", "xacbdy", 1},
		{"kitten", "sitting", 3}, {"saturday", "sunday", 3}, {"abc", "cab", 2},
	}
	for _, tt := range tests {
		for limit := range 5 {
			want := min(tt.distance, limit+1)
			if got := distance(tt.a, tt.b, limit); got != want && (got <= limit || want <= limit) {
				t.Errorf("distance(%q, %q, %d) = %d, want %d", tt.a, tt.b, limit, got, want)
			}
		}
	}
}

// The part of the table that is left out changes no distance up to the limit.
func TestDistanceIsThatOfTheWholeTable(t *testing.T) {
	whole := func(a, b string) int {
		rows := make([][]int, len(a)+1)
		for i := range rows {
			rows[i] = make([]int, len(b)+1)
			for j := range rows[i] {
				switch {
				case i == 0 || j == 0:
					rows[i][j] = i + j
				case a[i-1] == b[j-1]:
					rows[i][j] = rows[i-1][j-1]
				default:
					rows[i][j] = 1 + min(rows[i-1][j-1], rows[i-1][j], rows[i][j-1])
				}
				if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
					rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
				}
			}
		}
		return rows[len(a)][len(b)]
	}
	random := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		b := make([]byte, random.IntN(9))
		for i := range b {
			b[i] = "abc"[random.IntN(3)]
		}
		return string(b)
	}
	for range 4_000 {
		a, b := word(), word()
		all := whole(a, b)
		for limit := range 5 {
			if got, want := distance(a, b, limit), min(all, limit+1); got != want {
				t.Fatalf("distance(%q, %q, %d) = %d, want %d", a, b, limit, got, want)
			}
		}
	}
	long := strings.Repeat("ab", maxName/2)
	if got := distance(long, "b"+long+"a", 2); got != 2 {
		t.Errorf("of long names %d", got)
	}
	if got := distance(long+"x", long+"abc", 1); got != 2 {
		t.Errorf("beyond the limit %d", got)
	}
}

// Four thousand names of two hundred bytes that are misspelt took forty seconds: comparing two took forty thousand
// steps, and counted as one.
func TestLongNamesCostMore(t *testing.T) {
	var names []string
	for i := range 100 {
		names = append(names, strings.Repeat("ab", 80)+fmt.Sprintf("%02d", i))
	}
	finder := new(Finder)
	finder.Dictionary(names).Nearest(strings.Repeat("ba", 80) + "00")
	if finder.spent < 10*len(names) {
		t.Errorf("%d of the budget for %d names", finder.spent, len(names))
	}
}

// A long list gives the same answers as a short one.
func TestLongListsAnswerAsShortOnes(t *testing.T) {
	var names []string
	for i := range 300 {
		names = append(names, fmt.Sprintf("order%d", i), fmt.Sprintf("a-%d-created", i))
	}
	long := new(Finder).Dictionary(names)
	if long.byLength == nil {
		t.Fatal("the list is short")
	}
	for _, name := range []string{"oder7", "order300", "ordr12", "a-1-craeted", "Order_9", "a-2-create", "nothing-like-it",
		"ordex"} {
		best, limit := "", min(2, (len(name)+2)/4)
		for _, known := range names {
			if far := distance(name, known, limit); far <= limit {
				best, limit = known, far-1
			}
		}
		if same := long.unstyled[withoutStyle(name)]; same != "" {
			best = same
		}
		if got := long.Nearest(name); got != best {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, best)
		}
	}
}

// The work that look-ups in long lists do is bounded for a catalog, however many names are misspelt.
func TestLookUpsShareABudget(t *testing.T) {
	var names []string
	for i := range 5000 {
		names = append(names, fmt.Sprintf("order%05d", i))
	}
	finder := new(Finder)
	many := finder.Dictionary(names)
	found := 0
	for i := range 600 {
		if finder.Dictionary(names[:freeNames]).Nearest("ordr00001") == "" {
			t.Fatal("a short list was not searched")
		}
		if many.Nearest(fmt.Sprintf("ordre%05d", i)) != "" {
			found++
		}
	}
	if found == 0 || found > budget/len(names) {
		t.Errorf("%d of 600 names were found", found)
	}
	if got := many.Nearest("Order-00001"); got != "order00001" {
		t.Errorf("a name in other style was not found: %q", got)
	}
}
