package survey

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/acemq/acemq-gen/gen/plan"
	"github.com/acemq/acemq-gen/runtime/topology"
)

// serve answers like the management API of a broker with the virtual host a/b, whose user is shop.
func serve(t *testing.T, status int, body string) (url string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		if r.URL.EscapedPath() != "/broker/api/bindings/a%2Fb" || user != "shop" || password != "s/e" {
			t.Errorf("asked for %s as %s", r.URL.EscapedPath(), user)
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}))
	t.Cleanup(server.Close)
	return strings.Replace(server.URL, "http://", "http://shop:s%2Fe@", 1) + "/broker/"
}

// bound is how RabbitMQ 4.3 lists bindings.
const bound = `[
	{"source":"","vhost":"a/b","destination":"work","destination_type":"queue","routing_key":"work","arguments":{},"properties_key":"work"},
	{"source":"events","vhost":"a/b","destination":"work","destination_type":"queue","routing_key":"a.*","arguments":{},"properties_key":"a.%2A"},
	{"source":"events","vhost":"a/b","destination":"work","destination_type":"queue","routing_key":"b","arguments":{"x-match":"all"},"properties_key":"b~x"},
	{"source":"events","vhost":"a/b","destination":"work","destination_type":"exchange","routing_key":"c","arguments":{},"properties_key":"c"}]`

// What is bound with arguments, or to an exchange, is another binding.
func TestList(t *testing.T) {
	got, err := list(t.Context(), serve(t, http.StatusOK, bound), "a/b")
	want := map[listedBinding]bool{{"", "work", "work"}: true, {"events", "work", "a.*"}: true}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
}

func TestListFails(t *testing.T) {
	tests := []struct{ management, says string }{
		{serve(t, http.StatusUnauthorized, `{"error":"not_authorized"}`), "answered 401 Unauthorized: the user of its URL needs"},
		{serve(t, http.StatusOK, "<html>"), "is not a management API"},
		{"localhost:15672", "the URL of the management API cannot be read"},
		{"amqp://shop:s%2Fe@localhost", "the URL of the management API cannot be read"},
		{"http://shop:s%2Fe@%zz", "the URL of the management API cannot be read"},
		{"http://shop:s%2Fe@127.0.0.1:1", "ask the management API: "},
	}
	for _, test := range tests {
		_, err := list(t.Context(), test.management, "a/b")
		if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "s%2Fe") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("of %s is said %v, want %s", test.management, err, test.says)
		}
	}
}

// A binding of what is missing is missing; where both ends are there, only the management API knows.
func TestBindings(t *testing.T) {
	declared := topology.New().ExternalExchange("events", topology.Topic).ExternalExchange("upstream", topology.Topic).
		ExternalQueue("work").Bind("work", "events", "a.*", "b").Bind("work", "upstream", "a.*")
	declared.Queues = declared.Queues[:1]
	declared.Exchanges = declared.Exchanges[:2]
	declared.Bindings = declared.Bindings[len(declared.Bindings)-3:]
	for _, test := range []struct {
		management string
		upstream   plan.Standing
		want       [3]plan.Standing
	}{
		{"", plan.Same, [3]plan.Standing{}},
		{"", plan.Absent, [3]plan.Standing{2: plan.Missing}},
		{"", plan.Missing, [3]plan.Standing{2: plan.Missing}},
		{serve(t, http.StatusOK, bound), plan.Same, [3]plan.Standing{plan.Same, plan.Missing, plan.Missing}},
		{serve(t, http.StatusOK, "[]"), plan.Same, [3]plan.Standing{plan.Missing, plan.Missing, plan.Missing}},
	} {
		found := plan.Found{
			VHost:     "a/b",
			Exchanges: []plan.Answer{{Standing: plan.Same}, {Standing: test.upstream}},
			Queues:    []plan.Answer{{Standing: plan.Same}},
		}
		answers, err := bindings(t.Context(), test.management, declared, found)
		if err != nil {
			t.Fatal(err)
		}
		for i, answer := range answers {
			if answer.Standing != test.want[i] {
				t.Errorf("with upstream %d: binding %d is %d, want %d", test.upstream, i, answer.Standing, test.want[i])
			}
		}
	}
}
