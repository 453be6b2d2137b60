// Package connect decides how to reach a Pulsar cluster: from flags, environment variables and a client.conf as
// Pulsar's own tools use it, value by value in this order. It makes the Pulsar client and the HTTP transport of the
// admin API, and finds out what is wrong when nothing sensible answers.
//
//	settings.go    the values, where each came from
//	clientconf.go  reading a client.conf
//	credentials.go tokens, certificates, OAuth2
//	probe.go       what answers on a port
//	client.go      the Pulsar client
//	transport.go   the HTTP transport
//
// No text that this package returns contains a secret.
package connect
