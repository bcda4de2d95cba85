/**
 * Names in a document: organisations, people, products, projects, found by capitals in running text, by their legal
 * suffix, by titles of persons and by short forms the document defines.
 */

import { GENERIC_HEADS, NEUTRAL } from './lexicon.js'
import { matchesOf } from './pattern.js'
import { remembered } from './remember.js'
import type { EntityMention } from './types.js'
import { FUNCTION_WORDS, stem, tokenize } from './words.js'

/** Forms of companies that say nothing of which one it is. */
const LEGAL_FORMS = 'AG|GmbH|SE|KG|ApS|ASA|SARL|SRL|SAS|Pty|Oyj|Ltd|Limited|Inc|LLC|LLP|PLC|SA|NV|BV|AB|Corp|Co'
const ORG_SUFFIX = new RegExp(
  `^(?:${LEGAL_FORMS}|A/S|SICAV|DAC|plc|S\\.A|B\\.V|SpA|AS|Oy|Corporation|Company|Holdings?|Group|Bank|Authority|Agency|Commission|University|Hospital|Trust|Partners|Ministry|Council|Institute|Center|Centre|Foundation|Association|Services|Industries|Industrials|Digital|International|Energy|Therapeutics|Pharma|Insurance|Capital|Systems|Technologies|Solutions|Logistics)$`,
)
/** A legal form or another word that only organisations carry, in any case. */
export const isOrganisationWord = (word: string): boolean =>
  ORG_SUFFIX.test(word) || (word.length > 2 && ORG_SUFFIX.test(word[0] + word.slice(1).toLowerCase()))

const PERSON = /^(?:Dr|Prof|Mr|Mrs|Ms|Herr|Frau|Sir|Dame|Justice|Judge)$/
const COMMON = new Set(
  `ratio rate margin cost capital total financial annual adjusted quarterly net gross grade phase type class number observation response document analyst actuary officer director
   manager committee board team head chief senior lead report letter regulation article directive fund standard art section guideline internal external audit auditor review risk model measure approach data
   quality system control policy procedure plan protocol amendment site patient study sponsor investigator chair supervisory management executive independent central safety monitoring clinical legal finance
   technical operations department office unit counsel court agreement contract treaty exhibit annex appendix schedule clause paragraph item point
   party transaction applicant directorate council claimant respondent plaintiff defendant applicant appellant contractor subcontractor employer engineer consultant client customer supplier seller buyer vendor purchaser
   lessor lessee landlord tenant owner operator regulator company administrator depositary custodian insurer insured carrier shipper consignee charterer utility
   tribunal arbitrator trustee borrower lender guarantor licensee licensor franchisee provider manufacturer distributor importer bidder tenderer`
    .split(/\s+/)
    .map(word => stem(word)),
)
const SUBSIDIARY = /\b(?:subsidiar|division|segment|operating (?:company|unit)|business unit)/i

const NAME =
  /(?<![\p{L}\p{N}.])(?:(?:Dr|Prof|Mr|Mrs|Ms)\.[ \u00a0])?\p{Lu}[\p{L}\p{M}-]*(?:[ \u00a0](?:(?:of|de|van|von|der|und|&)[ \u00a0])?\p{Lu}[\p{L}\p{M}-]*)*/gu

/** Words of a name that name nobody. */
const NAMELESS = new RegExp(`^(?:${LEGAL_FORMS}|dr|prof|mr|mrs|ms|herr|frau)$`, 'i')

export const entityKey = remembered(2_000, name =>
  tokenize(name)
    .map(token => token.lower)
    .filter(word => !FUNCTION_WORDS.has(word) && !NAMELESS.test(word))
    .map(word => stem(word))
    .join(' '),
)

interface Tally {
  name: string
  count: number
  mid: number
  kind: EntityMention['kind']
}

function kindOf(name: string): EntityMention['kind'] {
  const words = name.split(/[\s\u00a0]+/)
  if (PERSON.test(words[0]!.replace(/\.$/, ''))) return 'person'
  if (words[0] === 'Project' || words[0] === 'Programme') return 'project'
  if (ORG_SUFFIX.test(words.at(-1)!)) return 'organisation'
  return 'other'
}

const PLAIN_WORD = /(?<![\p{L}-])\p{Ll}{3,}/gu

/** Words the document also writes small: they are words, not names. */
function plainWords(text: string, prose: readonly { start: number; end: number }[]): Set<string> {
  const plain = new Set<string>()
  for (const span of prose)
    for (const match of matchesOf(PLAIN_WORD, text.slice(span.start, Math.min(span.end, span.start + 2_000)))) plain.add(stem(match[0]))
  return plain
}

function isPlain(word: string, plain: ReadonlySet<string>): boolean {
  const key = stem(word.toLowerCase())
  return (
    plain.has(key) ||
    NEUTRAL.has(key) ||
    COMMON.has(key) ||
    FUNCTION_WORDS.has(word.toLowerCase()) ||
    word === word.toUpperCase() ||
    GENERIC_HEADS.has(key)
  )
}

