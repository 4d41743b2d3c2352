package brokertest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/acemq/acemq-gen/internal/testserver"
)

// local is a node of an installed RabbitMQ. It shares nothing with other nodes of the machine: name, cookie, data,
// ports and epmd are its own.
type local struct {
	dir   string
	bin   string
	port  int
	env   []string
	group int           // the process group of the node, 0 while it does not run
	ended chan struct{} // closed when the node has ended
	alive *os.File      // the node ends when this is closed, and so when the process ends that started it
}

func newLocal(dir, bin string, port int, conf []string) (*local, error) {
	distribution, err := testserver.FreePort()
	if err != nil {
		return nil, err
	}
	mapper, err := testserver.FreePort()
	if err != nil {
		return nil, err
	}
	l := &local{dir: dir, bin: bin, port: port}
	l.env = append(os.Environ(),
		"HOME="+dir,
		"RABBITMQ_NODENAME="+fmt.Sprintf("brokertest%d@localhost", port),
		"RABBITMQ_NODE_IP_ADDRESS=127.0.0.1",
		"RABBITMQ_NODE_PORT="+strconv.Itoa(port),
		"RABBITMQ_DIST_PORT="+strconv.Itoa(distribution),
		"ERL_EPMD_PORT="+strconv.Itoa(mapper),
		"ERL_EPMD_ADDRESS=127.0.0.1",
		"RABBITMQ_MNESIA_BASE="+filepath.Join(dir, "data"),
		"RABBITMQ_LOG_BASE="+filepath.Join(dir, "log"),
		"RABBITMQ_PID_FILE="+filepath.Join(dir, "pid"),
		"RABBITMQ_ENABLED_PLUGINS_FILE="+filepath.Join(dir, "enabled_plugins"),
		"RABBITMQ_CONFIG_FILE="+filepath.Join(dir, "rabbitmq.conf"),
	)
	return l, l.writeFiles(port, conf)
}

func (l *local) writeFiles(port int, conf []string) error {
	config := append([]string{"loopback_users = none"}, conf...)
	files := []struct{ name, text string }{
		{"rabbitmq.conf", strings.Join(config, "\n") + "\n"},
		{"enabled_plugins", "[].\n"},
		{".erlang.cookie", fmt.Sprintf("brokertest%d", port)},
	}
	for _, file := range files {
		if err := os.WriteFile(filepath.Join(l.dir, file.name), []byte(file.text), 0o600); err != nil {
			return err
		}
	}
	return os.Chmod(filepath.Join(l.dir, ".erlang.cookie"), 0o400)
}

// supervise runs the node until it ends or standard input does, then kills its process group, itself included. The
// port mapper runs in the same group, where it is not left behind.
const supervise = `
epmd >/dev/null 2>&1 &
( "$1" </dev/null >>"$2" 2>&1; kill -KILL 0 ) &
read -r nothing
kill -KILL 0`

func (l *local) start(context.Context) error {
	if l.group != 0 {
		return errors.New("the RabbitMQ node runs already")
	}
	stdin, alive, err := os.Pipe()
	if err != nil {
		return err
	}
	defer stdin.Close()
	server := filepath.Join(l.bin, "rabbitmq-server")
	cmd := exec.Command("sh", "-c", supervise, "brokertest", server, filepath.Join(l.dir, "out.log"))
	cmd.Env = l.env
	cmd.Stdin = stdin
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		alive.Close()
		return fmt.Errorf("start rabbitmq-server: %w", err)
	}
	l.group, l.alive, l.ended = cmd.Process.Pid, alive, make(chan struct{})
	go func() {
		defer close(l.ended)
		cmd.Wait()
	}()
	return nil
}

// failed returns what the node printed, once it has ended by itself.
func (l *local) failed() error {
	select {
	case <-l.ended:
		out, _ := os.ReadFile(filepath.Join(l.dir, "out.log"))
		return fmt.Errorf("rabbitmq-server ended: %s", testserver.Tail(out))
	default:
		return nil
	}
}

func (l *local) kill() error {
	if l.group == 0 {
		return nil
	}
	if err := syscall.Kill(-l.group, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("kill the RabbitMQ node: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return l.awaitEnd(ctx)
}

func (l *local) stop(ctx context.Context) error {
	if l.group == 0 {
		return nil
	}
	if out, err := l.ctl(ctx, "shutdown"); err != nil {
		return fmt.Errorf("stop the RabbitMQ node: %w: %s", err, out)
	}
	return l.kill()
}

// awaitEnd returns once the node has ended and its port is free.
func (l *local) awaitEnd(ctx context.Context) error {
	<-l.ended
	l.alive.Close()
	l.group = 0
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(l.port))
	for {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return nil
		}
		conn.Close()
		select {
		case <-ctx.Done():
			return fmt.Errorf("port %d is still taken after the RabbitMQ node on it was killed", l.port)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (l *local) ctl(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(l.bin, "rabbitmqctl"), append([]string{"-q"}, args...)...)
	cmd.Env = l.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		return string(out), fmt.Errorf("rabbitmqctl %s: %w: %s", strings.Join(args, " "), err, testserver.Tail(out))
	}
	return string(out), nil
}

func (l *local) share(_ context.Context, file string) (string, error) { return filepath.Abs(file) }

func (l *local) remove() error { return nil }
