/**
 * The document about itself: title, kind, issuer, date of issue, reporting period, version, what it replaces, and whom it
 * is about. Metadata qualifies claims and is never a claim.
 */
import type { Block } from './blocks.js'
import { definitionsOf, entitiesOf, entityKey, isOrganisationWord, shortForms } from './entities.js'
import {
  AMOUNTS,
  DATE,
  HOUSE,
  ISSUER,
  lastPart,
  NEARLY,
  OCCASION,
  OUTSIDER,
  PARTY,
  PERIOD,
  REFERENCE,
  SUBJECTED,
  WRITER,
} from './header-labels.js'
import { isOrganisation, type Lettered, letteredOf } from './letterhead.js'
import { marksOf } from './marks.js'
import { findPeriods, mergeRanges } from './periods.js'
import { replacedIn } from './supersedes.js'
import { currencyOf, unitIn } from './table-units.js'
import type { DocumentInput, DocumentProfile, Period } from './types.js'
import { isShouting, tokenize } from './words.js'

export interface ReadProfile extends DocumentProfile {
  /** Marks of the whole document: "site:7". */
  marks: string[]
  /** Keys of the entities the document is about, the most certain first. */
  principals: string[]
  year: number | null
  /** The document presents itself as a restatement, correction or update of an earlier one. */
  restates: boolean
  /** How it gives its amounts: "money EUR 1000". */
  currency: string | null
  /** All its figures are such amounts unless it says otherwise. */
  allInCurrency: boolean
  /** The line of the letterhead, which heads nothing. */
  headLine: string | null
  /** Its title announces plans, forecasts or a scenario rather than facts. */
  titleTerms: string
}

const KINDS =
  'report|memo|memorandum|minutes|letter|register|notice|summary|review|briefing|plan|statement|accounts|assessment|analysis|protocol|amendment|agreement|contract|certificate|filing|response|request|guideline|opinion|bulletin|newsletter|press release|pack|dossier|presentation|factsheet|prospectus|determination|decision|update|resolution|note|log|survey|audit|results|questionnaire|policy|circular|order|dashboard|extract|schedule|forecast|budget|appraisal|invoice|recommendation|package|correction|synopsis|calculation|recalculation|submission|observations|figures|metrics|tender|offer|bid|application|replies|reply|complaint|questions|answers|inspection|claim|corrigendum|settlement|due diligence|notification|investigation|incident|department|division|office|team'
const KIND = new RegExp(`\\b(${KINDS})\\b`, 'i')
const RESTATES =
  /\b(?:restate(?:d|ment)|correct(?:ed|ion|s)|revised|amend(?:ed|ment)|supersed(?:es|ing|ed)|replac(?:es|ing)|updated?|errat(?:um|a)|recalculat(?:ed|ion)|resolution|remediation|follow-up|final|addendum|harmonization|harmonisation|reassessment)\b/i

interface Draft {
  issuer: string | null
  issuedOn: Period | null
  period: Period | null
  version: string | null
  reference: string | null
  supersedes: string[]
  subjects: string[]
  marks: string[]
  /** Who the first lines name, like a letterhead. */
  head: string | null
  /** The line that is nothing but that name. */
  headLine: string | null
  /** It is addressed to somebody. */
  letter: boolean
  /** When the inspection or visit was that it reports on. */
  occasion: Period | null
  /** What a message says it is about. */
  topic: string | null
  /** In what its figures are given. */
  currency: string | null
  /** Who stands behind the name of a trade or of a party. */
  workers: { kind: 'writer' | 'party'; label: string; name: string | null }[]
  /** The department or firm of who writes. */
  house: string | null
  /** Who stands behind "Issuer": who writes, or, below another letterhead, whom it is about. */
  named: string | null
}

function lastOf(found: { period: Period }[]): Period | null {
  return found.length ? found[0]!.period : null
}

