package diag

// Nearest returns the candidate that word was most likely meant to be: the one with the fewest letters to insert, drop,
// replace or swap with the next, where that is at most a third of the word, and one at least. The first of equals wins.
func Nearest(word string, candidates []string) (nearest string, found bool) {
	limit := max(1, len(word)/3)
	for _, candidate := range candidates {
		if d := distance([]rune(word), []rune(candidate)); d <= limit && d < max(len(word), len(candidate)) {
			nearest, found, limit = candidate, true, d-1
		}
	}
	return nearest, found
}

// distance counts the edits between a and b (optimal string alignment).
func distance(a, b []rune) int {
	var before, last []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
