package report

import (
	"bytes"
	_ "embed" // for the page's template
	"fmt"
	"html/template"
	"io"
	"strings"
	"unicode"

	"fitbench/internal/footing"
	"fitbench/internal/record"
	"fitbench/internal/summary"
	"fitbench/internal/typeset"
)

//go:embed html.gohtml
var htmlTemplate string

// HTML writes the record as one page that needs nothing else: no script, no network, no fonts; light or dark as the reader's device is,
// and laid out for a desk and for a phone. It says the answer, shows the tables and pictures of the figures, and names the environment
// and the plan. The error is w's; nothing is written unless the whole page could be made.
func HTML(w io.Writer, rec record.Record, o Options) error {
	t, err := template.New("page").Parse(htmlTemplate)
	if err != nil {
		return fmt.Errorf("page: %w", err)
	}
	var out bytes.Buffer
	if err := t.Execute(&out, pageOf(rec, o)); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	_, err = w.Write(out.Bytes())
	return err
}

// page is what the template shows, from the top down.
type page struct {
	Title string
	// What was run, and how.
	What []string
	// Doubts are warnings, and what failed.
	Doubts []string
	Answer []Line
	// Sweeps are the figures over the batch size, one section an engine; empty where there is one size.
	Sweeps []section
	// Views are the figures of each engine and batch size.
	Views []section
	// Notes say what was left out of the page.
	Notes             []string
	Environment, Plan []Line
}

// section is figures under a title.
type section struct {
	Title string
	Parts []sectionPart
}

// sectionPart is a table with its notes, or a picture, or both; notes stand between them.
type sectionPart struct {
	Table   *htmlTable
	Notes   string
	Picture *htmlPicture
}

// Bounds of a page's size: of a record with more engines and batch sizes than that, the pictures of each are left out, then its tables;
// the figures over all batch sizes stay.
const (
	maxPicturedViews = 8
	maxDetailedViews = 40
)

func pageOf(rec record.Record, o Options) page {
	sum, views := summary.Of(rec), viewsOf(rec)
	p := page{
		Title: subject(rec.Plan), What: []string{machine(rec), engines(rec), schedule(rec)},
		Environment: environmentFacts(rec), Plan: planFacts(rec.Plan),
	}
	p.say(rec, sum, o)
	if isSweep(rec) {
		p.Sweeps = sweepSections(rec, sum)
	}
	if len(views) > maxDetailedViews {
		p.Notes = append(p.Notes, fmt.Sprintf("Only the first %d of %d engines and batch sizes are shown one by one.", maxDetailedViews, len(views)))
	}
	if len(views) > maxPicturedViews {
		p.Notes = append(p.Notes, fmt.Sprintf("Pictures of single batch sizes are left out where there are more than %d.", maxPicturedViews))
	}
	for _, v := range views[:min(len(views), maxDetailedViews)] {
		s := v.section(len(views) <= maxPicturedViews)
		if len(views) > 1 {
			s.Title = capitalised(v.name())
		}
		p.Views = append(p.Views, s)
	}
	return p
}

// say fills in the words: equal footing or differences, failures, warnings, the answer.
func (p *page) say(rec record.Record, sum summary.Summary, o Options) {
	differences := footing.Check(rec.Runs)
	if equal := equalFooting(rec.Runs); equal != "" && len(differences) == 0 {
		p.What = append(p.What, equal)
	}
	for _, d := range differences {
		p.Doubts = append(p.Doubts, printable("NOT ON AN EQUAL FOOTING, do not compare: "+d.Error()))
	}
	for _, f := range sum.Failures {
		p.Doubts = append(p.Doubts, printable("FAILED "+f.String()))
	}
	for _, l := range Answer(rec) {
		switch {
		case l.Title == warningTitle:
			p.Doubts = append(p.Doubts, glued(l.Title+": "+l.Text))
		case !o.NoAnswer:
			p.Answer = append(p.Answer, Line{Title: l.Title, Text: glued(l.Text)})
		}
	}
}

// glued is a text in which no line breaks between a number and its unit.
func glued(text string) string {
	words := typeset.Words(text)
	for i, word := range words {
		words[i] = strings.ReplaceAll(word, " ", "\u00a0")
	}
	return strings.Join(words, " ")
}

// printable is s with a question mark for what has no shape, line breaks kept.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
}

// capitalised is s, which is ASCII, with a capital first letter.
func capitalised(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