/** Names of running text, most frequent first. `prose` are spans of sentences. */
export function entitiesOf(
  text: string,
  prose: readonly { start: number; end: number }[],
  defined: ReadonlySet<string>,
): { mentions: EntityMention[]; counts: Map<string, number>; plain: ReadonlySet<string> } {
  const tallies = new Map<string, Tally>()
  const plain = plainWords(text, prose)
  for (const span of prose) {
    const sentence = text.slice(span.start, Math.min(span.end, span.start + 2_000))
    for (const match of matchesOf(NAME, sentence)) {
      let name = match[0].replace(/['’]s?$|[.'’-]+$/u, '')
      let first = match.index === 0
      const words = name.split(/[\s\u00a0]+/)
      while (words.length && FUNCTION_WORDS.has(words[0]!.toLowerCase())) {
        words.shift()
        first = false
      }
      // The first word of a sentence is capital anyway: without it, is there still a name?
      if (first && words.length > 1 && !ORG_SUFFIX.test(words[1]!) && kindOf(words.join(' ')) === 'other') words.shift()
      if (words.every(word => word === word.toUpperCase())) continue
      name = words.join(' ')
      if (
        name.length < 3 ||
        name.length > 60 ||
        words.length > 6 ||
        /^(?:Q[1-4]?|H[12]|FY)\b/.test(name) ||
        /\b(?:EUR|USD|GBP|CHF|January|February|March|April|May|June|July|August|September|October|November|December|Q)$/.test(name)
      )
        continue
      if (words.every(word => word === word.toUpperCase()) && words.length === 1) continue
      // "the Authority", "the Bank" stand for a name given elsewhere.
      if (words.every(word => ORG_SUFFIX.test(word))) continue
      const key = entityKey(name)
      if (!key) continue
      const known = tallies.get(key)
      const mid = first ? 0 : 1
      if (known) {
        known.count++
        known.mid += mid
      } else if (tallies.size < 400) tallies.set(key, { name, count: 1, mid, kind: kindOf(name) })
    }
  }
  const kept = [...tallies.entries()].filter(
    ([key, t]) =>
      !defined.has(key) &&
      !t.name.split(/[\s\u00a0]+/).every(word => isPlain(word, plain)) &&
      (t.kind !== 'other' || (t.mid >= 1 && t.count >= (t.name.includes(' ') ? 2 : 3))),
  )
  kept.sort((a, b) => b[1].count - a[1].count || (a[0] < b[0] ? -1 : 1))
  const subsidiary = SUBSIDIARY.test(text.slice(0, 20_000))
  const mentions = kept.slice(0, 40).map(([key, t]) => ({
    key,
    name: t.name,
    kind: t.kind === 'organisation' && subsidiary ? ('organisation' as const) : t.kind,
    aliases: [] as string[],
  }))
  return { mentions, counts: new Map(kept.map(([key, t]) => [key, t.count])), plain }
}

const COMMON_FIRST = new Set(
  'project group bank site new united national first federal european international general central north south east west report annual'
    .split(' ')
    .map(word => stem(word)),
)

/** "Alpha" stands for "Alpha Industrials", but "lead" not for the "Lead Replacement Programme" of a text that speaks of lead. */
export function shortForms({ key, kind }: EntityMention, plain: ReadonlySet<string>): string[] {
  const [first, ...rest] = key.split(' ')
  const stands =
    first !== undefined && first.length >= 4 && rest.length > 0 && kind !== 'person' && !COMMON_FIRST.has(first) && !plain.has(first)
  return stands ? [first] : []
}

const DEFINED = /\(\s?(?:the\s|hereinafter\s|"|“|‘|')*([\p{Lu}][\p{L}\d&-]{1,14})["”’']?\s?\)/gu

/** "Annual Recurring Revenue (ARR)" and 'Meridian Group AG ("Meridian")'. */
export function definitionsOf(text: string): Record<string, string> {
  const definitions: Record<string, string> = {}
  let count = 0
  for (const match of matchesOf(DEFINED, text)) {
    if (count >= 60) break
    const short = match[1]!
    const before = text
      .slice(Math.max(0, match.index - 90), match.index)
      .replace(/\s+/g, ' ')
      .trimEnd()
    const words = before.split(/[\s]+/)
    const letters = short.replace(/[^\p{L}]/gu, '').replace(/s$/, '')
    if (short === short.toUpperCase() || /s$/.test(short)) {
      const long = matchInitials(words, letters.toLowerCase())
      if (long) {
        definitions[short] = long
        count++
      }
    } else if (words.some(word => word.replace(/[^\p{L}]/gu, '') === short)) {
      const at = words.findIndex(word => word.replace(/[^\p{L}]/gu, '') === short)
      const long = words.slice(at).join(' ')
      if (long.length > short.length) {
        definitions[short] = long.replace(/['’]s$/, '')
        count++
      }
    }
  }
  return definitions
}

function matchInitials(words: string[], letters: string): string | null {
  if (letters.length < 2) return null
  for (let take = Math.min(words.length, letters.length + 3); take >= 2; take--) {
    const part = words.slice(-take)
    if (!/^[\p{L}]/u.test(part[0]!) || part[0]![0]!.toLowerCase() !== letters[0]) continue
    const initials = part
      .flatMap(word => word.split('-'))
      .filter(word => word && !/^(?:of|the|and|for|in|on|to|&)$/i.test(word))
      .map(word => word[0]!.toLowerCase())
      .join('')
    // "Interest cover (ICR)": the ratio goes without saying.
    if (initials === letters || `${initials}r` === letters) return part.join(' ').replace(/[,;:("]/g, '')
  }
  return null
}
