package brokertest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/acemq/acemq-gen/internal/testserver"
)

// binDirs are where packages put the scripts that do not switch to a user of their own.
var binDirs = []string{"/usr/lib/rabbitmq/bin", "/usr/local/lib/rabbitmq/bin", "/opt/rabbitmq/sbin"}

// findHost decides where a node runs.
func findHost(ctx context.Context, dir string, port int, conf []string) (host, error) {
	if bin, ok := installed(); ok {
		return newLocal(dir, bin, port, conf)
	}
	if dockerAnswers(ctx) {
		return newContainer(dir, port, conf)
	}
	if err := testserver.Install(ctx, "rabbitmq-server"); err != nil {
		return nil, fmt.Errorf("found no RabbitMQ: no rabbitmq-server is installed, no Docker daemon answers, and "+
			"Debian's package cannot be installed (%w); install rabbitmq-server, or %s", err, advice)
	}
	bin, ok := installed()
	if !ok {
		return nil, errors.New("the package rabbitmq-server was installed, and its scripts are not where they should be")
	}
	return newLocal(dir, bin, port, conf)
}

// installed returns the directory of the scripts of an installed RabbitMQ.
func installed() (bin string, ok bool) {
	for _, dir := range binDirs {
		if _, err := os.Stat(filepath.Join(dir, "rabbitmq-server")); err == nil {
			return dir, true
		}
	}
	path, err := exec.LookPath("rabbitmq-server")
	if err != nil {
		return "", false
	}
	return filepath.Dir(path), true
}
