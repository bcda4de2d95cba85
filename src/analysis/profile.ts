/**
 * The document about itself: title, kind, issuer, date of issue, reporting period, version, what it replaces, and whom it
 * is about. Metadata qualifies claims and is never a claim.
 */
import type { Block } from './blocks.js'
import { definitionsOf, entitiesOf, entityKey } from './entities.js'
import { marksOf } from './marks.js'
import { findPeriods, mergeRanges } from './periods.js'
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
  /** Its title announces plans, forecasts or a scenario rather than facts. */
  titleTerms: string
}

const ISSUER =
  /^(?:prepared by|issued by|issuer|author(?:s|ed by)?|from|source|submitted by|written by|reported by|agent|report(?:er|ing (?:entity|officer|party))|auditor|inspector|assessor|investigator|originator|signed|responsible|department|office)\b/i
const DATE =
  /^(?:date|dated|date of issue|issue date|issued(?: on)?|report date|date issued|date of (?:report|letter|notice|meeting)|meeting date|published|publication date|analysis date|review date|submission date|effective date|last updated)$/i
const PERIOD =
  /^(?:(?:reporting|reference|valid(?:ity)?|review|accounting|financial|coverage|statement|analysis)\s)?(?:period|quarter|year|date)\b|\bperiod (?:covered|under review|ended|ending)|^as[- ](?:of|at)\b|\b(?:data )?cut-?off\b|^(?:fiscal|financial) year|^year end|^position (?:date|as)/i
const REFERENCE = /\b(?:ref(?:erence)?\.?|document (?:no|number|id)|report (?:no|number|id)|id|our ref|file(?: no)?|case no|docket)\b/i
const SUBJECTED =
  /^(?:company|entity|client|subject|re|project|programme|program|site(?: (?:name|number))?|facility|plant|property|asset|borrower|issuer name|policyholder|insured|patient|tenant|landlord|lessee|licensee|contractor|supplier|vendor|product|study|protocol|vessel|target|customer|organisation|organization|operator|regarding|unit|location|station|contract(?: no)?|agreement)\b/i
const KINDS =
  'report|memo|memorandum|minutes|letter|register|notice|summary|review|briefing|plan|statement|accounts|assessment|analysis|protocol|amendment|agreement|contract|certificate|filing|response|request|guideline|opinion|bulletin|newsletter|press release|update|resolution|note|log|survey|audit|results|questionnaire|policy|circular|order|dashboard|extract|schedule|forecast|budget|appraisal|invoice|recommendation|package|correction|synopsis|calculation|recalculation|submission|observations|figures|metrics'
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
}

function lastOf(found: { period: Period }[]): Period | null {
  return found.length ? found[0]!.period : null
}

function readPair(draft: Draft, label: string, body: string, inHeader: boolean): void {
  const found = mergeRanges(body, findPeriods(body, null))
  if (DATE.test(label.trim()) && found.length) draft.issuedOn ??= lastOf(found)
  else if (ISSUER.test(label)) draft.issuer ??= body.split('\n')[0]!.trim().slice(0, 120)
  else if (PERIOD.test(label) && found.length) draft.period ??= best(found.map(item => item.period))
  else if (/^(?:version|revision|edition|amendment)\b/i.test(label)) draft.version ??= body.slice(0, 40)
  else if (REFERENCE.test(label)) draft.reference ??= body.slice(0, 80)
  if (inHeader && SUBJECTED.test(label)) {
    draft.subjects.push(body.split('\n')[0]!.slice(0, 80))
    draft.marks.push(...marksOf(`${label.replace(/\b(?:number|name|id|no\.?)\b/gi, '').trim()} ${body.split('\n')[0]!}`, true, false))
  }
  if (/^(?:supersedes|replaces|cancels)/i.test(label)) draft.supersedes.push(body.slice(0, 120))
}

/** The reporting period is the widest grain named first: "Q1 2025 (January 1 - March 31)". */
function best(periods: Period[]): Period {
  return periods.find(period => period.grain !== 'day' && period.grain !== 'range') ?? periods[0]!
}

