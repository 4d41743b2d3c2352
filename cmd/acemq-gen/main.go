// Acemq-gen turns the message flow that a Go package declares in its flow.go into typed code. Run it with -h.
package main

import "os"

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }
