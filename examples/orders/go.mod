module github.com/acemq/acemq-gen/examples/orders

go 1.26.0

tool github.com/acemq/acemq-gen/cmd/acemq-gen

require github.com/acemq/acemq-gen v0.0.0

replace github.com/acemq/acemq-gen => ../..
