package dbtest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/acemq/acemq-gen/internal/testserver"
)

// Server is a database server of one's own, on a free loopback port and with its data in a temporary directory. Its methods
// are for one goroutine at a time.
type Server struct {
	kind  Kind
	dir   string
	port  int
	owner *syscall.Credential // whom the server runs as; nil for whoever runs the test

	group int           // the process group of the server, 0 while it does not run
	ended chan struct{} // closed when it has ended
	alive *os.File      // the server ends when this is closed, and so when the process ends that started it
}

// Start starts a server and returns once it answers. It takes an installed one, else, as root on Debian, it installs the
// package. The caller ends it with [Server.Remove].
func Start(ctx context.Context, kind Kind) (*Server, error) {
	p, err := find(ctx, kind)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "dbtest-")
	if err != nil {
		return nil, err
	}
	s := &Server{kind: kind, dir: dir}
	if err := s.prepare(ctx, p); err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	if err := s.Restart(ctx); err != nil {
		return nil, errors.Join(err, s.Remove())
	}
	return s, nil
}

// prepare chooses a port and a user, and makes the data.
func (s *Server) prepare(ctx context.Context, p programs) error {
	var err error
	if s.port, err = testserver.FreePort(); err != nil {
		return err
	}
	if s.owner, err = owner(p.user); err != nil {
		return err
	}
	if s.owner != nil {
		if err := os.Chown(s.dir, int(s.owner.Uid), int(s.owner.Gid)); err != nil {
			return err
		}
	}
	cmd := exec.CommandContext(ctx, p.initialise, s.initialiseArguments()...)
	cmd.Dir = s.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.owner}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("make the data of %s: %w: %s", s.kind, err, testserver.Tail(out))
	}
	return os.Symlink(p.serve, filepath.Join(s.dir, "server"))
}

// owner returns the user that a server runs as where the tests run as root, as whom PostgreSQL does not run.
func owner(name string) (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup(name)
	if err != nil {
		return nil, err
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

func (s *Server) initialiseArguments() []string {
	if s.kind == PostgreSQL {
		return []string{"--pgdata", s.data(), "--username", "test", "--auth", "trust", "--encoding", "UTF8", "--no-locale", "--no-sync"}
	}
	return []string{"--no-defaults", "--datadir=" + s.data(), "--auth-root-authentication-method=normal", "--skip-test-db"}
}

func (s *Server) serveArguments() []string {
	port := strconv.Itoa(s.port)
	if s.kind == PostgreSQL {
		return []string{"-D", s.data(), "-p", port, "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=",
			"-c", "max_connections=200"}
	}
	return []string{"--no-defaults", "--datadir=" + s.data(), "--port=" + port, "--bind-address=127.0.0.1",
		"--socket=" + filepath.Join(s.dir, "socket"), "--max-connections=200"}
}

// URL returns the server's data source name. It stays the same over restarts.
func (s *Server) URL() string {
	if s.kind == PostgreSQL {
		return fmt.Sprintf("postgres://test@127.0.0.1:%d/postgres?sslmode=disable", s.port)
	}
	return fmt.Sprintf("root@tcp(127.0.0.1:%d)/mysql", s.port)
}

// supervise runs the server until it ends or standard input does, then kills its process group, itself included.
const supervise = `
out=$1
shift
( "$@" </dev/null >>"$out" 2>&1; kill -KILL 0 ) &
read -r nothing
kill -KILL 0`

// Restart starts the server on the data it had and returns once it answers. A server that was killed may need a moment
// before another one can have its data, so one that ends is started again until ctx ends.
func (s *Server) Restart(ctx context.Context) error {
	db, err := sql.Open(s.kind.Driver(), s.URL())
	if err != nil {
		return err
	}
	defer db.Close()
	for {
		if err := s.run(); err != nil {
			return err
		}
		err := s.await(ctx, db)
		if err == nil || ctx.Err() != nil {
			return err
		}
	}
}

// run starts the server, where it does not run.
func (s *Server) run() error {
	if s.group != 0 {
		return fmt.Errorf("the %s runs already", s.kind)
	}
	stdin, alive, err := os.Pipe()
	if err != nil {
		return err
	}
	defer stdin.Close()
	arguments := append([]string{"-c", supervise, "dbtest", filepath.Join(s.dir, "out.log"), filepath.Join(s.dir, "server")},
		s.serveArguments()...)
	cmd := exec.Command("sh", arguments...)
	cmd.Dir = s.dir
	cmd.Stdin = stdin
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: s.owner}
	if err := cmd.Start(); err != nil {
		alive.Close()
		return fmt.Errorf("start %s: %w", s.kind, err)
	}
	s.group, s.alive, s.ended = cmd.Process.Pid, alive, make(chan struct{})
	go func(ended chan<- struct{}) {
		defer close(ended)
		cmd.Wait()
	}(s.ended)
	return nil
}

// await returns once the server answers, or with an error when it has ended.
func (s *Server) await(ctx context.Context, db *sql.DB) error {
	for {
		err := db.PingContext(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-s.ended:
			s.forget()
			return fmt.Errorf("%s ended: %s", s.kind, s.log())
		case <-ctx.Done():
			return fmt.Errorf("the %s in %s does not answer: %w: %s", s.kind, s.dir, err, s.log())
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func (s *Server) log() []byte {
	out, _ := os.ReadFile(filepath.Join(s.dir, "out.log"))
	return testserver.Tail(out)
}

// forget takes note that the server has ended.
func (s *Server) forget() {
	s.alive.Close()
	s.group = 0
}

// Kill ends the server at once, as a crash would, and keeps its data.
func (s *Server) Kill() error {
	if s.group == 0 {
		return nil
	}
	if err := syscall.Kill(-s.group, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("kill %s: %w", s.kind, err)
	}
	<-s.ended
	s.forget()
	return nil
}

// Remove kills the server and deletes its data.
func (s *Server) Remove() error {
	if err := s.Kill(); err != nil {
		return err
	}
	for range 50 { // processes of PostgreSQL outlive the first by a moment, and write
		if err := os.RemoveAll(s.dir); err == nil {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return os.RemoveAll(s.dir)
}
