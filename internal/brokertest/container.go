package brokertest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/acemq/acemq-gen/internal/testserver"
)

// image is the RabbitMQ that Docker runs.
const image = "rabbitmq:4-alpine"

// container is a node in a Docker container.
type container struct {
	name string
	dir  string
	port int
	made bool
}

func dockerAnswers(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return exec.CommandContext(ctx, "docker", "info").Run() == nil
}

func newContainer(dir string, port int, conf []string) (*container, error) {
	config := append([]string{"loopback_users = none"}, conf...)
	file := filepath.Join(dir, "90-test.conf")
	if err := os.WriteFile(file, []byte(strings.Join(config, "\n")+"\n"), 0o644); err != nil {
		return nil, err
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		return nil, err
	}
	return &container{name: fmt.Sprintf("brokertest-%d", port), dir: dir, port: port}, nil
}

func (c *container) start(ctx context.Context) error {
	if c.made {
		return docker(ctx, "start", c.name)
	}
	c.made = true
	return docker(ctx, "run", "--detach", "--name", c.name, "--hostname", c.name,
		"--publish", fmt.Sprintf("127.0.0.1:%d:5672", c.port),
		"--volume", filepath.Join(c.dir, "90-test.conf")+":/etc/rabbitmq/conf.d/90-test.conf:ro",
		image)
}

func (c *container) failed() error { return nil }

func (c *container) kill() error {
	running, err := exec.Command("docker", "inspect", "--format", "{{.State.Running}}", c.name).Output()
	if err != nil || strings.TrimSpace(string(running)) != "true" {
		return nil
	}
	return docker(context.Background(), "kill", c.name)
}

func (c *container) stop(ctx context.Context) error { return docker(ctx, "stop", c.name) }

func (c *container) ctl(ctx context.Context, args ...string) (string, error) {
	args = append([]string{"exec", c.name, "rabbitmqctl", "-q"}, args...)
	out, err := exec.CommandContext(ctx, "docker", args...).CombinedOutput()
	if err != nil {
		return string(out), fmt.Errorf("docker %s: %w: %s", strings.Join(args, " "), err, testserver.Tail(out))
	}
	return string(out), nil
}

func (c *container) share(ctx context.Context, file string) (string, error) {
	path := "/tmp/" + filepath.Base(file)
	return path, docker(ctx, "cp", file, c.name+":"+path)
}

func (c *container) remove() error {
	if !c.made {
		return nil
	}
	return docker(context.Background(), "rm", "--force", "--volumes", c.name)
}

func docker(ctx context.Context, args ...string) error {
	out, err := exec.CommandContext(ctx, "docker", args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("docker %s: %w: %s", args[0], err, testserver.Tail(out))
	}
	return nil
}
