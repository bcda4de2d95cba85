/**
 * A document as statements: sentences, labels with their answers, cells with their row and column. Each knows what stands
 * above it: headings, and the labels of its section that name something.
 */
import { cut } from '../../platform/storable-text.js'
import type { Block } from '../layout/blocks.js'
import { DATE, lastPart, namesThing, OWN_PERIOD } from '../layout/header-labels.js'
import { type Span, sentencesOf } from '../layout/sentences.js'
import { squeeze } from '../layout/squeeze.js'
import { rowName } from '../layout/tables.js'
import { findPeriods } from '../values/periods.js'
import { findValues } from '../values/values.js'
import { hasVerb } from '../words/forms.js'
import { asks, isByline, isIdentification, isLine, isPaperOfDay, isTitlePair, isTitling } from './profile.js'

export interface Statement {
  kind: 'sentence' | 'pair' | 'cell'
  /** Of the quote, in the normalized text. */
  start: number
  end: number
  /** What is read: label, colon and answer, or the sentence. */
  text: string
  /** How much of `text` is label; 0 in a sentence. */
  labelEnd: number
  /** Headings and naming labels above, outermost first. */
  above: string[]
  /** Of these, what says which thing is spoken of: headings, and labels such as "Site" and "Patient". */
  heads: string[]
  /** Of what is above, what gives a day that is not the time of what stands below it: when a paper was issued, somebody was born. */
  beside: readonly string[]
  /** The nearest heading. */
  heading: string
}

const ADMINISTRATIVE =
  /^(?:date|dated|ref|reference|our ref|your ref|classification|prepared (?:by|for)|issuer|issued by|issued|submitted by|signed|signature|written by|author|version|to|from|cc|bcc|subject|re|page|pages|rev|revision|next meeting|distribution|title|document|copy|copies|attachments?|enclosures?|fax|website|www|attendees|present|apologies|agenda)$/i
/** Labels that ask for nothing: what stands behind them is said by itself. */
const REMARK = /\b(?:remarks?|notes?|comments?|observations?)\b|^(?:details?|text|entry|message|summary)$/i
const GREETING = /^(?:dear|yours|kind regards|best regards|regards|sincerely|thank you|thanks|hello|hi|please find|enclosed|cc)\b/i
/** "Hi Sam, the fee is £500.": what is said stands behind it. */
const OPENING = /^(?:dear|thank you|thanks|hello|hi)\b[^,:–]{0,60}[,:–]\s*(?=\S)/i
const SPOKEN = /^.{4,}\s(?:is|are|was|were|has|have|had)\s.{3,}[.!?]$/s
/** "Delivered: no" tells whether, and not on which day. */
const YES_OR_NO = /^(?:yes|no|not yet|never|true|false|ja|nein|oui|non|s[íi]|n[ãa]o|sim)[.!]?$/i
/** When somebody or something began, ends or is due: no time of what stands beside it. */
const LIFE =
  /\b(?:born|birth|foaled|calved|hatched|start|started|joined|hired|since|built|founded|opened|bought|purchased|registered|admitted|loaded|planned|window|expir\w+|due|valid)\b/i
const MOST_STATEMENTS = 2_000

export function statementsOf(text: string, blocks: readonly Block[]): Statement[] {
  const found: Statement[] = []
  const sections = new Map<string, Map<string, string>>()
  const isLong = blocks.length > 16
  const told = blocks.findIndex(asks)
  const paper = datedTitle(blocks)
  for (const [index, block] of blocks.entries()) {
    if (found.length >= MOST_STATEMENTS) break
    if (block.zone === 'closing' || block.kind === 'heading') continue
    const key = block.path.join('\n')
    const named = sections.get(key) ?? new Map<string, string>()
    sections.set(key, named)
    const labels = namesAbove(sections, block.path)
    const above = [...block.path, ...labels.map(lineOf)]
    const heads = [...block.path.filter(line => !isByline(line)), ...labels.filter(named => namesThing(...named)).map(lineOf)]
    const beside = [
      ...block.path.filter(line => line === paper || !isLine(line) || isByline(line)),
      ...labels.map(lineOf).filter(line => LIFE.test(line)),
    ]
    const heading = block.path.at(-1) ?? ''
    const push = (statements: readonly Bare[]): void => {
      for (const bare of statements) found.push({ ...bare, heading, heads, beside })
    }
    if (block.kind === 'row') push(cellsOf(block, above))
    else if (isTitlePair(text, block, index)) continue
    else if (block.kind === 'pair') push(pairOf(text, block, above, named, isLong && block.zone === 'header'))
    else if (!(block.top && isTitle(bodyOf(text, block), index, told < 0 || index < told ? blocks.length : 0)))
      push(sentencesIn(text, block.body, above))
  }
  return found.slice(0, MOST_STATEMENTS)
}

