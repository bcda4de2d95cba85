/**
 * The core of a statement: what is so or not so of what ("the seals were intact", "records are missing"), and what a text
 * says is absent or present ("no rent arrears exist", "three tenants are in arrears"). Opposite words count as a denial.
 */

import { termOf } from './slots.js'
import { tag } from './tagging.js'
import { isTopic } from './topics.js'
import { actOf } from './verbs.js'
import { AUXILIARIES, isNumeric, type Token } from './words.js'

export interface Core {
  head: string
  /** Further words of what the statement is about. */
  about: string[]
  predicate: string
  negated: boolean
  /** "No passwords were stolen": of none of them. */
  none?: boolean
  /** Who acts, where that is said; empty when it is not known. */
  agent?: string[]
}

/** word → what it denies or affirms. */
const OPPOSITES: [string, string, string][] = [
  ['complete', 'complete completed full', 'incomplete missing lacking'],
  ['intact', 'intact undamaged unbroken', 'broken damaged torn tampered'],
  ['valid', 'valid effective', 'invalid expired lapsed void'],
  [
    'approve',
    'approved approve approves granted grant grants accepted accept accepts authorised authorized',
    'rejected reject rejects refused refuse refuses denied declined unapproved',
  ],
  ['pass', 'passed pass passes successful', 'failed fail fails unsuccessful'],
  ['compliant', 'compliant conforming', 'noncompliant nonconforming'],
  ['adequate', 'adequate sufficient appropriate satisfactory', 'inadequate insufficient inappropriate unsatisfactory deficient'],
  ['correct', 'correct accurate', 'incorrect inaccurate wrong erroneous'],
  ['active', 'active operational', 'inactive idle dormant'],
  ['safe', 'safe', 'unsafe dangerous'],
  ['working', 'working functional', 'defective faulty inoperative'],
  ['known', 'known disclosed', 'unknown undisclosed'],
  ['closed', 'closed resolved settled', 'open outstanding unresolved'],
  ['resume', 'resumed', 'suspended halted interrupted'],
  ['mandatory', 'mandatory compulsory obligatory', 'voluntary optional'],
  ['lawful', 'lawful legal', 'unlawful illegal'],
  ['solvent', 'solvent', 'insolvent bankrupt'],
  ['permanent', 'permanent', 'temporary provisional'],
  ['present', 'present', 'absent'],
  ['clean', 'clean uncontaminated', 'contaminated dirty polluted'],
  ['empty', 'empty', 'full loaded'],
  ['dry', 'dry', 'wet damp soaked'],
  ['sober', 'sober', 'drunk intoxicated'],
  ['conscious', 'conscious', 'unconscious'],
  ['alive', 'alive', 'dead deceased'],
  ['positive', 'positive', 'negative'],
  ['benign', 'benign', 'malignant'],
  ['stable', 'stable', 'unstable'],
  ['normal', 'normal', 'abnormal'],
  ['legible', 'legible readable', 'illegible unreadable'],
  ['consistent', 'consistent', 'inconsistent'],
  ['punctual', 'punctual timely', 'late belated overdue'],
  ['possible', 'possible feasible', 'impossible infeasible'],
  ['likely', 'likely probable', 'unlikely improbable'],
  ['support', 'supported supports', 'opposed opposes'],
  ['reversible', 'reversible', 'irreversible'],
  ['occupied', 'occupied inhabited', 'vacant unoccupied uninhabited'],
]
const BY_WORD = new Map<string, { predicate: string; negated: boolean }>()
for (const [predicate, yes, no] of OPPOSITES) {
  for (const word of yes.split(' ')) BY_WORD.set(word, { predicate, negated: false })
  for (const word of no.split(' ')) BY_WORD.set(word, { predicate, negated: true })
}

export const hasOpposite = (lower: string): boolean => BY_WORD.has(lower)

export function meaningOf(lower: string): { predicate: string; negated: boolean } {
  const word = lower.replace(/^non-/, 'non')
  const known = BY_WORD.get(word)
  if (known) return known
  const bare =
    /^(?:un(?=[a-z]{4,}(?:ed|able|ible|al)$|paid$|sold$|known$|written$|read$|built$|sent$)|ir(?=revocable)|non(?=[a-z]{5,}))/.exec(word)
      ? word.replace(/^(?:un|ir|non)/, '')
      : null
  return bare ? { predicate: BY_WORD.get(bare)?.predicate ?? actOf(bare), negated: true } : { predicate: actOf(word), negated: false }
}

const DENIES = new Set(['not', 'never', "n't"])
const JOINS = new Set(['that', 'which', 'who', 'if', 'whether', 'when', 'because', 'unless', 'and', 'but', 'while'])
const SAYS = new Set(['following', 'there', 'it', 'this', 'these'])
/** Documents that only carry what is said, unless something tells which. */
const CARRIES = new Set(['report', 'note', 'section', 'document', 'table'])

