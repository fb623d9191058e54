package eager

import (
	"testing"

	"fitbench/internal/nn/conformance"
)

func TestConformance(t *testing.T) { conformance.Run(t, conformance.Of(New)) }

func TestAStepAllocatesNothing(t *testing.T) { conformance.NoAllocation(t, conformance.Of(New)) }
