package read

// nearest returns the candidate that text was probably meant to be, "" where none is near.
func nearest(text string, candidates []string) string {
	best, found := max(1, len(text)/3)+1, ""
	for _, candidate := range candidates {
		if d := distance(text, candidate); d < best {
			best, found = d, candidate
		}
	}
	return found
}

// distance is the number of letters to insert, remove, replace or swap with their neighbour to make b of a.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range y {
		rows[0][j+1] = j + 1
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			replace := rows[i-1][j-1]
			if x[i-1] != y[j-1] {
				replace++
			}
			rows[i][j] = min(replace, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(x)][len(y)]
}

// didYouMean is the help for a misspelt word, or else the fallback.
func didYouMean(near, fallback string) string {
	if near == "" {
		return fallback
	}
	return "did you mean " + near + "?"
}