/** The core of a part of a sentence; null when no plain "X is Y" stands in it. */
export function coreOf(text: string, tokens: readonly Token[]): Core | null {
  const verb = tokens.findIndex(
    (token, i) =>
      i > 0 && AUXILIARIES.has(token.lower) && !/^(?:do|does|did|will|would|shall|should|can|could|may|might|must)$/.test(token.lower),
  )
  if (verb < 1 || verb > 14) return null
  let k = verb
  // "must not be used", "cannot be read", "will never be paid".
  let negated = /^(?:not|never|cannot)$/.test(tokens[verb - 1]!.lower)
  while (
    k < tokens.length &&
    (AUXILIARIES.has(tokens[k]!.lower) || tag(tokens[k]!.lower) === 'A' || DENIES.has(tokens[k]!.lower) || ADVERBS.has(tokens[k]!.lower))
  ) {
    if (DENIES.has(tokens[k]!.lower)) negated = true
    if (tokens[k]!.lower === 'no' && tokens[k + 1]?.lower === 'longer') negated = true
    k++
  }
  if (
    JUDGED.has(tokens[k]?.lower ?? '') &&
    (tokens[k + 1]?.lower === 'as' || (tokens[k + 1]?.lower === 'to' && tokens[k + 2]?.lower === 'be'))
  )
    k += tokens[k + 1]!.lower === 'as' ? 2 : 3
  // "was found broken" says it was.
  else if (JUDGED.has(tokens[k]?.lower ?? '') && BY_WORD.has(tokens[k + 1]?.lower ?? '')) k++
  const said = tokens[k]
  const next = tokens[k + 1]
  if (!said || isNumeric(said.lower) || !/^[a-z]/.test(said.text)) return null
  const state = said.lower === 'in' ? CONDITION.get(tokens[k + 1]?.lower ?? '') : undefined
  if (state !== undefined && /^(?:condition|order|repair|state|shape)$/.test(tokens[k + 2]?.lower ?? '')) {
    const kept = subjectOf(tokens.slice(0, verb))
    return kept ? { ...kept, predicate: 'condition', negated: negated !== state } : null
  }
  if (said.lower === 'in' && tokens.slice(k + 1, k + 3).some(token => IN_USE.has(token.lower))) {
    const used = subjectOf(tokens.slice(0, verb))
    return used ? { ...used, predicate: actOf('use'), negated } : null
  }
  // "is a contract": a noun is no state; "was released on" and "is complete." are.
  const plain = tag(said.lower) === 'N' || tag(said.lower) === 'X'
  const ends = !next || /[,.;:()]/.test(text.slice(said.end, next.start))
  if (!plain || (!ends && tag(next.lower) === 'N' && !/(?:ed|en|wn)$/.test(said.lower))) return null
  const subject = subjectOf(tokens.slice(0, verb))
  if (!subject) return null
  const acted = LIGHT.has(said.lower) ? nominal(tokens.slice(0, verb)) : null
  const meaning = acted ? meaningOf(acted.verb) : meaningOf(said.lower)
  const none = tokens[0]!.lower === 'none' || tokens[0]!.lower === 'nobody' || tokens.slice(0, verb).some(token => token.lower === 'no')
  const denied = (negated || none) !== meaning.negated
  return { ...(acted ?? subject), predicate: meaning.predicate, negated: denied, none: none && !acted }
}

/** "is or has been a political officer", "is not a dealer": whether somebody is of a kind. */
export function kindOf(text: string, tokens: readonly Token[]): Core | null {
  for (let i = 1; i < tokens.length - 2 && i < 40; i++) {
    if (!IS.has(tokens[i]!.lower)) continue
    let k = i + 1
    let negated = false
    while (k < tokens.length && (DENIES.has(tokens[k]!.lower) || ADVERBS.has(tokens[k]!.lower)))
      if (DENIES.has(tokens[k++]!.lower)) negated = true
    if (!/^an?$/.test(tokens[k]?.lower ?? '')) continue
    const terms: string[] = []
    for (k++; k < tokens.length && terms.length < 6; k++) {
      const kind = tag(tokens[k]!.lower)
      if (terms.length && /[,.;:()]/.test(text.slice(tokens[k - 1]!.end, tokens[k]!.start))) break
      if (kind !== 'N' && kind !== 'A') break
      if (kind === 'N' && !isNumeric(tokens[k]!.lower)) terms.push(...termOf(tokens[k]!.lower).filter(term => term.length > 2))
    }
    if (terms.length < 2 || !terms.some(isTopic)) continue
    const before = tokens.slice(0, i)
    const none = before.some(token => token.lower === 'none' || token.lower === 'no' || token.lower === 'neither')
    const who = none ? null : subjectOf(before)
    return {
      head: terms.at(-1)!,
      about: terms.slice(0, -1),
      predicate: '=kind',
      negated: negated !== none,
      none,
      agent: who ? [who.head, ...who.about] : [],
    }
  }
  return null
}

