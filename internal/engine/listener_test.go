package engine

import (
	"os"
	"testing"
)

// Whatever a child writes, in whatever pieces, is a conversation or a breach of the protocol.
func FuzzAListenerTakesAnyOutput(f *testing.F) {
	text, err := os.ReadFile("../../docs/protocol.md")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text, 100)
	const hello = `{"event":"hello","protocol":1}` + "\n"
	for _, line := range []string{
		`{"event":"epoch","epoch":{"steps":-5}}`, `{"event":"progress","step":9223372036854775807}`, `{"event":"phase","phase":"train"}`,
		`{"event":"result","run":{"mode":"fit","execution":"compiled","round":2,"batch_size":8,"error":"e","epochs":[{}]}}`, `null`, `[]`, ``,
	} {
		f.Add([]byte(hello+line+"\n"), 3)
	}
	f.Fuzz(func(t *testing.T, output []byte, piece int) {
		job := testJob()
		ear := newListener(job, "exec:x", limitsOf(job.Plan), nil)
		piece = max(1, piece)
		for len(output) > 0 && ear.err == nil {
			n := min(piece, len(output))
			if _, err := ear.Write(output[:n]); (err != nil) != (ear.err != nil) {
				t.Fatalf("error %v, breach %v", err, ear.err)
			}
			output = output[n:]
		}
		run := ear.heard.partial()
		if run.Steps < 0 || run.Steps > job.Plan.TotalSteps() {
			t.Errorf("%d steps of %d", run.Steps, job.Plan.TotalSteps())
		}
		if ear.result != nil && ear.result.Cell() != job.Cell {
			t.Errorf("a result of %s", ear.result.Cell())
		}
	})
}