function readPair(draft: Draft, label: string, body: string, inHeader: boolean): void {
  const found = mergeRanges(body, findPeriods(body, null))
  if (DATE.test(label.trim()) && found.length) draft.issuedOn ??= lastOf(found)
  else if ((OCCASION.test(label) || NEARLY.test(label.trim())) && found[0]?.period.grain === 'day') draft.occasion ??= found[0].period
  // Whom a rating is about is called its issuer.
  else if (ISSUER.test(label) && !(inHeader && /^issuer$/i.test(label.trim()))) draft.issuer ??= isSomebody(body) ? issuerIn(body) : null
  else if (WRITER.test(label)) readWorker(draft, 'writer', label, body)
  else if (PARTY.test(label)) readWorker(draft, 'party', label, body)
  else if (HOUSE.test(label) && inHeader && isSomebody(body)) draft.house ??= issuerIn(body)
  else if (/^issuer$/i.test(label.trim())) draft.named ??= issuerIn(body)
  else if (PERIOD.test(label) && !/^dates? of\b/i.test(label) && found.length) draft.period ??= best(found.map(item => item.period))
  else if (/^(?:version|revision|edition|amendment)\b/i.test(label)) draft.version ??= body.slice(0, 40)
  else if (REFERENCE.test(label)) draft.reference ??= body.slice(0, 80)
  if (AMOUNTS.test(label)) readAmounts(draft, body)
  const topic = /^(?:subject|re|regarding|title)$/i.test(label.trim())
  if (inHeader && topic) draft.topic ??= body.split('\n')[0]!.slice(0, 160)
  const line = body.split('\n')[0]!
  if (inHeader && SUBJECTED.test(label) && (isName(line, topic) || /^\d{1,4}$/.test(line.trim()))) {
    if (isName(line, topic)) draft.subjects.push(line.slice(0, 80))
    draft.marks.push(...marksOf(`${label.replace(/\b(?:number|name|id|no\.?)\b/gi, '').trim()} ${body.split('\n')[0]!}`, true, false))
  }
  // "Quality Assurance, Plant 4" speaks of that plant, and so does who writes to it.
  if (inHeader && (ISSUER.test(label) || /^to$/i.test(label.trim())))
    draft.marks.push(...marksOf(body.split('\n')[0]!.slice(0, 120), true, false))
  if (/^(?:supersedes|replaces|cancels)/i.test(label)) draft.supersedes.push(body.slice(0, 120))
}

/** A label that stands twice belongs to entries, and names nobody who writes. */
function readWorker(draft: Draft, kind: 'writer' | 'party', label: string, body: string): void {
  const again = draft.workers.find(worker => worker.label === label)
  if (again) again.name = null
  else draft.workers.push({ kind, label, name: isSomebody(body) ? issuerIn(body) : null })
}

/** Below a letterhead who does the work only acts for whoever it names; below the title an inspector looks at whoever is named there. */
function workerOf({ workers }: Draft, { head, headLine, first }: Lettered): string | null {
  const named = workers.filter(worker => worker.name !== null && (worker.kind === 'writer' || head === null))
  const worker = named.find(({ kind }) => kind === 'writer') ?? named[0]
  if (!worker?.name) return null
  const free = (headLine === null && !OUTSIDE.test(head ?? '')) || (!first && OUTSIDER.test(worker.label) && !OUTSIDE.test(head ?? ''))
  return free || isOrganisation(worker.name) ? worker.name : null
}

