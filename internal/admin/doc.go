// Package admin asks a Pulsar cluster's admin API about topics and subscriptions, and creates them. It says what a
// refusal means: what is missing, which right the role lacks.
package admin
