package asyncapi

import (
	"fmt"
	"strings"
)

// free returns a name that is not taken: name itself, or with the first number that makes it one.
func free[V any](taken map[string]V, name string) string {
	unlike := name
	for n := 2; ; n++ {
		if _, found := taken[unlike]; !found {
			return unlike
		}
		unlike = fmt.Sprintf("%s_%d", name, n)
	}
}

// safe writes text so that it can be a name in components and stand in a reference: letters, digits, "._-", and a "-"
// for anything else, but that the braces around a field are left out.
func safe(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("._-", r):
			return r
		case r == '{', r == '}':
			return -1
		}
		return '-'
	}, text)
}

// to refers to what stands under names: to("channels", "queue.orders").
func to(names ...string) reference { return reference{pointer(names...)} }

// pointer is where something stands whose names are [safe].
func pointer(names ...string) string { return "#/" + strings.Join(names, "/") }
