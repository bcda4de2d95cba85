/**
 * Numeric claims of pairs, table cells and sentences. Each value gets the name, role, period and cited older value that
 * the words around it give; a value without a name is not claimed.
 */
import type { Block } from './blocks.js'
import { type Clause, clauseOf, periodFor } from './clause.js'
import { type Draft, type ReadContext, type Surroundings, surroundingsOf } from './draft.js'
import { phraseFor } from './frames.js'
import { BASIS, NEUTRAL } from './lexicon.js'
import { isIdentifier, marksOf, subjectMarks } from './marks.js'
import { type Named, named, namedUnder, periodInLabel, thin } from './names.js'
import { citedAsPrior, modalityIn, roleIn, stanceIn, versionIn } from './roles.js'
import { sentencesOf } from './sentences.js'
import { contextTerms, isNameTerm, termOf, termsOf } from './slots.js'
import type { ClaimRole, Period } from './types.js'
import type { FoundValue } from './values.js'
import { FUNCTION_WORDS } from './words.js'

const STATISTIC = /(?:\b(?:CI|IQR|SD|SE|p\s?[=<>]|p-value|n\s?=|N\s?=|ref|quantile)\b[^()]{0,24}|\b(?:range:?|baseline)\s)$|\bn\s?=\s?$/i

const PART =
  /\b(?:includ(?:es|ed|ing)|contain(?:s|ed|ing)|compris(?:es|ed|ing)|of which|thereof)\s(?:approximately\s|about\s|an?\s|the\s)?$/i
const CITES_OLD = /\b(?:original(?:ly)?|previously|initially|formerly)\b(?![^.;]*\b(?:now|revised|restated|corrected)\b)/i
const UPDATES =
  /\b(?:grew to|rose to|fell to|increased to|decreased to|declined to|reduced to|raised to|lowered to|now|remaining|revised|updated|current(?:ly)?|released)\b/i
/** Two sources in one sentence: "recorded as V1 but the contract states V2". */
const SETS_AGAINST =
  /\b(?:but|whereas|while|however|yet|versus|vs\.?|against)\b[^.;]{0,60}\b(?:states?|stated|shows?|showed|says?|reports?|reported|records?|recorded|indicates?|lists?|gives?|has|is|was)\s(?:as\s|at\s|only\s|approximately\s|the\s)?$/i
const INTERVAL = /^\s?(?:CI\b|confidence)/i

interface Given {
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

export function build(context: ReadContext, given: Given): Draft {
  const { value, around, clause } = given
  const written = roleIn(given.roleText)
  const modality = modalityIn(clause.text)
  let role: ClaimRole = written ?? around.role ?? 'actual'
  if (value.bound && role === 'actual') role = value.bound === 'min' ? 'minimum' : 'maximum'
  if (role === 'actual' && modality === 'possibility' && given.frame === 'prose') role = 'hypothetical'
  if (role === 'actual' && modality === 'obligation' && given.frame === 'prose') role = 'obligation'
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
    context: [...new Set([...contextTerms(sentence, 32), ...around.context])].slice(0, 56),
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
  }
}