const LIGHT = new Set(
  'planned intended foreseen envisaged expected proposed considered necessary required needed carried made performed done conducted undertaken effected'.split(
    ' ',
  ),
)
const NOMINALS = new Map(
  `suspension:suspended termination:terminated extension:extended closure:closed approval:approved renewal:renewed replacement:replaced withdrawal:withdrawn
   disclosure:disclosed payment:paid delivery:delivered sale:sold purchase:purchased transfer:transferred repair:repaired inspection:inspected reduction:reduced
   dismissal:dismissed appointment:appointed cancellation:cancelled postponement:postponed recall:recalled audit:audited rejection:rejected removal:removed
   installation:installed calibration:calibrated verification:verified evacuation:evacuated notification:notified examination:examined test:tested`
    .split(/\s+/)
    .map(pair => pair.split(':') as [string, string]),
)

/** "No suspension of payments is planned": payments are not suspended. */
function nominal(tokens: readonly Token[]): { head: string; about: string[]; verb: string } | null {
  const of = tokens.findIndex(token => token.lower === 'of')
  const verb = of > 0 ? NOMINALS.get(tokens[of - 1]!.lower) : undefined
  const subject = verb === undefined ? null : subjectOf(tokens.slice(of + 1))
  return subject && verb !== undefined ? { ...subject, verb } : null
}

const IS = new Set(['is', 'are', 'was', 'were', 'been', 'be', 'remains'])

/** "in good order", "in poor condition": whether that is a denial. */
const CONDITION = new Map([
  ['good', false],
  ['excellent', false],
  ['perfect', false],
  ['working', false],
  ['poor', true],
  ['bad', true],
])

/** "may remain in clinical use" says what "may be used" says. */
const IN_USE = new Set(['use', 'service', 'operation'])

/** "was found to be inadequate" says it is. */
const JUDGED = new Set('found considered deemed judged assessed regarded shown reported rated'.split(' '))

const ADVERBS = new Set('yet now still fully already also currently therefore longer since always last first ever thus thereby'.split(' '))

const CONCERNS = new Set(['concerning', 'regarding', 'relating', 'covering'])

export function subjectOf(tokens: readonly Token[]): { head: string; about: string[] } | null {
  let from = 0
  for (let i = 0; i < tokens.length; i++)
    if ((JOINS.has(tokens[i]!.lower) && tokens[i]!.lower !== 'and') || tokens[i]!.lower === 'no') from = i + 1
  const terms: string[] = []
  let head: string | null = null
  for (const token of tokens.slice(from)) {
    const kind = tag(token.lower)
    if ((kind === 'P' || CONCERNS.has(token.lower)) && terms.length) head ??= terms.at(-1)!
    if (kind !== 'N' || isNumeric(token.lower) || COUNTS.has(token.lower)) continue
    terms.push(...termOf(token.lower).filter(term => term.length > 2))
  }
  head ??= terms.at(-1) ?? null
  if (!head || SAYS.has(head) || terms.length > 8 || (CARRIES.has(head) && !terms.some(isTopic))) return null
  return { head, about: [...new Set(terms.filter(term => term !== head))] }
}

/** Words behind "no": what is said to be absent. Empty when nothing is. */
export function absentIn(tokens: readonly Token[]): string[] {
  for (let i = 0; i < tokens.length - 1; i++) {
    const lower = tokens[i]!.lower
    if (lower !== 'no' && lower !== 'zero' && lower !== 'nil' && lower !== 'without' && lower !== 'none') continue
    if (lower === 'none' && tokens[i + 1]!.lower !== 'of') continue
    // "without them the share rises": nothing of the share is absent.
    if (
      HOLLOW.has(tokens[i + 1]!.lower) ||
      (lower === 'without' && /^(?:them|it|him|her|us|this|that|these|those|the)$/.test(tokens[i + 1]!.lower))
    )
      continue
    const from = lower === 'none' ? i + 2 : i + 1
    const words = nounsFrom(tokens, from)
    if (!words.some(isTopic) || saidOfNone(tokens, from) || (lower === 'without' && words.filter(isTopic).length < 2)) continue
    return [...whereto(tokens, from), ...words]
  }
  return []
}

/** "no pump was late" says something of pumps; "no leak was found" that there is none. */
function saidOfNone(tokens: readonly Token[], start: number): boolean {
  for (let i = start + 1; i < tokens.length && i < start + 8; i++) {
    if (!AUXILIARIES.has(tokens[i]!.lower)) continue
    while (i < tokens.length && (AUXILIARIES.has(tokens[i]!.lower) || tag(tokens[i]!.lower) === 'A')) i++
    const said = tokens[i]?.lower
    return said !== undefined && tag(said) !== 'P' && !FINDS.has(said) && !THERE.has(said) && !KNOWN.has(said)
  }
  return false
}

