package verdict

import "fitbench/internal/stats"

// looks are the numbers of rounds after which a gate may be decided.
func looks() []int {
	return []int{10, 13, 16, 20, 25, 32, 40, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400}
}

// share is the part of its budget that a gate may have spent after so many rounds.
func share(rounds int) float64 { return max(0, 1-9/float64(rounds)) }

// spending is what one gate may spend on false alarms, and what it has spent so far. See the package's comment.
type spending struct {
	budget float64
	spent  [2]float64 // by the looks of either kind, in turn
	taken  int        // looks that gave an interval
	looks  []int
	next   int // index of the next look
}

// nextLook is the first look still to come at which an interval can be had.
func (s spending) nextLook() (rounds int, ok bool) {
	for s.next < len(s.looks) {
		rounds = s.looks[s.next]
		if _, ok := s.take(); ok {
			return rounds, true
		}
	}
	return 0, false
}

// due tells whether a look is to be taken after so many rounds.
func (s *spending) due(rounds int) bool { return s.next < len(s.looks) && s.looks[s.next] == rounds }

// level is the cut of the signed rank at one look, and the one-sided probability that it spends.
type level struct {
	cut         int
	probability float64
}

// take spends what the next look may spend. It is false where that is too little for so few rounds.
func (s *spending) take() (level, bool) {
	rounds := s.looks[s.next]
	s.next++
	spent := &s.spent[s.taken%2]
	allowed := s.budget*share(rounds) - *spent
	cut, probability, ok := stats.SignedRankCut(rounds, allowed)
	if !ok {
		return level{}, false
	}
	*spent += probability
	s.taken++
	return level{cut, probability}, true
}
