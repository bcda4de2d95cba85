/** The verdict on two figures of one thing that differ: who corrects whom, who contradicts whom, or another time. */
import { distance } from './compare.js'
import { isDatedAfter } from './denial-relation.js'
import { flag, measuredAlike, noneOf, sharesMark, version } from './figures-alike.js'
import { pattern } from './pattern.js'
import { type Relation, type Situation, words } from './relation.js'
import { remembered } from './remember.js'
import { ofOneSize, type Strength } from './similar.js'
import type { DocumentFacts, PlacedClaim } from './types.js'
import type { View } from './view.js'

export type PeriodRelation = 'same' | 'overlap' | 'disjoint' | 'unknown'

interface Evidence {
  strength: Strength
  echo: boolean
  periods: PeriodRelation
  weight: number
  /** How near they are, when of all figures of both documents each is the other's nearest. */
  likeness: number
}

export function verdict(old: View, fresh: View, s: Situation, e: Evidence): Relation {
  const a = old.claim
  const b = fresh.claim
  const away = distance(a.value, b.value)
  const slot = `same subject and attribute${a.period && e.periods === 'same' ? ` for ${b.period?.label ?? a.period.label}` : ''}${away === null ? '' : `, ${Math.round(away * 100)} % apart`}`
  const { superseding, contradicting, unsure } = makersOf(a, b, slot, e.weight)
  if (version(a) === 'old' && version(b) === 'new')
    return superseding('the text marks one as the earlier and the other as the revised value')
  if (s.sameDocument) return withinDocument(old, fresh, e, { superseding, contradicting, unsure })
  if (e.echo) {
    if (b.stance.disputes && !s.sameIssuer) return contradicting('the later document cites the earlier value and disputes it')
    return superseding('the later document cites the earlier value as the previous one')
  }
  if (a.role === 'proposed' && b.role === 'actual')
    return e.strength === 'same' ? superseding('what was proposed has been decided') : unsure('one is proposed')
  if (e.strength === 'same' && s.later && stage(s.newDocument) === 2 && stage(s.oldDocument) === 0)
    return superseding('final figures replace interim ones')
  if (
    s.later &&
    REVISED_NAME.test(b.attribute) &&
    typeof b.hints?.['priorLow'] !== 'number' &&
    (e.strength !== 'weak' || a.role !== 'actual') &&
    !(flag(a, 'explicit') && flag(b, 'explicit') && e.periods === 'disjoint')
  )
    return superseding('the later document calls it the revised value')
  if (s.later && SINCE.test(b.quote) && isDatedAfter(b, s)) return superseding('it has changed since')
  if (e.periods === 'disjoint') {
    const isFinal = !a.period && s.later && stage(s.newDocument) === 2
    if (e.strength === 'same' && (isFinal || moves(a, b, s)) && b.period)
      return superseding('a later position of the same thing', !a.period || a.period.from < b.period.from ? 'old' : 'new')
    return { kind: 'evolving', loser: 'old', weight: e.weight, reason: 'another period' }
  }
  const restated = b.stance.corrects || version(b) === 'new' || s.replaces || (s.later && amends(s.newDocument))
  if (s.sameIssuer || s.replaces) {
    if (!s.later) return superseding('the same issuer said so later', 'new')
    return superseding(restated ? 'the same issuer restates it' : 'the same issuer says so later')
  }
  if (e.strength !== 'same') return unsure('the names are close but not the same')
  if (version(b) === 'old' || version(a) === 'old') return unsure('one is cited as an old value')
  if (b.stance.disputes) return contradicting('the text disputes the other value')
  if (restated)
    return e.periods === 'same' || ofOneSize(a.value, b.value)
      ? superseding('the later document revises it')
      : unsure('of quite another size')
  if (e.periods !== 'same' && s.later && (flag(b, 'update') || LEFT_OF_IT.test(b.quote)))
    return superseding('the later document gives it as the current value')
  // Without a written period on both sides they are compared when they speak of one numbered thing or carry no date at all.
  const alike = e.likeness > 0 && ofOneSize(a.value, b.value) && (e.likeness >= 0.6 || measuredAlike(old, fresh))
  const timeless =
    e.periods === 'unknown' &&
    (alike || (together(s) && ((!a.period && !b.period) || sharesMark(old, fresh) || noneOf(old, fresh) || noneOf(fresh, old))))
  if (timeless && plans(s.oldDocument) && !plans(s.newDocument)) return unsure('one is planned')
  if (e.periods === 'same' || timeless) return contradicting('different issuers, and nobody corrects themselves')
  return unsure(e.periods === 'unknown' ? 'the period of one is not known' : 'the periods only overlap')
}

/** "Has been EUR 15 since 1 January". */
const SINCE = pattern(/\b(?:since|as from|as of|with effect from|from) (?:\d{1,2} )?\p{Lu}\p{Ll}+/u)

/** "Two are still missing": what is left of it by now. */
const LEFT_OF_IT = pattern(/\bstill\b/i)

const NEAR_DAYS = 190

