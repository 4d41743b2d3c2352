// Package acemqtest has what the tests of a service need.
package acemqtest

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// Reader is a Go type that reads the messages of a logical type and version. Make it with [Reads].
type Reader struct {
	logical string
	version int
	read    func(body []byte) error
}

// Reads returns the reader that decodes messages of a logical type and a version into T, with encoding/json.
func Reads[T any](logical string, version int) Reader {
	return Reader{logical, version, func(body []byte) error { return json.Unmarshal(body, new(T)) }}
}

// WireSamples reads every sample of dir with the types of today, and fails t where one cannot be read. A sample is a
// message as some version of its type was sent, in a file like order.placed.v1.json; acemq-gen writes one for each
// message, once, and never touches it again, so that it may be edited to be like what is really sent.
//
// A sample is read by the reader of its version and, where there is none, by that of the newest version of its type, as
// a dispatcher does. Samples of types without a reader are passed over; a reader without a sample fails t.
func WireSamples(t *testing.T, dir string, readers ...Reader) {
	t.Helper()
	for _, err := range readSamples(dir, readers) {
		t.Error(err)
	}
}

// readSamples returns what is wrong with the samples of dir.
func readSamples(dir string, readers []Reader) []error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return []error{fmt.Errorf("the samples are missing: run go generate, and commit what it writes: %w", err)}
	}
	var errs []error
	found := map[string]bool{}
	for _, entry := range entries {
		logical, version, is := sampleOf(entry.Name())
		if !is {
			continue
		}
		found[fmt.Sprint(logical, version)] = true
		reader, is := readerOf(readers, logical, version)
		if !is {
			continue
		}
		body, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err == nil {
			err = reader.read(body)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s, version %d, cannot be read by the type of version %d: %w\n"+
				"mend the type, or keep one for that version; where no such message is left, delete %s",
				logical, version, reader.version, err, filepath.ToSlash(filepath.Join(dir, entry.Name()))))
		}
	}
	for _, r := range readers {
		if !found[fmt.Sprint(r.logical, r.version)] {
			errs = append(errs, fmt.Errorf("%s, version %d, has no sample in %s: run go generate, and commit what it writes",
				r.logical, r.version, filepath.ToSlash(dir)))
		}
	}
	return errs
}

var sampleName = regexp.MustCompile(`^(.+)\.v([0-9]+)\.json$`)

// sampleOf returns the type and the version that a file is a sample of.
func sampleOf(name string) (logical string, version int, is bool) {
	parts := sampleName.FindStringSubmatch(name)
	if parts == nil {
		return "", 0, false
	}
	logical, err := url.PathUnescape(parts[1])
	version, tooLong := strconv.Atoi(parts[2])
	return logical, version, err == nil && tooLong == nil
}

// readerOf returns the reader of a version, or of the newest version of the type.
func readerOf(readers []Reader, logical string, version int) (newest Reader, found bool) {
	for _, r := range readers {
		if r.logical != logical {
			continue
		}
		if r.version == version {
			return r, true
		}
		if !found || r.version > newest.version {
			newest, found = r, true
		}
	}
	return newest, found
}
