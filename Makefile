# make demo   generate the code of the order example, then run its flow in memory
# make test   everything: formatting, vet, static analysis, generated code, tests against a real broker and databases
# make bench  the measured comparisons
# make fuzz   each fuzz target for a minute
.POSIX:
.PHONY: demo test lint generated unit bench fuzz

# Both modules: the tool with its runtime, and the example as a user would have it.
packages = ./... ./examples/orders/...

# The race detector needs a C compiler, which a fresh machine may not have.
race = `[ "$$(go env CGO_ENABLED)" = 1 ] && echo -race`

# Starts a RabbitMQ, a PostgreSQL and a MariaDB for the command behind it, unless the environment names them.
with_servers = go run ./internal/testserver/cmd/with-servers

demo:
	cd examples/orders && go generate ./... && go run .

test: lint generated unit

lint:
	@files=$$(gofmt -l .); [ -z "$$files" ] || { echo "gofmt would change:"; echo "$$files"; exit 1; }
	go vet $(packages)
	go tool staticcheck $(packages)

generated:
	cd examples/orders && go tool acemq-gen check ./...

unit:
	$(with_servers) go test $(race) -count=1 -timeout=30m $(packages)

bench:
	$(with_servers) go run ./bench

fuzz:
	./internal/fuzz
