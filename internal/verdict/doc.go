// Package verdict says whether a program has become slower, from rounds in which it and its predecessor ran side by side: what
// `fitbench check --base --head` concludes. It is given figures and returns verdicts, the same ones for the same figures. It runs
// nothing, knows no time, and leaves the exit code to the command.
//
// # What is compared
//
// A gate is one figure that the check watches, such as the ms a step of one mode. In every round each gate is measured three times:
// base, its twin (base once more) and head. What counts is x = log(head/base) of each round, so that whatever the members of a pair
// share, such as a machine that slows down from round to round, cancels. The estimate is the Hodges-Lehmann estimate of the x, the
// interval that of Wilcoxon's signed rank (package stats). With m = log(1 + least change):
//
//   - regressed: the interval lies above 0, and the estimate is at least m;
//   - improved: the interval lies below 0, and the estimate is at most -m;
//   - same: the whole interval lies within -m and m;
//   - inconclusive: none of them so far, or the twins' estimate over all rounds so far is beyond the least change: a measurement that
//     finds such a change where there is none can tell nothing of head.
//
// That is what one look says. A gate is same once a look says so, regressed or improved once two looks running do: one look may be taken
// in by a few runs, or by twins that are close by chance. A gate that is decided stays so and gets no further rounds, so that the time is
// left to the gates that are open.
//
// # How often a check without any change says regressed
//
// At most with probability FalseAlarm, over all gates and all looks together.
//
// One gate, one look. Without a change, base and head may be exchanged in any round without altering what can be expected of it, so x
// is as likely to be d as -d, whatever the noise, its outliers, or its growth from round to round; and so, given all |x|, each sign
// is a fair coin. The interval lies above 0 only if the ranks of the x that are 0 or less sum up to at most its cut, which has exactly
// the probability P(W <= cut) of the signed rank (less, with ties). A regression is one-sided: only this one tail counts, and
// the interval has the confidence 1 - 2 P(W <= cut). That the estimate must also reach m makes false alarms rarer still; nothing is
// claimed for it.
//
// All looks. Rounds are added until every gate is decided, which gives chance many tries. Looks are taken after 10, 13, 16, 20, 25, 32,
// ... 400 rounds (the preferred numbers R10: each about 1.25 times the one before), from all rounds up to each. Of two looks running,
// one is the first, third, fifth, ... and one the second, fourth, ... of all. So whoever is called regressed was called so by a look of
// the odd ones, and the chance of that is at most the sum over the odd looks alone. (It is also at most the sum over the even ones: both
// are kept, as a look that is allowed more than its neighbours would be the only one that matters.) Of either kind a gate may spend
// FalseAlarm/gates in all, and of that the share 1 - 9/n by the look after n rounds: a third by 13 rounds, half by 20, three quarters by
// 40, so that most of it goes where most checks end. The signed rank is discrete, and the smallest probability that n rounds can have is
// 2^-n: the cut at each look is the largest whose P(W <= cut) is at most what may be spent by then less what its kind has spent, and what
// remains is left to the next. Looks at which even 2^-n is too much are passed over, and count as neither. By Bonferroni's inequality the
// chance that any gate is called regressed is at most FalseAlarm, however gates and looks depend on each other. For 1 % and 4 gates the
// first look that can tell is the one after 13 rounds, so that a change is called one after 16; a single gate needs 10 and 13.
//
// What is no change by this measure is x as likely to be d as -d. Outliers that fall on head alone are a change, if one of few runs; and a
// change below m is called regressed where chance lifts the estimates of two looks to m: in simulations at 5 % noise one of 3 % in
// 8 % of checks, one of 4 % in 27 %.
//
// The same holds for improved by symmetry. Where head differs by more than m, same is said of a gate with at most twice the probability,
// as one look is enough for it, and its interval would have to miss the truth on one side.
//
// # What the caller must see to
//
// Which of a round's runs counts as base, twin or head must not depend on what they measured, and each must come first, second and
// last equally often, best in an order drawn at random: the place in the round must not be mistaken for the program. x must come
// from a single run of base: a mean of base and its twin is less noisy than head, and noise that only ever slows down would
// then look like a change. The three runs of a gate in a round that something disturbed may be repeated together, if that is decided
// without regard to the figures.
package verdict
