package brokertest

import (
	"context"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/acemq/acemq-gen/internal/testserver"
)

// Server is a RabbitMQ node of one's own. Its methods are for one goroutine at a time.
type Server struct {
	host host
	dir  string
	port int
}

// host is where a node runs.
type host interface {
	start(ctx context.Context) error // on the data it had, if any; returns before the node answers
	failed() error                   // why the node ended by itself, if it did
	kill() error                     // at once, as a crash would
	stop(ctx context.Context) error  // in good order
	ctl(ctx context.Context, args ...string) (string, error)
	share(ctx context.Context, file string) (string, error)
	remove() error // all traces but the directory
}

// Start starts a node on a free loopback port and returns once it answers. It takes an installed rabbitmq-server, else
// Docker, else, as root on Debian, it installs the package rabbitmq-server. The lines of conf are added to
// rabbitmq.conf. The caller ends it with [Server.Remove].
func Start(ctx context.Context, conf ...string) (*Server, error) {
	dir, err := os.MkdirTemp("", "brokertest-")
	if err != nil {
		return nil, err
	}
	port, err := testserver.FreePort()
	if err != nil {
		return nil, err
	}
	h, err := findHost(ctx, dir, port, conf)
	if err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	s := &Server{host: h, dir: dir, port: port}
	if err := s.Restart(ctx); err != nil {
		s.Remove()
		return nil, err
	}
	return s, nil
}

// URL returns the node's URL. It stays the same over restarts.
func (s *Server) URL() string { return "amqp://guest:guest@" + s.address() + "/" }

func (s *Server) address() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)) }

// Kill ends the node at once, as a crash would, and keeps its data.
func (s *Server) Kill() error { return s.host.kill() }

// Stop ends the node in good order and keeps its data.
func (s *Server) Stop(ctx context.Context) error { return s.host.stop(ctx) }

// Restart starts the node on the data it had and returns once it answers.
func (s *Server) Restart(ctx context.Context) error {
	if err := s.host.start(ctx); err != nil {
		return err
	}
	return s.await(ctx)
}

// Ctl runs rabbitmqctl against the node and returns what it printed.
func (s *Server) Ctl(ctx context.Context, args ...string) (string, error) {
	return s.host.ctl(ctx, args...)
}

// Share lets the node read a file, and returns the path that the file has for it, to be given to Ctl.
func (s *Server) Share(ctx context.Context, file string) (string, error) {
	return s.host.share(ctx, file)
}

// Remove kills the node and deletes its data.
func (s *Server) Remove() error {
	if err := s.host.kill(); err != nil {
		return err
	}
	if err := s.host.remove(); err != nil {
		return err
	}
	return os.RemoveAll(s.dir)
}

// await returns once the node greets an AMQP client.
func (s *Server) await(ctx context.Context) error {
	for {
		err := greet(ctx, s.address())
		if err == nil {
			return nil
		}
		if failure := s.host.failed(); failure != nil {
			return failure
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the RabbitMQ node in %s does not answer on port %d: %w", s.dir, s.port, err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// greet sends the protocol header and waits for the first byte of connection.start.
func greet(ctx context.Context, address string) error {
	dialer := net.Dialer{Timeout: time.Second}
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(2 * time.Second))
	if _, err := conn.Write([]byte("AMQP\x00\x00\x09\x01")); err != nil {
		return err
	}
	_, err = conn.Read(make([]byte, 1))
	return err
}
