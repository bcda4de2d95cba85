/**
 * What a noun is called to be by the adjective before it: "an unqualified opinion", "is not an independent function". Read as
 * "the opinion is not qualified", so that it meets whoever says the opposite with or without a verb.
 */
import { type Core, subjectOf } from './cores.js'
import { meaningOf } from './opposites.js'
import { pattern } from './pattern.js'
import { termOf } from './slots.js'
import { tag } from './tagging.js'
import { isTopic } from './topics.js'
import { isNumeric, type Token } from './words.js'

/** Adjectives that are either so or not so of a thing. */
const POLAR = new Set(
  `qualified unqualified independent audited unaudited conditional unconditional binding non-binding exclusive non-exclusive unlimited insured uninsured
   registered unregistered licensed unlicensed licenced unlicenced certified uncertified accredited encrypted unencrypted sterile non-sterile mandatory compulsory voluntary optional
   lawful unlawful illegal solvent insolvent permanent temporary refundable non-refundable transferable non-transferable revocable irrevocable valid invalid
   sealed unsealed signed unsigned authorised authorized unauthorised unauthorized dated undated intact complete incomplete`
    .split(/\s+/)
    .filter(Boolean),
)
/** What stands before a noun phrase that is said of something; "the unqualified opinion" only names it. */
const SAYS = new Set(['a', 'an', 'with', 'without', 'contains'])

const HELD = new Set('has have had holds hold held owns owned'.split(' '))
const NONE = new Set(['none', 'neither', 'no', 'nobody'])

const OUTSIDE = pattern(/\b(?:by|in|at|from)\s(?:an?|the)\s(?:independent|external|outside|third[- ]party)\s/i)
const INSIDE = pattern(
  /\b(?:by|in|at)\s(?:its|their|our|his|her|the\s(?:[\p{L}-]+\s){0,2}?[\p{L}-]+['’]s?)\sown\s|\bin-house\b|\b(?:by\sthe|by)\s[\p{L}-]+\sitself\b/iu,
)

/** "was tested by an independent office", "in the maker's own shop": whether whoever did it stands outside. */
export function doneOutside(text: string, tokens: readonly Token[]): Core | null {
  const outside = OUTSIDE.test(text)
  if (!outside && !INSIDE.test(text)) return null
  const verb = tokens.findIndex((token, i) => i > 0 && /^(?:is|are|was|were|been)$/.test(token.lower))
  const subject = verb > 0 ? subjectOf(tokens.slice(0, verb)) : null
  if (!subject || tokens.some(token => token.lower === 'not' || token.lower === 'no' || token.lower === 'never')) return null
  return { ...subject, predicate: '=outside', negated: !outside }
}

/** The first noun phrase that calls a thing so or not so; null when none does. */
export function traitOf(text: string, tokens: readonly Token[]): Core | null {
  for (let i = 1; i < tokens.length - 1 && i < 40; i++) {
    const { lower } = tokens[i]!
    // Of none of them: that is said of whoever they are.
    if (NONE.has(tokens[i - 1]!.lower)) return null
    if (!POLAR.has(lower) || !SAYS.has(tokens[i - 1]!.lower)) continue
    // "has a valid permit" says it of whoever has it.
    if (HELD.has(tokens[i - 2]?.lower ?? '')) return null
    // "delivery of a signed deed" does not say that it is signed.
    if (/^(?:of|for|to)$/.test(tokens[i - 2]?.lower ?? '')) continue
    const terms: string[] = []
    for (let k = i + 1; k < tokens.length && k < i + 5; k++) {
      const word = tokens[k]!
      if (tag(word.lower) !== 'N' || isNumeric(word.lower) || /[,.;:()]/.test(text.slice(tokens[k - 1]!.end, word.start))) break
      terms.push(...termOf(word.lower).filter(term => term.length > 2))
    }
    const head = terms.at(-1)
    if (!head || !terms.some(isTopic)) continue
    const meaning = meaningOf(lower)
    const before = tokens.slice(Math.max(0, i - 3), i).map(token => token.lower)
    const denied = before.includes('not') || before.includes('never') || before.includes('without')
    return { head, about: terms.slice(0, -1), predicate: meaning.predicate, negated: meaning.negated !== denied }
  }
  return null
}
