/** The words by which a sentence tells that something happens at a date: verbs, nouns of happening, states; and what it happens to. */
import { eventOf, isEventNoun } from './events.js'
import { phraseLeft, phraseRight } from './phrases.js'
import type { Times } from './relate-dates.js'
import { isParticiple, type Tok } from './tagging.js'
import { AUXILIARIES, MONTH_NAMES } from './words.js'

export const isVerb = (tok: Tok | undefined): boolean =>
  tok !== undefined &&
  (tok.tag === 'X' || (tok.tag === 'N' && ((/^[a-z]{3,}ed$/.test(tok.lower) && isParticiple(tok)) || VERBS.has(tok.lower))))
const VERBS = new Set(
  'valid due effective take takes took place sent built held left given made taken brought begun arrived scheduled foreseen set shut cut put sold lost met told done drawn struck born laid broke fell ran sank fled burst blew froze wrote spoke drove hit lay got kept died stolen stole paid bought drawn seen withdrawn withdrew flown torn won became arose undertook undertaken wrote drew threw flew rode rang sang swam stood understood caught taught sought fought spent dealt swept meant said laid lost hung stuck dug wore tore bore swore shook forgot hid shot cut begun struck'.split(
    ' ',
  ),
)
/** "was last changed in June", "has not been changed since" */
const RECENT = new Set('last first next finally originally now not never again only since'.split(' '))
const STOP = /[,;:()—–|]/
const BE = new Set('is are was were be been being'.split(' '))
const PRONOUNS = new Set('we i they he she it you who which this'.split(' '))

/** Who or what is said to do or undergo what. */
export interface Group {
  verbs: Tok[]
  /** Where the phrase ends that says what it happens to. */
  before: number
  /** Nouns behind the verb that belong to it: "was appointed head of the works". */
  said: Tok[]
  negated: boolean
  /** The last time it happened: "was last serviced". */
  last?: boolean
  /** "was first seen" */
  first?: boolean
  /** "is to be filed", "can be signed": it lies ahead. */
  ahead?: boolean
  /** What happens, where the verb alone does not say it. */
  event?: string
  /** What it happens to, where it does not stand before. */
  words?: Tok[]
}

/** The verb group that ends at `j`, with a place between it and the date skipped: "arrived at Leixoes on". */
export function verbsBefore(toks: readonly Tok[], at: number): Group | null {
  let j = at
  while (j >= 0 && (toks[j]!.tag === 'P' || toks[j]!.tag === 'D' || toks[j]!.tag === 'A') && !STOP.test(toks[j + 1]!.gap)) j--
  if (j < 0 || STOP.test(toks[j + 1]!.gap)) return null
  if (!isVerb(toks[j])) {
    let k = j
    while (k > 0 && toks[k]!.tag === 'N' && !isVerb(toks[k]) && !STOP.test(toks[k]!.gap) && j - k < 4) k--
    while (k > 0 && toks[k]!.tag === 'D') k--
    if (toks[k]?.tag !== 'P' || toks[k]!.lower === 'of' || !isVerb(toks[k - 1])) return { verbs: [], before: j, said: [], negated: false }
    j = k - 1
  }
  return groupAt(toks, j)
}

