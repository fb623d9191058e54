package verify

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"testing"
	"testing/fstest"

	"fitbench/internal/data"
	"fitbench/internal/nn/model"
	"fitbench/internal/nn/reference"
	"fitbench/internal/npy"
)

// The small folder: another network than the experiment's, another seed, and more steps than an epoch has (6) or weights are compared after.
const smallSteps, smallBatch = 110, 6

func smallSeries() data.Config {
	return data.Config{Samples: 40, Window: 17, Anomalies: 2, Noise: 0.3, Shift: 1, Seed: 4_294_967_294}
}

func smallNetwork() model.Hyperparameters {
	return model.Hyperparameters{Window: 17, Filters: 5, Kernel: 4, Pool: 3, Units: 6, Classes: 3,
		LearningRate: 0.002, Beta1: 0.8, Beta2: 0.99, Epsilon: 1e-6}
}

// smallFolder makes a golden folder with the float64 reference, from series.json to weights_after_105.npy.
func smallFolder(t *testing.T) fstest.MapFS {
	t.Helper()
	f := fstest.MapFS{}
	set, err := data.Generate(context.Background(), smallSeries())
	if err != nil {
		t.Fatal(err)
	}
	put(f, "series.json", smallSeriesJSON(set))
	trainSmall(f, set)
	return f
}

func smallSeriesJSON(set *data.Set) []byte {
	c := smallSeries()
	r := data.NewRandomState(c.Seed)
	noise, total, next := make([]float64, c.Samples), 0.0, make([]int32, c.Samples)
	for i := range noise {
		noise[i] = r.Normal(0, c.Noise)
		total += set.Values[i]
	}
	for range 2 {
		if err := r.Permutation(context.Background(), next); err != nil {
			panic(err)
		}
	}
	reported := data.ReportedLabels(c.Samples, c.Window, set.Anomalies)
	return object(map[string]any{
		"seed": c.Seed, "samples": c.Samples, "window": c.Window, "anomalies": c.Anomalies, "noise_scale": c.Noise, "shift": c.Shift,
		"noise_first": noise[:3], "series_first": set.Values[:3], "series_sum": total,
		"anomaly_first": set.Anomalies, "anomaly_sha256_le_i64": hashInts(set.Anomalies),
		"label_ones": bytes.Count(set.Labels, []byte{1}), "labels_sha256_u8": hashBytes(set.Labels),
		"label_ones_reported_script": bytes.Count(reported, []byte{1}), "labels_reported_script_sha256_u8": hashBytes(reported),
		"next_permutation_first": next[:4], "next_permutation_sha256_le_i64": hashInts(next),
	})
}

func trainSmall(f fstest.MapFS, set *data.Set) {
	h, layout := smallNetwork(), smallNetwork().Layout()
	initial := h.InitialWeights(7)
	w, m, v := widen(initial), make([]float64, layout.Size), make([]float64, layout.Size)
	put(f, "weights_init.npy", npyFile(initial, layout.Size))
	var order []int32
	var loss, accuracy []float64
	for step := range smallSteps {
		if step%6 == 0 {
			epoch := make([]int32, 40)
			if err := data.EpochOrder(context.Background(), epoch, smallSeries().Seed, step/6); err != nil {
				panic(err)
			}
			order = append(order, epoch[:36]...)
		}
		x, classes := rows(set, order[step*smallBatch:][:smallBatch])
		out := reference.Backward(h, w, x, classes)
		if step == 0 {
			put(f, "batch0_x.npy", npyFile(narrow(x), smallBatch, h.Window))
			put(f, "batch0_labels.npy", npyFile(classes, smallBatch))
			put(f, "probabilities0.npy", npyFile(narrow(out.Probabilities), smallBatch, h.Classes))
			put(f, "gradients0.npy", npyFile(narrow(out.Gradients), layout.Size))
		}
		loss, accuracy = append(loss, out.Loss), append(accuracy, float64(out.Correct)/smallBatch)
		reference.Adam(h, step+1, w, m, v, out.Gradients)
		switch step + 1 {
		case 2, 10, 11, 105:
			put(f, fmt.Sprintf("weights_after_%d.npy", step+1), npyFile(narrow(w), layout.Size))
		}
	}
	put(f, "order.npy", npyFile(order[:smallSteps*smallBatch], smallSteps, smallBatch))
	put(f, "steps.json", smallStepsJSON(h, loss, accuracy))
}

