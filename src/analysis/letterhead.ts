/**
 * Who wrote a document and when, where no label says so: letterheads, bylines, titles of minutes and statements, places with
 * dates, and the lines below a letter.
 */
import type { Block } from './blocks.js'
import { isOrganisationWord } from './entities.js'
import { isShoutedLine } from './lines.js'
import { findPeriods } from './periods.js'
import type { Period } from './types.js'

export interface Lettered {
  /** Who the words say has written it. */
  issuer: string | null
  /** Whose name stands at the top. */
  head: string | null
  /** The line that is nothing but that name. */
  headLine: string | null
  issuedOn: Period | null
  /** The committee or board whose minutes it is. */
  sitting: string | null
  /** The organisation below the farewell. */
  signed: string | null
  /** It is addressed to somebody. */
  letter: boolean
}

const BY =
  /^(?:surveyed|prepared|issued|written|compiled|submitted|signed|presented|published|drafted|reported|filed|recorded|kept|approved|adopted)\b.{0,24}?\b(?:by|on behalf of)\s(?:the\s)?(\p{Lu}[^,;]{2,60})/iu
/** "Witness statement of Jan Peeters", "AFFIDAVIT OF JAN PEETERS". */
const OF =
  /\b(?:(?:[Ww]itness|[Ee]xpert|[Ww]ritten|[Ss]worn|WITNESS|EXPERT|WRITTEN|SWORN) (?:[Ss]tatement|[Ee]vidence|STATEMENT|EVIDENCE)|[Tt]estimony|[Aa]ffidavit|[Dd]eclaration|TESTIMONY|AFFIDAVIT|DECLARATION) (?:of|OF) (\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){1,4})/u
/** "minutes of the valuation committee" */
const SITTING = /\b(?:minutes|record|meeting) of (?:the )?((?:\p{L}+ ){0,4}?(?:committee|board|council|commission|panel|assembly))\b/iu
const SALUTES = /^(?:dear\b|to whom|ladies and|gentlemen|sirs?\b|hello\b|hi\b|sehr geehrte)/i
const FAREWELL =
  /^(?:yours (?:sincerely|faithfully|truly)|(?:kind|best|warm)(?:est)? regards|regards|sincerely|respectfully|with kind|for the (?!avoidance|purpos|period|year)\p{L}+(?: \p{L}+)?$|for and on behalf|signed\b|mit freundlichen)/iu
const SUFFIX =
  /(?:^|[\s,])(?:Ltd|Limited|Inc|LLC|LLP|PLC|GmbH|AG|SE|KG|ApS|SARL|SRL|SAS|Pty|Oyj|Forensics|Analytics|Statistics|Ratings|Valuers|Adjusters|Auditors|Brokers|Actuaries|Geotechnics|Biopharma|S\.?A\.?|B\.?V\.?|NV|AB|AS|ASA|A\/S|DAC|Oy|SpA|SICAV|Co|Group|Fund|Utility|Trust|Partners|Partner|Advisers|Advisors|Associates|Institute|Foundation|Society|Union|Commission|Committee|Tribunal|Court|Council|Authority|Ministry|Agency|Inspectorate|Board|Bank|University|Hospitals?|Clinics?|Office|Oversight|Insurance|Laborator(?:y|ies)|Airlines|Airways|Railways?|College|School|Federation|Chamber|Registry|Cooperative|Surveyors|Engineers|Consult(?:ing|ants)|Architects|Solicitors|Lawyers)\.?$/i
/** A line that says what the document is, not who writes it. */
const TITLE =
  /\b(?:reports?|memo(?:randum)?|minutes|letter|notice|statement|response|reply|complaint|register|summary|agreement|contract|certificate|order|plan|protocol|accounts|review|schedule|confidential|urgent|prejudice|e-?mail|private|extract|draft|annex|appendix|version|page)\b/i
const UNDATED = /\b(?:of|dated|from|on|by|until|to|ended|ending|since|before|after|at|the)\s$/i
/** What puts the date of the document into a line: "Approved by the Board on …", "Minutes of the meeting of …", "Status at …". */
const DATES =
  /\b(?:approved|adopted|issued|published|signed|sworn|filed|sent|dated|done|executed|meeting|minutes|sitting|hearing|held|status)\b[^.;]{0,60}\b(?:on|of|at|held|dated)\s(?:\p{L}+day,?\s)?$/iu

const segmentsOf = (line: string): string[] =>
  line
    .split(/\s(?:--|–|—|-|\||·)\s|;\s|:\s/)
    .map(part => part.trim())
    .filter(Boolean)

function isOrganisation(name: string): boolean {
  const words = name.split(/\s+/)
  if (
    /^(?:partners?|services|systems|company|group|capital)$/i.test(name) ||
    name.length < 4 ||
    name.length > 70 ||
    words.length > 9 ||
    TITLE.test(name)
  )
    return false
  return SUFFIX.test(name) || isOrganisationWord(words.at(-1)!) || BODY_OF.test(name)
}

