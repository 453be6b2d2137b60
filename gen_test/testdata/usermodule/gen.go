// Package shop is a service that uses generated code as a user of bqgen does.
package shop

//go:generate go tool bqgen generate --catalog urns.yaml --out ./orderevents