/** Without a period, statements that lie months apart may both have been true. */
function together(s: Situation): boolean {
  const from = s.oldDocument?.issuedOn
  const to = s.newDocument.issuedOn
  return !from || !to || Math.abs(Date.parse(to) - Date.parse(from)) <= NEAR_DAYS * 86_400_000
}

const AMENDS = pattern(
  /\b(?:addend(?:um|a)|amendment|errat(?:um|a)|corrigend(?:um|a)|corrections?|restate(?:ment|d)|supplement(?:ary)?|revision|revised|updated?)\b/i,
)

/** A document that by its title corrects or completes others. */
export const amends = ({ title, name }: DocumentFacts): boolean => isAmending(`${title ?? ''} ${name}`)
// The same few titles are asked for every pair of claims.
const isAmending = remembered(500, title => AMENDS.test(title))

const PLANS = pattern(/\b(?:protocol|synopsis|prospectus|(?:execution|business|project|reorgani[sz]ation|study|test) plan)\b/i)

/** A document that by its title says what is to be, not what came of it. */
const plans = (document: DocumentFacts | null): boolean => document !== null && PLANS.test(document.title ?? '')

/** How far along a document says it is: a draft gives way to a final one. */
function stage(document: DocumentFacts | null): number {
  return stageIn(`${document?.title ?? ''} ${document?.name ?? ''}`)
}
const stageIn = remembered(500, title => {
  if (/\bfinal\b/i.test(title)) return 2
  return /\b(?:interim|preliminary|draft|provisional|initial|flash)\b/i.test(title) ? 0 : 1
})

export const REVISED_NAME = pattern(/\b(?:revised|restated|corrected|updated|amended|recalibrated)\b/i)

/** A figure over a period (revenue of a quarter) rather than a position at a day. */
const isFlow = (claim: PlacedClaim): boolean => claim.period !== null && claim.period.grain !== 'day'

/** Whether the later figure takes the place of the earlier one although the periods differ: positions do, flows do not. */
function moves(a: PlacedClaim, b: PlacedClaim, s: Situation): boolean {
  const explicit = flag(a, 'explicit') && flag(b, 'explicit')
  if (isFlow(a) && isFlow(b) && explicit) return false
  return flag(b, 'update') || (s.sameIssuer && !isFlow(a) && !isFlow(b) && !explicit)
}

/** Who reports what others claim or accept does not say both. */
const PARTIES = pattern(/\b(?:accept(?:s|ed)|claim(?:s|ed)|offer(?:s|ed)|alleg(?:es|ed)|assert(?:s|ed)|contend(?:s|ed)|according to)\b/i)

interface Makers {
  superseding: (why: string, loser?: 'old' | 'new') => Relation
  contradicting: (why: string) => Relation
  unsure: (why: string) => Relation
}

function makersOf(a: PlacedClaim, b: PlacedClaim, slot: string, weight: number): Makers {
  const make =
    (kind: Relation['kind'], called: string) =>
    (why: string, loser: 'old' | 'new' = 'old'): Relation => ({ kind, loser, weight, reason: words(called, a, b, `${slot}; ${why}`) })
  return {
    superseding: make('superseding', 'replaced'),
    contradicting: make('contradicting', 'contradiction'),
    unsure: make('unsure', 'may disagree'),
  }
}

function withinDocument(old: View, fresh: View, e: Evidence, make: Makers): Relation {
  const a = old.claim
  const b = fresh.claim
  if (a.quote === b.quote && flag(b, 'rival') && !flag(a, 'rival'))
    return make.contradicting('the sentence sets two sources against each other')
  if (a.quote === b.quote || e.periods === 'disjoint') return { kind: 'evolving', loser: 'old', weight: 0, reason: 'said together' }
  if (e.echo) return make.superseding('the text cites the earlier value as the previous one')
  if (version(a) === 'old' || version(b) === 'old') return make.unsure('one is cited as an old value')
  // The same label twice in one document is a list of records, or its headings tell them apart; it is no disagreement.
  const listed = a.hints?.['frame'] !== 'prose' && b.hints?.['frame'] !== 'prose'
  const relative = ['sequential', 'yoy', 'mom'].some(term => old.termSet.has(term) && fresh.termSet.has(term))
  if (listed || (old.head === 'change' && !relative)) return make.unsure('one document lists both')
  const sure =
    e.strength === 'same' && (e.periods === 'same' || (!a.period && !b.period)) && old.terms.length >= 2 && fresh.terms.length >= 2
  const prose = a.hints?.['frame'] === 'prose' || b.hints?.['frame'] === 'prose'
  const sameTerms =
    (old.terms.length === fresh.terms.length && old.terms.every(term => fresh.termSet.has(term))) ||
    (prose && a.hints?.['frame'] !== b.hints?.['frame'] && old.head === 'change')
  if (sure && sameTerms && a.role === 'actual' && b.role === 'actual' && !PARTIES.test(a.quote) && !PARTIES.test(b.quote))
    return make.contradicting('one document says both')
  return make.unsure('one document says both')
}
