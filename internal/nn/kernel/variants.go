package kernel

// variant is one row of the table of variants.
type variant struct {
	// runs tells whether this CPU has every feature that the variant uses, by golang.org/x/sys/cpu.
	runs bool
	make func() *Impl
}

// variants is the table, the best first. Portable Go comes last and runs everywhere, so that every build has it to compare with.
func variants() []variant {
	return append(assembly(), variant{runs: true, make: portable})
}
