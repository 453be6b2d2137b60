// Package docs renders the documentation of a catalog.
//
// In: a loaded catalog and a [Format]. Out: the files of a folder, by name: a static HTML site that works from the file
// system, or Markdown for a repository. [Format.Kind] tells these files from others when they are written.
//
// It works in two steps, and the names of the files say which step they belong to:
//
//	model*.go     The builder turns the catalog into a model: all texts are clean, and all names, links and
//	              sentences are decided. model.go has the types, model_build.go is the place to start.
//	html*.go      The writers put the model on pages, each with the escaping of its own format. They decide
//	markdown*.go  nothing else. The templates, the style and the script of the site are in the folder site.
//
// The pages show the names of the generated Go code.
//
// Every string of a catalog is hostile. HTML goes through html/template, and the content security policy of a page
// allows nothing from elsewhere and no script except its own, by its hash. Markdown is escaped in markdown_escape.go.
package docs
