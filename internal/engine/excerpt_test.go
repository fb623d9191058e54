package engine

import "testing"

func TestTheWordsOfACrashAreItsCauseNotItsStack(t *testing.T) {
	for _, c := range []struct{ stderr, want string }{
		{"panic: boom\n\ngoroutine 7 [running]:\nmain.main()\n", "panic: boom"},
		{"fatal error: runtime: out of memory\n\nruntime stack:\nruntime.throw({0x7aa387?, 0x2215?})\n", "fatal error: runtime: out of memory"},
		{"SIGSEGV: segmentation violation\nPC=0x48f7c1 m=0 sigcode=0\n\ngoroutine 0 [idle]:\n\nrip    0x48f7c1\n", "SIGSEGV: segmentation violation"},
		{
			"runtime/cgo: pthread_create failed: Resource temporarily unavailable\nSIGABRT: abort\nPC=0x7f m=3 sigcode=18446744073709551610\n",
			"runtime/cgo: pthread_create failed: Resource temporarily unavailable | SIGABRT: abort",
		},
		{"SIGH: a line like any other\nlast words\n", "SIGH: a line like any other | last words"},
		{"one\ntwo\n", "one | two"},
	} {
		var e excerpt
		e.Write([]byte(c.stderr))
		if got := e.words(); got != c.want {
			t.Errorf("%q: words %q, want %q", c.stderr, got, c.want)
		}
	}
}
