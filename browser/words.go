package browser

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// sieve is a pattern of many words in many languages that hardly any text matches.
// It tries such a pattern only on texts that hold one of the words without which
// nothing can match: looking for a word costs a hundredth of trying a pattern.
type sieve struct {
	pattern *regexp.Regexp
	words   []string // lower case; none: every text is tried
}

// newSieve finds the words of a pattern by itself, so that they cannot be forgotten.
func newSieve(pattern string) sieve {
	s := sieve{pattern: regexp.MustCompile(pattern)}
	if tree, err := syntax.Parse(pattern, syntax.Perl); err == nil {
		s.words = needed(tree)
	}
	return s
}

func (s sieve) MatchString(text string) bool { return s.mayMatch(text) && s.pattern.MatchString(text) }

func (s sieve) FindStringSubmatch(text string) []string {
	if !s.mayMatch(text) {
		return nil
	}
	return s.pattern.FindStringSubmatch(text)
}

func (s sieve) FindStringSubmatchIndex(text string) []int {
	if !s.mayMatch(text) {
		return nil
	}
	return s.pattern.FindStringSubmatchIndex(text)
}

func (s sieve) FindAllStringSubmatchIndex(text string, n int) [][]int {
	if !s.mayMatch(text) {
		return nil
	}
	return s.pattern.FindAllStringSubmatchIndex(text, n)
}

func (s sieve) mayMatch(text string) bool {
	if len(s.words) == 0 {
		return true
	}
	small := folded(text)
	return slices.ContainsFunc(s.words, func(word string) bool { return strings.Contains(small, word) })
}

// folded is a text in small letters, those of Greek that have two forms in one: the
// parser writes a micro sign for a mu.
func folded(text string) string {
	text = strings.ToLower(text)
	if strings.ContainsAny(text, "µς") {
		text = strings.NewReplacer("µ", "μ", "ς", "σ").Replace(text)
	}
	return text
}

// needed are words of which every text that matches holds at least one; nil where
// there are none, or where it cannot be told.
func needed(tree *syntax.Regexp) []string {
	switch tree.Op {
	case syntax.OpLiteral:
		return []string{folded(string(tree.Rune))}
	case syntax.OpCapture, syntax.OpPlus:
		return needed(tree.Sub[0])
	case syntax.OpRepeat:
		if tree.Min > 0 {
			return needed(tree.Sub[0])
		}
	case syntax.OpConcat: // the part whose words are the longest, and so the rarest
		best := first(tree)
		for _, part := range tree.Sub {
			if words := needed(part); shortest(words) > shortest(best) {
				best = words
			}
		}
		return best
	case syntax.OpAlternate:
		return ofAll(tree.Sub, needed)
	}
	return nil
}

// first are words with one of which every text that matches begins; nil where it
// cannot be told. The parser has taken apart what begins alike: "logo|loading" is
// "lo(go|ading)" to it.
func first(tree *syntax.Regexp) []string {
	switch tree.Op {
	case syntax.OpLiteral:
		return needed(tree)
	case syntax.OpCapture:
		return first(tree.Sub[0])
	case syntax.OpConcat:
		heads := first(tree.Sub[0])
		tails := first(tree.Sub[1])
		if tree.Sub[0].Op != syntax.OpLiteral || tails == nil {
			return heads
		}
		var all []string
		for _, tail := range tails {
			all = append(all, heads[0]+tail)
		}
		return all
	case syntax.OpAlternate:
		return ofAll(tree.Sub, first)
	}
	return nil
}

// ofAll joins the words of alternatives; nil when one of them has none.
func ofAll(alternatives []*syntax.Regexp, words func(*syntax.Regexp) []string) []string {
	var all []string
	for _, each := range alternatives {
		own := words(each)
		if own == nil {
			return nil
		}
		all = append(all, own...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func shortest(words []string) int {
	if len(words) == 0 {
		return 0
	}
	return len(slices.MinFunc(words, func(a, b string) int { return len(a) - len(b) }))
}
