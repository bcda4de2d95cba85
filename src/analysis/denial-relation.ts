/** What follows when one statement denies another: they contradict each other, or what was so has changed since. */
import { pattern } from './pattern.js'
import { findPeriods } from './periods.js'
import type { Make, Relation, Situation } from './relation.js'
import type { PlacedClaim } from './types.js'
import type { View } from './view.js'

/** What is not so may yet become so: "has not been signed", "none to date". */
export const SO_FAR = pattern(
  /\b(?:(?:has|have|had) not|not yet|yet to|to date|so far|at this stage|as of|currently|at present|at the time)\b|\b(?:has|have)n't\b/i,
)

/** What nobody planned may happen: "no closure is planned". */
const AHEAD = pattern(/\b(?:planned|intended|foreseen|envisaged|expected|considered necessary)\b/i)

export const BROUGHT = pattern(
  /\b(?:implemented|introduced|established|in place|in force since|set up|added|appointed|obtained|installed|available|created|new|adopted|hired|signed|booked)\b/i,
)

export function denialRelation(old: View, fresh: View, s: Situation, why: string, make: Make): Relation {
  const a = old.claim
  if (s.sameIssuer || s.replaces)
    return { ...make('superseding', `the same issuer says the opposite later: ${why}`, s.later ? 'old' : 'new') }
  if (s.later && a.polarity === 'negated' && (SO_FAR.test(a.quote) || AHEAD.test(a.quote)))
    return make('superseding', 'what had not happened then has happened since')
  if (s.later && isDatedAfter(fresh.claim, s)) return make('superseding', 'it has changed since')
  if (s.later && a.polarity === 'negated' && old.stated.absent.length && BROUGHT.test(fresh.claim.quote))
    return make('superseding', 'what had not happened then has happened since')
  if (s.later && (fresh.claim.stance.corrects || fresh.claim.stance.supersedes || /\bnow\b/i.test(fresh.claim.quote)))
    return make('superseding', `the later document revises it: ${why}`)
  // What was halted may go on, what ran may be halted, what was open may be closed.
  const core = old.stated.core
  if (s.later && (core?.predicate === 'resume' || (core?.predicate === 'closed' && core.negated)))
    return make('superseding', 'it has changed since')
  return { ...make('contradicting', why), weight: 3 }
}

/** Every day a statement names lies behind the older document; a day without a year is of the year the statement was written. */
export function isDatedAfter({ quote }: PlacedClaim, { oldDocument, newDocument }: Situation): boolean {
  const day = oldDocument?.issuedOn
  const year = newDocument.issuedOn ? Number(newDocument.issuedOn.slice(0, 4)) : null
  const days = day ? findPeriods(quote.slice(0, 400), year).filter(found => found.period.grain === 'day') : []
  return (
    days.length > 0 && days.every(found => found.period.from > day! && (!newDocument.issuedOn || found.period.from <= newDocument.issuedOn))
  )
}

/** Both say what is, or both what must be. */
export const bothHold = (a: PlacedClaim, b: PlacedClaim): boolean =>
  a.role === b.role && (a.role === 'actual' || a.role === 'obligation') && !isYetToCome(a, b) && !isYetToCome(b, a)

/** "No test took place" and "a test will take place": it is yet to come. */
const isYetToCome = (a: PlacedClaim, b: PlacedClaim): boolean =>
  a.polarity === 'negated' && a.modality === 'fact' && b.polarity === 'affirmed' && WILL.test(wordingOf(b)) && !WAS.test(wordingOf(b))
const wordingOf = ({ quote, hints }: PlacedClaim): string => String(hints?.['clause'] ?? quote)
const WILL = pattern(/\bwill (?:\p{L}+ )?(?:be|take|have)\b/iu)
const WAS = pattern(/\b(?:was|were|has been|have been|had)\b/i)
