package verify

import (
	"bytes"
	"context"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestFolderThatCannotBeUsedIsAnErrorThatNamesTheFileAndWhatIsWrong(t *testing.T) {
	f := smallFolder(t)
	without := func(name string) fstest.MapFS { f := with(f, name, nil); delete(f, name); return f }
	cut := func(name string, n int) fstest.MapFS { return with(f, name, f[name].Data[:len(f[name].Data)-n]) }
	series := func(field string, value any) fstest.MapFS { return withField(f, "series.json", field, value) }
	steps := func(field string, value any) fstest.MapFS { return withField(f, "steps.json", field, value) }
	header := func(dictionary string) fstest.MapFS {
		return with(f, "weights_init.npy", npyWith(dictionary, make([]float32, 172)))
	}
	set := func(name string, v float32) fstest.MapFS {
		return withElement(f, name, 7, func(float32) float32 { return v })
	}
	pipe := with(f, "order.npy", nil)
	pipe["order.npy"].Mode = fs.ModeNamedPipe
	folder := with(f, "order.npy", nil)
	folder["order.npy"].Mode = fs.ModeDir
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	for _, c := range []struct {
		folder fs.FS
		want   string // beginning of the error
	}{
		{fstest.MapFS{}, "series.json: file does not exist"},
		{os.DirFS(filepath.Join(t.TempDir(), "missing")), "series.json: "}, // the words are the system's
		{without("steps.json"), "steps.json: file does not exist"},
		{without("order.npy"), "order.npy: file does not exist"},
		{without("gradients0.npy"), "gradients0.npy: file does not exist"},
		{pipe, "order.npy: is a p"},
		{folder, "order.npy: is a d"},

		{with(f, "series.json", nil), "series.json: no JSON object: unexpected end"},
		{with(f, "series.json", []byte("[1]")), "series.json: no JSON object"},
		{with(f, "series.json", []byte(`{"seed": NaN}`)), "series.json: no JSON object: invalid character 'N'"},
		{cut("series.json", 1), "series.json: no JSON object"},
		{with(f, "steps.json", append(f["steps.json"].Data[:len(f["steps.json"].Data):len(f["steps.json"].Data)], "{}"...)), "steps.json: no JSON object: invalid character '{'"},
		{series("seed", nil), `series.json: "seed" is missing`},
		{series("noise_first", nil), `series.json: "noise_first" is missing`},
		{with(f, "series.json", bytes.Replace(f["series.json"].Data, []byte(`"shift":1`), []byte(`"shift":null`), 1)), `series.json: "shift" is missing`},
		{series("seed", -1), "series.json: json: cannot unmarshal number -1 into Go struct field seriesFile.seed"},
		{series("seed", 1<<32), "series.json: json: cannot unmarshal number 4294967296"},
		{series("samples", 0), "series.json: samples is 0"},
		{series("samples", -5), "series.json: samples is -5"},
		{series("samples", 1.5), "series.json: json: cannot unmarshal number 1.5"},
		{series("samples", math.MaxInt64), "series.json: samples is 9223372036854775807"},
		{series("samples", math.MaxInt32), "series.json: 2147483647 samples with windows of 17 take"},
		{series("window", 41), "series.json: window is 41"},
		{series("anomalies", 41), "series.json: anomalies is 41"},
		{series("noise_scale", -1), "series.json: noise is -1"},
		{series("noise_first", []float64{}), "series.json: noise_first has 0 numbers; 1 to 40"},
		{series("anomaly_first", []int{1, 2, 3}), "series.json: anomaly_first has 3 numbers; 1 to 2"},

		{series("numpy", "1.17\x1b[2J"), `series.json: "numpy" is "1.17\x1b[2J"; a version of up to 40 printable ASCII characters`},
		{steps("keras", "3 15"), `steps.json: "keras" is "3 15"`},
		{steps("tensorflow", strings.Repeat("2", 41)), `steps.json: "tensorflow" is "222`},

		{steps("batch", 0), "steps.json: batch is 0"},
		{steps("batch", 41), "steps.json: batch is 41; 1 to 40"},
		{steps("batch", 5), "order.npy: shape (110, 6); (110, 5) is needed"},
		{steps("steps", 0), "steps.json: steps is 0"},
		{steps("steps", math.MaxInt64), "steps.json: 110 losses and 110 accuracies; 9223372036854775807 steps"},
		{steps("loss", []float64{1}), "steps.json: 1 losses and 110 accuracies"},
		{steps("accuracy", slices.Repeat([]float64{1.5}, smallSteps)), "steps.json: accuracy 0 is 1.5"},
		{steps("adam", map[string]any{}), "steps.json: adam's learning_rate is 0"},
		{steps("adam", map[string]any{"learning_rate": 1, "beta_1": 1}), "steps.json: adam's beta_1 is 1"},
		{steps("parameters", []int{}), "steps.json: 0 parameters; the network has 6"},
		{steps("parameters", shapes(0, "kernel", 4, 1, 5)), `steps.json: parameter 0 is "kernel" with 3 axes; "conv_kernel" with 3`},
		{steps("parameters", shapes(0, "conv_kernel", 4, 5)), `steps.json: parameter 0 is "conv_kernel" with 2 axes`},
		{steps("parameters", shapes(0, "conv_kernel", 4, -1, 5)), "steps.json: conv_kernel has shape (4, -1, 5)"},
		{steps("parameters", shapes(0, "conv_kernel", 18, 1, 5)), "steps.json: the convolution's kernel has 18 taps; windows have 17"},
		{steps("parameters", shapes(0, "conv_kernel", 4, 2, 5)), "steps.json: conv_kernel has shape (4, 2, 5); beside the other parameters it must be (4, 1, 5)"},
		{steps("parameters", shapes(2, "dense1_kernel", 21, 6)), "steps.json: no max-pool makes 14 positions of 5 filters into the 21 inputs"},
		{steps("parameters", shapes(2, "dense1_kernel", 5, 6)), "steps.json: max-pools of 8 to 14 fit the 5 inputs"},
		{steps("parameters", shapes(2, "dense1_kernel", 1<<40, 1<<40)), "steps.json: dense1_kernel has shape (1099511627776, 1099511627776)"},
		{steps("parameters", shapes(4, "dense2_kernel", 6, 1)), "steps.json: classes is 1"},
		{steps("parameters", shapes(5, "dense2_bias", 4)), "steps.json: dense2_bias has shape (4,); beside the other parameters it must be (3,)"},

		{with(f, "order.npy", []byte("not an array at all")), "order.npy: no .npy file: it begins with"},
		{with(f, "order.npy", nil), "order.npy: no .npy file"},
		{cut("order.npy", 1), "order.npy: 2639 bytes behind the header; shape (110, 6) of '<i4' takes 2640"},
		{cut("weights_after_105.npy", 4), "weights_after_105.npy: 684 bytes behind the header"},
		{with(f, "batch0_labels.npy", append(bytes.Clone(f["batch0_labels.npy"].Data), 0)), "batch0_labels.npy: 7 bytes behind the header"},
		{with(f, "batch0_labels.npy", npyFile([]uint8{0, 1, 3, 0, 0, 0}, 6)), "batch0_labels.npy: element 2 is 3; 0 to 2"},
		{with(f, "order.npy", npyFile(slices.Repeat([]int32{40}, 660), 110, 6)), "order.npy: element 0 is 40; 0 to 39"},
		{with(f, "order.npy", npyFile(slices.Repeat([]int32{-1}, 660), 110, 6)), "order.npy: element 0 is -1"},
		{set("weights_init.npy", nan), "weights_init.npy: element 7 is NaN"},
		{set("weights_after_10.npy", nan), "weights_after_10.npy: element 7 is NaN"},
		{set("gradients0.npy", inf), "gradients0.npy: element 7 is -Inf"},
		{set("probabilities0.npy", nan), "probabilities0.npy: element 7 is NaN"},
		{set("batch0_x.npy", nan), "batch0_x.npy: element 7 is NaN"},
		{with(f, "weights_after_x.npy", nil), `weights_after_x.npy: "x" is no number of steps; 1 to 110`},
		{with(f, "weights_after_111.npy", nil), `weights_after_111.npy: "111" is no number of steps`},
		{with(f, "weights_after_0.npy", nil), `weights_after_0.npy: "0" is no number of steps`},

		{header("{'descr': '<f8', 'fortran_order': False, 'shape': (172,), }"), "weights_init.npy: element type '<f8'; '<f4' is needed"},
		{header("{'descr': '>f4', 'fortran_order': False, 'shape': (172,), }"), "weights_init.npy: element type '>f4'"},
		{header("{'descr': '<f4', 'fortran_order': True, 'shape': (172,), }"), "weights_init.npy: values are in Fortran order"},
		{header("{'descr': '<f4', 'fortran_order': False, 'shape': (), }"), "weights_init.npy: shape ()"},
		{header("{'descr': '<f4', 'fortran_order': False, 'shape': (-172,), }"), "weights_init.npy: shape (-172,)"},
		{header("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }"), "weights_init.npy: shape (9999"},
		{header("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }"), "weights_init.npy: shape (4294967296, 4294967296); (172,)"},
		{header("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (172,), }"), "weights_init.npy: the header does not say descr"},
		{header("}{"), "weights_init.npy: the header does not say descr"},
		{header(""), "weights_init.npy: the header does not say descr"},
		{with(f, "weights_init.npy", []byte("\x93NUMPY\x09\x00\x00\x00")), "weights_init.npy: .npy version 9"},
		{with(f, "weights_init.npy", []byte("\x93NUMPY\x02\x00\xff\xff\xff\xff")), "weights_init.npy: the header has 4294967295 bytes"},
		{with(f, "weights_init.npy", []byte("\x93NUMPY\x02\x00\xff\xff")), "weights_init.npy: the header is cut"},
		{with(f, "weights_init.npy", []byte("\x93NUMPY\x01\x00\x76\x00{'descr'")), "weights_init.npy: the header is cut"},
	} {
		before := allocated()
		report, err := Run(context.Background(), c.folder, Options{})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || report.Checks != nil {
			t.Errorf("error %v, want one that begins %q", err, c.want)
		}
		if grown := allocated() - before; grown > 8<<20 {
			t.Errorf("%q: %d bytes allocated for a folder that cannot be used", c.want, grown)
		}
	}
}

// shapes are the small network's parameters, but for one.
func shapes(place int, name string, shape ...int) []map[string]any {
	var parameters []map[string]any
	for i, v := range smallNetwork().Layout().Variables() {
		if i == place {
			v.Name, v.Shape = name, shape
		}
		parameters = append(parameters, map[string]any{"name": v.Name, "shape": v.Shape})
	}
	return parameters
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

func TestEveryCutOfAFileIsAnErrorThatNamesIt(t *testing.T) {
	f := smallFolder(t)
	for name, file := range f {
		for n := 0; n < len(file.Data); n += 1 + len(file.Data)/60 {
			_, err := readGolden(&goldenFolder{FS: with(f, name, file.Data[:n]), limit: DefaultMemoryLimit})
			if err == nil || !strings.HasPrefix(err.Error(), name+": ") {
				t.Errorf("%s cut to %d of %d bytes: error %v", name, n, len(file.Data), err)
			}
		}
	}
}

// All that a verification of the small folder takes, in bytes, by hand: the series of 40 values and 17 more at its end 13 a value and
// 8, 4 an anomaly, its float32 copy 4 and the rest 9; 146 arenas of 172 parameters and 8 tensors of 6 samples of 14*5 and 6 values;
// orders of 110 steps, the first batch, and six files of parameters.
const (
	smallSeriesBytes   = 8*57 + 5*40 + 4*2 + 4*57 + 9*40
	smallTrainingBytes = 4 * (146*172 + 8*6*(14*5+6))
	smallArrayBytes    = 4*110*6 + 4*6*17 + 6 + 4*172 + 4*6*3 + 4*172
	smallWeightsBytes  = 4 * 4 * 172
)

func TestMemoryIsCountedTogetherAndBounded(t *testing.T) {
	const all = smallSeriesBytes + smallTrainingBytes + smallArrayBytes + smallWeightsBytes
	f := smallFolder(t)
	for _, c := range []struct {
		limit int64
		want  string
	}{
		{smallSeriesBytes - 1, "series.json: 40 samples with windows of 17 take about 1252 bytes; at most 1251 may be used"},
		{smallSeriesBytes + smallTrainingBytes - 1, "steps.json: training 172 parameters on 6 samples a step takes about 115040 bytes; at most 115039 may be used beside 1252 in use"},
		{smallSeriesBytes + smallTrainingBytes, "order.npy: takes 2640 bytes; at most 0 may be used"},
		{all - 1, "weights_after_2.npy: takes 688 bytes; at most 687 may be used"},
	} {
		_, err := Run(context.Background(), f, Options{MemoryLimit: c.limit})
		if err == nil || err.Error() != c.want {
			t.Errorf("%d bytes: error %v, want %s", c.limit, err, c.want)
		}
	}
	folder := &goldenFolder{FS: f, limit: all}
	if _, err := readGolden(folder); err != nil || folder.left() != 0 {
		t.Errorf("%d bytes: %d are left, error %v", all, folder.left(), err)
	}
}

func TestAFolderWithoutSeriesSaysWhatItLacksAndWhereOneMayLie(t *testing.T) {
	const holds = "series.json: file does not exist; a golden folder holds series.json, steps.json, order.npy, batch0_x.npy, " +
		"batch0_labels.npy, weights_init.npy, probabilities0.npy, gradients0.npy and weights_after_K.npy"
	above := fstest.MapFS{}
	for name, file := range smallFolder(t) {
		above["keras_b64/"+name] = file
	}
	for _, c := range []struct {
		folder fs.FS
		want   string
	}{{fstest.MapFS{}, holds}, {above, holds + `; "keras_b64" below it may be meant`}} {
		if _, err := Run(context.Background(), c.folder, Options{}); err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}

func TestTheReportSaysWhatMadeTheGoldenValues(t *testing.T) {
	f := smallFolder(t)
	for _, c := range []struct {
		fields map[string]string
		want   string
	}{
		{nil, "another implementation, which its folder does not name"},
		{map[string]string{"keras": "3.15.1", "tensorflow": "2.21.0", "numpy": "2.4.6"}, "Keras 3.15.1 on TensorFlow 2.21.0, with the series of NumPy 2.4.6"},
		{map[string]string{"keras": "3.15.1"}, "Keras 3.15.1"},
		{map[string]string{"tensorflow": "2.0.0"}, "TensorFlow 2.0.0"},
		{map[string]string{"numpy": "1.17"}, "another implementation, which its folder does not name, with the series of NumPy 1.17"},
	} {
		folder := f
		for field, value := range c.fields {
			name := "steps.json"
			if field == "numpy" {
				name = "series.json"
			}
			folder = withField(folder, name, field, value)
		}
		g, err := readGolden(&goldenFolder{FS: folder, limit: DefaultMemoryLimit})
		if err != nil || g.origin() != c.want {
			t.Errorf("%v: %q, error %v, want %q", c.fields, g.origin(), err, c.want)
		}
	}
}
