package brokertest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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
	if err := install(ctx); err != nil {
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

// install installs Debian's package and keeps its service from starting.
func install(ctx context.Context) error {
	if os.Geteuid() != 0 {
		return errors.New("not root")
	}
	if _, err := exec.LookPath("apt-get"); err != nil {
		return errors.New("no apt-get")
	}
	const script = `set -e
export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
apt-get update -qq
apt-get install -y -qq --no-install-recommends rabbitmq-server`
	out, err := exec.CommandContext(ctx, "sh", "-c", script).CombinedOutput()
	if err != nil {
		return fmt.Errorf("apt-get: %w: %s", err, tail(out))
	}
	return nil
}

// tail returns the last few hundred bytes of what a command printed.
func tail(out []byte) []byte {
	const most = 400
	if len(out) > most {
		return out[len(out)-most:]
	}
	return out
}