const SUPERSEDES = /\b(?:supersedes|replaces|cancels and replaces|restates)\b\s+(?:the\s)?([^.;\n]{4,120})/i

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
  }
  const titles: string[] = []
  let seen = 0
  for (const block of blocks) {
    if (seen++ > 40) break
    const body = text.slice(block.body.start, Math.min(block.body.end, block.body.start + 400))
    if (block.kind === 'pair' && block.label && (block.zone === 'header' || seen < 16))
      readPair(draft, block.label.text, body, block.zone === 'header')
    if (block.zone === 'header' && (block.kind === 'heading' || block.kind === 'paragraph') && titles.length < 4 && body.length < 160)
      titles.push(body.replace(/^#+\s*/, ''))
    if (block.zone === 'header' && block.kind === 'paragraph' && !draft.issuedOn && body.length < 60) {
      const found = findPeriods(body, null)
      if (found.length && found[0]!.period.grain === 'day') draft.issuedOn = found[0]!.period
    }
  }
  if (!titles.length) titles.push(name.replace(/\.[a-z0-9]{2,5}$/i, '').replace(/[-_]+/g, ' '))
  const replaced = SUPERSEDES.exec(text.slice(0, 4_000))
  if (replaced) draft.supersedes.push(replaced[1]!.trim())
  return { draft, titles }
}

/** A segment of the title that names someone rather than the kind of document. */
function namesIn(titles: readonly string[]): string[] {
  const names: string[] = []
  for (const title of titles) {
    for (const segment of title.split(/\s(?:--|–|—|-|\|)\s|:\s|\(|\)/)) {
      const words = segment.trim().split(/\s+/)
      if (!segment.trim() || words.length > 6 || KIND.test(segment) || findPeriods(segment, null).length || /\d/.test(segment)) continue
      if (words.every(word => /^\p{Lu}/u.test(word) || /^(?:of|and|the|for|&)$/.test(word))) names.push(segment.trim())
    }
  }
  return names
}

export function profileOf(
  input: DocumentInput,
  text: string,
  blocks: readonly Block[],
  prose: readonly { start: number; end: number }[],
): ReadProfile {
  const { draft, titles } = readHeader(text, blocks, input.name)
  const definitions = definitionsOf(text)
  const defined = new Set(
    Object.entries(definitions)
      .filter(([short]) => short === short.toUpperCase())
      .flatMap(([short, long]) => [entityKey(short), entityKey(long)]),
  )
  const { mentions, counts } = entitiesOf(text, prose, defined)
  const title = titles[0] ?? null
  const issuer = draft.issuer ?? input.source
  const issuerKey = issuer ? ` ${entityKey(issuer)} ` : ''
  const named = namesIn(titles)
  for (const name of named.slice(0, 2)) {
    const key = entityKey(name)
    if (key && !mentions.some(mention => mention.key === key))
      mentions.unshift({ key, name: isShouting(name.replace(/[^\p{L}]/gu, '')) ? tidy(name) : name, kind: 'other', aliases: [] })
  }
  const principals: string[] = []
  for (const name of [...named, ...draft.subjects]) {
    const key = entityKey(name)
    if (key && !principals.includes(key) && !(issuerKey && named.length > 1 && issuerKey.includes(` ${key.split(' ')[0]} `)))
      principals.push(key)
  }
  const top = mentions.filter(mention => mention.kind !== 'person' && (counts.get(mention.key) ?? 0) >= 3)[0]
  // A project or a bare heading is no party; whoever the text speaks of most is the subject as well.
  const anchored = named.some(name => !/^(?:project|programme)\b/i.test(name))
  if (top && !anchored && !principals.includes(top.key)) principals.push(top.key)
  const titleText = titles.join(' ')
  const titlePeriods = findPeriods(titleText, null)
  const period = draft.period ?? (titlePeriods.length ? best(titlePeriods.map(item => item.period)) : null)
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
    entities: mentions.slice(0, 40),
    marks: [...new Set([...draft.marks, ...marksOf(titleText.slice(0, 200), true, false)])],
    principals: principals.slice(0, 4),
    year,
    restates: RESTATES.test(titleText) || draft.supersedes.length > 0,
    titleTerms: titleText.slice(0, 200),
  }
}

function tidy(name: string): string {
  return tokenize(name)
    .map(token => (token.text.length > 3 || token.text === token.lower ? token.text[0] + token.text.slice(1).toLowerCase() : token.text))
    .join(' ')
}
