package demo

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"time"
)

// tags is how many cities can be told apart in an id.
const tags = 10_000

// room is one invented home. All of it follows from its id and its city, so an
// id never stands for two different rooms.
type room struct {
	id     int64 // second of publication × tags + the city's tag
	city   string
	kind   string
	street string
	number int
	price  int // euro per month
	area   int // m²
	rooms  int
}

func (r room) published() time.Time { return time.Unix(r.id/tags, 0) }

// freshID is the id of a room published while somebody looks. Such rooms come in
// odd seconds and the standing ones in even seconds, so they never collide; two
// runs of the program never share a second.
func freshID(at time.Time, tag int64) int64 { return (at.Unix()|1)*tags + tag }

// standingRooms are always on a page, and one a day is replaced.
const standingRooms = 9

// standing are the rooms that are on offer whether anybody looks or not: one is
// published at some hour of each day (UTC), and it is let when the ninth after
// it comes. They follow from the clock alone, so a restart finds those that it
// left, and a fortnight away brings a page of others, as it would anywhere.
func standing(city string, tag int64, now time.Time) []room {
	const day = 24 * 60 * 60
	var out []room
	for n := now.Unix() / day; len(out) < standingRooms; n-- {
		at := n*day + int64(digest(city, n)%day)&^1
		if at <= now.Unix() {
			out = append(out, invent(at*tags+tag, city))
		}
	}
	return out
}

// digest spreads a city and a number over all of 64 bits.
func digest(city string, n int64) uint64 {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%s %d", city, n) // never an error
	return rand.NewPCG(h.Sum64(), uint64(n)).Uint64()
}

// kinds of homes with their usual sizes (m²) and the rent per m² (euro).
var kinds = []struct {
	name             string
	minArea, maxArea int
	minRooms, spread int
	rent             int
}{
	{"Room", 11, 24, 1, 1, 38},
	{"Furnished room", 12, 26, 1, 1, 41},
	{"Studio", 24, 42, 1, 1, 34},
	{"Apartment", 42, 88, 2, 3, 25},
	{"Upstairs apartment", 48, 96, 2, 3, 24},
}

var streets = []string{
	"Appelgaarde", "Beukenlaan", "Dijkzicht", "Eikenplein", "Fluitenkruid", "Grachtkade", "Hazelaarstraat", "IJsvogelpad",
	"Kastanjehof", "Korenmolenweg", "Leeuwerikstraat", "Lindenlaan", "Meidoornstraat", "Merelhof", "Nachtegaalpad", "Oeverkade",
	"Papaverplein", "Populierenweg", "Rietdekkersgang", "Rozenhof", "Sluiskade", "Spaarnezicht", "Tuinderslaan", "Veerkade",
	"Vlierstraat", "Wilgenkade", "Windmolenpad", "Zilverschoon", "Zonnehof", "Zwaluwstraat",
}

// invent makes up the room with this id, always the same one.
func invent(id int64, city string) room {
	r := rand.New(rand.NewPCG(uint64(id), uint64(id%tags)))
	k := kinds[r.IntN(len(kinds))]
	area := k.minArea + r.IntN(k.maxArea-k.minArea+1)
	price := area * k.rent * (88 + r.IntN(25)) / 100
	return room{
		id: id, city: city, kind: k.name, area: area,
		street: streets[r.IntN(len(streets))],
		number: 1 + r.IntN(180),
		price:  (150 + price) / 25 * 25,
		rooms:  k.minRooms + r.IntN(k.spread),
	}
}

// text is what its page says about the room.
func (r room) text() string {
	features := []string{
		"It has large windows on the quiet side.", "The kitchen was renewed last year.", "There is a place for your bicycle in the hall.",
		"The ceiling is high and the floor is of wood.", "A small balcony looks out on the gardens.", "Heating and water are included.",
	}
	n := int(r.id/tags) % len(features)
	return fmt.Sprintf("%s of %d m² on %s. %s %s", r.kind, r.area, r.street, features[n], features[(n+2)%len(features)])
}

// slug is how a city is written in a path: any spelling of it leads to the same one.
func slug(name string) string {
	return strings.Join(strings.Fields(strings.ToLower(strings.Trim(name, "/"))), "-")
}

// display is a slug as a heading shows it.
func display(slug string) string {
	words := strings.FieldsFunc(slug, func(r rune) bool { return r == '-' || r == ' ' })
	for i, w := range words {
		runes := []rune(w)
		words[i] = strings.ToUpper(string(runes[:1])) + string(runes[1:])
	}
	return strings.Join(words, " ")
}
