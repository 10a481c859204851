package browser

// rule is one step of the finder, named so that a test can take it out and show
// which page is read wrongly then: make rules.
type rule string

const (
	ruleForms     rule = "where links have a form each, those of one depth are taken together"
	ruleElsewhere rule = "links that lead to other sites are taken together"
	ruleProminent rule = "a card's own link is prominent in it"
	ruleTogether  rule = "many signs in one card are worth more than one sign in many"

	ruleNamesOthers rule = "a card with one link at the usual place names others"
	ruleCarousel    rule = "links at no usual place, in one child of a list, are a carousel's"
	ruleRowOfOne    rule = "a row or section of one card is no larger than the others' cards"
	ruleAlone       rule = "the card of a single result is no larger than it must be"

	ruleShared  rule = "a link that several cards have is not their own"
	ruleProject rule = "a rare form of link, at the place of the others' own, is a project's"

	ruleComplementary rule = "what stands aside is other homes"
	ruleSideBySide    rule = "the look of a list is that of its longest run side by side"
	rulePart          rule = "what stands beside one card of the list, made otherwise, is part of it"
	ruleMereLink      rule = "a mere link is no card"
	ruleHeaded        rule = "cards made otherwise under a heading of their own are other homes"

	ruleFill    rule = "what stands among the cards and is made like them is one"
	ruleCovered rule = "a card with flats of the family in it is a project's"
	ruleBeside  rule = "a form of link that cards have beside their own leads to something else"

	ruleSecond rule = "a second list with the same signs belongs to the results"
	ruleSigns  rule = "a second list shows what the first one shows"
	rulePager  rule = "behind the pager there are no results"

	ruleFew     rule = "one or two cards need ids, and one of them a price"
	ruleCounted rule = "or that the page counts as many"

	ruleTip     rule = "a heading in the middle of a list is a tip"
	ruleHeading rule = "below the heading of other homes are other homes"
	ruleLine    rule = "a line between two lists may be such a heading"
	ruleBeyond  rule = "behind the page's own count, after a break, are other homes"
	ruleAll     rule = "a heading that would leave nothing means something else"

	ruleFlat rule = "cards without an element of their own are given one"

	ruleAttribute rule = "an attribute says where a click leads"
	ruleOnclick   rule = "a script's text says where a click leads"
	ruleDataID    rule = "the page's data says where the id of a card leads"
	ruleDataName  rule = "the page's data says where the name on a card leads"
	ruleDataOrder rule = "the page's data lists as many addresses as there are cards"
)

// rules are all of them.
var rules = []rule{
	ruleForms, ruleElsewhere, ruleProminent, ruleTogether, ruleNamesOthers, ruleCarousel, ruleRowOfOne, ruleAlone,
	ruleShared, ruleProject, ruleComplementary, ruleSideBySide, rulePart, ruleMereLink, ruleHeaded, ruleFill, ruleCovered, ruleBeside,
	ruleSecond, ruleSigns, rulePager, ruleFew, ruleCounted, ruleTip, ruleHeading, ruleLine, ruleBeyond, ruleAll, ruleFlat,
	ruleAttribute, ruleOnclick, ruleDataID, ruleDataName, ruleDataOrder,
}

// without is the rule that is taken out, in that test alone.
var without rule

func (r rule) on() bool { return r != without }
