// Package link follows the $refs of drafts to the drafts that they name. On the way it reads the other files of the
// catalog's folder that are referred to, and drafts their types.
package link
