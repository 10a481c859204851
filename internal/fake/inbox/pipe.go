package inbox

import (
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

// memoryListener hands over connections that were made in this process.
type memoryListener struct {
	waiting chan net.Conn
	closed  chan struct{}
	once    sync.Once
}

func newMemoryListener() *memoryListener {
	return &memoryListener{waiting: make(chan net.Conn, 16), closed: make(chan struct{})}
}

// hand gives a connection to whoever accepts, or closes it.
func (l *memoryListener) hand(conn net.Conn) {
	select {
	case l.waiting <- conn:
	case <-l.closed:
		_ = conn.Close()
	}
}

// dial makes a new pair and hands its far end over.
func (l *memoryListener) dial() (net.Conn, error) {
	select {
	case <-l.closed:
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	default:
	}
	near, far := newPipe()
	l.hand(far)
	return near, nil
}

func (l *memoryListener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.waiting:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *memoryListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *memoryListener) Addr() net.Addr { return memoryAddr{} }

type memoryAddr struct{}

func (memoryAddr) Network() string { return "memory" }
func (memoryAddr) String() string  { return "memory" }

// pipe is one end of a connection in memory. Unlike net.Pipe it takes every write
// at once, as a socket's buffer does; TLS would otherwise wait five seconds for a
// peer that closes without reading its last words.
type pipe struct{ in, out *stream }

func newPipe() (near, far *pipe) {
	a, b := newStream(), newStream()
	return &pipe{in: a, out: b}, &pipe{in: b, out: a}
}

func (p *pipe) Read(b []byte) (int, error)  { return p.in.read(b) }
func (p *pipe) Write(b []byte) (int, error) { return p.out.write(b) }

func (p *pipe) Close() error {
	p.in.end(net.ErrClosed, syscall.EPIPE)
	p.out.end(io.EOF, net.ErrClosed)
	return nil
}

func (p *pipe) LocalAddr() net.Addr  { return memoryAddr{} }
func (p *pipe) RemoteAddr() net.Addr { return memoryAddr{} }

func (p *pipe) SetDeadline(t time.Time) error {
	p.in.readBefore(t)
	return p.SetWriteDeadline(t)
}

func (p *pipe) SetReadDeadline(t time.Time) error {
	p.in.readBefore(t)
	return nil
}

// SetWriteDeadline does nothing: a write never waits.
func (p *pipe) SetWriteDeadline(time.Time) error { return nil }

// stream is one direction of a connection.
type stream struct {
	mu       sync.Mutex
	moved    *sync.Cond
	buffered []byte
	readErr  error // once buffered is empty
	writeErr error
	reset    bool // something was written after the reader had gone
	deadline time.Time
	timer    *time.Timer
}

func newStream() *stream {
	s := &stream{}
	s.moved = sync.NewCond(&s.mu)
	return s
}

func (s *stream) read(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		switch {
		case s.readErr == net.ErrClosed:
			return 0, s.readErr
		case !s.deadline.IsZero() && !time.Now().Before(s.deadline):
			return 0, os.ErrDeadlineExceeded
		case len(s.buffered) > 0:
			n := copy(b, s.buffered)
			s.buffered = s.buffered[n:]
			return n, nil
		case s.readErr != nil:
			return 0, s.readErr
		}
		s.moved.Wait()
	}
}

func (s *stream) write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.writeErr == syscall.EPIPE && !s.reset {
		s.reset = true // as with a socket, only the next write hears of it
		return len(b), nil
	}
	if s.writeErr != nil {
		return 0, s.writeErr
	}
	s.buffered = append(s.buffered, b...)
	s.moved.Broadcast()
	return len(b), nil
}

// end closes one end of the stream; the first close of each end counts.
func (s *stream) end(read, write error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.readErr == nil || read == net.ErrClosed {
		s.readErr = read
	}
	if s.writeErr == nil {
		s.writeErr = write
	}
	if read == net.ErrClosed && s.timer != nil {
		s.timer.Stop()
	}
	s.moved.Broadcast()
}

func (s *stream) readBefore(t time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.timer != nil {
		s.timer.Stop()
	}
	if s.deadline = t; !t.IsZero() {
		s.timer = time.AfterFunc(time.Until(t), s.wake)
	}
	s.moved.Broadcast()
}

func (s *stream) wake() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.moved.Broadcast()
}
