package acemq

import (
	"os/exec"
	"strings"
	"testing"
)

const (
	module = "github.com/acemq/acemq-gen"
	driver = "github.com/rabbitmq/amqp091-go"
)

// The runtime is the standard library and the driver, and the driver is known to its own room alone.
func TestDependencies(t *testing.T) {
	list := func(args ...string) []string {
		t.Helper()
		out, err := exec.Command("go", append([]string{"list"}, args...)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.Fields(string(out))
	}
	for _, path := range list("-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./...") {
		if path != driver && !strings.HasPrefix(path, module+"/runtime") {
			t.Errorf("the runtime depends on %s", path)
		}
	}
	importers := list("-f", `{{$p := .ImportPath}}{{range .Imports}}{{if eq . "`+driver+`"}}{{$p}}{{end}}{{end}}`, "./...")
	wantList(t, "the packages that import the driver", importers, []string{module + "/runtime/transport/rabbit"})
}
