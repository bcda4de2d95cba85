/**
 * "No serious incidents were reported", "Deviations: none": a count of nothing. Read as the number zero of what is named,
 * it meets whoever counts some.
 */
import type { Block } from './blocks.js'
import { squeeze } from './characters.js'
import { type Clause, clauseOf } from './clause.js'
import { type Draft, type ReadContext, surroundingsOf } from './draft.js'
import { NEUTRAL } from './lexicon.js'
import { named } from './names.js'
import { build } from './number-draft.js'
import { pattern } from './pattern.js'
import { absentPhrase } from './presence.js'
import { sentencesOf } from './sentences.js'
import type { Period } from './types.js'
import type { FoundValue } from './values.js'
import { MONTH_NAMES, stem, wordsOf } from './words.js'

const DENIES = pattern(/\b(?:no|zero|nil)\s/i)
const NONE_LABEL =
  /^(?:none|nil|zero|no)\b(?:\s(?:reported|identified|recorded|observed|noted|found|to report|known|outstanding))?\s*[.;,(]?(?:$|\s|\()/i
/** Words whose "no" counts nothing: they stand for people, things said of much else, or mere emphasis. */
const UNCOUNTED = new Set(
  'patients people persons employees customers clients companies changes impacts evidence data information comments questions objections concerns issues means circumstances plans effects results details'
    .split(' ')
    .map(word => stem(word)),
).add('change')

const MONTH = pattern(new RegExp(`\\b(?:in|during|for|since)\\s(?:${MONTH_NAMES})\\b`))

/** The one period a sentence speaks of. */
function periodIn(clause: Clause): Period | null {
  const found = clause.periods.filter(item => item.period.grain !== 'day')
  return found.length === 1 ? found[0]!.period : null
}

function zeroDraft(
  context: ReadContext,
  block: Block,
  name: string,
  span: { start: number; end: number },
  text: string,
  written: string,
): Draft | null {
  const found = named(name)
  if (!found || UNCOUNTED.has(found.head) || found.terms.every(term => NEUTRAL.has(term))) return null
  const value: FoundValue = {
    start: 0,
    end: 0,
    text: written,
    value: { type: 'quantity', unit: null, low: 0, high: 0, precision: 1, approximate: false },
    bound: null,
    signed: false,
    denominator: null,
  }
  const clause = clauseOf(context.text, span.start, span.end, context.profile.year)
  // Of a month whose year is not known none may be what another month had some of.
  if (MONTH.test(text) && !periodIn(clause)) return null
  const draft = build(context, {
    block,
    clause,
    value,
    name: { ...found, terms: found.terms.filter(term => !NEUTRAL.has(term)) },
    span,
    around: surroundingsOf(context, block),
    frame: 'prose',
    confidence: 0.6,
    period: periodIn(clause),
    roleText: name,
    subjectText: text,
    parents: [...block.path].reverse(),
    weak: false,
  })
  draft.polarity = 'negated'
  return draft
}

export function sentenceAbsences(context: ReadContext, block: Block, start: number, end: number): Draft[] {
  const drafts: Draft[] = []
  for (const span of sentencesOf(context.text, start, end)) {
    const text = squeeze(context.text.slice(span.start, Math.min(span.end, span.start + 400)))
    if (!DENIES.test(text) || /\?$/.test(text)) continue
    const name = absentPhrase(text, wordsOf(text))
    const draft = name ? zeroDraft(context, block, name.text, span, text, name.word) : null
    if (draft) drafts.push(draft)
  }
  return drafts
}

export function pairAbsence(context: ReadContext, block: Block): Draft[] {
  const body = context.text.slice(block.body.start, Math.min(block.body.end, block.body.start + 80))
  const label = block.label!.text
  if (!NONE_LABEL.test(body) || !/s\s*(?:\([^()]*\))?$/i.test(label.trim())) return []
  const first = sentencesOf(context.text, block.body.start, block.body.end)[0]
  const draft = zeroDraft(
    context,
    block,
    label,
    { start: block.start, end: first?.end ?? block.end },
    `${label}: ${body}`,
    /^\p{L}+/u.exec(body)?.[0] ?? 'none',
  )
  return draft ? [draft] : []
}
