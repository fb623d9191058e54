package engine

import (
	"math"

	"fitbench/internal/modes"
	"fitbench/internal/record"
)

// order is the line that a child reads.
type order struct {
	Protocol   int         `json:"protocol"`
	Plan       record.Plan `json:"plan"`
	Cell       record.Cell `json:"cell"`
	Round      int         `json:"round"`
	CPUProfile string      `json:"cpu_profile,omitempty"`

	InitialWeights string `json:"initial_weights,omitempty"`
	Parity         bool   `json:"parity,omitempty"`
	NativeData
}

func (o order) job() Job {
	return Job{
		Plan: o.Plan, Cell: o.Cell, Round: o.Round, CPUProfile: o.CPUProfile,
		InitialWeights: o.InitialWeights, Parity: o.Parity, NativeData: o.NativeData,
	}
}

func orderOf(job Job) order {
	return order{
		Protocol: ProtocolVersion, Plan: job.Plan, Cell: job.Cell, Round: job.Round, CPUProfile: job.CPUProfile,
		InitialWeights: job.InitialWeights, Parity: job.Parity, NativeData: job.NativeData,
	}
}

// The first and the last event of a conversation. Those between are the kinds of modes.Event.
const (
	eventHello  = "hello"
	eventResult = "result"
)

// message is one line that a child writes. Which fields are there depends on the event.
type message struct {
	Event    string `json:"event"`
	Protocol int    `json:"protocol,omitempty"`
	Version  string `json:"version,omitempty"`
	Phase    string `json:"phase,omitempty"`
	Step     int    `json:"step,omitempty"`
	Steps    int    `json:"steps,omitempty"`
	// Loss is of progress events, and absent where it is not finite, which JSON cannot say.
	Loss           *float64      `json:"loss,omitempty"`
	ElapsedSeconds float64       `json:"elapsed_seconds,omitempty"`
	Epoch          *record.Epoch `json:"epoch,omitempty"`
	Run            *record.Run   `json:"run,omitempty"`
}

func messageOf(e modes.Event) message {
	m := message{
		Event: e.Kind, Phase: e.Phase, Step: e.Step, Steps: e.Steps, ElapsedSeconds: e.ElapsedSeconds, Epoch: e.Epoch,
	}
	if e.Kind == modes.KindProgress && !math.IsNaN(e.Loss) && !math.IsInf(e.Loss, 0) {
		m.Loss = &e.Loss
	}
	return m
}

// modesEvent is what the message says as an event; progress without a loss has NaN.
func (m message) modesEvent() modes.Event {
	e := modes.Event{Kind: m.Event, Phase: m.Phase, Step: m.Step, Steps: m.Steps, ElapsedSeconds: m.ElapsedSeconds, Epoch: m.Epoch}
	switch {
	case m.Event != modes.KindProgress:
	case m.Loss != nil:
		e.Loss = *m.Loss
	default:
		e.Loss = math.NaN()
	}
	return e
}