/** "Patient Council of Vester", "Office for Weights" */
const BODY_OF =
  /^(?:\p{Lu}[\p{L}-]+ ){0,3}(?:Council|Office|Authority|Ministry|Agency|Board|Commission|Committee|Department|Institute|University|Bank|Court|Chamber|Association|Federation|Society|Registry) (?:of|for|on)\b/iu

function readDate(found: Lettered, line: string): { start: number } | null {
  const days = findPeriods(line, null).filter(item => item.period.grain === 'day')
  const day = days[0]
  if (!day || days.length > 1) return null
  const left = line.slice(0, day.start)
  // The date ends the line or is all of it: "Rotterdam, 25 September 2025", not "the report of 6 June".
  const placed = !UNDATED.test(left) && line.slice(day.end).trim().length <= 1
  const by = BY.test(line)
  if (placed || by || DATES.test(left)) found.issuedOn ??= day.period
  return placed || by ? day : null
}

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

/** A line at the top that is a date, a place with a date, or the name of who writes. */
function readLine(found: Lettered, body: string, at: number): void {
  const line = body.replace(/^[#*_\s]+|[*_\s]+$/g, '')
  const day = readDate(found, line)
  const by = BY.exec(line)
  if (by) {
    // Who approves a report has not written it.
    if (!/^(?:approved|adopted)/i.test(line)) found.issuer ??= by[1]!.replace(/\s+on\s.*$/, '').trim()
    return
  }
  const of = OF.exec(line)
  if (of) found.issuer ??= of[1]!
  found.sitting ??= SITTING.exec(line)?.[1] ?? null
  // "Mill Trust - Action plan - 20 May 2031 - owner: A. Reader"
  if (!found.issuedOn) for (const part of segmentsOf(line)) if (part.length < 24 && part !== line) readDate(found, part)
  if (at <= 3) found.issuer ??= bylined(line)
  const bare = (day ? line.slice(0, day.start) : line).replace(/[\s,–—-]+$|\s\([\p{L} ]{2,30}\)$/gu, '')
  if (at > 2 && !day) return
  const names = segmentsOf(bare)
  const first = names.find(isOrganisation)
  if (found.head || !first) return
  found.head = names.every(isOrganisation) ? bare : first
  if (found.head === line) found.headLine = line
}

/** The first line of a letter is who writes, though it has no legal form. */
function readSender(found: Lettered, first: string): void {
  const line = first.replace(/^[#*_\s]+|[*_\s]+$|\s\([\p{L} ]{2,20}\)$/gu, '')
  const words = line.split(/\s+/)
  if (line.length > 60 || words.length > 7 || TITLE.test(line) || /\d|[:;.]$|^(?:to|attn|re|ref|our|your)\b/i.test(line)) return
  if (!words.every(word => /^[\p{Lu}&]/u.test(word) || /^(?:of|and|the|for|de|van|von|der)$/.test(word))) return
  found.head = line
  found.headLine = line
}

/** The names below the farewell: a person, an office, the organisation. */
function readSignature(found: Lettered, lines: readonly string[]): void {
  const at = lines.findIndex(line => FAREWELL.test(line))
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

/** "Counsel for the Claimant: …" below a pleading. */
const FILED = /^(?:counsel|solicitors?|lawyers?|attorneys?|advocates?|representatives?) (?:for|of) (?:the )?(\p{Lu}[\p{L} ]{2,40})$/iu

/** Who is meant by "Claimant": in a caption the name stands before the role. */
function partyOf(role: string | null, top: readonly string[]): string | null {
  const at = role === null ? -1 : top.findIndex(line => line.toLowerCase() === role.toLowerCase())
  return at > 0 ? top[at - 1]! : role
}

/** "Leeds, 4 May 2031", "Signed at Leeds on 4 May 2031" */
const PLACED = /^\s*(?:(?:signed|done|dated|executed)\b[^.;:]{0,40}|\p{Lu}[\p{L} -]{2,30},\s*(?:the )?)?\d{1,4}[-.\s][^:;]{3,20}$/iu

export function letteredOf(text: string, blocks: readonly Block[]): Lettered {
  const found: Lettered = { issuer: null, head: null, headLine: null, issuedOn: null, sitting: null, signed: null, letter: false }
  const bodyOf = (block: Block): string => text.slice(block.start, Math.min(block.end, block.start + 300)).trim()
  const first = blocks[0] && blocks[0].kind !== 'pair' && blocks[0].kind !== 'row' ? bodyOf(blocks[0]).split('\n')[0]! : ''
  found.letter = blocks.slice(0, 24).some(block => SALUTES.test(bodyOf(block)))
  if (found.letter && blocks[0] && blocks[0].kind !== 'pair') readSender(found, bodyOf(blocks[0]))
  blocks.slice(0, 12).forEach((block, at) => {
    const body = bodyOf(block)
    if ((block.kind === 'heading' || block.kind === 'paragraph') && body.length < 160 && isTitleLine(body)) readLine(found, body, at)
  })
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
  if (!found.issuedOn) for (const line of last) if (PLACED.test(line)) readDate(found, line.trim())
  return found
}
