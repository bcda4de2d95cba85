/**
 * What every numeric claim shares: how a value with its name becomes a draft, which values only cite an older one, and
 * which value a short text is about.
 */
import type { Block } from './blocks.js'
import type { Clause } from './clause.js'
import type { Draft, ReadContext, Surroundings } from './draft.js'
import { BASIS } from './lexicon.js'
import type { Named } from './names.js'
import { pattern } from './pattern.js'
import { citedAsPrior, modalityIn, roleIn, stanceIn, versionIn } from './roles.js'
import { contextTerms, termsOf } from './slots.js'
import type { ClaimRole, Period } from './types.js'
import type { FoundValue } from './values.js'

export const STATISTIC =
  /(?:\b(?:CI|IQR|SD|SE|p\s?[=<>]|p-value|n\s?=|N\s?=|ref|quantile)\b[^()]{0,24}|\b(?:range:?|baseline)\s)$|\bn\s?=\s?$/i

const UPDATES = pattern(
  /\b(?:grew to|rose to|fell to|increased to|decreased to|declined to|reduced to|raised to|lowered to|now|remaining|revised|updated|current(?:ly)?|released)\b/i,
)
/** Two sources in one sentence: "recorded as V1 but the contract states V2". */
export const INTERVAL = /^\s?(?:CI\b|confidence)/i

export interface Given {
  parents: string[]
  weak: boolean
  block: Block
  clause: Clause
  value: FoundValue
  name: Named
  span: { start: number; end: number }
  around: Surroundings
  frame: Draft['frame']
  confidence: number
  period: Period | null
  roleText: string
  subjectText: string
}

/** "LABORATORY VALUES (Median, IQR)": the basis of everything below. */
function headingBasis(parents: readonly string[]): string[] {
  const inside = /\(([^()]{3,60})\)/.exec(parents[0] ?? '')
  return inside ? termsOf(inside[1]!).filter(term => BASIS.has(term)) : []
}

const NEXT_CLAUSE = /;|,\s(?:of which|which|while|whereas|but|so|where|and)\b/

/** The sentence to the end of the clause the value stands in: what may happen to a part of it does not make it uncertain. */
function saidUpTo(sentence: string, end: number): string {
  const next = NEXT_CLAUSE.exec(sentence.slice(end))
  return next === null ? sentence : sentence.slice(0, end + next.index)
}

/** "It should be EUR 18.4M" says what the right figure is. */
const SHOULD_BE = /\bshould (?:be|have been|read) (?:only |about |approximately |around )?$/i

/** "The ratio falls to V at the low point of the adverse scenario." */
const SUPPOSED = pattern(
  /\b(?:(?:adverse|stress(?:ed)?|severe|downside|worst|baseline) (?:scenarios?|cases?|conditions)|under stress|stress tests?|shock)\b/i,
)

const SUPPOSABLE = new Set<ClaimRole>(['actual', 'limit', 'maximum', 'minimum'])

export function build(context: ReadContext, given: Given): Draft {
  const { value, around, clause } = given
  const written = roleIn(given.roleText)
  const modality = modalityIn(saidUpTo(clause.text, value.end))
  let role: ClaimRole = written ?? around.role ?? 'actual'
  if (role === 'actual' && given.frame === 'prose' && SUPPOSED.test(saidUpTo(clause.text, value.end))) role = 'scenario'
  if (value.bound && role === 'actual') role = value.bound === 'min' ? 'minimum' : 'maximum'
  if (SUPPOSABLE.has(role) && modality === 'possibility' && given.frame === 'prose') role = 'hypothetical'
  if (role === 'actual' && modality === 'obligation' && given.frame === 'prose' && !SHOULD_BE.test(clause.text.slice(0, value.start)))
    role = 'obligation'
  const period = given.period ?? around.period ?? context.profile.period
  const sentence = clause.text
  return {
    start: given.span.start,
    end: given.span.end,
    terms: given.frame === 'prose' ? given.name.terms : [...given.name.terms, ...headingBasis(given.parents)],
    head: given.name.head,
    attribute: given.name.attribute,
    marks: given.name.marks,
    aboveMarks: [...around.marks, ...context.profile.marks],
    context: [...new Set([...contextTerms(sentence, 32), ...contextTerms(given.name.nameText, 12), ...around.context])].slice(0, 60),
    role,
    period,
    periodExplicit: given.period !== null || around.period !== null,
    polarity: 'affirmed',
    modality,
    value: value.value,
    valueText: value.text,
    confidence: given.confidence,
    stance: stanceIn(sentence.slice(0, 600), false),
    prior: null,
    version: versionIn(given.name.nameText) ?? around.version,
    frame: given.frame,
    subjectText: given.subjectText,
    part: /\bof which\b/i.test(given.roleText) ? 'of which' : given.name.part ? 'part' : null,
    parents: given.parents,
    denominator: value.denominator,
    weak: given.weak,
    update: UPDATES.test(given.roleText),
    disputed: around.disputed,
    bounded: value.bound !== null && (role === 'maximum' || role === 'minimum') && modality === 'fact' && !SETS_LIMITS.test(sentence),
  }
}

