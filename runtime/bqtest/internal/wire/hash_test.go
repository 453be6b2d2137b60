package wire

import "testing"

// The values are those of the reference implementation.
func TestMurmur3(t *testing.T) {
	for s, want := range map[string]uint32{
		"": 0, "hello": 0x248bfa47, "hello, world": 0x149bbb7f,
		"The quick brown fox jumps over the lazy dog.": 0xd5c48bfc,
	} {
		if got := Murmur3Hash(s); got != want&0x7fffffff {
			t.Errorf("Murmur3Hash(%q) = %#x, want %#x", s, got, want&0x7fffffff)
		}
	}
}
