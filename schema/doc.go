// Package schema loads urns.yaml, the catalog of messages, and checks it.
package schema
