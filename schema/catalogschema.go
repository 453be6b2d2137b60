package schema

import _ "embed"

// CatalogSchema is the JSON Schema 2020-12 of the catalog itself, by which editors complete and check urns.yaml. It
// knows the shape: what refers to what, and whether schemas make sense, is for the loader to say.
//
//go:embed catalog.schema.json
var CatalogSchema string
