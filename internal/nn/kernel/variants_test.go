package kernel

import "testing"

// The elementwise loops of the variants, in memory where a stray access is seen, over lengths around every register's.
func TestElementwiseLoopsStayWithinTheirOperands(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		for name, memory := range memories() {
			o := &operands{t: t, memory: memory}
			for n := range 50 {
				x := integers(uint64(n), n)
				narrow := placed(o, zeros(n))
				impl.Narrow(narrow, placed(o, widened(x)))
				exactly(t, name+": narrow", narrow, widened(x))

				sum, want := placed(o, x), widened(x)
				impl.Accumulate(sum, placed(o, x))
				for i := range want {
					want[i] *= 2
				}
				exactly(t, name+": accumulate", sum, want)

				w, m, v := placed(o, zeros(n)), placed(o, zeros(n)), placed(o, zeros(n))
				impl.Adam(adamStep, w, m, v, placed(o, x))
			}
			o.intact(name)
		}
	})
}

func TestAccumulateIsTheSameBitsInEveryVariant(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		for _, n := range []int{1, 15, 16, 17, 100} {
			want, got := numbers(1, n), numbers(1, n)
			Accumulate(want, numbers(2, n))
			impl.Accumulate(got, numbers(2, n))
			sameBits(t, "sum", got, want)
		}
	})
}
