package meter

// PeakRSS is the largest resident memory of this process so far, in bytes; false where the system does not tell.
//
// On Linux it is VmHWM of /proc/self/status and not ru_maxrss: that one keeps, over fork and exec, the peak of the program that
// started this one, so that a small child of a large parent would report the parent's memory.
func PeakRSS() (bytes int64, ok bool) {
	if bytes, ok := system().peakRSS(); ok {
		return bytes, true
	}
	return platformPeakRSS()
}

func (s source) peakRSS() (bytes int64, ok bool) {
	status, ok := s.read("proc/self/status")
	if !ok {
		return 0, false
	}
	bytes, ok = findKilobytes(status, "VmHWM")
	return bytes, ok && bytes > 0 // nothing runs in no memory
}
