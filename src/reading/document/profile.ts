/**
 * What a document says of itself: title, kind, who issued it, when, for which period, what it replaces, and its topic, the
 * thing it is about. Topic and issuer are told apart: a letterhead is nobody's subject.
 */

import { cut } from '../../platform/storable-text.js'
import type { Block } from '../layout/blocks.js'
import {
  BARE_NUMBER,
  DATE,
  HOUSE,
  ISSUER,
  isHeaderLabel,
  lastPart,
  namesThing,
  OCCASION,
  PERIOD,
  REFERENCE,
  SUBJECTED,
  WRITER,
} from '../layout/header-labels.js'
import { matchesOf } from '../matches.js'
import type { DocumentInput, DocumentProfile, NamedThing, Period, Topic } from '../types.js'
import { findPeriods } from '../values/periods.js'
import { hasVerb } from '../words/forms.js'
import type { Names } from '../words/names.js'
import { PUTS_RIGHT } from '../words/stems.js'
import { periodOf, type Tokens, tokensOf } from '../words/tokens.js'
import { foreignHead } from './foreign-head.js'

export interface Profile extends Omit<DocumentProfile, 'principalSubject'> {
  /** Says in its title that it corrects, restates or replaces something. */
  corrects: boolean
  topic: Topic
  /** What its title or labels name, as they write it. */
  called: string
  year: number | null
}

const KINDS =
  'annual report|report|minutes|memorandum|memo|letter|certificate|statement|agreement|contract|lease|policy|notice|protocol|plan|budget|forecast|invoice|order|register|log|record|survey|audit|review|assessment|analysis|opinion|press release|release|newsletter|bulletin|briefing|summary|note|schedule|sheet|form|application|tender|offer|proposal|questionnaire|diary|list|extract|overview|dashboard|presentation|update|correction|erratum|addendum|amendment|judgment|decision|ruling|deed|will|prescription|referral|discharge summary|data sheet|email|mail|confirmation|circular|transcript|interview|declaration|affidavit|quote|quotation|receipt|ticket'
const KIND = new RegExp(`\\b(${KINDS})\\b`, 'i')
const LEGAL_FORM =
  /\b(?:Ltd|Limited|plc|LLP|LLC|Inc|Corp|GmbH|AG|SE|SA|S\.A|SAS|BV|NV|AB|AS|A\/S|Oy|Oyj|SpA|Srl|KG|Co|Company|Group|Holding|Holdings|Bank|Insurance|University|Hospital|Clinic|Council|Authority|Agency|Ministry|Institute|Laborator(?:y|ies)|Partners|Associates|Department|Office|Board|Committee|Court|Foundation|Trust|Society|Association|Union|Services?|Consult(?:ing|ants)|Advis(?:ors|ers|ory)|Engineers|Surveyors|Solicitors|Chambers|Team|Unit|Division|Directorate|Inspectorate|School|College)\b/
const REPLACES =
  /\b(?:supersedes|superseding|replaces|replacing|cancels(?: and replaces)?|corrects|correcting|restates|withdraws|in place of|correction (?:of|to)|corrigendum to|erratum to|amend(?:s|ment (?:to|of))|(?:takes?|taking) the place of|we (?:\w+ )?(?:correct|amend|withdraw|restate)|please (?:disregard|ignore))\s(?:(?:the|our|my|its|all|any)\s){0,2}([^.;:()\n]{3,100})/giu
const PAPER = new RegExp(
  `\\b(?:${KINDS}|version|issue|edition|revision|draft|figure|figures|results?|table|estimate|filing|submission)s?\\b`,
  'i',
)
/** "the preliminary findings of 12 February": whatever it is called, it was issued on a day. */
const DATED = /^[^,\d]{3,60}\s(?:of|dated|on)\s(?:\p{L}+\s)?\d/u
/** A paper that is replaced or amended, not a hip or a soil. */
const CORRECTS = new RegExp(
  `${PUTS_RIGHT.source}|\\b(?:revised|amended|amend(?:s|ment (?:to|of|no|\\d)))\\b|(?:^|· )(?:(?:revision|amendment)\\b|replacement(?: (?:of|for))?(?: the| our)? (?:${KINDS})\\b)`,
  'i',
)
const VERSION =
  /(?:^|[\s,(-])((?:version|revision|rev\.?|issue|edition|amendment)\s(?:no\.?\s)?(?:\d[\d.]*|[A-Z])|v\d[\d.]*)(?=$|[\s,);:-])/i

