/**
 * Whether a later statement ends an earlier one: it names what is resolved, withdrawn or no longer so, and the earlier
 * statement is about that and leaves it open.
 */

import { pattern } from './pattern.js'
import { isTopic } from './topics.js'
import type { View } from './view.js'
import { stem } from './words.js'

const FINAL = pattern(
  /\b(?:no longer|withdrawn|withdr[ae]ws?|rescinded|rescinds|superseded|supersedes|replaced by|replaces|revoked|overridden|repealed|lifted|cancell?ed|terminated|renegotiated|discontinued|abandoned|reversed)\b/i,
)

/** Words that grade the matter instead of naming it: "the critical talent risk". */
const GRADES = new Set(
  ['critical', 'severe', 'serious', 'severity', 'medium', 'major', 'minor', 'remaining', 'outstanding', 'open'].map(word => stem(word)),
)

/** "The dividend was paid in May": what happened on a day is not undone by what is withdrawn later. */
export const HAPPENED = pattern(/\b(?:was|were)\s(?:\p{L}+ly\s)?\p{L}+(?:ed|id|en|wn|ld|nt)\s(?:in|on)\s(?:\d|\p{Lu}\p{Ll}+\s\d)/u)

interface Cover {
  /** Words of what the later statement is about that the earlier one says itself, and that only stand around it. */
  said: number
  around: number
  telling: number
  of: number
}

function coverOf(old: View, fresh: View): Cover {
  const { about } = fresh
  let said = 0
  let telling = 0
  let around = 0
  for (const term of about) {
    if (GRADES.has(term)) continue
    if (old.termSet.has(term)) {
      said++
      if (isTopic(term)) telling++
    } else if (isTopic(term) && old.context.has(term)) around++
  }
  return { said: telling ? said : 0, telling, around, of: about.filter(term => !GRADES.has(term)).length }
}

/** Why the later statement ends the earlier one; null when it does not. */
export function endedBy(old: View, fresh: View, open: boolean, sums: boolean): { why: string; said: number } | null {
  const cover = coverOf(old, fresh)
  if (!cover.of || !cover.said) return null
  const share = (cover.said + cover.around) / cover.of
  const size = old.terms.filter(isTopic).length
  if (open) {
    const short = cover.of === 1 && size <= 4 && old.claim.hints?.['labelled'] === true
    const named = old.claim.hints?.['labelled'] === true
    if (share >= 0.66 && (cover.telling >= 2 || (cover.said >= 2 && size <= 4) || (cover.around >= 1 && named) || short || sums))
      return { why: 'what was open is resolved later', said: cover.said }
    return null
  }
  return FINAL.test(fresh.claim.quote) && share >= 0.75 && (cover.said >= 2 || cover.around >= 2)
    ? { why: 'the later document ends it', said: cover.said }
    : null
}