const SETS_LIMITS = pattern(
  /\b(?:limit(?:s|ed)?|threshold|criteri(?:on|a)|allow(?:s|ed)?|permit(?:s|ted)?|require[sd]?|requirement|must|shall|should|may|target|specification|specified|capped|maximum|minimum|polic(?:y|ies)|cover(?:s|ed)?|guarantee[sd]?|agreed|contract(?:s|ual)?|exceed(?:s|ed|ing)?|older|younger|longer|shorter)\b/i,
)

/** A value of a sentence and whether it is only cited. */
export interface Grouped {
  draft: Draft
  value: FoundValue
  cited: 'prior' | 'denied' | null
  ownPeriod: boolean
}

/** Ties cited older values to the value they stand beside. */
export function tiePriors(drafts: Grouped[]): Draft[] {
  const kept: Draft[] = []
  for (const item of drafts) {
    if (!item.cited) {
      kept.push(item.draft)
      continue
    }
    const rivals = drafts.filter(
      other => !other.cited && other.draft.value.type === item.draft.value.type && sameUnit(other.draft, item.draft),
    )
    const near = rivals.sort((a, b) => Math.abs(a.value.start - item.value.start) - Math.abs(b.value.start - item.value.start))[0]
    const v = item.value.value
    if (near) {
      near.draft.prior ??= { low: v.low, high: v.high }
      near.draft.stance = { ...near.draft.stance, echoes: true, disputes: near.draft.stance.disputes || item.cited === 'denied' }
      // A comparative with its own period is a claim about that period, and cited words never outrank the source.
      if (item.ownPeriod && item.cited === 'prior')
        kept.push({
          ...item.draft,
          terms: near.draft.terms,
          head: near.draft.head,
          attribute: near.draft.attribute,
          marks: near.draft.marks,
          role: near.draft.role,
          confidence: item.draft.confidence * 0.8,
          stance: { ...item.draft.stance, echoes: true, disputes: false, corrects: false },
        })
    } else if (item.ownPeriod) kept.push({ ...item.draft, stance: { ...item.draft.stance, echoes: true } })
  }
  return kept
}

export function sameUnit(a: Draft, b: Draft): boolean {
  return a.value.type !== 'quantity' || b.value.type !== 'quantity' || a.value.unit === b.value.unit
}

export const ARROW = /^\s?(?:\([^()]{0,40}\)\s?)?(?:->|→|=>|⇒)\s?/

export function cited(clause: Clause, value: FoundValue): 'prior' | 'denied' | null {
  if (ARROW.test(clause.text.slice(value.end, value.end + 60))) return 'prior'
  const left = clause.text.slice(Math.max(0, value.start - 70), value.start)
  const found = citedAsPrior(left)
  // "V1 (Q2) vs V2 (Q1)" compares periods; "remained from" and "apart from" cite nothing.
  return found
}

/** The value a pair is about: it stands at the start of the body, or after the last equals sign. */
export function primary(clause: Clause): FoundValue | null {
  const equals = clause.text.lastIndexOf('=')
  if (equals > 0 && equals < 60 && !/\b(?:n|p)\s?=$/i.test(clause.text.slice(0, equals + 1))) {
    const after = clause.values.find(value => value.start > equals && value.start - equals < 6)
    if (after && /^[\d\s/().,+*x×€$£A-Z%M-]*$/.test(clause.text.slice(0, equals))) return after
  }
  const first = clause.values[0]
  if (!first) return null
  const lead = clause.text
    .slice(0, first.start)
    .replace(
      /\b(?:approximately|approx\.?|about|around|roughly|circa|ca\.|estimated(?: at)?|est\.?|at least|up to|up|down|minimum|maximum|min\.?|max\.?|more than|less than|over|under|below|above|some|net|only|now|currently|increased to|reduced to|from|between|mPFS|median)\b/gi,
      '',
    )
  return /^[\s~≈<>≥≤=+\-("'*_[]*$/.test(lead) ? first : null
}

/** "27 (64.3%)": a count and its share are the same statement. */
export function isShare(clause: Clause, main: FoundValue, value: FoundValue): boolean {
  return (
    value.value.type === 'percent' && main.value.type !== 'percent' && /^[\s(=/\d]{1,8}$/.test(clause.text.slice(main.end, value.start))
  )
}
