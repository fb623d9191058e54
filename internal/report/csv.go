package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"fitbench/internal/record"
)

// CSV writes one line a run below one line of column names, comma-separated and quoted as RFC 4180 has it, lines ended by \n. The
// columns and their order are the same for all records; a field is empty where nothing was measured. Of a run's lists there are no
// columns: epochs are in the JSON form alone. Line breaks within a text become spaces, so that a line is a run for any program. A
// figure that is not finite is an error.
func CSV(w io.Writer, recs []record.Record, o Options) error {
	columns := csvColumns()
	out := csv.NewWriter(w)
	line := make([]string, len(columns))
	for i, c := range columns {
		line[i] = c.name
	}
	if err := out.Write(line); err != nil {
		return err
	}
	for i := range recs {
		row := csvRow{env: &recs[i].Environment, plan: &recs[i].Plan}
		if i < len(o.Sources) {
			row.source = o.Sources[i]
		}
		for j := range recs[i].Runs {
			row.run = &recs[i].Runs[j]
			if err := row.fill(line, columns); err != nil {
				return fmt.Errorf("record as CSV: %s, round %d: %w", row.run.Cell(), row.run.Round, err)
			}
			if err := out.Write(line); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

// csvRow is a run with what belongs to all runs of its record.
type csvRow struct {
	source string
	env    *record.Environment
	plan   *record.Plan
	run    *record.Run
}

// fill writes the row's fields into line.
func (r csvRow) fill(line []string, columns []csvColumn) error {
	for i, c := range columns {
		if c.text != nil {
			line[i] = strings.Join(strings.FieldsFunc(c.text(r), isLineBreak), " ")
			continue
		}
		v := c.figure(r)
		if v == nil {
			line[i] = ""
			continue
		}
		text, err := plainNumber(*v)
		if err != nil {
			return fmt.Errorf("%s is %w", c.name, err)
		}
		line[i] = text
	}
	return nil
}

func isLineBreak(r rune) bool { return r == '\n' || r == '\r' }

// plainNumber is v in decimal digits for another program, as many as it takes to read the same number again; an error where v is
// none.
func plainNumber(v float64) (string, error) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "", fmt.Errorf("%v, which is no finite number", v)
	}
	return strconv.FormatFloat(v, 'f', -1, 64), nil
}
