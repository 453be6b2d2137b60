// Package docs writes a catalog down for people: as a static HTML site that works from the file system, or as Markdown
// for a repository.
//
// It works in two steps. The builder makes the model in model.go: every text cleaned, every name, link and sentence
// decided. The writers (html.go, markdown.go, svg.go) put the model on pages, each with the escaping of its own format, and
// decide nothing else. Names of Go code come from templates/gonames, so that the pages show what is generated.
//
// Every string of a catalog is hostile. HTML goes through html/template; on top of that a page's content security policy
// allows no script but the page's own, by its hash, and nothing from anywhere else.
package docs
