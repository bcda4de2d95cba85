/**
 * Who wrote a document and when, where no label says so: letterheads, bylines, titles of minutes and statements, places with
 * dates, and the lines below a letter.
 */
import type { Block } from './blocks.js'
import { isOrganisationWord } from './entities.js'
import { ISSUED, type IssueDay, issueDayIn } from './issue-day.js'
import { isShoutedLine } from './lines.js'
import { pattern } from './pattern.js'
import { findPeriods } from './periods.js'
import type { Period } from './types.js'

export interface Lettered {
  /** Who the words say has written it. */
  issuer: string | null
  /** Whose name stands at the top. */
  head: string | null
  /** The line that is nothing but that name. */
  headLine: string | null
  /** It stands above everything else. */
  first: boolean
  issuedOn: Period | null
  /** The committee or board whose minutes it is. */
  sitting: string | null
  /** The organisation below the farewell. */
  signed: string | null
  /** It is addressed to somebody. */
  letter: boolean
}

/** What is known so far, and how surely the day. */
interface Reading extends Lettered {
  rank: number
  /** Who stands alone in a line of the header, or begins with "I, …". */
  person: string | null
}

const WROTE = `${ISSUED}|surveyed|signed|kept|maintained|adopted|approved|completed|dictated|offered|supplied`
const PAPER =
  'reports?|notes?|memo|memorandum|statement|opinion|review|assessment|letter|survey|valuation|analysis|paper|submission|presentation|evaluation|summary|log|record|e-?mail|proposal|study|audit|inspection|findings|appraisal|comments|observations|briefing|decision|order|award'
/** "Prepared by …", "This schedule is served by …", "REPORT by …", and a line that begins so: "by the Sole Arbitrator, …". */
const BY = pattern(
  new RegExp(
    `^[("]*(?:(?:(?:this|the) )?(?:[\\p{L}-]+ ){0,3}?(?:(?:was |is |and )?(?:${WROTE})\\b(?! (?:for|to)\\b)[^.;]{0,60}?\\bby|(?:${WROTE}) on behalf of|(?:${PAPER}) by)|by)\\s(?:the\\s)?(\\p{L}[^,;(]{2,60})`,
    'iu',
  ),
)
/** "Witness statement of Jan Peeters", "AFFIDAVIT OF JAN PEETERS". */
const OF =
  /\b(?:(?:[Ww]itness|[Ee]xpert|[Ww]ritten|[Ss]worn|WITNESS|EXPERT|WRITTEN|SWORN) (?:[Ss]tatement|[Ee]vidence|[Rr]eport|[Oo]pinion|STATEMENT|EVIDENCE|REPORT|OPINION)|[Tt]estimony|[Aa]ffidavit|[Dd]eclaration|TESTIMONY|AFFIDAVIT|DECLARATION) (?:of|OF) (\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){1,4})/u
/** "Reply of Tarn Foods SA", "TENDER OF TARN FOODS SA" */
const OF_HOUSE =
  /^(?:tender|offer|bid|statement|letter|reply|replies|response|complaint|submission|application|defence|observations|comments|notice|report|claim) (?:of|from) (?:the )?(\p{Lu}[^,;:()]{3,60})$/iu
/** "minutes of the valuation committee" */
const SITTING =
  /\b(?:minutes|record|meeting) of (?:the )?(?:\S{1,12} (?:meeting|session|sitting) of (?:the )?)?((?:\p{L}+ ){0,4}?(?:committee|board|council|commission|panel|assembly|group|forum|governors))\b/iu
/** "STEERING GROUP MINUTES" */
const MINUTED =
  /^((?:\p{L}+ ){0,4}?(?:committee|board|council|commission|panel|assembly|group|forum|team|governors))(?: meeting)?(?:\s?[:,–—-])? (?:meeting )?(?:minutes|notes)\b/iu
const SALUTES = /^(?:dear\b|to whom|ladies and|gentlemen|sirs?\b|hello\b|hi\b|sehr geehrte)/i
const FAREWELL =
  /^(?:yours (?:sincerely|faithfully|truly)|(?:kind|best|warm)(?:est)? regards|regards|sincerely|respectfully|with kind|for the (?!avoidance|purpos|period|year)\p{L}+(?: \p{L}+)?$|for and on behalf|signed\b|mit freundlichen)/iu