export function profileOf(input: DocumentInput, text: string, blocks: readonly Block[], names: Names): Profile {
  const head = headOf(text, blocks)
  const pairs = head.pairs
  const labelled = (form: Pick<RegExp, 'test'>): string | null => pairs.find(([label]) => form.test(label))?.[1] ?? null
  const titles = head.lines
  const dated = labelled(DATE) ?? labelled(OCCASION)
  const foreign = foreignHead(text)
  const issuedOn =
    foreign?.issuedOn ??
    firstDay(dated ?? '') ??
    issueDayAmong(titles) ??
    firstDay(labelled(/^as[- ](?:at|of)|status date|printed|exported/i) ?? '')
  const issuerLine =
    titles.find(
      line => LEGAL_FORM.test(line) && !/^(?:to|for|dear|re|attn|cc)\b/i.test(line) && !KIND.test(line.split(/\s[–—-]\s|:\s/)[0]!),
    ) ?? null
  // The forms of the rules take a party of a contract for who wrote it.
  const issuer =
    foreign === null
      ? (cleaned(labelled(ISSUER) ?? labelled(HOUSE) ?? labelled(WRITER)) ??
        input.source ??
        cleaned(titles.map(byline).find(line => line !== null) ?? null) ??
        cleaned(issuerLine))
      : (foreign.issuer ?? input.source)
  const title = titles.find(line => KIND.test(line)) ?? titles[0] ?? null
  const periodPair = labelled(PERIOD)
  const period = (periodPair ? findPeriods(periodPair, null)[0]?.period : null) ?? periodIn(titles.join(' · '))
  const year = period ? Number(period.from.slice(0, 4)) : issuedOn ? Number(issuedOn.slice(0, 4)) : null
  const { topic, called } = topicOf({ titles: titles.slice(0, 2), head, text, issuer, year, names })
  return {
    title: shortened(title, 200),
    kind: KIND.exec(title ?? '')?.[1]?.toLowerCase() ?? KIND.exec(input.name)?.[1]?.toLowerCase() ?? null,
    issuer: shortened(issuer, 120),
    issuedOn,
    period,
    version: shortened(labelled(/^(?:version|revision|edition|amendment)\b/i) ?? VERSION.exec(titles.join(' · '))?.[1], 40),
    reference: shortened(labelled(REFERENCE), 80),
    supersedes: replacedIn(cut(text, 4_000)),
    corrects: CORRECTS.test(titles.slice(0, 4).join(' · ')) || pairs.some(([label]) => /^(?:supersedes|replaces|corrects)/i.test(label)),
    topic,
    called,
    year,
  }
}

const shortened = (text: string | null | undefined, most: number): string | null => (text == null ? null : cut(text, most))

interface Head {
  /** Short lines at the top. */
  lines: string[]
  pairs: [label: string, value: string][]
}

/** A label that asks for something of the matter: what follows is no longer the head. */
export const asks = ({ kind, label }: Block): boolean => kind === 'pair' && label !== null && !isHeaderLabel(label.text)

function headOf(text: string, blocks: readonly Block[]): Head {
  const lines: string[] = []
  const pairs: [string, string][] = []
  let sentences = 0
  let told = false
  for (const block of blocks.slice(0, 30)) {
    const body = cut(text.slice(block.body.start, block.body.end), 300).trim()
    if (block.kind === 'pair' && isTitlePair(text, block, lines.length + pairs.length))
      lines.push(text.slice(block.start, block.end).trim())
    else if (block.kind === 'pair' && block.label && (block.zone === 'header' || block.top))
      pairs.push([lastPart(block.label.text.replace(/[*_]/g, '')).trim(), body.split('\n')[0]!])
    else if (block.kind === 'row') break
    else if (block.kind === 'heading' ? lines.length < 3 || block.zone === 'header' : block.top || block.zone === 'header') {
      if (!isLine(body)) sentences++
      else if (sentences === 0 && !told) lines.push(...partsOf(body))
    }
    told ||= asks(block) && lines.length > 0
  }
  return { lines, pairs }
}