/** "Figures: EUR million unless stated, as at 31 December 2031" */
function readAmounts(draft: Draft, body: string): void {
  const given = /^(?:all )?(?:in )?((?:[A-Z]{3}|[€$£])(?: ?(?:million|thousand|billion|mn|bn|m|k|'000))?)(?![\p{L}\d])/u.exec(body.trim())
  const unit = given ? unitIn(` in ${given[1]}`) : null
  if (unit?.startsWith('money')) draft.currency ??= unit
  const dated = /\bas (?:at|of) (.{6,40})$/i.exec(body.split('\n')[0]!)
  if (dated) draft.period ??= findPeriods(dated[1]!, null)[0]?.period ?? null
}

/** The first line without what follows a stop: "Safety Team (A. Reader). Period: …". */
function issuerIn(body: string): string {
  const line = body.split('\n')[0]!.trim().slice(0, 120)
  const stop = /(?<!\b(?:Prof|Messrs|Capt|Dipl|Ing|Hon|Col|Gen))(?<=\p{Ll}{3}\)?)\.\s+\p{Lu}/u.exec(line)
  return stop ? line.slice(0, stop.index) : line
}

const BARE_ROLE = /^(?:partner|director|manager|chair(?:man|woman|person)?|secretary|head|owner|author|auditor|n\/a|none|tbc|tbd)\.?$/i

/** "Consultants: one of 14 posts vacant" names nobody. */
const isSomebody = (body: string): boolean => /^[*_("'“]*\p{Lu}|^[^\s@]{1,60}@[\w-]+\./u.test(body.trim()) && !BARE_ROLE.test(body.trim())

/** "A. Reader <a.reader@mill-service.example>" writes for whom the signature or else the address names. */
function withoutAddress(issuer: string, signed: string | null): string {
  const name = issuer.replace(/\s*[<(]?[^\s<>()]{1,80}@[^\s<>()]{1,80}[>)]?/, '').trim()
  const domain = /@(?:[a-z0-9-]+\.)*?([a-z0-9-]+)\.[a-z]{2,10}(?:\.[a-z]{2})?\b/i.exec(issuer)?.[1]?.replace(/-/g, ' ')
  return [name, signed ?? domain ?? ''].filter(Boolean).join(', ').slice(0, 120)
}

/** "Kastanie Park, Leipzig" names something, "Position after the inspection" does not. */
function isName(line: string, topic: boolean): boolean {
  const words = line.slice(0, 80).match(/\p{L}[\p{L}\d-]*/gu) ?? []
  const small = words.filter(word => /^\p{Ll}/u.test(word) && word.length > 3).length
  // What a message is about is a name only when it is nothing else.
  return words.length > 0 && small <= (topic ? 0 : words.length / 3)
}

/** The reporting period is the widest grain named first: "Q1 2025 (January 1 - March 31)". */
function best(periods: Period[]): Period {
  return periods.find(period => period.grain !== 'day' && period.grain !== 'range') ?? periods[0]!
}

const SALUTES = /^(?:dear|to whom|ladies|gentlemen|sirs?|hello|hi)\b|[,;]$/i
/** Whose letterhead says who writes, not whom it is about. */
const OUTSIDE = /\b(?:Authority|Council|Inspectorate|Agency|Ministry|Board|Commission|Court|Directorate|Administration)\b/i

const VERSION = /(?:^|[\s,(-])((?:version|revision|issue|edition)\s(?:\d[\d.]*|[A-Z])|v\d[\d.]*)(?=$|[\s,);-])/i

/** How many lines at the top name what the document is about; a later one may still be its title. */
const NAMING = 4

function readHeader(text: string, blocks: readonly Block[], name: string): { draft: Draft; titles: string[] } {
  const draft: Draft = {
    issuer: null,
    issuedOn: null,
    period: null,
    version: null,
    reference: null,
    supersedes: [],
    subjects: [],
    marks: [],
    head: null,
    headLine: null,
    letter: false,
    topic: null,
    occasion: null,
    currency: null,
    named: null,
    workers: [],
    house: null,
  }
  const titles: string[] = []
  let seen = 0
  let counted = false
  for (const block of blocks) {
    if (seen++ > 40) break
    const body = text.slice(block.body.start, Math.min(block.body.end, block.body.start + 400))
    // "1. The policy": what its chapters say is not of the document itself.
    if (block.kind === 'heading' && /^\d/.test(body)) counted = true
    if (block.kind === 'pair' && block.label && (block.zone === 'header' || (seen < 16 && !counted)))
      readPair(draft, lastPart(block.label.text), body, block.top)
    const line = (block.kind === 'heading' || block.kind === 'paragraph') && body.length < 160 && !SALUTES.test(body) && !/\.$/.test(body)
    if (block.zone === 'header' && line && titles.length < 10) titles.push(body.replace(/^#+\s*/, ''))
  }
  const lettered = letteredOf(text, blocks)
  draft.head = lettered.head
  draft.issuedOn ??= lettered.issuedOn ?? draft.occasion
  if (draft.named && lettered.head) draft.subjects.push(draft.named)
  else draft.issuer ??= draft.named
  draft.issuer ??= lettered.issuer ?? workerOf(draft, lettered)
  if (draft.house) draft.issuer = draft.issuer ? `${draft.issuer}, ${draft.house}`.slice(0, 120) : draft.house
  draft.letter = lettered.letter
  draft.headLine = lettered.headLine
  if (draft.issuer?.includes('@')) draft.issuer = withoutAddress(draft.issuer, lettered.signed)
  if (!titles.length && draft.topic) titles.push(draft.topic)
  if (!titles.length) titles.push(name.replace(/\.[a-z0-9]{2,5}$/i, '').replace(/[-_]+/g, ' '))
  draft.version ??= VERSION.exec(titles.join(' - '))?.[1]?.trim() ?? null
  draft.supersedes.push(...replacedIn(text.slice(0, 4_000)))
  return { draft, titles }
}

/** The first line that says what kind of document it is, else the first line. */
function titleIn(lines: readonly string[], headLine: string | null): string | null {
  const kind = lines.find(line => line !== headLine && KIND.test(line) && !/\b(?:department|division|office|team)\b/i.test(line))
  return (kind ?? lines[0])?.replace(/\s*\((?:extracts?|excerpts?|draft|copy)\)$/i, '') ?? null
}

/** A segment of the title that names someone rather than the kind of document. */
function namesIn(titles: readonly string[], text: string): string[] {
  const names: string[] = []
  for (const title of titles) {
    const segments = title.split(/\s(?:--|–|—|-|\|)\s|:\s|\(|\)/).filter(segment => segment.trim())
    // "Quay House — Heads of Terms": beside what the document is stands what it is about.
    const other = (segment: string): boolean => segments.some(rest => rest !== segment && (KIND.test(rest) || RESTATES.test(rest)))
    for (const segment of segments) {
      const words = segment.trim().split(/\s+/)
      if (
        words.length > 6 ||
        /\b(?:confidential|version|draft|copy|extract)\b/i.test(segment) ||
        KIND.test(segment) ||
        RESTATES.test(segment) ||
        findPeriods(segment, null).length ||
        /\d/.test(segment)
      )
        continue
      if (/^(?:in the|between|before the|re|and|v\.?|the)\b/i.test(segment.trim()) && words.length > 1) continue
      const capital = words.every(word => /^\p{Lu}/u.test(word) || /^(?:of|and|the|for|plc|&)$/.test(word))
      if (capital && (other(segment) || isConfirmed(words, text))) names.push(segment.trim())
    }
  }
  return names
}

/** Titles capitalise everything: a name is one that has a legal form, says it is a project, or is written so in the text as well. */
function isConfirmed(words: readonly string[], text: string): boolean {
  if (/^(?:project|programme)$/i.test(words[0]!) || words.some(word => isOrganisationWord(word))) return true
  const shouted = words.every(word => word === word.toUpperCase())
  return words.some(raw => {
    const word = raw.replace(/[^\p{L}-]/gu, '')
    if (word.length < 3) return false
    const name = shouted ? word[0] + word.slice(1).toLowerCase() : word
    return countOf(text, name) >= 1 && countOf(text, name.toLowerCase()) === 0
  })
}

function countOf(text: string, word: string): number {
  let count = 0
  for (let at = text.indexOf(word); at >= 0 && count < 2; at = text.indexOf(word, at + word.length)) {
    const whole = !/\p{L}/u.test(text[at - 1] ?? ' ') && !/\p{L}/u.test(text[at + word.length] ?? ' ')
    // A capital at the start of a line or sentence proves nothing.
    if (whole && (/^\p{Ll}/u.test(word) || /[\p{L}\p{N},:][ \u00a0]$/u.test(text.slice(Math.max(0, at - 2), at)))) count++
  }
  return count
}

/** Whom title and labels name; who writes about another organisation, a study or a site writes about that. */
function aboutWhom(draft: Draft, titles: readonly string[], text: string): string[] {
  // A letter names at its top who writes and to whom, not what it is about.
  const named = draft.letter ? [] : namesIn(titles, text)
  const own = entityKey(draft.head ?? '').split(' ')[0]
  const isOther = (name: string): boolean => name !== draft.head && entityKey(name).split(' ')[0] !== own
  const hasForm = (name: string): boolean => isOrganisationWord(name.split(/\s+/).at(-1)!)
  const isWriter = draft.subjects.some(isOther) || named.some(name => isOther(name) && hasForm(name))
  return isWriter ? named.filter(name => name !== draft.head) : named
}

/** Keys of whom the document is about: who its title and labels name, and whoever the text speaks of most. */
function principalsOf(draft: Draft, named: readonly string[], issuerKey: string, top: string | null): string[] {
  const principals: string[] = []
  for (const name of [...named, ...draft.subjects]) {
    const key = entityKey(name)
    if (draft.head === name && (draft.letter || OUTSIDE.test(name))) continue
    if (key && !principals.includes(key) && !(issuerKey && named.length > 1 && issuerKey.includes(` ${key.split(' ')[0]} `)))
      principals.push(key)
  }
  // A project or a bare heading is no party; whoever the text speaks of most is the subject as well.
  const anchored = named.some(name => !/^(?:project|programme)\b/i.test(name))
  if (top && !anchored && !principals.includes(top)) principals.push(top)
  return principals
}

/** The period a title names; "Order No. 2 - 27 June 2031" names no days from 2 to 27. */
function periodIn(title: string): Period | null {
  const found = findPeriods(title, null).filter(item => item.period.grain !== 'day' && !/\bNo\.?\s$/i.test(title.slice(0, item.start)))
  return found.length ? best(found.map(item => item.period)) : null
}

export function profileOf(
  input: DocumentInput,
  text: string,
  blocks: readonly Block[],
  prose: readonly { start: number; end: number }[],
): ReadProfile {
  const { draft, titles: lines } = readHeader(text, blocks, input.name)
  const titles = lines.slice(0, NAMING)
  const definitions = definitionsOf(text)
  const defined = new Set(
    Object.entries(definitions)
      .filter(([short]) => short === short.toUpperCase())
      .flatMap(([short, long]) => [entityKey(short), entityKey(long)]),
  )
  const { mentions, counts, plain } = entitiesOf(text, prose, defined)
  const title = titleIn(lines, draft.headLine)
  const issuer = draft.issuer ?? input.source ?? draft.head
  const named = aboutWhom(draft, titles, text)
  for (const name of named.slice(0, 2)) {
    const key = entityKey(name)
    if (key && !mentions.some(mention => mention.key === key))
      mentions.unshift({ key, name: isShouting(name.replace(/[^\p{L}]/gu, '')) ? tidy(name) : name, kind: 'other', aliases: [] })
  }
  const top = mentions.filter(mention => mention.kind !== 'person' && (counts.get(mention.key) ?? 0) >= 3)[0]
  const principals = principalsOf(draft, named, issuer ? ` ${entityKey(issuer)} ` : '', top?.key ?? null)
  const titleText = titles.join(' ')
  const period = draft.period ?? periodIn(titleText)
  const issuedOn = draft.issuedOn
  const year = period ? Number(period.from.slice(0, 4)) : issuedOn ? Number(issuedOn.from.slice(0, 4)) : null
  return {
    title,
    issuer,
    kind: KIND.exec(titleText)?.[1]?.toLowerCase() ?? null,
    issuedOn: issuedOn?.from ?? null,
    period,
    version: draft.version,
    reference: draft.reference,
    supersedes: draft.supersedes.slice(0, 4),
    principalSubject: named[0] ?? draft.subjects[0] ?? top?.name ?? null,
    definitions,
    entities: mentions.slice(0, 40).map(mention => ({ ...mention, aliases: shortForms(mention, plain) })),
    marks: [...new Set([...draft.marks, ...marksOf(titleText.slice(0, 200), true, false)])],
    principals: principals.slice(0, 4),
    year,
    currency: draft.currency ?? currencyOf(text),
    allInCurrency: draft.currency !== null,
    headLine: draft.headLine,
    restates: RESTATES.test(titleText) || draft.supersedes.length > 0,
    titleTerms: titleText.slice(0, 200),
  }
}

function tidy(name: string): string {
  return tokenize(name)
    .map(token => (token.text.length > 3 || token.text === token.lower ? token.text[0] + token.text.slice(1).toLowerCase() : token.text))
    .join(' ')
}
