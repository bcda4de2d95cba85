/**
 * Who issued a German or French paper and when, from its letterhead, labels and place of signing. The rules read English; a model that reads
 * any language is told who speaks and which paper is later, and replacements are held to that.
 */
import { cut } from '../../platform/storable-text.js'
import { findPeriods } from '../values/periods.js'

export interface ForeignHead {
  issuer: string | null
  issuedOn: string | null
}

const GERMAN = /(?<!\p{L})(?:der|die|das|und|ist|nicht|mit|von|zum|zur|wird|wurde|werden|wir|für|auf|dem|den|ein|eine)(?!\p{L})/giu
const FRENCH = /(?<!\p{L})(?:le|la|les|des|est|pas|une|dans|pour|par|sur|été|sont|nous|du|et|au|aux|qui|que)(?!\p{L})/giu
const ENGLISH = /(?<!\p{L})(?:the|of|and|is|was|were|not|with|for|by|are|to|has|have|been|that|this)(?!\p{L})/giu

const DATE_LABEL = /^(?:datum|date|rechnungsdatum|ausstellungsdatum|date d'émission|établi le|fait le|stand)\s*:\s*/iu
const ISSUER_LABEL =
  /^(?:aussteller(?:in)?|absender(?:in)?|verfasser(?:in)?|ersteller(?:in)?|erstellt von|herausgeber(?:in)?|von|émetteur|expéditeur|auteur|établi par|rédigé par|de la part de)\s*:\s*(.{2,120})$/iu
/** "Dresden, den 18. März 2025", "Fait à Brest, le 4 mars 2024". */
const SIGNED = /^(?:(?:fait|établi|signé) à )?\p{Lu}[\p{L} .'-]{1,40},\s(?:den\s|le\s|am\s)?$/iu
const POSTCODE = /(?<!\d)\d{4,5}\s\p{Lu}\p{L}/u
/** A heading that names the kind of paper or its parties is no letterhead. */
const NO_LETTERHEAD = /:|(?:nr\.|n°)\s*\S*\d/iu

/** Null for a paper in neither language. */
export function foreignHead(text: string): ForeignHead | null {
  const sample = cut(text, 3_000)
  const count = (words: RegExp) => sample.match(words)?.length ?? 0
  const foreign = Math.max(count(GERMAN), count(FRENCH))
  if (foreign < 4 || foreign <= 2 * count(ENGLISH)) return null
  const lines = linesOf(text)
  const head = lines.slice(0, 25)
  return { issuer: issuerIn(head), issuedOn: dayIn(head) ?? dayIn(lines.slice(-12).reverse()) }
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map(line => line.replace(/\s+/g, ' ').trim())
    .filter(line => line !== '')
}

/** A label says it, or a place and a day, or a day alone. A day of another paper that is named in a sentence is not its own. */
function dayIn(lines: readonly string[]): string | null {
  for (const line of lines) {
    if (line.length > 120) continue
    const label = DATE_LABEL.exec(line)?.[0] ?? ''
    const rest = line.slice(label.length)
    const found = findPeriods(rest, null).find(({ period }) => period.grain === 'day')
    const before = rest.slice(0, found?.start)
    if (found && (label === '' ? before === '' || SIGNED.test(before) : before.length <= 30)) return found.period.from
  }
  return null
}

/** As a label names it, else what stands first above an address. */
function issuerIn(head: readonly string[]): string | null {
  for (const line of head) {
    const named = ISSUER_LABEL.exec(line)?.[1]
    if (named !== undefined) return cut(named.trim(), 120)
  }
  const address = head.slice(0, 5).findIndex(line => POSTCODE.test(line))
  const [first] = head
  // Between two parties nobody alone issues it.
  const isBetween = head.slice(0, address).some(line => /^(?:zwischen|entre)(?!\p{L})/iu.test(line))
  if (address < 1 || isBetween || first === undefined || NO_LETTERHEAD.test(first) || first.length > 90 || /[.!?]$/.test(first)) return null
  return first
}