const SUFFIX =
  /(?:^|[\s,])(?:Ltd|Limited|Inc|LLC|LLP|PLC|GmbH|AG|SE|KG|ApS|SARL|SRL|SAS|Pty|Oyj|Forensics|Analytics|Statistics|Ratings|Valuers|Adjusters|Auditors|Brokers|Actuaries|Geotechnics|Biopharma|S\.?A\.?|B\.?V\.?|NV|AB|AS|ASA|A\/S|DAC|Oy|SpA|SICAV|Co|Group|Fund|Utility|Trust|Partners|Partner|Advisers|Advisors|Associates|Institute|Foundation|Society|Union|Commission|Committee|Tribunal|Court|Council|Authority|Ministry|Agency|Inspectorate|Board|Bank|University|Hospitals?|Clinics?|Office|Oversight|Insurance|Laborator(?:y|ies)|Airlines|Airways|Railways?|College|School|Federation|Chamber|Registry|Cooperative|Surveyors|Engineers|Consult(?:ing|ants)|Architects|Solicitors|Lawyers|Advisory|Economics|Consultancy|Accountants|Assurance|Underwriters|Underwriting|Testing|Inspection|Certification|Chambers|Ombudsman|Secretariat|Directorate|Bureau|Police|Pharmacy|Surgery|Hospice|Academy|Association|Company|Contractors|Haulage|Shipping|Housing|Registrar|Customs|Treasury|Regulator|Mutual|Registrars?|Service|Forum|Observatory)\.?$/i
/** A line that says what the document is, not who writes it. */
const TITLE =
  /\b(?:reports?|memo(?:randum)?|minutes|letter|notice|statement|response|reply|complaint|register|summary|agreement|contract|certificate|order|plan|protocol|accounts|review|schedule|confidential|urgent|prejudice|e-?mail|private|extract|draft|annex|appendix|version|page)\b/i
const segmentsOf = (line: string): string[] =>
  line
    .split(/\s(?:--|–|—|-|\||·)\s|;\s|:\s/)
    .map(part => part.trim())
    .filter(Boolean)

export function isOrganisation(name: string): boolean {
  const words = name.split(/\s+/)
  if (
    /^(?:partners?|services|systems|company|group|capital)$/i.test(name) ||
    name.length < 4 ||
    name.length > 70 ||
    words.length > 9 ||
    (words.length === 1 && SUFFIX.test(name)) ||
    TITLE.test(name)
  )
    return false
  return SUFFIX.test(name) || isOrganisationWord(words.at(-1)!) || BODY_OF.test(name)
}

/** "Tarn Foods BV, Quality Department" */
function isHouse(name: string): boolean {
  if (isOrganisation(name)) return true
  const parts = name.split(', ')
  return (
    parts.length <= 3 &&
    name.length <= 90 &&
    parts.every(part => /^\p{Lu}(?:[^\d.;]|(?<=\p{Lu})\.)*$/u.test(part)) &&
    parts.some(isOrganisation)
  )
}

/** "Patient Council of Vester", "Office for Weights" */
const BODY_OF =
  /^(?:\p{Lu}[\p{L}-]+ ){0,3}(?:Council|Office|Authority|Ministry|Agency|Board|Commission|Committee|Department|Institute|University|Bank|Court|Chamber|Association|Federation|Society|Registry|Tribunal|Forum|Centre|Directorate|Inspectorate|Registrar|Ombudsman|Foundation|Union|Academy|College|School|Administration|Bureau|Secretariat|Service|Cooperative|Club|Hospital|Port) (?:of|for|on)\b/iu

function readDate(found: Reading, line: string): IssueDay | null {
  const day = issueDayIn(line)
  if (!day) return null
  if (day.rank > found.rank) {
    found.issuedOn = day.period
    found.rank = day.rank
  }
  return day.placed ? day : null
}

