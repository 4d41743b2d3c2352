module github.com/acemq/acemq-gen/examples/orders

go 1.26.0

tool github.com/acemq/acemq-gen/cmd/acemq-gen

require github.com/acemq/acemq-gen v0.0.0

require (
	github.com/dave/jennifer v1.7.1 // indirect
	github.com/rabbitmq/amqp091-go v1.16.0 // indirect
	github.com/rogpeppe/go-internal v1.16.0 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
)

replace github.com/acemq/acemq-gen => ../..