/** "The pumps, built in 2009"; "one warehouse and two sheds, completed in 2006" may be said of anything before. */
function isApposed(toks: readonly Tok[], j: number, verbs: readonly Tok[]): boolean {
  if (verbs.length !== 1 || eventOf(verbs[0]!.lower) === null || !/^[,(]$/.test(toks[j + 1]!.gap) || toks[j]?.tag === 'T') return false
  const phrase = phraseLeft(toks, toks[j]?.tag === 'V' ? j - 1 : j)
  return (
    phrase !== null &&
    phrase.words.length > 0 &&
    !phrase.words.some(word => isVerb(word)) &&
    !toks.slice(Math.max(0, phrase.from - 3), j).some(tok => tok.lower === 'and' || tok.lower === 'or')
  )
}

/** The words of the verb that ends here: "has not been revised". */
export function groupAt(toks: readonly Tok[], at: number): Group | null {
  const verbs: Tok[] = []
  let negated = false
  let last = false
  let first = false
  let ahead = false
  let j = at
  while (
    j >= 0 &&
    (isVerb(toks[j]) ||
      toks[j]!.tag === 'A' ||
      (RECENT.has(toks[j]!.lower) && (isVerb(toks[j - 1]) || verbs.length > 0)) ||
      (verbs.length > 0 && toks[j]!.lower === 'to' && (isVerb(toks[j - 1]) || toks[j - 1]?.lower === 'and')))
  ) {
    const tok = toks[j]!
    // A pronoun is a function word and yet what the verb is said of.
    if (PRONOUNS.has(tok.lower)) break
    if (isVerb(tok)) verbs.unshift(tok)
    if (tok.lower === 'not' || tok.lower === 'never') negated = true
    if (tok.lower === 'last') last = true
    if (tok.lower === 'first') first = true
    if (tok.lower === 'to' || tok.lower === 'can') ahead = true
    j--
    if (STOP.test(tok.gap))
      return AUXILIARIES.has(tok.lower) || isApposed(toks, j, verbs) ? { verbs, before: j, said: [], negated, last, first, ahead } : null
  }
  return { verbs, before: j, said: [], negated, last, first, ahead }
}

/** "We filed the report with the Authority on": the act lies further back; what it is done to, or else who is said to, names it. */
export function actBefore(toks: readonly Tok[], at: number): Group | null {
  let v = at
  while (v >= 0 && at - v < 12 && !isAct(toks, v)) {
    if (STOP.test(toks[v]!.gap) || toks[v]!.tag === 'V' || toks[v]!.tag === 'T' || (toks[v]!.tag === 'C' && !joinsPlaces(toks, v)))
      return null
    v--
  }
  const verb = toks[v]
  if (!verb || at - v >= 12 || (v < at && STOP.test(toks[v + 1]!.gap))) return null
  let end = v + 1
  while (end <= at && (toks[end]!.tag === 'D' || toks[end]!.tag === 'N' || toks[end]!.tag === 'A' || isOf(toks, end))) end++
  while (end - 1 > v && toks[end - 1]!.tag !== 'N') end--
  if (toks.slice(v, end).some(tok => tok.lower === 'no')) return null
  const passive = BE.has(toks[v - 1]?.lower ?? '') || (toks[v - 1]?.tag === 'A' && BE.has(toks[v - 2]?.lower ?? ''))
  if (passive) {
    const group = groupAt(toks, v)
    return group && { ...group, said: eventOf(verb.lower) === 'appoint' ? toks.slice(v + 1, at + 1).filter(tok => tok.tag === 'N') : [] }
  }
  // "are asked to reply by": what is to be done names the deadline.
  if (!isVerb(verb) && toks[v - 1]?.lower === 'to' && eventOf(verb.lower) === null)
    return { verbs: asked(toks, v), before: end - 1, said: end - 1 > v ? [verb] : [], negated: false, event: 'due' }
  // "Ms Brandt left the company", "the notice reached our office": whom or what it is about stands before.
  if (OF_SUBJECT.has(verb.lower) && end - 1 > v) return groupAt(toks, v)
  if (end - 1 > v) return { verbs: [...asked(toks, v), verb], before: end - 1, said: [], negated: false }
  return PRONOUNS.has(toks[v - 1]?.lower ?? '') ? null : { verbs: [verb], before: v - 1, said: [], negated: false }
}

/** "for tax purposes and under company law" */
const joinsPlaces = (toks: readonly Tok[], v: number): boolean => /^(?:and|or)$/.test(toks[v]!.lower) && toks[v + 1]?.tag === 'P'

const OF_SUBJECT = new Set('left joined leaves joins resigned retired reach reached reaches'.split(' '))

/** "the report of the study": the noun behind belongs to the name. */
const isOf = (toks: readonly Tok[], i: number): boolean =>
  (toks[i]!.lower === 'of' || toks[i]!.lower === 'for') &&
  (toks[i + 1]?.tag === 'D' || toks[i + 1]?.tag === 'N') &&
  !STOP.test(toks[i]!.gap)

/** A verb that is no auxiliary, also the plain form behind "shall", "will" or "to". */
function isAct(toks: readonly Tok[], v: number): boolean {
  const tok = toks[v]!
  if (isVerb(tok)) return !AUXILIARIES.has(tok.lower)
  const left = toks[v - 1]
  if (tok.tag !== 'N' || left === undefined) return false
  return MODALS.has(left.lower) || (left.lower === 'to' && (eventOf(tok.lower) !== null || ASKS.has(toks[v - 2]?.lower ?? '')))
}

/** Who is asked to do something, or promises to. */
const ASKS = new Set(
  'asked required requested invited obliged instructed urged bound undertake undertakes undertook committed commits agreed'.split(' '),
)

const MODALS = new Set('will shall must should can'.split(' '))

/** "shall submit", "is required to submit": the words before a plain verb say that it lies ahead. */
const asked = (toks: readonly Tok[], v: number): Tok[] => {
  const left = toks[v - 1]
  if (left && MODALS.has(left.lower)) return [left]
  return left?.lower === 'to' ? toks.slice(Math.max(0, v - 2), v) : []
}

/** "Foundry Lane is on schedule for completion in Q1": a noun of happening stands before the date. */
export function nounBefore(toks: readonly Tok[], at: number): boolean {
  let j = at
  if (toks[at]!.lower === 'for') return false
  while (j > 0 && toks[j]!.tag === 'P') j--
  return j < at && isEventNoun(toks[j]!.lower) && !STOP.test(toks[j + 1]!.gap)
}

/** What the sentence is about: the phrase before its first verb. */
export function subjectOf(toks: readonly Tok[], until: number): Tok[] {
  const verb = toks.findIndex((tok, k) => k > 0 && k < until && isVerb(tok))
  if (verb < 1) return []
  // "Mr Olsen, the master of the dock, has left": what stands between commas only says more of whom.
  const comma = /^,$/.test(toks[verb]!.gap) ? toks.findIndex((tok, k) => k > 0 && tok.gap === ',') : verb
  return (phraseLeft(toks, (comma > 0 ? comma : verb) - 1)?.words ?? []).filter(word => word.tag === 'N' && !isVerb(word))
}

/** "nurses who handle the pump are to be trained": whom the clause between is about. */
export function antecedent(toks: readonly Tok[], at: number): number {
  // "the notice, which was served on"
  if (at > 0 && /^(?:who|which|that)$/.test(toks[at]?.lower ?? '')) return at - 1
  for (let r = at - 1; r > 0 && at - r < 7; r--) {
    if (STOP.test(toks[r + 1]!.gap) || toks[r]!.tag === 'T') return at
    if (/^(?:who|which)$/.test(toks[r]!.lower)) return toks[r - 1]!.tag === 'N' ? r - 1 : at
  }
  return at
}

/** The end of a period that is counted to its end: "by the end of March". */
const EDGE = new Set('end beginning start middle course week early late mid'.split(' '))

export interface Lead {
  /** The last word before the date that does not belong to it. */
  at: number
  /** How it leads to the date. */
  by: string
  /** A time stands between: "within 20 days, that is by 9 May". */
  within: boolean
}

/** The words that lead to the date: "by the end of", "no later than", "as of". */
export function leadTo(toks: readonly Tok[], i: number): Lead {
  let j = i - 1
  const lower = (k: number): string => toks[k]?.lower ?? ''
  while (j > 0 && (EDGE.has(lower(j)) || (lower(j) === 'of' && EDGE.has(lower(j - 1))) || (toks[j]!.tag === 'D' && j < i - 1))) j--
  if (lower(j) === 'than' && lower(j - 1) === 'later')
    return { at: j - (/^(?:no|not)$/.test(lower(j - 2)) ? 3 : 2), by: 'no later than', within: false }
  if (lower(j) === 'of' && lower(j - 1) === 'as') return { at: j - 2, by: 'from', within: false }
  // "extended by three months to"
  if (lower(j) === 'to' && toks[j - 1]?.tag === 'V' && lower(j - 2) === 'by') return { at: j - 3, by: 'to', within: false }
  if (lower(j) === 'by') {
    let k = j - 1
    while (k > 0 && /^(?:that|is|i\.e|namely|meaning)$/.test(lower(k))) k--
    if (toks[k]?.tag === 'V' && lower(k - 1) === 'within') return { at: k - 2, by: 'by', within: true }
  }
  // "was called at 03:10 on 4 May"
  if (toks[j - 1]?.gap === ':' && /^\d{1,2}$/.test(toks[j - 1]!.text) && lower(j - 3) === 'at')
    return { at: j - 3, by: lower(j), within: false }
  // "is given as 15 December"
  if (lower(j) === 'as' && isVerb(toks[j - 1])) return { at: j - 1, by: 'as', within: false }
  // "at the end of 2026" says when, "at 3 May" when a figure held.
  return { at: j, by: lower(j) === 'at' && j < i - 1 ? 'in' : lower(j), within: false }
}

/** "was out of service from 3 May to 9 June", "has been master since": what something is for a while. */
export function stateBefore(toks: readonly Tok[], at: number): Group | null {
  let j = at - 1
  while (j > 0 && at - j < 6 && !BE.has(toks[j]!.lower) && !STOP.test(toks[j + 1]!.gap) && toks[j]!.tag !== 'V') j--
  const noun = toks[at - 1]
  // "The cold store, in use since"
  if (IN_USE.has(noun?.lower ?? '') && toks[at - 2]?.lower === 'in' && /^[,(]$/.test(toks[at - 2]!.gap) && toks[at]!.lower === 'since')
    return { verbs: [], before: at - 3, said: [], negated: false, event: 'start' }
  if (!BE.has(toks[j]?.lower ?? '') || at - j < 2 || noun?.tag !== 'N') return null
  const said = toks.slice(j + 1, at).filter(tok => tok.tag === 'N')
  const negated = toks[j + 1]!.lower === 'not'
  let before = j - 1
  while (before > 0 && AUXILIARIES.has(toks[before]!.lower)) before--
  if (toks[at]!.lower !== 'since') return { verbs: [toks[j]!, { ...noun, tag: 'X' }], before, said: [], negated }
  // "in service since" began then, "out of service since" stopped.
  if (IN_USE.has(noun.lower)) {
    const event = toks[at - 2]?.lower === 'in' ? 'start' : toks[at - 3]?.lower === 'out' ? 'stop' : null
    return event ? { verbs: [toks[j]!], before, said: [], negated, event } : null
  }
  // "Mr Olsen has been master of the dock since": somebody with a name holds a post.
  return /^\p{Lu}/u.test(toks[before]?.text ?? '') ? { verbs: [toks[j]!], before, said, negated, event: 'appoint' } : null
}

const IN_USE = new Set('use force operation service place effect'.split(' '))

/** "On 12 March the pump was replaced": the date stands first. */
export function actBehind(toks: readonly Tok[], i: number, by: string): Group | null {
  if (i < 1 || i > 2 || toks[i - 1]!.lower !== by) return null
  let v = i + 1
  while (v < toks.length && v - i < 14 && !isVerb(toks[v])) v++
  const verb = toks[v]
  if (!verb || !isVerb(verb) || v < i + 2) return null
  if (BE.has(verb.lower)) {
    const done = toks[v + 1]?.tag === 'A' ? v + 2 : v + 1
    return isVerb(toks[done]) && !AUXILIARIES.has(toks[done]!.lower)
      ? { verbs: [verb, toks[done]!], before: v - 1, said: [], negated: false }
      : null
  }
  if (AUXILIARIES.has(verb.lower)) return null
  let k = v + 1
  while (toks[k]?.tag === 'D') k++
  if (toks[v + 1]?.lower === 'no' || toks[k]?.tag === 'V') return null
  const words = phraseRight(toks, k)?.words
  return { verbs: [verb], before: v - 1, said: [], negated: false, ...(words?.length ? { words } : {}) }
}

const FURTHER = new Set('further another additional second third again'.split(' '))

/** Marks of one time among several: "two valves were", "was visited again", "the invoice of March". */
export function timeMarks(toks: readonly Tok[], words: readonly Tok[], verbs: readonly Tok[], until: number): string[] {
  const first = toks.indexOf(words[0]!)
  if (first < 0) return []
  const marks: string[] = []
  const left = toks[first - 1]
  if (left?.tag === 'V') marks.push(`n:${left.lower}`)
  const verb = verbs.at(-1)
  const again = verb ? toks.slice(Math.max(0, toks.indexOf(verb) - 2), until).some(tok => tok.lower === 'again') : false
  if (again || FURTHER.has(left?.lower ?? '')) marks.push('time:again')
  // "the audit for 2023 was completed on"
  const behind = toks.indexOf(words.at(-1)!) + 2
  const at = toks[behind]?.tag === 'D' ? behind + 1 : behind
  const of = toks[behind - 1]?.tag === 'P' && at !== until ? toks[at] : undefined
  if (of?.tag === 'T') marks.push(`n:${of.text}`)
  for (const word of words) {
    if (MONTHS.test(word.text)) marks.push(`month:${word.lower.slice(0, 3)}`)
    if (STAGES.has(word.lower)) marks.push(`n:${word.lower}`)
  }
  return marks
}

/** Whether it happened to some thing of many, or to things that are not told apart. */
export function timesOf(toks: readonly Tok[], words: readonly Tok[]): Times | undefined {
  if (words.some(word => ONE_TIME.has(word.lower))) return undefined
  const first = toks.indexOf(words[0]!)
  const left = toks[first - 1]
  if (/^(?:an?|some|several|another)$/.test(left?.lower ?? '')) return 'some'
  const bare = left?.tag !== 'D' && left?.tag !== 'V' && !/'s$/.test(left?.lower ?? '')
  const isName = first > 0 && /^\p{Lu}/u.test(words.at(-1)!.text)
  return bare && !isName && /[^s]s$/.test(words.at(-1)!.lower) ? 'many' : undefined
}

const ONE_TIME = new Set('last first final next'.split(' '))

/** The noun that heads a name: "reply" of "the reply to the complaint". */
export function headOf(toks: readonly Tok[], words: readonly Tok[]): Tok | undefined {
  return words.find(word => toks[toks.indexOf(word) + 1]?.tag === 'P') ?? words.at(-1)
}

const STAGES = new Set('interim final preliminary provisional draft initial'.split(' '))

const MONTHS = new RegExp(`^(?:${MONTH_NAMES})$`)

/** Adjectives that say what something is from a day on: "will be available from". */
const STATES = new Set('available ready open operational vacant live binding repayable payable'.split(' '))
const FINITE = new Set(
  'matures closes opens reopens lapses ceases commences completes departs arrives applies occurs happens falls'.split(' '),
)
const MAY_BE_NOUNS = new Set('releases issues limits deadlines repairs starts launches ends runs reviews reports enters'.split(' '))
const STAYS = new Set('remain remains remained stay stays stayed'.split(' '))
const GOES = new Set('go goes went gone going'.split(' '))
const BEFORE_PLAIN = new Set('will shall must should may can could would do does did'.split(' '))

/** "all measures": behind a determiner stands no verb; "will cease", "the bond matures", "is available": a verb, although it looks like a noun. */
export function retagged(toks: readonly Tok[]): Tok[] {
  return toks.map((tok, i) => {
    // "will now open"
    const isPastWord = tok.tag === 'N' && (toks[i - 1]?.tag === 'A' || toks[i - 1]?.lower === 'not')
    const left = isPastWord ? toks[i - 2] : toks[i - 1]
    if (left && tok.tag === 'N' && isLasting(toks, i)) return { ...tok, tag: 'X' }
    if (!left || tok.gap) return tok
    // "the amended protocol": what was done to it before does not happen now.
    if (left.tag === 'D' && toks[i + 1]?.tag === 'N' && !toks[i + 1]!.gap && tok.tag === 'N' && isVerb(tok) && !isVerb(toks[i + 1]))
      return { ...tok, tag: 'A' }
    // "goes live"
    if (tok.lower === 'live' && GOES.has(left.lower)) return { ...tok, tag: 'A' }
    if (tok.tag === 'X' && left.tag === 'D' && !AUXILIARIES.has(tok.lower)) return { ...tok, tag: 'N' }
    if (tok.tag !== 'N') return tok
    const isPlain =
      (BEFORE_PLAIN.has(left.lower) ||
        (left.lower === 'to' && isVerb(toks[i - 2]) && (eventOf(tok.lower) !== null || BE.has(toks[i - 2]!.lower)))) &&
      /^[a-z]+$/.test(tok.text)
    const isTold =
      left.tag === 'N' &&
      (FINITE.has(tok.lower) || (/[^s]s$/.test(tok.lower) && eventOf(tok.lower) !== null && !MAY_BE_NOUNS.has(tok.lower)))
    return isPlain || isTold || (STATES.has(tok.lower) && (BE.has(left.lower) || STAYS.has(left.lower))) ? { ...tok, tag: 'X' } : tok
  })
}

const LASTING = new Set('ending expiring beginning starting commencing running maturing incepting'.split(' '))
const SPANS = new Set('year quarter month period week half day days months years weeks term'.split(' '))

/** "a plan ending on", "the loan, repayable on": said of the noun before, although no verb of a sentence; "the year ending on" is a time. */
function isLasting(toks: readonly Tok[], i: number): boolean {
  const [left, tok, next] = [toks[i - 1]!, toks[i]!, toks[i + 1]]
  if (next === undefined || next.gap || (next.tag !== 'P' && next.tag !== 'T')) return false
  if (STATES.has(tok.lower)) return tok.gap === ',' && left.tag === 'N'
  return LASTING.has(tok.lower) && /^,?$/.test(tok.gap) && (left.tag === 'N' || left.tag === 'V') && !SPANS.has(left.lower)
}
