// Package shop is a service that uses generated code the way a user of bqgen does.
package shop

//go:generate go tool bqgen generate --catalog urns.yaml --out ./orderevents
