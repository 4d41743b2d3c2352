package topology

import "strings"

// MatchTopic reports whether a topic exchange routes a key to a binding with the pattern. Both are words with dots
// between them; in the pattern, "*" stands for one word and "#" for any number of words, none included. The empty key
// has no words, as RabbitMQ reads it, so that "#" takes it and "*" does not.
func MatchTopic(pattern, key string) bool { return matchWords(words(pattern), words(key)) }

// matchWords takes the words of the key one by one. Where a word does not fit, the last "#" takes one word more.
func matchWords(pattern, key []string) bool {
	p, k := 0, 0
	hash, taken := -1, 0
	for k < len(key) {
		switch {
		case p < len(pattern) && pattern[p] == "#":
			hash, taken = p, k
			p++
		case p < len(pattern) && (pattern[p] == "*" || pattern[p] == key[k]):
			p, k = p+1, k+1
		case hash >= 0:
			taken++
			p, k = hash+1, taken
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == "#" {
		p++
	}
	return p == len(pattern)
}

func words(key string) []string {
	if key == "" {
		return nil
	}
	return strings.Split(key, ".")
}
