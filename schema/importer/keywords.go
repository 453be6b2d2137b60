package importer

import (
	"strings"

	"github.com/babelqueue/bqgen/schema/internal/draft"
)

// A use is what becomes of a keyword.
type use int

const (
	// carried keywords are written into the catalog. The loader has the last word.
	carried use = iota
	// silent keywords are left out without a loss: they say nothing about which values are valid.
	silent
	// lost keywords are left out, so that more values are valid than before. Each place is reported.
	lost
)

// A form is what the value of a keyword must be. Any other is a fault of the source.
type form int

const (
	anyForm form = iota
	textForm
	boolForm
	countForm
	numberForm
	typeForm    // the name of a type, or a list of some
	textsForm   // a list of texts
	listForm    // a list of any values
	schemaForm  // a schema
	schemasForm // a list of schemas
	mapForm     // schemas by name
	textMapForm // lists of texts by name
)

// A keyword is a row of the table.
type keyword struct {
	use  use
	form form
	// needs names the keyword whose loss changes what this one means: it is lost with it.
	needs []string
	// flips is set if a value that the inner schema accepts may be invalid because of it.
	flips bool
	// sees is set if it depends on everything else in the schema: it is lost when any of that accepts more.
	sees bool
}

// vendor is the row of all x- keywords. Those of bqgen are never carried over: one that came with a document from
// elsewhere could make generated code import a package.
var vendor = keyword{use: carried}

// falseSchema is what becomes of a schema that is false.
const falseSchema = carried

// rowOf returns the row of a keyword. It reports false for one that means nothing to a validator.
func rowOf(key string) (keyword, bool) {
	if row, known := keywords[key]; known {
		return row, true
	}
	if strings.HasPrefix(key, "x-") {
		if _, own := draft.TypesOf(key); own {
			return keyword{use: silent}, true
		}
		return vendor, true
	}
	return keyword{}, false
}

// keywords is the table of what is carried over, in the words of draft 2020-12; drafts.go rewrites older ones. To carry
// over more, change lost to carried: what the loader does not take is still reported. Keywords that are not listed say
// nothing to a validator; one that looks like a slip is reported.
var keywords = map[string]keyword{
	"$ref":          {use: carried, form: textForm},
	"$dynamicRef":   {use: lost, form: textForm},
	"$recursiveRef": {use: lost, form: textForm},

	"type":  {use: carried, form: typeForm},
	"enum":  {use: carried, form: listForm},
	"const": {use: carried},

	"properties":           {use: carried, form: mapForm},
	"required":             {use: carried, form: textsForm},
	"additionalProperties": {use: carried, form: schemaForm, needs: []string{"properties", "patternProperties"}},
	"minProperties":        {use: carried, form: countForm},
	"maxProperties":        {use: carried, form: countForm},
	"patternProperties":    {use: carried, form: mapForm},
	"propertyNames":        {use: carried, form: schemaForm},
	"dependentRequired":    {use: carried, form: textMapForm},
	"dependentSchemas":     {use: carried, form: mapForm},
	"unevaluatedProperties": {use: carried, form: schemaForm, needs: []string{
		"properties", "patternProperties", "additionalProperties", "allOf", "anyOf", "oneOf", "not", "if", "$ref",
		"dependentSchemas",
	}, sees: true},

	"items":       {use: carried, form: schemaForm, needs: []string{"prefixItems"}},
	"minItems":    {use: carried, form: countForm},
	"maxItems":    {use: carried, form: countForm},
	"uniqueItems": {use: carried, form: boolForm},
	"prefixItems": {use: carried, form: schemasForm},
	"contains":    {use: carried, form: schemaForm, flips: true},
	"minContains": {use: carried, form: countForm, needs: []string{"contains"}},
	"maxContains": {use: carried, form: countForm, needs: []string{"contains"}},
	"unevaluatedItems": {use: carried, form: schemaForm, needs: []string{
		"items", "prefixItems", "contains", "allOf", "anyOf", "oneOf", "not", "if", "$ref",
	}, sees: true},

	"format":           {use: carried, form: textForm},
	"minLength":        {use: carried, form: countForm},
	"maxLength":        {use: carried, form: countForm},
	"pattern":          {use: carried, form: textForm},
	"minimum":          {use: carried, form: numberForm},
	"maximum":          {use: carried, form: numberForm},
	"exclusiveMinimum": {use: carried, form: numberForm},
	"exclusiveMaximum": {use: carried, form: numberForm},
	"multipleOf":       {use: carried, form: numberForm},

	"allOf": {use: carried, form: schemasForm},
	"oneOf": {use: carried, form: schemasForm, flips: true},
	"anyOf": {use: carried, form: schemasForm},
	"not":   {use: carried, form: schemaForm, flips: true},
	"if":    {use: carried, form: schemaForm, flips: true},
	"then":  {use: carried, form: schemaForm, needs: []string{"if"}},
	"else":  {use: carried, form: schemaForm, needs: []string{"if"}},

	"title":       {use: carried, form: textForm},
	"description": {use: carried, form: textForm},
	"default":     {use: carried},
	"examples":    {use: carried, form: listForm},
	"deprecated":  {use: carried, form: boolForm},

	"readOnly":         {use: carried, form: boolForm},
	"writeOnly":        {use: carried, form: boolForm},
	"contentEncoding":  {use: carried, form: textForm},
	"contentMediaType": {use: carried, form: textForm},
	"$comment":         {use: carried, form: textForm},

	"contentSchema": {use: silent},
	"$schema":       {use: silent}, "$id": {use: silent}, "id": {use: silent}, "$anchor": {use: silent},
	"$dynamicAnchor": {use: silent}, "$recursiveAnchor": {use: silent}, "$vocabulary": {use: silent},
	"$defs": {use: silent}, "definitions": {use: silent}, // they come over through what refers to them
	"example": {use: silent}, "externalDocs": {use: silent}, "discriminator": {use: silent}, "xml": {use: silent},
}

// annotations may stand next to a $ref in a catalog, and stay when everything else of a schema is lost.
var annotations = map[string]bool{
	"title": true, "description": true, "deprecated": true, "readOnly": true, "writeOnly": true, "$comment": true,
	"contentEncoding": true, "contentMediaType": true,
}

// claims are values that the schema calls valid. One that is not is a fault of the source.
var claims = map[string]bool{"default": true, "examples": true}
