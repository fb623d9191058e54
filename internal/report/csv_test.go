package report_test

import (
	"bytes"
	"encoding/csv"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fitbench/internal/record"
	"fitbench/internal/report"
)

// csvHeader is what programs that read the form by place rely on.
const csvHeader = "source,cpu_model,usable_cores,os,arch,go,revision,samples,window,anomalies,noise,shift,seed,workers,queue_size," +
	"mode,feed,execution,engine,engine_version,kernel,threads,round,batch_size,steps,samples_trained,injected," +
	"wall_seconds,user_seconds,system_seconds,cpu_percent," +
	"generate_seconds,build_seconds,model_seconds,shuffle_seconds,train_seconds," +
	"steady_steps,step_milliseconds,input_wait_milliseconds,input_wait_seconds,step_seconds,steady_cpu_percent,first_step_seconds," +
	"dispatch_milliseconds,allocation_milliseconds,casts_milliseconds,arithmetic_milliseconds,reference_seconds," +
	"peak_rss_bytes,feed_bytes,tensor_bytes_per_step,copied_bytes_per_step,ops_per_step,go_allocated_bytes,go_collections," +
	"other_cpu_percent,steal_percent,cpu_pressure_percent,disturbed," +
	"order_digest,weights_digest,loss,accuracy,class_one_share,error,role," +
	"import_seconds,series_difference,steps_per_execution,op_by_op,chunk_size"

// rows reads the CSV form back, each run by the names of its columns.
func rows(t *testing.T, text string) []map[string]string {
	t.Helper()
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatalf("no CSV: %v\n%s", err, text)
	}
	var all []map[string]string
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = line[i]
		}
		all = append(all, row)
	}
	return all
}

func TestTheColumnsOfTheCSVForm(t *testing.T) {
	for name, rec := range cases() {
		if head, _, _ := strings.Cut(write(t, "csv", report.Options{}, rec), "\n"); head != csvHeader {
			t.Errorf("%s: the columns are\n%s\nwant\n%s", name, head, csvHeader)
		}
	}
}

func TestEveryFieldOfARunIsAColumn(t *testing.T) {
	columns := strings.Split(csvHeader, ",")
	for _, name := range runNames(reflect.TypeFor[record.Run](), "") {
		if !slices.Contains(columns, name) {
			t.Errorf("no column %s", name)
		}
	}
}

// runNames are a run's JSON names with the units that a surrounding object carries; lists have no column.
func runNames(of reflect.Type, unit string) []string {
	var names []string
	for i := range of.NumField() {
		field := of.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch name {
		case "epochs", "step_losses":
		case "phases":
			names = append(names, runNames(field.Type, "_seconds")...)
		case "step_split_milliseconds":
			names = append(names, runNames(field.Type.Elem(), "_milliseconds")...)
		default:
			names = append(names, name+unit)
		}
	}
	return names
}

func TestACSVLineHoldsARunsFigures(t *testing.T) {
	rec := recordOf(experiment(64, 1))
	rec.Environment.CPUModel, rec.Environment.Revision = `AMD "EPYC", 2 GHz`, "abc+dirty"
	rec.Runs[2].SteadySteps, rec.Runs[2].GoCollections = 1900, record.Of(int64(0))
	got := rows(t, write(t, "csv", report.Options{Sources: []string{"a,b.json"}}, rec))
	if len(got) != 6 {
		t.Fatalf("%d lines, want one a run, 6", len(got))
	}
	for name, want := range map[string]string{ // of the third run, generator@eager
		"source": "a,b.json", "cpu_model": `AMD "EPYC", 2 GHz`, "usable_cores": "2", "revision": "abc+dirty", "samples": "1049344",
		"mode": "generator", "execution": "eager", "engine": "fitbench", "threads": "2", "round": "1", "batch_size": "64", "steps": "2000",
		"samples_trained": "128000", "step_milliseconds": "0.752", "input_wait_milliseconds": "0.001", "steady_cpu_percent": "142",
		"peak_rss_bytes": "41000000", "feed_bytes": "0", "go_collections": "0", "steady_steps": "1900", "dispatch_milliseconds": "0.11",
		"build_seconds": "0.0001", "disturbed": "false", "loss": "0.031237", "error": "",
		"user_seconds": "", "go_allocated_bytes": "", "reference_seconds": "", "generate_seconds": "", "injected": "",
	} {
		if got[2][name] != want {
			t.Errorf("%s is %q, want %q", name, got[2][name], want)
		}
	}
	if compiled := got[0]; compiled["dispatch_milliseconds"] != "" || compiled["tensor_bytes_per_step"] != "" || compiled["steady_steps"] != "" {
		t.Errorf("figures that were not measured: %v", compiled)
	}
}

func TestTextsInCSVAreQuotedAndStayOnOneLine(t *testing.T) {
	rec := recordOf(only(experiment(64, 1), record.Cell{Mode: "fit", Execution: "compiled"}))
	rec.Runs[0].Error = "no \"memory\", says\r\nthe system;\nend"
	rec.Runs[0].Engine = "exec:python3 a.py, --x"
	text := write(t, "csv", report.Options{}, rec)
	if lines := strings.Count(text, "\n"); lines != 2 {
		t.Errorf("%d lines, want the names and one run:\n%s", lines, text)
	}
	if !strings.Contains(text, `,"exec:python3 a.py, --x",`) || !strings.HasSuffix(text, `,"no ""memory"", says the system; end",,,,,,`+"\n") {
		t.Errorf("not quoted as RFC 4180 has it:\n%s", text)
	}
}

func TestSeveralRecordsInCSVShareOneHeader(t *testing.T) {
	a, b := recordOf(experiment(64, 1)), recordOf(experiment(512, 2))
	got := rows(t, write(t, "csv", report.Options{Sources: []string{"a", "b"}}, a, b))
	if len(got) != 18 || got[5]["source"] != "a" || got[6]["source"] != "b" || got[6]["batch_size"] != "512" {
		t.Errorf("%d lines: %v", len(got), got)
	}
}

func TestAFigureThatIsNotFiniteIsAnErrorInFormsForPrograms(t *testing.T) {
	for _, figure := range []float64{math.NaN(), math.Inf(1)} {
		rec := recordOf(experiment(64, 1))
		rec.Runs[1].StepMilliseconds = record.Of(figure)
		for _, f := range []string{"csv", "benchfmt", "json"} {
			var out bytes.Buffer
			if err := named(t, f).Write(&out, []record.Record{rec}, report.Options{}); err == nil {
				t.Errorf("%s wrote %v as\n%s", f, figure, out.String())
			}
		}
	}
}
