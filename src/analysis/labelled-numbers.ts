/** Numeric claims behind a label: the value the label asks for, and further values of the body with names of their own. */
import type { Block } from './blocks.js'
import { type Clause, clauseOf, periodFor } from './clause.js'
import { type Draft, type ReadContext, surroundingsOf } from './draft.js'
import { phraseFor } from './frames.js'
import { NEUTRAL } from './lexicon.js'
import { namesByNumber } from './marks.js'
import { type Named, named, namedUnder, periodInLabel } from './names.js'
import { ARROW, build, cited, type Grouped, INTERVAL, isShare, primary, STATISTIC, tiePriors } from './number-draft.js'
import { sentenceClaims } from './prose-numbers.js'
import { stanceIn, versionIn } from './roles.js'
import { sentencesOf } from './sentences.js'
import { contextTerms, nameTerms } from './slots.js'
import { declaredUnit, inUnit, unitIn } from './table-units.js'
import type { FoundValue } from './values.js'

/** "24 vans were tested: 18 with the new sign": the label is a sentence with a count of its own. */
const COUNTS = /^(?:\d[\d,.]*|\p{L}+)\s(?:\p{L}[\p{L}-]*\s){1,4}?(?:is|are|was|were|has|have|had)\b/iu

export function pairClaims(context: ReadContext, block: Block): Draft[] {
  const label = block.label!
  if (/^\d/.test(label.text) && COUNTS.test(label.text))
    return sentenceClaims(context, block, label.start, label.end, null).map(draft => ({ ...draft, end: block.end }))
  const around = surroundingsOf(context, block)
  if (isNumbering(context, block)) return []
  const name = namedUnder(label.text, block.path)
  const sentences = sentencesOf(context.text, block.body.start, block.body.end)
  const first = sentences[0]
  if (!first) return []
  const clause = clauseOf(context.text, first.start, first.end, context.profile.year)
  const leading = name ? primary(clause) : null
  // "Injury record: one injury was reported": the body is a sentence and names its count itself.
  const main = leading && isSaid(clause, leading) ? null : leading
  if (!main || !name) {
    const drafts = sentenceClaims(context, block, block.body.start, block.body.end, name, label.text)
    return leading && !main ? drafts : measuresOf(clause, name, drafts, span0(block, first))
  }
  const labelPeriod = periodInLabel(label.text, context.profile.year)
  const labelUnit = unitIn(label.text) ?? declaredUnit(context, block, '')
  const span = { start: block.start, end: first.end }
  const mainName = withMeasure(clause, main, name)
  const group: Grouped[] = []
  for (const value of clause.values) {
    const left = clause.text.slice(0, value.start)
    const isMain = value === main
    if (value.end <= main.start) continue
    if (!isMain && (STATISTIC.test(left.slice(-40)) || INTERVAL.test(clause.text.slice(value.end, value.end + 14)))) continue
    const isCited = isMain && !ARROW.test(clause.text.slice(value.end, value.end + 60)) ? null : cited(clause, value)
    const own = nameAt(clause, main, value, isCited !== null, mainName, name)
    if (!own || (!isMain && !isCited && own.terms.every(term => NEUTRAL.has(term)))) continue
    const period = periodFor(clause, value) ?? labelPeriod
    const draft = build(context, {
      block,
      clause,
      value: isMain || isCited ? inUnit(value, labelUnit) : value,
      name: own,
      span,
      around,
      frame: 'pair',
      confidence: isMain ? 0.9 : 0.7,
      period,
      roleText: nearTo(label.text, clause, value, own, isMain),
      subjectText: `${label.text} ${clause.text.slice(0, value.end + 30)}`,
      parents: [...(isMain || isCited || own === mainName ? [] : [label.text]), ...[...block.path].reverse()],
      // A further bare count of the body may be of any part.
      weak: !isMain && !isCited && value.value.type === 'quantity' && value.value.unit === null,
    })
    if (draft.denominator === null && isShare(clause, main, value)) draft.denominator = main.denominator
    draft.context = [...new Set([...draft.context, ...contextTerms(label.text, 16)])]
    draft.stance = stanceIn(`${label.text}: ${clause.text}`.slice(0, 400), false)
    group.push({ draft, value, cited: isCited, ownPeriod: periodFor(clause, value) !== null })
  }
  const rest = sentences[1] ? sentenceClaims(context, block, sentences[1].start, block.body.end, null, label.text) : []
  return [...tiePriors(group), ...rest]
}

