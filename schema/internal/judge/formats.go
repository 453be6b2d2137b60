package judge

import (
	"errors"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/babelqueue/bqgen/internal/format"
)

// formats are the checks that generated code makes. They replace those of the library, which differ in details: it
// accepts the URI http://example.com/a b.
var formats = func() (all []*jsonschema.Format) {
	for name, valid := range format.ByName {
		invalid := errors.New("not of the format " + name)
		all = append(all, &jsonschema.Format{Name: name, Validate: func(v any) error {
			if s, ok := v.(string); ok && !valid(s) {
				return invalid
			}
			return nil
		}})
	}
	for _, name := range []string{"period", "semver"} { // the library knows them, and bqgen does not
		all = append(all, &jsonschema.Format{Name: name, Validate: func(any) error { return nil }})
	}
	return all
}()
