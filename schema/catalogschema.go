package schema

import _ "embed"

// CatalogSchema is the JSON Schema 2020-12 of the catalog itself. Editors use it to complete and check urns.yaml. It
// describes the shape only: the loader checks references and whether payload schemas make sense.
//
//go:embed catalog.schema.json
var CatalogSchema string