/** Ties cited older values to the value they stand beside. */
function tiePriors(drafts: { draft: Draft; value: FoundValue; cited: 'prior' | 'denied' | null; ownPeriod: boolean }[]): Draft[] {
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

function sameUnit(a: Draft, b: Draft): boolean {
  return a.value.type !== 'quantity' || b.value.type !== 'quantity' || a.value.unit === b.value.unit
}

const ARROW = /^\s?(?:\([^()]{0,40}\)\s?)?(?:->|→|=>|⇒)\s?/

function cited(clause: Clause, value: FoundValue): 'prior' | 'denied' | null {
  if (ARROW.test(clause.text.slice(value.end, value.end + 60))) return 'prior'
  const left = clause.text.slice(Math.max(0, value.start - 70), value.start)
  const found = citedAsPrior(left)
  // "V1 (Q2) vs V2 (Q1)" compares periods; "remained from" and "apart from" cite nothing.
  return found
}

/** Sentences of running text. `fallback` names values the sentence itself does not name. */
export function sentenceClaims(context: ReadContext, block: Block, start: number, end: number, fallback: Named | null, lead = ''): Draft[] {
  const around = surroundingsOf(context, block)
  const drafts: Draft[] = []
  let topic = ''
  for (const span of sentencesOf(context.text, start, end)) {
    const clause = clauseOf(context.text, span.start, span.end, context.profile.year)
    const group: Parameters<typeof tiePriors>[0] = []
    let lastName: Named | null = null
    const owners = clause.values.length ? subjectMarks(clause.text) : []
    for (const value of clause.values) {
      const i = clause.toks.findIndex(tok => tok.tag === 'V' && tok.start <= value.start && tok.end >= value.end)
      if (i < 0) continue
      const left = clause.text.slice(0, value.start)
      if (STATISTIC.test(left.slice(-40)) || INTERVAL.test(clause.text.slice(value.end, value.end + 14))) continue
      const kind = value.value.type
      const hasUnit = value.value.type === 'quantity' && value.value.unit !== null && value.value.unit !== 'x'
      const phrase = phraseFor(clause.toks, i, kind, hasUnit)
      const isCited = cited(clause, value)
      let name: Named | null = null
      if (phrase) {
        const words = phrase.words.filter(word => word.tag === 'N')
        const terms = words.flatMap(word => termOf(word.lower)).filter(term => isNameTerm(term) && !FUNCTION_WORDS.has(term))
        const heads = termOf(phrase.head.lower).filter(term => isNameTerm(term))
        const head = terms.includes('change') ? 'change' : (heads.at(-1) ?? terms.at(-1))
        if (head && terms.length) {
          const text = clause.text.slice(words[0]!.start, words.at(-1)!.end)
          name = { terms: terms.slice(0, 12), head, attribute: text.slice(0, 120), marks: marksOf(text), nameText: text }
        }
      }
      if (!name && isCited) name = lastName
      if (!name && fallback && value === clause.values[0] && span.start === start && value.start < 40) name = fallback
      if (!name || isEnumerator(clause.text, value) || isIdentifier(clause.text, value.start, value.end)) continue
      if (value.value.type === 'quantity' && !hasUnit && !phrase && !isCited) continue
      if (!isCited) lastName = name
      if (
        /\bby\s(?:only\s|some\s|approximately\s|about\s|around\s|up to\s|just\s|almost\s|nearly\s|a further\s)?$/i.test(left) &&
        !name.terms.includes('change')
      )
        name = { ...name, terms: [...name.terms, 'change'], head: 'change' }
      const period = periodFor(clause, value)
      const near = nearby(clause, value)
      const draft = build(context, {
        block,
        clause,
        value,
        name,
        span,
        around,
        frame: 'prose',
        confidence: phrase ? (phrase.frame === 'right' || phrase.frame === 'in' ? 0.65 : 0.75) : 0.5,
        period,
        roleText: `${name.nameText} ${near}`,
        subjectText: `${lead} ${clause.text.slice(0, value.end + 40)}`,
        parents: [...(lead ? [lead] : []), ...[...block.path].reverse()],
        weak: value.value.type === 'quantity' && !hasUnit && phrase !== null && phrase.frame === 'right' && !phrase.stated,
      })
      if (owners.length) draft.aboveMarks = [...draft.aboveMarks, ...owners]
      if (lead) draft.aboveMarks = [...draft.aboveMarks, ...marksOf(lead.slice(0, 200))]
      if (PART.test(left)) draft.part = 'part'
      if (draft.version === null && CITES_OLD.test(left)) draft.version = 'old'
      if (topic) draft.context = [...new Set([...draft.context, ...contextTerms(topic, 12)])].slice(0, 60)
      const before = group.at(-1)
      if (
        before &&
        !isCited &&
        before.draft.value.type === draft.value.type &&
        sameUnit(before.draft, draft) &&
        SETS_AGAINST.test(clause.text.slice(before.value.end, value.start))
      ) {
        Object.assign(draft, {
          terms: before.draft.terms,
          head: before.draft.head,
          attribute: before.draft.attribute,
          marks: before.draft.marks,
          role: before.draft.role,
          rival: true,
        })
      }
      group.push({ draft, value, cited: isCited, ownPeriod: period !== null })
    }
    topic = clause.text.slice(0, 120)
    drafts.push(...tiePriors(group))
  }
  return drafts
}

/** The few words that can qualify a value: back to the last value or stop, and a little beyond it. */
function nearby(clause: Clause, value: FoundValue): string {
  const left = clause.text.slice(Math.max(0, value.start - 40), value.start)
  const right = clause.text.slice(value.end, value.end + 18)
  const stop = Math.max(
    left.lastIndexOf('. '),
    left.lastIndexOf('; '),
    left.lastIndexOf(') '),
    left.lastIndexOf(', '),
    left.search(/\d[^\d]*$/) + 1,
  )
  return `${left.slice(Math.max(0, stop))} ${/^\s?[\p{L}-]+/u.exec(right)?.[0] ?? ''}`
}

/** "(1) first, (2) second" counts nothing. */
function isEnumerator(text: string, value: FoundValue): boolean {
  return value.value.type === 'quantity' && text[value.start - 1] === '(' && text[value.end] === ')' && value.text.length <= 2
}

/** The value a pair is about: it stands at the start of the body, or after the last equals sign. */
function primary(clause: Clause): FoundValue | null {
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
      /\b(?:approximately|approx\.?|about|around|roughly|circa|ca\.|estimated(?: at)?|est\.?|at least|up to|up|down|minimum|maximum|more than|less than|over|under|below|above|some|net|only|now|currently|increased to|reduced to|from|between|mPFS|median)\b/gi,
      '',
    )
  return /^[\s~≈<>≥≤=+\-("'*_[]*$/.test(lead) ? first : null
}

export function pairClaims(context: ReadContext, block: Block): Draft[] {
  const label = block.label!
  const around = surroundingsOf(context, block)
  const name = namedUnder(label.text, block.path)
  const sentences = sentencesOf(context.text, block.body.start, block.body.end)
  const first = sentences[0]
  if (!first) return []
  const clause = clauseOf(context.text, first.start, first.end, context.profile.year)
  const main = name ? primary(clause) : null
  if (!main || !name) {
    const drafts = sentenceClaims(context, block, block.body.start, block.body.end, name, label.text)
    return measuresOf(clause, name, drafts, span0(block, first))
  }
  const labelPeriod = periodInLabel(label.text, context.profile.year)
  const span = { start: block.start, end: first.end }
  const mainName = withMeasure(clause, main, name)
  const group: Parameters<typeof tiePriors>[0] = []
  for (const value of clause.values) {
    const left = clause.text.slice(0, value.start)
    const isMain = value === main
    if (value.end <= main.start) continue
    if (!isMain && (STATISTIC.test(left.slice(-40)) || INTERVAL.test(clause.text.slice(value.end, value.end + 14)))) continue
    const isCited = isMain && !ARROW.test(clause.text.slice(value.end, value.end + 60)) ? null : cited(clause, value)
    let own: Named | null = null
    if (isMain) own = mainName
    else if (
      isCited ||
      isShare(clause, main, value) ||
      /^\s*(?:vs\.?|versus|\/|->|→)/.test(clause.text.slice(main.end).replace(/^\s?\([^()]*\)/, ''))
    )
      own = mainName
    else own = under(inner(clause, value), name)
    if (!own || (!isMain && !isCited && own.terms.every(term => NEUTRAL.has(term)))) continue
    const period = periodFor(clause, value) ?? labelPeriod
    const near = isMain
      ? `${label.text} ${clause.text.slice(0, main.end + 24)}`
      : `${own.nameText} ${clause.text.slice(Math.max(0, value.start - 30), value.end + 12)}`
    const draft = build(context, {
      block,
      clause,
      value,
      name: own,
      span,
      around,
      frame: 'pair',
      confidence: isMain ? 0.9 : 0.7,
      period,
      roleText: near,
      subjectText: `${label.text} ${clause.text.slice(0, value.end + 30)}`,
      parents: [...(isMain || isCited || own === mainName ? [] : [label.text]), ...[...block.path].reverse()],
      weak: false,
    })
    if (draft.denominator === null && isShare(clause, main, value)) draft.denominator = main.denominator
    draft.context = [...new Set([...draft.context, ...contextTerms(label.text, 16)])]
    draft.stance = stanceIn(`${label.text}: ${clause.text}`.slice(0, 400), false)
    group.push({ draft, value, cited: isCited, ownPeriod: periodFor(clause, value) !== null })
  }
  const rest = sentences[1] ? sentenceClaims(context, block, sentences[1].start, block.body.end, null, label.text) : []
  return [...tiePriors(group), ...rest]
}

function span0(block: Block, first: { start: number; end: number }): { bodyStart: number; start: number; end: number } {
  return { bodyStart: first.start, start: block.start, end: first.end }
}

/** "PD-L1 high: HR 0.48": the body names the measure, the label says of what. */
function measuresOf(clause: Clause, name: Named | null, drafts: Draft[], at: { bodyStart: number; start: number; end: number }): Draft[] {
  const first = clause.values[0]
  if (!name || !first || first.start > 26 || /[.;:]/.test(clause.text.slice(0, first.start))) return drafts
  return drafts.map(draft =>
    draft.start === at.bodyStart && draft.frame === 'prose' && draft.part === null
      ? {
          ...draft,
          start: at.start,
          frame: 'pair' as const,
          version: draft.version ?? versionIn(name.nameText),
          terms: [...new Set([...name.terms, ...draft.terms])].slice(0, 14),
          marks: [...new Set([...name.marks, ...draft.marks])],
          attribute: `${name.attribute} · ${draft.attribute}`.slice(0, 120),
        }
      : draft,
  )
}

/** "27 (64.3%)": a count and its share are the same statement. */
function isShare(clause: Clause, main: FoundValue, value: FoundValue): boolean {
  return (
    value.value.type === 'percent' && main.value.type !== 'percent' && /^[\s(=/\d]{1,8}$/.test(clause.text.slice(main.end, value.start))
  )
}

/** "Alpha (manufacturing): EUR 58.2M revenue" measures revenue; the label is whose. */
function withMeasure(clause: Clause, value: FoundValue, name: Named): Named {
  const i = clause.toks.findIndex(tok => tok.tag === 'V' && tok.start <= value.start && tok.end >= value.end)
  const next = clause.toks[i + 1]
  if (i < 0 || !next || next.gap !== '' || next.tag !== 'N' || /(?:ing|ed)$/.test(next.lower) || value.value.type === 'quantity')
    return name
  const terms: string[] = []
  for (let k = i + 1; k < clause.toks.length && k < i + 4; k++) {
    const tok = clause.toks[k]!
    if (tok.tag !== 'N' || (k > i + 1 && tok.gap !== '')) break
    terms.push(...termOf(tok.lower).filter(isNameTerm))
  }
  const head = terms.at(-1)
  if (!head || name.terms.includes(head)) return name
  return { ...name, terms: [...name.terms, ...terms], head: name.terms.includes('change') ? 'change' : head }
}

/** A name of one word in parentheses leans on the label: "Safety population: 80 (control: 26)". */
function under(own: Named | null, label: Named): Named | null {
  if (!own || own.terms.length > 1 || label.terms.includes(own.head)) return own
  return { ...own, terms: [...label.terms, ...own.terms].slice(0, 14), marks: [...new Set([...own.marks, ...label.marks])] }
}

/** A further value in the body with its own name: "(EBITDA margin: 13.8%)". */
function inner(clause: Clause, value: FoundValue): Named | null {
  const left = clause.text.slice(0, value.start)
  const colon = /([\p{L}][^():;,]{1,50})[:=]\s*$/u.exec(left)
  if (colon) return named(colon[1]!.trim())
  const i = clause.toks.findIndex(tok => tok.tag === 'V' && tok.start <= value.start && tok.end >= value.end)
  if (i < 0) return null
  const phrase = phraseFor(clause.toks, i, value.value.type, value.value.type === 'quantity' && value.value.unit !== null)
  if (!phrase) return null
  const words = phrase.words.filter(word => word.tag === 'N')
  return words.length ? named(clause.text.slice(words[0]!.start, words.at(-1)!.end)) : null
}

export function rowClaims(context: ReadContext, block: Block): Draft[] {
  const label = block.label!
  const around = surroundingsOf(context, block)
  const rowName = namedUnder(label.text, thinTable(block) ? block.path : [])
  const rowPeriod = periodInLabel(label.text, context.profile.year)
  const drafts: Draft[] = []
  for (const cell of block.cells.slice(0, 24)) {
    const clause = clauseOf(context.text, cell.start, cell.end, context.profile.year)
    const value = primary(clause) ?? (/^\([^()]{2,40}:\s/.test(cell.text) ? (clause.values[0] ?? null) : null)
    if (!value) continue
    const described = /^\(\s?([\p{L}][^():]{1,40}):/u.exec(cell.text)
    const column = described ? named(described[1]!) : cell.header ? named(cell.header) : null
    const terms = [...(rowName?.terms ?? []), ...(column?.terms ?? [])]
    const marks = [...(rowName?.marks ?? marksOf(label.text)), ...marksOf(cell.header)]
    // A row that is a name, code or period leaves the measuring to its column.
    const identifying = !rowName || rowPeriod !== null || marksOf(label.text).length > 0 || /^\d/.test(label.text)
    const head = terms.includes('change') ? 'change' : identifying && column ? column.head : (rowName?.head ?? column?.head)
    if (!head || !terms.length) continue
    const text = [label.text, cell.header].filter(Boolean).join(' · ')
    const columnPeriod = periodInLabel(cell.header, context.profile.year)
    drafts.push(
      build(context, {
        block,
        clause,
        value,
        name: { terms: terms.slice(0, 14), head, attribute: text.slice(0, 120), marks: marks.slice(0, 8), nameText: text },
        span: { start: block.start, end: block.end },
        around,
        frame: 'cell',
        confidence: 0.85,
        period: columnPeriod ?? rowPeriod,
        roleText: text,
        subjectText: text,
        parents: [...block.path].reverse(),
        weak: false,
      }),
    )
    const share = clause.values.find(other => other !== value && isShare(clause, value, other))
    if (share) drafts.push({ ...drafts.at(-1)!, value: share.value, valueText: share.text, denominator: value.denominator })
  }
  return drafts
}

/** Columns that are only periods or roles leave the naming to row and heading. */
function thinTable(block: Block): boolean {
  return block.cells.every(cell => !cell.header || thin(named(cell.header)))
}
