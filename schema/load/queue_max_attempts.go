package load

import (
	"math"
	"strconv"

	"github.com/babelqueue/bqgen/internal/contract"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// maxAttempts reads max_attempts of a queue: the number of deliveries of a message in all.
func (l *loader) maxAttempts(n *source.Node) int {
	const what = "max_attempts"
	digits, ok := l.Whole(n, schema.RuleAttempts, what)
	if !ok {
		return contract.DefaultMaxAttempts
	}
	v, err := strconv.ParseInt(digits, 10, 64)
	switch {
	case digits[0] == '-' || err == nil && v < 1:
		l.Report(n.Pos, schema.RuleAttempts, "1 delivers once, without a retry",
			"max_attempts is %s, it must be at least 1", text.Short(digits))
	case err != nil || v > math.MaxInt32:
		l.Report(n.Pos, schema.RuleAttempts, "",
			"max_attempts is %s, it must be at most %d", text.Short(digits), math.MaxInt32)
	default:
		return int(v)
	}
	return contract.DefaultMaxAttempts
}
