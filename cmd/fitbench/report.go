package main

import (
	"errors"
	"fmt"
	"io"

	"fitbench/internal/record"
	"fitbench/internal/report"

	"github.com/spf13/cobra"
)

// standardInput is the name on the command line that stands for it.
const standardInput = "-"

// reportOptions are the flags of report.
type reportOptions struct {
	output     string
	outputFile string
	plot       string
}

func newReport(s streams) *cobra.Command {
	o := reportOptions{output: "table"}
	c := &cobra.Command{
		Use:   "report FILE...",
		Short: "Show kept records again, in any format",
		Long: `Reads the JSON records that run and sweep keep with --output-file, and writes them in any of the formats that these have. A FILE
of - is standard input. Of several records csv makes one table and benchfmt one list, with the file in the column or key "source";
table and markdown put one below the other; json and html hold one only.`,
		Example: `  fitbench report result.json
  fitbench report result.json -o markdown
  fitbench report monday.json tuesday.json -o csv --output-file both.csv`,
		Args: func(_ *cobra.Command, args []string) error { return checkReportFiles(args) },
	}
	c.Flags().VarP(outputChoice(&o.output), "output", "o", "what to write")
	c.Flags().Var(fileFlag{&o.outputFile}, "output-file", "write it here instead of to standard output")
	c.Flags().Var(plotFlag{&o.plot}, "plot", plotUsage)
	c.Flags().SortFlags = false
	c.RunE = func(_ *cobra.Command, files []string) error { return reportFiles(files, o, s) }
	return c
}

// outputChoice is a flag that takes the name of a format.
func outputChoice(target *string) choice { return choice{target, report.FormatNames()} }

// formatOf is the format that an outputChoice has taken.
func formatOf(name string) report.Format {
	format, ok := report.FormatNamed(name)
	if !ok {
		panic("the flag takes names of formats only")
	}
	return format
}

func checkReportFiles(files []string) error {
	if len(files) == 0 {
		return usagef("no FILE: names of kept records are needed, or - for standard input")
	}
	inputs := 0
	for _, file := range files {
		if file == standardInput {
			inputs++
		}
	}
	if inputs > 1 {
		return usagef("- %d times: standard input can be read once", inputs)
	}
	return nil
}

// reportFiles writes the records of the files. Nothing is written where one of them cannot be read.
func reportFiles(files []string, o reportOptions, s streams) error {
	defer catchBrokenPipes()()
	format := formatOf(o.output)
	if o.plot != "" && len(files) > 1 {
		return usagef("--plot %s with %d files: a picture is of one record; give one FILE", o.plot, len(files))
	}
	if format.Single && len(files) > 1 {
		return usagef("-o %s with %d files: it holds one record; give one FILE, or another format", format.Name, len(files))
	}
	for _, file := range files {
		if err := errors.Join(differ("FILE", file, "--output-file", o.outputFile), differ("FILE", file, "--plot", o.plot)); err != nil {
			return err
		}
	}
	if err := differ("--output-file", o.outputFile, "--plot", o.plot); err != nil {
		return err
	}
	recs, err := readRecords(files, s.in)
	if err != nil {
		return err
	}
	if err := plot(o.plot, recs[0]); err != nil {
		return err
	}
	options := report.Options{Sources: files}
	if o.outputFile == "" {
		options.Width = terminalWidth(s.out)
		return unlessClosed(format.Write(s.out, recs, options))
	}
	return writeFile("--output-file", o.outputFile, func(w io.Writer) error { return format.Write(w, recs, options) })
}

// readRecords reads all files. The error tells of each that cannot be used.
func readRecords(files []string, in io.Reader) ([]record.Record, error) {
	var recs []record.Record
	var failed []error
	for _, file := range files {
		rec, err := readFrom(file, in)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		recs = append(recs, rec)
	}
	return recs, errors.Join(failed...)
}

// readFrom reads one file, or standard input.
func readFrom(file string, in io.Reader) (record.Record, error) {
	if file != standardInput {
		return loadRecord(file)
	}
	rec, err := report.Decode(in)
	if err != nil {
		return record.Record{}, fmt.Errorf("standard input: %w", err)
	}
	return rec, nil
}
