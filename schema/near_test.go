package schema

import "testing"

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
		if got := nearest(tt.name, keys); got != tt.want {
			t.Errorf("nearest(%q) = %q, want %q", tt.name, got, tt.want)
		}
	}
	if got := nearest("abcdef", []string{"abcdeg", "abcdeh"}); got != "abcdeg" {
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
