package testdata

import (
	"io/fs"
	"testing"
)

func TestGoldenFolderHasTheSeriesAndTheTrainingSteps(t *testing.T) {
	for _, name := range []string{"series_full.json", "keras_b64/series.json", "keras_b64/steps.json", "keras_b64/weights_after_100.npy"} {
		if content, err := fs.ReadFile(Golden(), name); err != nil || len(content) == 0 {
			t.Errorf("%s: %d bytes, error %v", name, len(content), err)
		}
	}
}
