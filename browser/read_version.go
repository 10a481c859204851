package browser

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"notifio.app/notifio/assets"
)

// rulesVersion is raised by hand when rules in Go change what listings are called
// or read as: a ledger of another version is compared with more care.
const rulesVersion = 2

// version names what reads a page of a portal: script, trackers, rules, and the
// definition of that portal and its partners alone, nil for none.
func (r *reader) version(p *assets.Portal) string {
	sum := sha256.New()
	fmt.Fprintln(sum, rulesVersion, assets.ExtractScript, assets.Trackers)
	if p != nil {
		write := json.NewEncoder(sum)
		write.Encode(p) // texts and patterns only, and a sum never fails
		for i := range r.portals {
			for _, name := range p.Partners {
				if r.portals[i].Name == name {
					write.Encode(r.portals[i])
				}
			}
		}
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:6])
}
