package engine

import (
	"errors"
	"strings"
)

// split cuts a command into words as a POSIX shell does before it expands anything.
func split(command string) ([]string, error) {
	if strings.ContainsRune(command, 0) {
		return nil, errors.New("the command has a zero byte; text is accepted")
	}
	s := splitter{rest: []rune(command)}
	for len(s.rest) > 0 {
		if err := s.step(); err != nil {
			return nil, err
		}
	}
	s.end()
	return s.words, nil
}

type splitter struct {
	rest  []rune
	word  strings.Builder
	begun bool // a word is, perhaps an empty one in quotes
	words []string
}

func (s *splitter) next() rune {
	r := s.rest[0]
	s.rest = s.rest[1:]
	return r
}

func (s *splitter) add(r rune) {
	s.begun = true
	s.word.WriteRune(r)
}

func (s *splitter) end() {
	if s.begun {
		s.words = append(s.words, s.word.String())
	}
	s.word.Reset()
	s.begun = false
}

// step takes a character, or what is between two quotes.
func (s *splitter) step() error {
	switch r := s.next(); r {
	case ' ', '\t', '\n', '\r':
		s.end()
	case '\'', '"':
		return s.quoted(r)
	case '\\':
		if len(s.rest) == 0 {
			return errors.New(`the command ends in a backslash; \\ stands for one`)
		}
		s.add(s.next())
	default:
		s.add(r)
	}
	return nil
}

// quoted takes the text up to the closing quote.
func (s *splitter) quoted(quote rune) error {
	s.begun = true
	for len(s.rest) > 0 {
		r := s.next()
		switch {
		case r == quote:
			return nil
		case r == '\\' && quote == '"' && len(s.rest) > 0 && (s.rest[0] == '"' || s.rest[0] == '\\'):
			r = s.next()
		}
		s.add(r)
	}
	return errors.New("a quote (" + string(quote) + ") is not closed; as many closing ones as opening ones are accepted")
}
