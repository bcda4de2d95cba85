/**
 * Claims that are no number: ratings and statuses behind a label, in a heading or a cell; and how a statement is made of
 * its words, its polarity and whether it leaves the matter open.
 */

import type { Block } from './blocks.js'
import { type Category, categoriesIn, setsAskedBy } from './categories.js'
import { squeeze } from './characters.js'
import { type Draft, type ReadContext, surroundingsOf } from './draft.js'
import { gradesIn, priorIn } from './grades.js'
import { itemAbove, itemIn } from './items.js'
import { marksOf } from './marks.js'
import { pattern } from './pattern.js'
import { findPeriods } from './periods.js'
import { modalityIn, roleIn, stanceIn, versionIn } from './roles.js'
import { sentencesOf } from './sentences.js'
import { contextTerms, termsOf } from './slots.js'
import { aboutOf, sumsIn } from './statement-words.js'
import type { ClaimValue, Period } from './types.js'
import { stem } from './words.js'

const NEGATION = pattern(
  /\b(?:not|no|none|nobody|nothing|never|neither|nor|nil|without|cannot|lacks?|lacking|absence of|fail(?:s|ed)? to|yet to|un(?:signed|resolved|available|disclosed|changed|audited|approved|affected)|n't)\b|n't\b/i,
)
/** Negation that negates nothing: "not only", "no later than", "without prejudice". */
const HOLLOW = pattern(
  /\b(?:not only|no later than|no less than|not less than|no more than|not more than|without prejudice|no doubt|whether or not|not limited to|not to exceed|if not|not yet known|not applicable)\b/gi,
)

/** "recorded as an asset, not as an expense": the sentence affirms what stands before. */
const CONTRAST = pattern(/,\s(?:and\s)?not\s(?!yet\b)[^,.;]{2,60}|\brather than\s[^,.;]{2,60}/gi)

export function isNegated(text: string): boolean {
  return NEGATION.test(CONTRAST.replace(HOLLOW.replace(text, ' '), ' '))
}

const OPEN = pattern(
  /\b(?:pending|unresolved|outstanding|open|in progress|under (?:review|evaluation|investigation|negotiation|consideration|discussion|development)|underway|ongoing|awaiting|overdue|blocked|delayed|disput\w*|uncertain|contested|unsigned|incomplete|conflict\w*|not yet|yet to|risk|threat\w*|will (?:depart|leave|resign|expire|terminate)|resign\w*|sparse|missing|lack\w*|concern\w*|deficien\w*|weakness\w*|breach\w*|in (?:advanced )?discussions|scheduled|planned|ordered|requested|commissioned|proposed|on hold|gap|debt|error|discrepan\w*)\b/i,
)
const SETTLED =
  'resolved|remediated|closed|rescinded|withdrawn|complete|completed|signed|renewed|implemented|addressed|mitigated|updated|renegotiated|concluded|settled|lifted|overridden|hired|onboarded|adjudicated|harmoni[sz]ed|reclassified|moot|suspended|terminated|cancell?ed|corrected|appointed|obtained|restored|repaired|replaced|cleared|achieved|delivered|finali[sz]ed|retained|audited'
/** The participle must be said of something: "has been resolved", "— CLOSED", not "the updated guidelines". */
const DONE = pattern(
  new RegExp(
    `(?:\\b(?:has|have|had|been|is|are|was|were|now|fully|since|both|all)\\s+(?:\\w+ly\\s+|now\\s+|already\\s+)?|[:—–|-]\\s*|^)(?:${SETTLED})\\b|\\b(?:resolves|remediates|withdraws|withdrew|closes|renewed for|no longer|resolution of)\\b|\\b(?:concluded|completed|resolved|settled|closed|signed|withdrew|lifted|remediated|finali[sz]ed|renewed|terminated|cancell?ed)\\s(?:its|the|their|all|both|his|her|our)\\b|\\b(?:${SETTLED})\\s*[.)]?$`,
    'i',
  ),
)
/** Settled only when nothing else in the sentence is open. */
const DONE_MILD = pattern(
  /\b(?:identified|initiated|confirmed|in place|filed|submitted|agreed|introduced|established|validated|approved)\b/i,
)

const NO_LONGER = pattern(/\bno longer\b/i)
const AHEAD = pattern(/\b(?:will be|to be|must be|should be|shall be|expected to be|once|if|until|pending)\b[^.]{0,40}$/i)

/** Whether a statement leaves a matter open or settles it. */
function valenceOf(text: string, negated: boolean): NonNullable<Draft['valence']> {
  if (negated && !NO_LONGER.test(text)) return 'open'
  const strong = DONE.exec(text)
  if (strong && !AHEAD.test(text.slice(0, strong.index))) return 'done'
  if (OPEN.test(text)) return 'open'
  const mild = DONE_MILD.exec(text)
  return mild && !AHEAD.test(text.slice(0, mild.index)) ? 'mild' : 'plain'
}

export interface StateParts {
  start: number
  end: number
  text: string
  name: string
  terms: string[]
  head: string
  value: ClaimValue
  negated: boolean
  confidence: number
}

export function buildState(context: ReadContext, block: Block, parts: StateParts): Draft {
  const around = surroundingsOf(context, block)
  const written = roleIn(parts.name)
  const modality = modalityIn(parts.text)
  const period = periodIn(parts.text, context.profile.year)
  return {
    start: parts.start,
    end: parts.end,
    terms: parts.terms,
    head: parts.head,
    attribute: squeeze(parts.name).slice(0, 120),
    marks: [...marksOf(parts.name), ...sumsIn(parts.text)],
    about: aboutOf(parts.text),
    aboveMarks: [...around.marks, ...context.profile.marks],
    context: [...new Set([...contextTerms(parts.text, 32), ...around.context])].slice(0, 56),
    role:
      written === 'scenario' || around.role === 'scenario'
        ? 'scenario'
        : modality === 'possibility'
          ? 'hypothetical'
          : modality === 'obligation'
            ? 'obligation'
            : 'actual',
    period: period ?? around.period ?? context.profile.period,
    periodExplicit: period !== null || around.period !== null,
    polarity: parts.negated ? 'negated' : 'affirmed',
    modality,
    value: parts.value,
    valueText: valueText(parts.value, parts.negated),
    confidence: parts.confidence,
    stance: stanceIn(parts.text, false),
    prior: null,
    version: versionIn(parts.name) ?? around.version,
    frame: 'state',
    subjectText: parts.text,
    part: null,
    parents: [...block.path].reverse(),
    denominator: null,
    weak: false,
    valence: valenceOf(parts.text, parts.negated || isNegated(parts.text)),
    labelled: parts.confidence >= 0.8,
    disputed: around.disputed,
  }
}

function periodIn(text: string, year: number | null): Period | null {
  const found = findPeriods(text.slice(0, 400), year).filter(item => !item.yearGuessed && item.period.grain !== 'day')
  return found.length === 1 ? found[0]!.period : null
}

function valueText(value: ClaimValue, negated: boolean): string {
  return value.type === 'category' || value.type === 'name' ? value.value : negated ? 'no' : 'yes'
}

export function categoryValue(found: Category): ClaimValue {
  return { type: 'category', set: found.set, value: found.value, rank: found.rank }
}

/** "Revenue risk: HIGH", "Status: CLOSED", "IA-2025-009: Data quality — IN PROGRESS". */
export function pairStates(context: ReadContext, block: Block): Draft[] {
  const label = block.label!.text
  const body = squeeze(context.text.slice(block.body.start, block.body.end))
  const head = body.slice(0, 160)
  const asked = setsAskedBy(label)
  const drafts: Draft[] = []
  const around = surroundingsOf(context, block)
  for (const found of categoriesIn(head, true)) {
    if (found.needsLabel && !asked.has(found.set)) continue
    const lead = head.slice(0, found.start)
    const dashed = /(?:—|–|--|-|:|\|)\s*(?:NOT |not )?$/.test(lead)
    const short = lead.trim().length === 0 || lead.trim().split(/\s+/).length <= 2
    if (!dashed && !(short && body.length <= 220)) continue
    const described = dashed && lead.trim().length > 3 ? `${label} ${lead.replace(/(?:—|–|--|-|:)\s*$/, '')}` : label
    const own = termsOf(described)
    const thin = own.filter(term => !GENERIC.has(term)).length === 0
    const terms = thin ? [...termsOf(block.path.at(-1) ?? ''), ...own] : own
    const key = terms.find(term => !GENERIC.has(term)) ?? terms[0]
    const first = sentencesOf(context.text, block.body.start, block.body.end)[0]
    if (!key && !marksOf(described).length) continue
    const draft = buildState(context, block, {
      start: block.start,
      end: first?.end ?? block.end,
      text: `${label}: ${head}`,
      name: thin ? `${block.path.at(-1) ?? ''} ${described}`.trim() : described,
      terms,
      head: key ?? marksOf(described)[0]!,
      value: categoryValue(found),
      negated: false,
      confidence: 0.85,
    })
    if (found.set === 'progress') draft.item = itemIn(label) ?? (thin ? itemAbove(block.path) : null)
    const prior = priorIn(head, found)
    if (prior) draft.priorGrade = prior
    drafts.push(draft)
    if (around.text && drafts.length >= 2) break
  }
  return drafts.length ? [...drafts, ...furtherGrades(context, block, body, drafts)] : drafts
}

/** "Credit rating: BBB, outlook stable": a second value with a name of its own behind the first. */
function furtherGrades(context: ReadContext, block: Block, body: string, drafts: readonly Draft[]): Draft[] {
  const known = new Set(drafts.map(({ value }) => (value.type === 'category' ? value.set : '')))
  return gradesIn(body.slice(0, 160)).flatMap(({ name, found }) => {
    const terms = termsOf(name)
    const head = terms.at(-1)
    if (known.has(found.set) || !head) return []
    const { start, end } = drafts[0]!
    const value = categoryValue(found)
    return [buildState(context, block, { start, end, text: body, name, terms, head, value, negated: false, confidence: 0.8 })]
  })
}

export const GENERIC = new Set(
  'status rating severity level result outcome current overall assessment original state classification risk priority finding observation case conclusion decision note'
    .split(' ')
    .map(word => stem(word)),
)

/** A status at the end of a label or heading: "CROSS-CHECK COMPLETE: all twelve", "Imaging procedure (new)". */
export function endStates(context: ReadContext, block: Block): Draft[] {
  const text = (block.kind === 'heading' ? context.text.slice(block.start, block.end) : block.label!.text).slice(0, 160).trim()
  const found = categoriesIn(text, false).find(item => item.set === 'progress' && item.end >= text.length - 1 && item.start > 4)
  const added = /[(,—–-]\s?(?:[^()]{0,40},\s?)?(?:new|added|introduced)\)?$/i.exec(text)
  if (!found && !added) return []
  const name = text.slice(0, found ? found.start : added!.index)
  const terms = termsOf(name)
  const key = terms.filter(term => !GENERIC.has(term)).at(-1)
  if (!key || terms.length < 2) return []
  const draft = buildState(context, block, {
    start: block.start,
    end: block.kind === 'heading' ? block.end : (sentencesOf(context.text, block.body.start, block.body.end)[0]?.end ?? block.end),
    text: found ? text : `${name} is added`,
    name,
    terms,
    head: key,
    value: found ? categoryValue(found) : { type: 'boolean', value: true },
    negated: false,
    confidence: 0.7,
  })
  if (added) draft.valence = 'done'
  else draft.item = itemIn(text)
  draft.about = terms
  return [draft]
}

/** Headings that carry a rating: "TALENT RISK — SEVERITY: HIGH". */
export function headingStates(context: ReadContext, block: Block): Draft[] {
  const text = context.text.slice(block.start, block.end).replace(/^[*_=\s]+|[*_=\s]+$/g, '')
  const match = /^(.*?)(?:—|–|--|-|:|\()\s*(?:severity|rating|risk|status|priority|level)?\s*:?\s*([\p{L}][\p{L} -]{2,24})\)?$/iu.exec(
    text.slice(0, 200),
  )
  if (!match) return []
  const asked = setsAskedBy(text)
  const found = categoriesIn(match[2]!, true).find(item => item.start === 0 && (!item.needsLabel || asked.has(item.set)))
  const terms = termsOf(match[1]!)
  // "OVERALL STATUS: GREEN" is of what the document is about.
  const key = terms.filter(term => !GENERIC.has(term)).at(-1) ?? (found && terms.length > 1 ? terms.at(-1) : undefined)
  if (!found || !key || /\bwas\b/i.test(match[2]!)) return []
  return [
    buildState(context, block, {
      start: block.start,
      end: block.end,
      text,
      name: match[1]!.replace(/^[\d.\s]+/, ''),
      terms,
      head: key,
      value: categoryValue(found),
      negated: false,
      confidence: 0.8,
    }),
  ]
}

/** A cell that is nothing but a status or rating. */
export function rowStates(context: ReadContext, block: Block): Draft[] {
  const drafts: Draft[] = []
  for (const cell of block.cells.slice(0, 24)) {
    if (cell.text.length > 60 || /^[\d€$£+(-]/.test(cell.text)) continue
    const asked = setsAskedBy(`${block.label!.text} ${cell.header} ${block.path.at(-1) ?? ''}`)
    const found = categoriesIn(cell.text, true).find(item => item.start <= 2 && (!item.needsLabel || asked.has(item.set)))
    if (!found) continue
    const name = `${block.code} ${block.label!.text} ${cell.header}`.trim()
    const terms = termsOf(name)
    const key = terms.find(term => !GENERIC.has(term)) ?? marksOf(block.label!.text)[0] ?? terms[0]
    if (!key) continue
    const draft = buildState(context, block, {
      start: block.start,
      end: block.end,
      text: name,
      name,
      terms,
      head: key,
      value: categoryValue(found),
      negated: false,
      confidence: 0.8,
    })
    if (found.set === 'progress') {
      draft.valence = found.rank === 0 ? 'open' : 'done'
      draft.valueText = squeeze(cell.text).toLowerCase()
      draft.item = itemIn(block.label!.text) ?? itemIn(block.code)
    }
    drafts.push(draft)
  }
  return withPriors(drafts)
}

/** A row that gives the new and the old value: the new one cites the old. */
function withPriors(drafts: Draft[]): Draft[] {
  for (const fresh of drafts) {
    if (fresh.version !== 'new' || fresh.value.type !== 'category') continue
    const { set } = fresh.value
    const old = drafts.find(draft => draft.version === 'old' && draft.value.type === 'category' && draft.value.set === set)
    if (old?.value.type === 'category' && old.value.value !== fresh.value.value) fresh.priorGrade = old.value.value
  }
  return drafts
}
