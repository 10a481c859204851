package monitor

// Filter decides what a search tells, never what it knows.
type Filter struct {
	MaxPrice float64  // per month, in the page's own currency; 0: no limit
	MinArea  float64  // m²; 0: no limit
	Require  []string // every one of these words must stand in title, address or price text
	Exclude  []string // none of these may
}