const KNOWN = new Set(
  'known available present evident visible apparent outstanding made given left needed required necessary received submitted filed kept held provided planned seen disclosed produced raised'.split(
    ' ',
  ),
)

/** "no link to the buyer" is no denial of other links. */
function whereto(tokens: readonly Token[], start: number): string[] {
  for (let i = start + 1; i < tokens.length && i < start + 5; i++) {
    const kind = tag(tokens[i]!.lower)
    if (kind === 'P') return /^(?:to|with|between|from)$/.test(tokens[i]!.lower) ? nounsFrom(tokens, i + 1) : []
    if (kind === 'X') return []
  }
  return []
}

/** The counted noun behind "no" as written, with a participle said of it: "no batches were rejected". */
export function absentPhrase(text: string, tokens: readonly Token[]): { text: string; word: string } | null {
  for (let i = 0; i < tokens.length - 1 && i < 40; i++) {
    const { lower } = tokens[i]!
    if ((lower !== 'no' && lower !== 'zero' && lower !== 'nil') || HOLLOW.has(tokens[i + 1]!.lower)) continue
    let last = -1
    for (let k = i + 1; k < tokens.length && k < i + 6; k++) {
      const kind = tag(tokens[k]!.lower)
      if (
        kind !== 'N' ||
        THERE.has(tokens[k]!.lower) ||
        (last > 0 && /^[a-z]{4,}ed$/.test(tokens[k]!.lower)) ||
        (k > i + 1 && /[,.;:()]/.test(text.slice(tokens[k - 1]!.end, tokens[k]!.start)))
      )
        break
      last = k
    }
    if (last < 0 || !/s$/.test(tokens[last]!.lower) || /ss$/.test(tokens[last]!.lower)) continue
    return { text: text.slice(tokens[i + 1]!.start, tokens[last]!.end), word: tokens[i]!.text }
  }
  return null
}

const HOLLOW = new Set(
  'longer later less more doubt other such matter way means need reason further one impact effect change material point tolerance'.split(
    ' ',
  ),
)

function nounsFrom(tokens: readonly Token[], start: number): string[] {
  const words: string[] = []
  for (let i = start; i < tokens.length && i < start + 6; i++) {
    const token = tokens[i]!
    const kind = tag(token.lower)
    if (kind === 'D' || (kind === 'A' && !words.length)) continue
    if (kind !== 'N' || THERE.has(token.lower) || (words.length && /^[a-z]{4,}ed$/.test(token.lower))) break
    words.push(...termOf(token.lower).filter(term => term.length > 2 && !isNumeric(term) && !COUNTS.has(token.lower)))
  }
  return words
}

const THERE = new Set('exist exists existed remain remains occur occurs occurred apply applies arise arises arose'.split(' '))

const FINDS = new Set(
  'found finds show shows showed shown reveal reveals revealed identified identifies detected observed recorded records lists listed owes owed confirmed documented discovered noted contains counted occurred uses use has have had includes reported'.split(
    ' ',
  ),
)

/** Things a text says are there: counted, found, shown, owed, or what somebody is in. */
export function presentIn(tokens: readonly Token[]): string[] {
  const words = new Set<string>()
  for (let i = 0; i < tokens.length - 1; i++) {
    const { lower } = tokens[i]!
    const counts = isNumeric(lower) || COUNTS.has(lower)
    const there = lower === 'there' && /^(?:is|are|was|were|have|has)$/.test(tokens[i + 1]!.lower)
    if (!counts && !there && !FINDS.has(lower)) continue
    for (const word of nounsFrom(tokens, there ? i + 2 : i + 1)) words.add(word)
    if (words.size > 12) break
  }
  return [...words]
}

const COUNTS = new Set('one two three four five six seven eight nine ten eleven twelve several some many multiple'.split(' '))

const PRONOUN = /^(?:but\s|and\s|however,?\s)?(?:it|they|this|these)\s(?=(?:is|are|was|were|has|have|had|will|does|do|did|remains?)\b)/i

/** "It has not been granted" with what "it" is, taken from the statement before. */
export function resolved(text: string, before: string, tokens: readonly Token[]): string {
  const pronoun = PRONOUN.exec(text)
  if (!pronoun || !before) return text
  const verb = tokens.findIndex((token, i) => i > 0 && AUXILIARIES.has(token.lower))
  const last = verb > 0 ? tokens[verb - 1] : undefined
  return last && last.end <= 120 ? `${before.slice(0, last.end)} ${text.slice(pronoun[0].length)}` : text
}
