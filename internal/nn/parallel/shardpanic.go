package parallel

import (
	"fmt"
	"runtime/debug"
)

// ShardPanic is what Run panics with when a task panicked on any thread: its value, and the stack of the thread it happened on.
type ShardPanic struct {
	Value any
	Stack []byte
}

// Error tells the value and where it came from.
func (p *ShardPanic) Error() string {
	return fmt.Sprintf("a shard panicked: %v\n\n%s", p.Value, p.Stack)
}

// keep tells whether v is the value of a panic, and keeps the first of a phase for Run's caller: left alone on a helper's goroutine it
// would end the whole process.
func (p *Pool) keep(v any) bool {
	if v == nil {
		return false
	}
	p.failure.CompareAndSwap(nil, &ShardPanic{Value: v, Stack: debug.Stack()})
	return true
}
