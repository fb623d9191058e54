package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// prefaceBytes is what an interpreter may print before its first event.
const prefaceBytes = 64 << 20

// preface is a writer between a framework's standard output and its listener. What an interpreter is started with (sitecustomize.py, a
// .pth file, a script around it) may print before the worker has taken the output for itself: that is passed over, up to the hello.
type preface struct {
	ear  *listener
	line []byte // begun, not ended yet; only its beginning where it is too long to be a hello
	long bool
	size int
	over bool
}

// Write passes on everything from the hello on. Its error ends the listening.
func (p *preface) Write(output []byte) (int, error) {
	if p.over {
		return p.ear.Write(output)
	}
	p.ear.moves.Add(2) // something came, and has been dealt with
	if p.size += len(output); p.size > prefaceBytes {
		return 0, p.ear.breach(fmt.Errorf("it printed more than %d MB before its first event", prefaceBytes>>20))
	}
	for rest := output; len(rest) > 0; {
		piece, after, ended := bytes.Cut(rest, []byte("\n"))
		p.add(piece)
		if rest = after; !ended {
			break
		}
		if p.hello() {
			p.over = true
			if _, err := p.ear.Write(append(append(p.line, '\n'), after...)); err != nil {
				return 0, err
			}
			break
		}
		p.forget()
	}
	return len(output), nil
}

func (p *preface) add(piece []byte) {
	if room := p.ear.limits.lineBytes - len(p.line); len(piece) > room {
		piece, p.long = piece[:room], true
	}
	p.line = append(p.line, piece...)
}

// hello tells whether the line is the worker's first.
func (p *preface) hello() bool {
	var m message
	return !p.long && json.Unmarshal(p.line, &m) == nil && m.Event == eventHello
}

// forget keeps of the lines before the hello the first that says something.
func (p *preface) forget() {
	if text := bytes.TrimSpace(p.line); len(text) > 0 && p.ear.printed == "" {
		p.ear.printed = quote(text)
	}
	p.line, p.long = p.line[:0], false
}