/** The one heading that tells which paper this is and when it was issued. */
function datedTitle(blocks: readonly Block[]): string | undefined {
  const [paper, another] = [...new Set(blocks.flatMap(({ path }) => path))].filter(isPaperOfDay)
  return another === undefined ? paper : undefined
}

type Bare = Omit<Statement, 'heading' | 'heads' | 'beside'>

const bodyOf = (text: string, block: Block): string => text.slice(block.body.start, block.body.end).trim()

/** The first line, where something else follows; and lines below it that only say who, when or what kind of paper. */
const isTitle = (body: string, index: number, blocks: number): boolean =>
  blocks > 1 && (index === 0 ? body.length < 120 && isLine(body) : index < 4 && isTitling(body))

type Named = [label: string, answer: string]

function namesAbove(sections: ReadonlyMap<string, ReadonlyMap<string, string>>, path: readonly string[]): Named[] {
  const names: Named[] = []
  for (let depth = 0; depth <= path.length; depth++) names.push(...(sections.get(path.slice(0, depth).join('\n')) ?? []))
  return names.slice(-8)
}

const lineOf = ([label, answer]: Named): string => `${label.toLowerCase()} ${answer}`

/** At the head of a long document a name behind a label says what the document is about or who wrote it. */
function pairOf(text: string, block: Block, above: string[], named: Map<string, string>, isHead: boolean): Bare[] {
  const label = lastPart(block.label!.text)
  const body = bodyOf(text, block)
  // "12 April, evening: …", "A: …": what stands before the colon only says when or who.
  const inner = /^(\p{Lu}[^:.;!?\n]{2,60}):\s+(?=\S)/u.exec(body)
  if (isWhen(label)) return sentencesIn(text, block.body, [...above, label])
  if (inner) {
    const start = block.body.start + text.slice(block.body.start, block.body.end).indexOf(body)
    const answer = squeeze(cut(body.slice(inner[0].length), 600))
    return [answered('pair', { start, end: block.body.end }, inner[1]!, answer, [...above, label])]
  }
  const isNaming = isIdentification(body)
  // Who issued a document and when is known of the whole of it: it names nothing below.
  const isOfPaper = DATE.test(label) ? !YES_OR_NO.test(body) : ADMINISTRATIVE.test(label)
  // What the paper covers is the time of what stands below.
  const isPeriod = !isOfPaper && isOwnPeriod(block, label, body)
  const isHeader = isOfPaper || isPeriod
  if (isPeriod || (!isHeader && (isNaming || isShort(body)))) named.set(label, body)
  if ((isHead && isNaming) || /^(?:replaces|supersedes|cancels)\b/i.test(body)) return []
  if (isHeader) return body.length > 120 ? sentencesIn(text, block.body, above) : []
  if (REMARK.test(label)) return sentencesIn(text, block.body, [label])
  const [first, ...rest] = sentencesOf(text, block.body.start, block.body.end)
  if (!first) return []
  const answer = squeeze(cut(text.slice(first.start, first.end), 600))
  // "Vela Ltd: net debt was EUR 17.5M.": a sentence, and of what.
  if (isIdentification(label) && SPOKEN.test(answer))
    return [{ start: block.label!.start, end: first.end }, ...rest].map(span => sentence(text, span, above))
  return [
    answered('pair', { start: block.label!.start, end: first.end }, label, answer, above),
    ...rest.map(span => sentence(text, span, [...above, label])),
  ]
}

/**
 * "Period: Q1 2024" says what the paper covers, and is no answer to hold against that of another. "Valuation date: 5 May 2026",
 * "Validity period: 2024 to 2026" and "Year built: 1987" are, and so is whatever says more than a period.
 */
