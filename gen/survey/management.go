package survey

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// listedBinding is a binding to a queue without arguments, as the management API lists it.
type listedBinding struct{ exchange, queue, key string }

// managementTimeout bounds the wait for the management API.
const managementTimeout = 30 * time.Second

// list asks the management API for the bindings of a virtual host.
func list(ctx context.Context, management, vhost string) (map[listedBinding]bool, error) {
	base, err := url.Parse(management)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, errors.New("the URL of the management API cannot be read: write http://user:password@host:15672 or " +
			"https://…, with special characters in the user name and the password percent-encoded")
	}
	ctx, cancel := context.WithTimeout(ctx, managementTimeout)
	defer cancel()
	from := base.JoinPath("api", "bindings", url.PathEscape(vhost)).String()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return nil, fmt.Errorf("ask the management API: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, fmt.Errorf("ask the management API: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the management API at %s answered %s: the user of its URL needs the tag management, and the "+
			"right to see the virtual host %s", base.Host, response.Status, vhost)
	}
	return readBindings(response)
}

func readBindings(response *http.Response) (map[listedBinding]bool, error) {
	var all []struct {
		Source          string         `json:"source"`
		Destination     string         `json:"destination"`
		DestinationType string         `json:"destination_type"`
		RoutingKey      string         `json:"routing_key"`
		Arguments       map[string]any `json:"arguments"`
	}
	if err := json.NewDecoder(response.Body).Decode(&all); err != nil {
		return nil, fmt.Errorf("what answered at %s is not a management API: %w", response.Request.URL.Host, err)
	}
	listed := make(map[listedBinding]bool)
	for _, b := range all {
		if b.DestinationType == "queue" && len(b.Arguments) == 0 {
			listed[listedBinding{b.Source, b.Destination, b.RoutingKey}] = true
		}
	}
	return listed, nil
}
