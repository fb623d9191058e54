package compiled

import (
	"testing"

	"go.uber.org/goleak"

	"fitbench/internal/nn/conformance"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestConformance(t *testing.T) { conformance.Run(t, conformance.Of(New)) }

func TestAStepAllocatesNothing(t *testing.T) { conformance.NoAllocation(t, conformance.Of(New)) }