func smallStepsJSON(h model.Hyperparameters, loss, accuracy []float64) []byte {
	var parameters []map[string]any
	for _, v := range h.Layout().Variables() {
		parameters = append(parameters, map[string]any{"name": v.Name, "shape": v.Shape})
	}
	return object(map[string]any{
		"batch": smallBatch, "steps": smallSteps, "parameters": parameters, "loss": loss, "accuracy": accuracy,
		"adam": map[string]any{"learning_rate": h.LearningRate, "beta_1": h.Beta1, "beta_2": h.Beta2, "epsilon": h.Epsilon},
	})
}

func rows(set *data.Set, order []int32) (x []float64, classes []uint8) {
	for _, i := range order {
		for _, v := range set.Values[i:][:set.Window] {
			x = append(x, float64(float32(v)))
		}
		classes = append(classes, set.Labels[i])
	}
	return x, classes
}

// npyFile writes an array as numpy.save does: the header padded with spaces so that the values begin at a multiple of 64.
func npyFile[T npy.Element](values []T, shape ...int) []byte {
	descr := map[reflect.Kind]string{reflect.Uint8: "|u1", reflect.Int32: "<i4", reflect.Float32: "<f4"}[reflect.TypeFor[T]().Kind()]
	return npyWith(fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, npy.Tuple(shape)), values)
}

func npyWith(dictionary string, values any) []byte {
	padded := fmt.Appendf(nil, "%-117s\n", dictionary)
	file := append([]byte("\x93NUMPY\x01\x00"), byte(len(padded)), byte(len(padded)>>8))
	file, err := binary.Append(append(file, padded...), binary.LittleEndian, values)
	if err != nil {
		panic(err)
	}
	return file
}

func put(f fstest.MapFS, name string, content []byte) { f[name] = &fstest.MapFile{Data: content} }

// with is a folder whose file of that name is another.
func with(f fstest.MapFS, name string, content []byte) fstest.MapFS {
	changed := maps.Clone(f)
	put(changed, name, content)
	return changed
}

// withField is a JSON file in which a field is another; nil takes it away.
func withField(f fstest.MapFS, name, field string, value any) fstest.MapFS {
	var fields map[string]any
	if err := json.Unmarshal(f[name].Data, &fields); err != nil {
		panic(err)
	}
	fields[field] = value
	if value == nil {
		delete(fields, field)
	}
	return with(f, name, object(fields))
}

// field is the value of a JSON file's field.
func field[T any](f fstest.MapFS, name, key string) T {
	var fields map[string]json.RawMessage
	var value T
	if err := json.Unmarshal(f[name].Data, &fields); err != nil {
		panic(err)
	}
	if err := json.Unmarshal(fields[key], &value); err != nil {
		panic(err)
	}
	return value
}

// withElement is a .npy file in which the float32 at that place is another.
func withElement(f fstest.MapFS, name string, place int, change func(float32) float32) fstest.MapFS {
	content := bytes.Clone(f[name].Data)
	changed := values[float32](content[128:])
	changed[place] = change(changed[place])
	encoded, err := binary.Append(nil, binary.LittleEndian, changed)
	if err != nil {
		panic(err)
	}
	return with(f, name, append(content[:128], encoded...))
}

func object(fields map[string]any) []byte {
	text, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	return text
}

func hashBytes(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func hashInts(numbers []int32) string {
	var all []byte
	for _, v := range numbers {
		all = binary.LittleEndian.AppendUint64(all, uint64(v))
	}
	return hashBytes(all)
}

func widen(x []float32) []float64 {
	wide := make([]float64, len(x))
	for i, v := range x {
		wide[i] = float64(v)
	}
	return wide
}

func narrow(x []float64) []float32 {
	narrow := make([]float32, len(x))
	for i, v := range x {
		narrow[i] = float32(v)
	}
	return narrow
}

// values are the elements of a .npy file's content behind its header.
func values[T npy.Element](content []byte) []T {
	all := make([]T, len(content)/binary.Size(T(0)))
	if _, err := binary.Decode(content, binary.LittleEndian, all); err != nil {
		panic(err)
	}
	return all
}