/** "Alder Mutual Ltd certifies that …", also behind a place and a day. */
const DECLARES =
  /^(?:[^.;]{0,60}?\d{4}\s[–—-]{1,2}\s)?(?:The )?(\p{Lu}[^.;,:]{2,60}?) (?:hereby |today |has |have )?(?:certif(?:y|ies)|confirms?|announce[sd]?|declares?|gives? notice|notif(?:y|ies)|informs?)\b/u

/** "Tolman Survey · Report TS-22 · 14 June 2031": who writes stands first in a line that ends with the day. */
function bylined(line: string): string | null {
  const parts = line.split(/\s(?:·|\||•)\s/).map(part => part.replace(/[*_]/g, '').trim())
  const [first = '', ...rest] = parts
  const dated = rest.some(part => part.length < 24 && findPeriods(part, null).some(item => item.period.grain === 'day'))
  const isName =
    first.length <= 60 &&
    !TITLE.test(first) &&
    !/\d/.test(first) &&
    /^\p{Lu}[\p{L}.'’-]*(?: (?:[\p{Lu}&][\p{L}.'’-]*|of|and|the|for))*$/u.test(first)
  return dated && isName ? first : null
}

/** The name behind "by", without what follows it: a day, a place, an office. */
function byWhom(line: string): string | null {
  const match = BY.exec(line)
  // "by shift lead T. Ash"
  const whom = match ? match[1]!.replace(/^(?:\p{Ll}+ ){1,3}(?=\p{Lu})/u, '') : ''
  if (!match || !/^\p{Lu}/u.test(whom)) return null
  const name = whom.replace(/\s+(?:on|at|dated|in|for|to)\s.*$|\s+\d.*$|(?<=\p{L}{3})\.\s+\p{Lu}.*$|[.\s]+$/u, '').trim()
  // "by the Sole Arbitrator, Dr L. Aubin"
  const titled = /^,\s((?:Dr|Prof|Mr|Mrs|Ms|Sir|Dame|Judge)\.?\s\p{Lu}[^,;(]{1,40})/u.exec(line.slice(match.index + match[0].length))
  return titled ? `${name}, ${titled[1]!.trim()}` : name
}

/** A line at the top that is a date, a place with a date, or the name of who writes. */
function readLine(found: Reading, body: string, at: number): void {
  const line = body.replace(/^[#*_\s]+|[*_\s]+$/g, '')
  const day = readDate(found, line)
  const by = byWhom(line)
  if (by) {
    // Who approves a report has not written it.
    if (!/\b(?:approved|adopted)\b/i.test(line)) found.issuer ??= by
    return
  }
  const house = OF_HOUSE.exec(line)?.[1]
  found.issuer ??= OF.exec(line)?.[1] ?? (house && isOrganisation(house) ? house : null)
  found.sitting ??= SITTING.exec(line)?.[1] ?? MINUTED.exec(line)?.[1] ?? null
  // "Mill Trust - Action plan - 20 May 2031 - owner: A. Reader"
  if (!found.issuedOn) for (const part of segmentsOf(line)) if (part.length < 24 && part !== line) readDate(found, part)
  if (at <= 3) found.issuer ??= bylined(line)
  if (at > 0 && at <= 3 && PERSON_LINE.test(line)) found.person ??= line
  const bare = (day ? line.slice(0, day.start) : line).replace(/[\s,–—-]+$|\s\([\p{L} ]{2,30}\)$/gu, '')
  if (at > 2 && !day) return
  const names = segmentsOf(bare)
  // "Valuation report — Quay House Ltd": behind the kind of document stands whom it is about.
  const first = names.find((name, k) => isHouse(name) && !names.slice(0, k).some(before => DOCUMENT.test(before)))
  if (found.head || !first || CAPTION.test(line)) return
  found.head = names.every(isHouse) ? bare : first
  if (found.head === line) found.headLine = line
  found.first = at === 0
}

const DOCUMENT = pattern(
  new RegExp(
    `${TITLE.source}|\\b(?:${PAPER}|assessment|accounts|opinion|plan|tender|register|forecast|budget|dossier|policy|certificate)\\b`,
    'i',
  ),
)

/** "Prof. E. Munro, University of Hull" */
const PERSON_LINE = /^(?:Prof|Dr|Mr|Mrs|Ms|Capt|Sir|Dame|Judge|Ing)\.?(?: \p{Lu}[\p{L}.'’-]*){1,4}(?:, [^.;:\d]{2,70})?$/u
/** "I, Marta Quist, of 4 Dock Lane, declare" */
const SELF = /^(?:\d{1,2}\.\s+)?I,? (\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}.'’-]*){1,3}),/u

/** Parties of a dispute or a contract: not who writes. */
const CAPTION = /\s(?:v|vs)\.?\s\p{Lu}|^(?:between|and|to|for|with|against|re|in the matter|matter)\b/iu

/** The first line of a letter is who writes, though it has no legal form. */
function readSender(found: Reading, first: string): void {
  const line = first.replace(/^[#*_\s]+|[*_\s]+$|\s\([\p{L} ]{2,20}\)$/gu, '')
  const words = line.split(/\s+/)
  if (
    line.length > 60 ||
    words.length > 7 ||
    TITLE.test(line) ||
    CAPTION.test(line) ||
    /\d|[:;.]$|^(?:to|attn|re|ref|our|your)\b/i.test(line)
  )
    return
  if (!words.every(word => /^[\p{Lu}&]/u.test(word) || /^(?:of|and|the|for|de|van|von|der)$/.test(word))) return
  found.head = line
  found.headLine = line
  found.first = true
}

/** The names below the farewell: a person, an office, the organisation. */
function readSignature(found: Reading, lines: readonly string[]): void {
  const at = lines.findIndex(line => FAREWELL.test(line) || isOrganisation(/^for (\p{Lu}.{3,60})$/iu.exec(line)?.[1] ?? ''))
  if (at < 0) return
  const office = /^for (?:and on behalf of )?(?:the )?(\p{Lu}[\p{L}' ]{2,40})$/iu.exec(lines[at]!)
  const copies = lines.findIndex((line, k) => k > at && /^(?:cc|copy|copies|encl)\b/i.test(line))
  const below = lines.slice(at + 1, Math.min(at + 5, copies < 0 ? at + 5 : copies)).flatMap(line => line.split(/,\s|\s{3,}/))
  const organisation = below.find(line => isOrganisation(line.trim()))
  const person = below.find(line => /^(?:\p{Lu}[\p{L}.'’-]*\s){1,4}\p{Lu}[\p{L}'’-]+$/u.test(line.trim()))
  found.signed = organisation?.trim() ?? null
  found.issuer ??= office?.[1] ?? organisation?.trim() ?? (found.head ? null : (person?.trim() ?? null))
}

const isTitleLine = (body: string): boolean => !SALUTES.test(body) && (!/[.,;]$/.test(body) || SUFFIX.test(body))

/** "Served by Pike LLP on 18 July 2031." */
const STATED = pattern(
  new RegExp(`^[("*_]*(?:this [\\p{L} -]{3,30} (?:was|is) )?(?:${WROTE}|final|conformed|shift|meeting|hearing)\\b`, 'iu'),
)
/** "3 May 2031 09:15 Door opened": one of several entries. */
const ENTRY = /^\W{0,3}(?:\d{1,2}[./ ][\p{L}\d]{1,9}[./ ]\d{4}|\d{4}-\d\d-\d\d)[\s,]/u

/** "M. Pell, Actuary" looks like an item, and begins with an initial. */
function startOf(text: string, block: Block): number {
  const initial = block.kind === 'item' && /(?:^|\n)[ \t]{0,60}(\p{Lu}\.\s)$/u.exec(text.slice(Math.max(0, block.start - 66), block.start))
  const named = initial && /^(?:\p{Lu}\.\s)?\p{Lu}[\p{L}'’-]+(?:[\s,]|$)/u.test(text.slice(block.start, block.start + 40))
  return named ? block.start - initial[1]!.length : block.start
}

interface TopLine {
  text: string
  /** Which block it stands in. */
  at: number
}

/** The lines at the top that are no sentence, and sentences in which the document speaks of itself. */
function topLines(text: string, blocks: readonly Block[]): TopLine[] {
  const lines: TopLine[] = []
  blocks.slice(0, 12).forEach((block, at) => {
    const from = startOf(text, block)
    if (block.kind !== 'heading' && block.kind !== 'paragraph' && from === block.start) return
    const body = text.slice(from, Math.min(block.end, from + 300)).trim()
    const whole = block.end - block.start < 160
    for (const line of block.top && body.includes('\n') ? body.split('\n') : [body]) {
      const trimmed = line.trim()
      if (whole && isTitleLine(trimmed)) lines.push({ text: trimmed, at })
      else if (at < 6 && STATED.test(trimmed)) lines.push({ text: firstSentence(trimmed), at })
    }
  })
  const entries = lines.filter(line => ENTRY.test(line.text))
  return entries.length > 1 ? lines.filter(line => !entries.includes(line)) : lines
}

function firstSentence(text: string): string {
  const stop = /(?<=[\p{L}\d)]{3})\.(?:\s+["(]?\p{Lu}|\s*$)/u.exec(text)
  return stop ? text.slice(0, stop.index) : text
}

/** "Counsel for the Claimant: …" below a pleading. */
const FILED = /^(?:counsel|solicitors?|lawyers?|attorneys?|advocates?|representatives?) (?:for|of) (?:the )?(\p{Lu}[\p{L} ]{2,40})$/iu

/** Who is meant by "Claimant": in a caption the name stands before the role. */
function partyOf(role: string | null, top: readonly string[]): string | null {
  const at = role === null ? -1 : top.findIndex(line => line.toLowerCase() === role.toLowerCase())
  return at > 0 ? top[at - 1]! : role
}

/** "Leeds, 4 May 2031", "Signed at Leeds on 4 May 2031" */
const PLACED =
  /^\s*(?:(?:signed|done|dated|executed|declared|sworn|affirmed|given|made)\b[^.;:]{0,40}|\p{Lu}[\p{L} -]{2,30},\s*(?:the )?)?\d{1,4}[-.\s][^:;]{3,20}$/iu

export function letteredOf(text: string, blocks: readonly Block[]): Lettered {
  const found: Reading = {
    issuer: null,
    head: null,
    headLine: null,
    first: false,
    issuedOn: null,
    rank: 0,
    person: null,
    sitting: null,
    signed: null,
    letter: false,
  }
  const bodyOf = (block: Block): string => text.slice(startOf(text, block), Math.min(block.end, block.start + 300)).trim()
  const first = blocks[0] && blocks[0].kind !== 'pair' && blocks[0].kind !== 'row' ? bodyOf(blocks[0]).split('\n')[0]! : ''
  found.letter = blocks.slice(0, 24).some(block => SALUTES.test(bodyOf(block)))
  if (found.letter && blocks[0] && blocks[0].kind !== 'pair') readSender(found, bodyOf(blocks[0]))
  for (const { text: line, at } of topLines(text, blocks)) readLine(found, line, at)
  for (const block of blocks.slice(0, 4)) {
    const name = DECLARES.exec(bodyOf(block))?.[1]
    if (name && isOrganisation(name)) found.head ??= name
    if (name) readDate(found, bodyOf(block).slice(0, 80))
  }
  const below = blocks.slice(-8).filter(block => block.kind !== 'row')
  const last = below.flatMap(block => bodyOf(block).split(/\n|\s{4,}/))
  const top = blocks.slice(0, 12).map(bodyOf)
  for (const block of below) if (block.label) found.issuer ??= partyOf(FILED.exec(block.label.text.trim())?.[1] ?? null, top)
  readSignature(
    found,
    last.map(line => line.trim()),
  )
  // A name in capitals above the title is who writes.
  if (!found.head && isShoutedLine(first) && blocks[1] && TITLE.test(bodyOf(blocks[1]).split('\n')[0]!)) readSender(found, first)
  const { head, sitting } = found
  if (sitting) found.issuer ??= head && !head.toLowerCase().includes(sitting.toLowerCase()) ? `${head}, ${sitting}` : (head ?? sitting)
  for (const line of text.slice(0, 600).split('\n')) found.person ??= SELF.exec(line)?.[1] ?? null
  if (!head && !found.letter) found.issuer ??= found.person
  if (!found.issuedOn) for (const line of last) if (PLACED.test(line)) readDate(found, line.trim())
  return found
}