/** "Batch: 31-118" names the batch. */
function isNumbering(context: ReadContext, block: Block): boolean {
  if (!namesByNumber(block.label!.text.trim().toLowerCase())) return false
  const body = context.text.slice(block.body.start, Math.min(block.body.end, block.body.start + 60)).trim()
  return /^[\p{Lu}\d][\p{L}\d]*(?:[-/][\p{L}\d]+)*$/u.test(body)
}

/** Words at a value that may say its role. */
function nearTo(label: string, clause: Clause, value: FoundValue, own: Named, isMain: boolean): string {
  if (!isMain) return `${own.nameText} ${clause.text.slice(Math.max(0, value.start - 30), value.end + 12)}`
  const after = /^\s?\(?\s?[\p{L}-]{3,14}\)?/u.exec(clause.text.slice(value.end, value.end + 18))?.[0] ?? ''
  return `${label} ${clause.text.slice(0, value.end)} ${after}`
}

/** The name of a value of the body: the label's own, or what stands at the value. */
function nameAt(clause: Clause, main: FoundValue, value: FoundValue, isCited: boolean, mainName: Named, name: Named): Named | null {
  if (value === main || isCited || isShare(clause, main, value)) return mainName
  const compared = /^\s*(?:vs\.?|versus|\/|->|→)/.test(clause.text.slice(main.end).replace(/^\s?\([^()]*\)/, ''))
  return compared ? mainName : under(inner(clause, value), name)
}

/** A bare count followed by its noun and a verb. */
function isSaid(clause: Clause, value: FoundValue): boolean {
  if (value.value.type !== 'quantity' || value.value.unit !== null) return false
  const i = clause.toks.findIndex(tok => tok.tag === 'V' && tok.start <= value.start && tok.end >= value.end)
  const rest = clause.toks.slice(i + 1, i + 7)
  const verb = rest.findIndex(tok => tok.tag === 'X' || /^(?:is|are|was|were|has|have|had)$/.test(tok.lower))
  const named = rest.slice(0, verb)
  // "398 of your vans carry the new sign"
  return verb > 0 && named.some(tok => tok.tag === 'N') && named.every(tok => /[NPD]/.test(tok.tag) && !/[,;:()]/.test(tok.gap))
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

/** Words that qualify a sum and measure nothing: "GBP 84,000 plus VAT". */
const BESIDE = new Set(
  'plus minus net gross excl incl excluding including each only annually monthly quarterly yearly total pa approx'.split(' '),
)

/** "Alpha (manufacturing): EUR 58.2M revenue" measures revenue; the label is whose. */
function withMeasure(clause: Clause, value: FoundValue, name: Named): Named {
  const i = clause.toks.findIndex(tok => tok.tag === 'V' && tok.start <= value.start && tok.end >= value.end)
  const next = clause.toks[i + 1]
  if (
    i < 0 ||
    !next ||
    next.gap !== '' ||
    next.tag !== 'N' ||
    /(?:ing|ed)$/.test(next.lower) ||
    BESIDE.has(next.lower) ||
    value.value.type === 'quantity'
  )
    return name
  const terms: string[] = []
  for (let k = i + 1; k < clause.toks.length && k < i + 4; k++) {
    const tok = clause.toks[k]!
    if (tok.tag !== 'N' || (k > i + 1 && tok.gap !== '')) break
    terms.push(...nameTerms(tok.lower))
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
