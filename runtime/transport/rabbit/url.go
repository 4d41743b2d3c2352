package rabbit

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	amqp "github.com/rabbitmq/amqp091-go"
)

// endpoint is one host of a broker.
type endpoint struct {
	url  string // with the password: never shown
	name string // "host:port", to be shown
}

var errURL = errors.New("the broker's URL cannot be read: write amqp://user:password@host:5672/vhost, with special " +
	"characters in the user name, the password and the virtual host percent-encoded")

// parseURL reads the URL of a broker into the endpoints it names, and those of the options. Its errors are whole
// sentences that hold no part of the URL, which may hold a password.
func parseURL(text string, options Options) ([]endpoint, error) {
	scheme, rest, found := strings.Cut(text, "://")
	if !found || scheme != "amqp" && scheme != "amqps" {
		return nil, errors.New("the broker's URL starts with neither amqp:// nor amqps://")
	}
	authority, path := rest, ""
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		authority, path = rest[:end], rest[end:]
	}
	user, hosts := "", authority
	if at := strings.LastIndex(authority, "@"); at >= 0 {
		user, hosts = authority[:at+1], authority[at+1:]
	}
	if err := checkTLS(scheme, path, options); err != nil {
		return nil, err
	}
	var endpoints []endpoint
	for _, host := range slices.Concat(strings.Split(hosts, ","), options.Hosts) {
		address := scheme + "://" + user + host + path
		uri, err := amqp.ParseURI(address)
		if err != nil || strings.Contains(host, "@") {
			return nil, describeURLError(address)
		}
		endpoints = append(endpoints, endpoint{address, fmt.Sprintf("%s:%d", uri.Host, uri.Port)})
	}
	return endpoints, nil
}

// checkTLS refuses what would be sent in the clear although TLS was asked for.
func checkTLS(scheme, path string, options Options) error {
	if scheme == "amqps" {
		return nil
	}
	if options.TLS != nil {
		return errors.New("a TLS configuration is given and the broker's URL is amqp://, which is not encrypted: " +
			"write amqps://")
	}
	for _, parameter := range []string{"cacertfile=", "certfile=", "keyfile=", "server_name_indication="} {
		if strings.Contains(path, parameter) {
			return fmt.Errorf("the broker's URL has the TLS parameter %s and is amqp://, which is not encrypted: "+
				"write amqps://", strings.TrimSuffix(parameter, "="))
		}
	}
	return nil
}

// describeURLError says what is wrong with a URL that was not taken, as far as it can be said without showing it.
func describeURLError(text string) error {
	u, err := url.Parse(text)
	if err != nil || strings.Contains(text, " ") {
		return errURL
	}
	for _, parameter := range []string{"heartbeat", "connection_timeout", "channel_max"} {
		if u.Query().Has(parameter) {
			return fmt.Errorf("the broker's URL has a parameter that is not a number in its range: look at %s", parameter)
		}
	}
	return errURL
}
