package report

import (
	"fitbench/internal/recipe"
	"fitbench/internal/record"
)

// AnswerWith is Answer with recipes of the test's own, since those of the engines come and go with their modules.
func AnswerWith(rec record.Record, book recipe.Book) []Line { return answer(rec, book) }