/** What stands side by side in a line: a letterhead with the date at its right. */
const partsOf = (line: string): string[] =>
  line
    .replace(/^#+\s*/, '')
    .replace(/[*_]{2}/g, '')
    .split(/\s{3,}|\s[|│]\s/)

/** "Certificate of insurance: MV Bluestem" on the first line names the document. */
export function isTitlePair(text: string, block: Block, before: number): boolean {
  return before === 0 && block.kind === 'pair' && KIND.test(block.label?.text ?? '') && names(text.slice(block.body.start, block.body.end))
}

/** A name, no amount and no day. */
const names = (body: string): boolean =>
  /^\s*(?:\p{Lu}|\p{L}+-?\d)/u.test(body) && findPeriods(body, null).length === 0 && !/^\s*\p{Lu}{3}\s?\d/u.test(body)

/** "Note on Aurelia Holding", "Report of the harbour master". */
const PAPER_ON = new RegExp(`^(?:\\p{L}+ )?(?:${KINDS}) (?:of|on|for|to|about|from|by|regarding) `, 'iu')

/** Kinds of papers whose day is the day that what they tell was so, not only the day they were written. */
const OF_ITS_DAY =
  /\b(?:statement|minutes|log|record|register|list|survey|audit|review|assessment|analysis|transcript|interview|diary|dashboard|overview|extract|(?:balance|tally|time|count|job|work) ?sheet)s?$/i
const ISSUED_PAPER = new RegExp(`^(?:[\\p{L}'’-]+ ){0,4}?(?:${KINDS})(?:,| of| dated| –)?$`, 'iu')

/** "Term sheet of 5 February 2026": the day a paper was issued, which is no time of what it says. */
export function isPaperOfDay(line: string): boolean {
  const [day] = findPeriods(line, null)
  if (day?.period.grain !== 'day' || day.end < line.trimEnd().length) return false
  const paper = line.slice(0, day.start).trimEnd()
  return ISSUED_PAPER.test(paper) && !OF_ITS_DAY.test(paper.replace(/(?:,|\sof|\sdated|\s–)$/i, ''))
}

/** A line that gives nothing but names, words and days, or calls a paper by its kind. */
export function isTitling(body: string): boolean {
  if (body.length >= 120 || !isLine(body) || body.split(/\s+/).length > 9 || /^\p{Ll}/u.test(body)) return false
  if (PAPER_ON.test(body) && !/\d/.test(body)) return true
  let rest = body
  for (const { start, end } of [...findPeriods(body, null)].reverse()) rest = `${rest.slice(0, start)} ${rest.slice(end)}`
  return rest.length < body.length || !/\d|\s\S+\s\S+\s/.test(body) ? !/\d/.test(rest.replace(/\p{L}+[-/]?\d+|\d+-\p{Lu}/gu, '')) : false
}

/** A line of a heading, not a sentence. */
export function isLine(body: string): boolean {
  if (body.length > 160 || body.includes('\n')) return false
  if (/[.!?]["')]?$/.test(body)) return false
  // The first line of a sentence that goes on; whom a letter greets is shorter.
  if (/,$/.test(body) && body.split(/\s+/).length > 7) return false
  return !hasVerb(body) && !/^(?:hi|hello|dear)\b.*,$/i.test(body)
}

const WEEKDAY = '(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\\s)?'
const ISSUED = new RegExp(
  `(?:^|[,;|·–—(-]\\s?|\\b(?:of|on|dated|issued|printed|published|prepared|as (?:at|of)|status|from)\\s)${WEEKDAY}$`,
  'i',
)

/** The day of what it speaks of. */
const OF_ANOTHER =
  /\b(?:correction|corrects|replaces|supersedes|re|response to|reply to|since|until|due|from|born|lease|agreement|contract)\b[^,|]*$/i

const issueDayAmong = (lines: readonly string[]): string | null => lines.reduce<string | null>((day, line) => day ?? issueDayIn(line), null)

/** "Kestrel Hospital, 15 March 2019", "Printed 5 December 2020", "19 March 2019". */
function issueDayIn(line: string): string | null {
  for (const found of findPeriods(line, null)) {
    const before = line.slice(0, found.start)
    if (found.period.grain === 'day' && ISSUED.test(before) && !OF_ANOTHER.test(before)) return found.period.from
  }
  return null
}

const firstDay = (value: string): string | null => findPeriods(value, null)[0]?.period.from ?? null

const DONE_BY = '(?:prepared|issued|written|authored|compiled|drafted|produced|signed|submitted|recorded)'
const BYLINE = new RegExp(`^(?:(?:(?:\\p{L}+ ){0,2}(?:${KINDS}) )?(?:${DONE_BY} )?by|${DONE_BY}|from):?\\s+([^|·]{3,81})$`, 'iu')

/** Who wrote a paper, where a line says nothing else: "Prepared by Tallis Adjusters", "Report by Dr Venn, 5 May 2026". */
function byline(line: string): string | null {
  const who = BYLINE.exec(line)?.[1]
  return who !== undefined && /^\p{Lu}/u.test(who) ? who : null
}

export const isByline = (line: string): boolean => !/^from\b/i.test(line) && byline(line) !== null

function cleaned(line: string | null): string | null {
  if (line === null) return null
  const found = findPeriods(line, null)[0]
  return (found ? line.slice(0, found.start) : line).replace(/(?:[\s,;|·(–—-]|\son(?=\s))+$/, '').trim() || null
}

function periodIn(title: string): Period | null {
  return findPeriods(title, null).find(found => found.period.grain !== 'day' && found.period.grain !== 'range')?.period ?? null
}

export function replacedIn(text: string): string[] {
  const found: string[] = []
  for (const match of matchesOf(REPLACES, text)) {
    const object = match[1]!.replace(/\s+/g, ' ').trim()
    const isPaper = PAPER.test(object.slice(0, 60)) || /\b[A-Z]{1,6}[-/]?\d/.test(object.slice(0, 40)) || DATED.test(object)
    if (found.length < 4 && isPaper) found.push(object)
  }
  return found
}

interface Titled {
  titles: readonly string[]
  head: Head
  text: string
  issuer: string | null
  year: number | null
  names: Names
}

/** A number of a paper of this kind says which paper it is, not which thing it is about: "Report 7", "Note of d2". */
const OF_PAPER =
  /\b(?:report|minutes|memo|memorandum|letter|note|notes|statement|summary|bulletin|newsletter|circular|update|message|mail|email|page|copy|version|revision|draft|issue|edition|document|file|annex|appendix|v|rev)s?\.?\s(?:of\s|no\.?\s|nr\.?\s|number\s)*$/i

/** Also below the head, which says who writes. */
function isSpokenOf(form: string, text: string, { lines, pairs }: Head): boolean {
  return text.split(form).length > [...lines, ...pairs.map(([, value]) => value)].join('\n').split(form).length
}

/** What the document is about: title and labels, without who issued it and without what only says its kind. */
function topicOf({ titles, head, text, issuer, year, names }: Titled): { topic: Topic; called: string } {
  const words = new Set<string>()
  const named = new Map<string, string>()
  const identifiers = new Set<string>()
  const references = new Set<string>()
  const periods: Period[] = []
  const things: NamedThing[] = []
  const add = (line: string, tokens: Tokens, isReference: boolean): void => {
    for (const { stem, form, name: isName } of tokens.words) {
      words.add(stem)
      if (isName && !named.has(stem)) named.set(stem, form)
    }
    for (const { key, start } of tokens.identifiers) {
      const ofPaper = isReference || /^\d+[/-]\d+$/.test(key) || OF_PAPER.test(line.slice(0, start))
      ;(ofPaper ? references : identifiers).add(key)
    }
    for (const each of tokens.dates) if (!each.yearGuessed || each.period.grain === 'day') periods.push(periodOf(each))
  }
  for (const line of titles) {
    const tokens = tokensOf(line, year, { names })
    if (isLetterhead(line, issuer)) {
      // A house that the paper speaks of is what it is about.
      const spoken = tokens.words.filter(({ form }) => names.has(form.toLowerCase()) && isSpokenOf(form, text, head))
      if (spoken.length > 0) things.push(['house', spoken.map(({ stem }) => stem)])
      continue
    }
    add(line, tokens, false)
    const thing = titleThing(line, tokens)
    if (thing) things.push(thing)
  }
  for (const [label, value] of head.pairs) {
    if (DATE.test(label) || ISSUER.test(label) || WRITER.test(label) || HOUSE.test(label)) continue
    if (/^(?:to|cc|page|distribution|classification|version|copy|copies|attendees|present|apologies)\b/i.test(label)) continue
    const isSubject = SUBJECTED.test(label)
    if (!(isSubject || REFERENCE.test(label) || PERIOD.test(label))) continue
    for (const { stem } of tokensOf(label, year, { labelEnd: 1000, names }).words) words.add(stem)
    const tokens = tokensOf(value, year, { names })
    add(value, tokens, REFERENCE.test(label))
    if (!namesThing(label, value)) continue
    if (BARE_NUMBER.test(value)) things.push([label.toLowerCase(), [value.toLowerCase().replace(/^0+(?=\d)/, '')]])
    else if (isIdentification(value)) things.push([label.toLowerCase(), keysOf(tokens)])
  }
  for (const id of references) identifiers.delete(id)
  const topic = {
    words: [...words].slice(0, 40),
    names: [...named.keys()].slice(0, 16),
    identifiers: [...identifiers].slice(0, 12),
    references: [...references].slice(0, 8),
    periods: periods.slice(0, 4),
    things: things.slice(0, 8),
  }
  const called = [...named.values()].slice(0, 3).join(' ')
  return { topic, called: called.replace(/['’]s?$/, '') }
}

const keysOf = ({ words, identifiers }: Tokens): string[] =>
  [...words.map(({ stem }) => stem), ...identifiers.map(({ key }) => key)].slice(0, 8)

/** A house at the end of a line, or before a comma. */
const HOUSE_LINE = new RegExp(`${LEGAL_FORM.source}\\.?(?=,|$|\\s\\d)`)

/** A line that says who writes. */
const isLetterhead = (line: string, issuer: string | null): boolean => HOUSE_LINE.test(line) || line.trim() === issuer || isByline(line)

/** "Statement of Ms Duarte", "Note by the caretaker": who says it. */
const WRITTEN_BY = new RegExp(`^(?:${KINDS}) (?:by|from) |^(?:statement|letter|interview|affidavit|declaration|email|mail) of (?!\\d)`, 'i')

/** "Building survey: Moat Farm Barn", "Lease of Unit 4": the same kind of paper about this. */
function titleThing(line: string, { words, identifiers }: Tokens): NamedThing | null {
  if (WRITTEN_BY.test(line)) return null
  const parted = /^(.{3,60}?)(?::\s|\s[–—-]{1,2}\s)(.{2,60})$/.exec(line)
  if (parted && KIND.test(parted[1]!)) {
    const keys = tokensOf(parted[2]!, null, {}).words.map(({ stem }) => stem)
    return [parted[1]!.toLowerCase().trim(), keys.slice(0, 6)]
  }
  if (/;|\s[–—-]\s/.test(line)) return null
  const names = [...words.filter(({ name }) => name).map(({ stem }) => stem), ...identifiers.map(({ key }) => key)]
  const plain = [...new Set(words.filter(({ name }) => !name).map(({ stem }) => stem))].sort().slice(0, 6).join(' ')
  return names.length === 0 || plain === '' ? null : [plain, names.slice(0, 8)]
}

/** A short answer that names: a person, a thing, a code; no figure, no sentence. */
export function isIdentification(value: string): boolean {
  return value.length <= 80 && !/[.;!?]\s|[€$£%]/.test(value) && /^\p{Lu}|^[\p{L}\d]+[-/]\d|^\d{1,4}[a-z]?,?\s\p{Lu}/u.test(value)
}