function isOwnPeriod({ top, zone }: Block, label: string, body: string): boolean {
  if (!(top || zone === 'header') || !OWN_PERIOD.test(label)) return false
  // "Pay period: 1 to 31 March 2026", "Reporting period: 1 January to 31 March 2024"; a bare "Period" from one day to another may be that of a lease.
  const isWhose = /\s/.test(label)
  const found = findPeriods(body, isWhose ? 2000 : null)
  const isRange = found.length === 2 || found[0]?.period.grain === 'range'
  if (found.length === 0 || found.length > 2 || (isRange ? !isWhose : found[0]!.period.grain === 'day')) return false
  const rest = found.reduceRight((left, { start, end }) => `${left.slice(0, start)} ${left.slice(end)}`, body)
  return !/[\p{L}\d]/u.test(rest.replace(/\bweek \d{1,2}\b|\b(?:from|to|until|and|bis|von)\b/gi, ''))
}

const WHEN_WORDS =
  /\d{1,2}(?::\d{2})?|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:morning|noon|afternoon|evening|night|today|yesterday|am|pm|h|uhr|utc|gmt|bst|ces?t|st|nd|rd|th|of|the|on|at)\b|[\s,.:/()–-]/giu

/** A day or a time before a colon, or the letter of one who asks or answers. */
const isWhen = (label: string): boolean => /^[A-Z]$/.test(label) || (/\d|day$/.test(label) && label.replace(WHEN_WORDS, '') === '')

/** A short answer without a figure says what the labels beside it are about. */
const isShort = (body: string): boolean => body.length <= 40 && !/\d/.test(body)

function cellsOf(block: Block, above: string[]): Bare[] {
  const label = rowName(block)
  const isNumber = /^[\d.,/-]+$/.test(label)
  // A bare number in the first column is named by the column: "Week 18".
  const row = isNumber ? `${block.labelHeader} ${label}`.trim() : label
  const over = block.labelHeader && !isNumber ? [...above, block.labelHeader] : above
  const told = block.cells.filter(cell => cell.text !== '' && !/^[-–—.*]+$/.test(cell.text))
  const unit = told.find(({ text }) => isUnit(text))
  const cells = told.filter(cell => cell !== unit)
  return cells.slice(0, 12).map(cell => {
    const start = Math.min(block.label?.start ?? cell.start, cell.start)
    const end = Math.max(block.label?.end ?? cell.end, cell.end)
    return answered(
      'cell',
      { start, end },
      squeeze(cell.header === '' ? row : `${row}, ${cell.header}`).trim(),
      unit ? `${cell.text} ${unit.text}` : cell.text,
      over,
    )
  })
}

/** "Nitrate | mg/l | 48": the unit of a row in a cell of its own. */
const isUnit = (text: string): boolean => {
  const [found] = /\d/.test(text) || text.length > 12 ? [] : findValues(`1 ${text}`, () => -1)
  return found !== undefined && found.end === text.length + 2
}

/** A label with its answer. */
function answered(kind: 'pair' | 'cell', { start, end }: Span, label: string, answer: string, above: string[]): Bare {
  return { kind, start, end, text: `${label}: ${answer}`, labelEnd: label.length + 1, above }
}

function sentencesIn(text: string, body: Span, above: string[]): Bare[] {
  return sentencesOf(text, body.start, body.end)
    .flatMap(span => clausesOf(text, withoutOpening(text, span)))
    .map(part => sentence(text, part, above))
    .filter(({ text }) => text.length >= 8 && !GREETING.test(text) && !text.endsWith('?'))
}

function withoutOpening(text: string, { start, end }: Span): Span {
  const [opening = ''] = OPENING.exec(text.slice(start, end)) ?? []
  return hasVerb(text.slice(start + opening.length, end)) ? { start: start + opening.length, end } : { start, end }
}

/** A semicolon ends what can be said by itself. */
function clausesOf(text: string, span: Span): Span[] {
  const parts: Span[] = []
  let from = span.start
  for (let at = text.indexOf('; ', from); at >= 0 && at < span.end; at = text.indexOf('; ', from)) {
    if (at - from < 24 || span.end - at < 24) break
    parts.push({ start: from, end: at })
    from = at + 2
  }
  parts.push({ start: from, end: span.end })
  return parts
}

function sentence(text: string, span: Span, above: string[]): Bare {
  const end = Math.min(span.end, span.start + 900)
  const said = squeeze(text.slice(span.start, end)).replace(/^(?:§\s?\d+[a-z]?|\d{1,2}(?:\.\d{1,2})+|\d{1,2}[.)]|[-*•>])\s+(?=\p{L})/u, '')
  return { kind: 'sentence', start: span.start, end, text: said, labelEnd: 0, above }
}
