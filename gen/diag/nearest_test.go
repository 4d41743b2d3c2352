package diag

import "testing"

func TestNearest(t *testing.T) {
	commands := []string{"check", "diff", "explain", "version"}
	for word, want := range map[string]string{
		"chekc": "check", "chck": "check", "checks": "check", "dif": "diff", "vresion": "version", "explian": "explain",
		"orders": "", "": "", "x": "", "generate": "",
	} {
		got, found := Nearest(word, commands)
		if got != want || found != (want != "") {
			t.Errorf("Nearest(%q) = %q, %v, want %q", word, got, found, want)
		}
	}
	if got, _ := Nearest("tipe", []string{"version", "tape", "type"}); got != "tape" {
		t.Errorf("of two candidates that are equally near, %q was taken and not the first", got)
	}
}
