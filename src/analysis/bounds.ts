/**
 * Statements that a threshold is reached or not: "exceeds the limit", "below the stopping boundary", "criterion not met".
 * The two are values of one set, so that one document's "within" meets another's "exceeds".
 */
import type { Category } from './categories.js'
import { BASIS, NEUTRAL } from './lexicon.js'
import { type Pattern, pattern } from './pattern.js'
import { contextTerms } from './slots.js'
import { stem } from './words.js'

const NOUN =
  '(?:thresholds?|limits?|boundary|boundaries|caps?|ceilings?|tolerances?|covenants?|triggers?|maximum|minimum|floors?|criteri(?:on|a)|endpoints?|targets?|requirements?|conditions?|benchmarks?|milestones?|range|appetite|(?:alarm|action|warning|trigger|intervention|guideline|reference|permitted|allowed|design)\\s(?:levels?|values?))'
const GAP = "(?:[\\p{L}\\p{N}%.,'’()/-]+\\s){0,6}?"
const form = (text: string): Pattern => pattern(new RegExp(text, 'iu'))

/** In the order they are tried: what is denied comes before what it denies. */
const FORMS: [Pattern, 'reached' | 'not reached'][] = [
  [
    form(
      `\\b(?:(?:do|does|did|has|have|had|is|are|was|were|been|could|would)?\\s?not\\s(?:been\\s|yet\\s|yet been\\s)?(?:exceed(?:ed)?|cross(?:ed)?|breach(?:ed)?|reach(?:ed)?|meet|met|satisf(?:y|ied)|achieve[d]?|trigger(?:ed)?|fulfil(?:led)?)|(?:miss(?:es|ed)|fail(?:s|ed) to (?:meet|reach|satisfy)|fall(?:s|ing)? short of|fell short of|(?:well\\s|remain(?:s|ed)?\\s|comfortably\\s)?(?:below|within|under|inside)))\\s(?:the\\s|its\\s|an?\\s|our\\s)?${GAP}${NOUN}\\b`,
    ),
    'not reached',
  ],
  [
    form(
      `\\b${NOUN}\\s(?:of\\s(?:\\S+\\s){1,5}?)?(?:\\([^()]{1,30}\\)\\s)?(?:(?:is|are|was|were|has|have|had)\\s)?(?:been\\s)?(?:not|never)\\s(?:yet\\s)?(?:been\\s)?(?:met|exceeded|reached|breached|crossed|satisfied|achieved|triggered|fulfilled)\\b`,
    ),
    'not reached',
  ],
  [
    form(
      `\\b(?:exceed(?:s|ed|ing)?|cross(?:es|ed)|breach(?:es|ed)|surpass(?:es|ed)|overshoot(?:s)?|above|beyond|over|in excess of|in breach of|outside|meet(?:s)?|met|reach(?:es|ed)|satisf(?:ies|ied)|trigger(?:s|ed)|achieve[sd]|fulfil(?:s|led))\\s(?:the\\s|its\\s|an?\\s|our\\s|all\\s)?${GAP}${NOUN}\\b`,
    ),
    'reached',
  ],
  [
    form(
      `\\b${NOUN}\\s(?:of\\s(?:\\S+\\s){1,5}?)?(?:\\([^()]{1,30}\\)\\s)?(?:(?:is|are|was|were|has|have|had)\\s)?(?:been\\s)?(?:\\w+ly\\s)?(?:met|exceeded|reached|breached|crossed|satisfied|achieved|triggered|fulfilled)\\b`,
    ),
    'reached',
  ],
]
const QUICK = form(NOUN)

const NOUNS = new Set(
  'level value threshold limit boundary cap ceiling tolerance covenant trigger criterion endpoint target requirement condition benchmark milestone range appetite exceed cross breach surpass reach meet satisfy achieve trigger fulfil below above within under over'
    .split(' ')
    .flatMap(word => [stem(word), stem(`${word}s`), stem(`${word}ed`)]),
)

/** The words and the number that tell one threshold from another: "stopping", "135%". */
export function boundName(phrase: string): string[] {
  const number = /\d[\d.,]*\s?%?/.exec(phrase)?.[0].replace(/[\s,]|[.]$/g, '')
  const terms = contextTerms(phrase, 12).filter(term => !NOUNS.has(term) && (!NEUTRAL.has(term) || BASIS.has(term)))
  return number ? [...terms, `#${number}`] : terms
}

/** Whether the text says of a threshold that it is reached; null when it speaks of none. */
export function boundIn(text: string): Category | null {
  const bounded = text.slice(0, 300)
  if (!QUICK.test(bounded)) return null
  for (const [said, value] of FORMS) {
    const match = said.exec(bounded)
    if (match) return { set: 'threshold', value, rank: null, start: match.index, end: match.index + match[0].length, needsLabel: false }
  }
  return null
}
