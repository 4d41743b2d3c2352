package rabbit

import (
	"crypto/tls"
	"slices"
	"strings"
	"testing"
)

func TestParseURL(t *testing.T) {
	for _, test := range []struct {
		url   string
		hosts []string
		want  []string
	}{
		{"amqp://", nil, []string{"localhost:5672"}},
		{"amqp://broker", nil, []string{"broker:5672"}},
		{"amqps://broker/vhost", nil, []string{"broker:5671"}},
		{"amqp://u:p@one:1,two:2,three/v?heartbeat=5", nil, []string{"one:1", "two:2", "three:5672"}},
		{"amqp://u:p%2Fq@one", []string{"two:2", "[::1]:3"}, []string{"one:5672", "two:2", "::1:3"}},
		{"amqp://u:p,q@one,two", nil, []string{"one:5672", "two:5672"}},
	} {
		endpoints, err := parseURL(test.url, Options{Hosts: test.hosts})
		if err != nil {
			t.Errorf("%s: %v", test.url, err)
			continue
		}
		var names []string
		for _, e := range endpoints {
			names = append(names, e.name)
		}
		if !slices.Equal(names, test.want) {
			t.Errorf("%s: %v, want %v", test.url, names, test.want)
		}
	}
}

func TestURLErrorsAreClearAndHoldNoPassword(t *testing.T) {
	for _, test := range []struct {
		url  string
		tls  *tls.Config
		want string
	}{
		{"", nil, "neither amqp:// nor amqps://"},
		{"http://u:geheim@host", nil, "neither amqp:// nor amqps://"},
		{"amqp:/u:geheim@host", nil, "neither amqp:// nor amqps://"},
		{"amqp://u:geheim#x@host", nil, "percent-encoded"},
		{"amqp://u:geheim/x@host:5672", nil, "percent-encoded"},
		{"amqp://u:gehe im@host", nil, "percent-encoded"},
		{"amqp://u:geheim%zz@host", nil, "percent-encoded"},
		{"amqp://u:geheim@host:port", nil, "percent-encoded"},
		{"amqp://u:geheim@host?heartbeat=often", nil, "heartbeat"},
		{"amqp://u:geheim@host?channel_max=-1", nil, "channel_max"},
		{"amqp://u:geheim@host", &tls.Config{}, "write amqps://"},
		{"amqp://u:geheim@host?cacertfile=/ca.pem", nil, "write amqps://"},
	} {
		_, err := Dial(t.Context(), test.url, Options{TLS: test.tls})
		if err == nil {
			t.Errorf("%s was taken", test.url)
			continue
		}
		if !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want it to say %q", test.url, err, test.want)
		}
		if strings.Contains(err.Error(), "gehe") {
			t.Errorf("the error shows the password: %v", err)
		}
	}
}
