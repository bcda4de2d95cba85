/** Noun phrases before and behind a word: their words and the noun that heads them. */
import { NEUTRAL } from './lexicon.js'
import { BREAK, FORMS_VERBS, isParticiple, isPast, type Tok } from './tagging.js'
import { AUXILIARIES, stem } from './words.js'

export interface Phrase {
  /** Words in order as written; the head is at `head`. */
  words: Tok[]
  head: Tok
  /** Further words tied by a preposition after the head phrase. */
  frame: 'of' | 'verb' | 'paren' | 'direct' | 'right' | 'in'
  /** First and last token used, for measuring the clause. */
  from: number
  to: number
  /** A verb states the value ("serves 47 clients"); without it a count may be of any subset. */
  stated: boolean
  /** "delayed by V": the verb says what is measured; without it "by V" is a change. */
  measured?: boolean
  /** The name stands on both sides of the value. */
  around?: boolean
}

const JOINING = new Set('of for in on from with under to per at by between after before'.split(' '))
/** Where something is does not name it: "seepage through the core". */
const WHERE = new Set(
  'through across around along into within inside outside beside near against during above below over among beyond since until'.split(' '),
)

/** "not covered" as one word: what is not so of things tells them from those of which it is. */
export const denied = (tok: Tok): Tok => ({ ...tok, lower: `non${tok.lower}`, tag: 'N', said: 'whole' })

/** Adjectives that stand behind their noun: "notes outstanding". */
const BEHIND = new Set('outstanding due payable remaining available overdue'.split(' '))

/** What stands behind a noun as a word of its name, or nothing when it only says how the figure came about. */
function postmodifier(toks: readonly Tok[], i: number): { word: Tok | null; before: number } | null {
  const tok = toks[i]!
  if (!(isPast(tok) || BEHIND.has(tok.lower)) || BREAK.test(tok.gap) || AUXILIARIES.has(tok.lower)) return null
  const not = toks[i - 1]?.lower === 'not'
  const skipped = not || toks[i - 1]?.tag === 'A' ? i - 2 : i - 1
  const noun = toks[skipped]
  if (noun?.tag !== 'N' || BREAK.test(toks[skipped + 1]!.gap) || isPast(noun)) return null
  const tells = not || !(NEUTRAL.has(stem(tok.lower)) || NOTICED.has(tok.lower))
  return { word: tells ? (not ? denied(tok) : { ...tok, tag: 'N', said: 'whole' }) : null, before: skipped }
}

/** The words collected so far, nearest group first. */
interface Collected {
  groups: Tok[][]
  from: number
}

/** "Deposits not covered by the scheme": the noun is modified from behind. Gives the offset to go on from, or null. */
function overModifier(toks: readonly Tok[], i: number, found: Collected, isSubject: boolean): number | null {
  const tok = toks[i]!
  const next = toks[i + 1]
  if (tok.tag === 'X' ? !isSubject : tok.tag !== 'N') return null
  if (next?.gap === '' && next.tag !== 'P' && next.tag !== 'A' && next.tag !== 'X' && next.tag !== 'V' && next.tag !== 'T') return null
  const modifier = postmodifier(toks, i)
  if (!modifier) return null
  // Who did it names nothing, and neither does what follows a word that only reports.
  if (modifier.word === null || next?.lower === 'by') found.groups = [[]]
  if (modifier.word) found.groups.unshift([modifier.word])
  found.groups.unshift([])
  found.from = modifier.before + 1
  return modifier.before
}

/** Collects a noun phrase leftwards from toks[k]. In a subject, before its verb, participles modify what stands before them. */
export function phraseLeft(
  toks: readonly Tok[],
  k: number,
  isOf = false,
  isSubject = false,
): { words: Tok[]; head: Tok; from: number } | null {
  const found: Collected = { groups: [[]], from: k }
  let joins = 0
  let start = k
  // "losses carried forward of V"
  if (toks[k]?.tag === 'A' && toks[k - 1] && isPast(toks[k - 1]!) && toks[k]!.gap === '') {
    const over = overModifier(toks, k - 1, found, true)
    if (over !== null) start = over
  }
  for (let i = start; i >= 0 && k - i < 18; i--) {
    const tok = toks[i]!
    const { groups } = found
    const over = i > 0 ? overModifier(toks, i, found, isSubject) : null
    if (over !== null) {
      i = over + 1
      continue
    }
    if (tok.tag === 'N') {
      groups[0]!.unshift(tok)
      found.from = i
    } else if (tok.tag === 'T' && groups[0]!.length && toks[i + 1]!.tag === 'N' && opensWithTime(toks, i)) {
      break
    } else if (tok.tag === 'T' || (tok.tag === 'A' && (groups[0]!.length || groups.length > 1))) {
      if (BREAK.test(tok.gap)) break
      continue
    } else if (!groups[0]!.length && groups.length === 1 && tok.tag === 'X' && isParticiple(tok) && toks[i - 1]?.tag === 'N') {
      // "The fee charged for 2024 was": how it came about does not name it.
      if (BREAK.test(tok.gap)) break
      continue
    } else if (tok.tag === 'D') {
      const left = toks[i - 1]
      if (left?.lower === 'and' && groups[0]!.length && isBetween(toks, i - 1)) continue
      // "the time taken to issue a permit"
      if (isSubject && left?.tag === 'X' && toks[i - 2]?.lower === 'to' && groups[0]!.length) continue
      if (left?.tag !== 'P' || !(JOINING.has(left.lower) || WHERE.has(left.lower))) break
      continue
    } else if (tok.tag === 'V' && groups[0]!.length && toks[i - 1] && (toks[i - 1]!.tag === 'D' || JOINING.has(toks[i - 1]!.lower))) {
      // "the lead time for the nine sensors": how many there are does not end the name.
      if (BREAK.test(tok.gap)) break
      continue
    } else if (isSubject && tok.tag === 'X' && toks[i - 1]?.lower === 'to' && groups[0]!.length) {
      groups[0]!.unshift({ ...tok, tag: 'N', said: 'whole' })
    } else if (WHERE.has(tok.lower) && groups.length === 1 && groups[0]!.length && toks[i - 1] && joinsOn(toks, i, isSubject)) {
      groups[0] = []
    } else if (tok.lower === 'and' && groups[0]!.length && isBetween(toks, i)) {
      // "between filling room and corridor" is one phrase.
      groups.unshift([])
    } else if (tok.tag === 'P' && !groups[0]!.length && toks[toks[i + 1]?.tag === 'D' ? i + 2 : i + 1]?.tag === 'T') {
      // "Revenue for FY2025 was": the period says when, not what.
      if (BREAK.test(tok.gap)) break
      continue
    } else if (isOf && /^(?:with|at|by|for)$/.test(tok.lower) && /^an?$/.test(toks[i + 1]?.lower ?? '') && groups[0]!.length) {
      // "containers with a net weight of V": the figure is the weight's.
      break
    } else if (tok.tag === 'P' && JOINING.has(tok.lower) && groups[0]!.length && joins < 3 && toks[i - 1] && joinsOn(toks, i, isSubject)) {
      joins++
      groups.unshift([])
    } else break
    if (BREAK.test(tok.gap)) {
      // "the safety of the section (C-C) under load": what stands in parentheses interrupts no phrase.
      const before = tok.gap === ')' ? beforeParenthesis(toks, i - 1) : i - 1
      if (before === i - 1) break
      i = before + 1
    }
  }
  const { groups, from } = found
  while (groups.length && !groups[0]!.length) groups.shift()
  const first = groups[0]
  if (!first?.length) return null
  return { words: groups.flat(), head: first.at(-1)!, from }
}

/** "In the first half of the year 2025/26 cancellations were": when, and then what. */
const opensWithTime = (toks: readonly Tok[], i: number): boolean =>
  toks[0]!.tag === 'P' && !toks.slice(0, i).some(tok => tok.tag === 'X' || tok.tag === 'V' || tok.tag === 'C')

/** Whether a preposition ties its phrase to a noun before it, or in a subject to a participle of that noun. */
function joinsOn(toks: readonly Tok[], i: number, isSubject: boolean): boolean {
  const before = toks[i - 1]!
  if (before.tag === 'A' && isSubject && toks[i - 2] && isPast(toks[i - 2]!)) return true
  return before.tag !== 'X' || (isSubject && i > 1 && postmodifier(toks, i - 1) !== null)
}

/** From the last word inside a parenthesis to the word before it opened. */
export function beforeParenthesis(toks: readonly Tok[], k: number): number {
  for (let i = k; i >= 0 && k - i < 8; i--) if (toks[i]!.gap.includes('(')) return i - 1
  return k
}

function isBetween(toks: readonly Tok[], and: number): boolean {
  for (let i = and - 1; i >= 0 && and - i < 6; i--) {
    if (BREAK.test(toks[i + 1]!.gap) || toks[i]!.tag === 'X') return false
    if (toks[i]!.lower === 'between') return true
  }
  return false
}

/** Participles that only say somebody noticed: "three leaks were found" counts leaks. */
export const NOTICED = new Set(
  'identified observed found noted reported recorded documented listed detected counted seen raised given shown mentioned included described involved selected considered based'.split(
    ' ',
  ),
)

/** What is said of the counted things: "four tenders were received", "eleven deviations opened in April", "findings rated high". */
function participleAfter(toks: readonly Tok[], k: number): Tok[] {
  let i = k
  while (toks[i] && AUXILIARIES.has(toks[i]!.lower) && !BREAK.test(toks[i]!.gap) && i - k < 3) i++
  const tok = toks[i]
  if (!isParticiple(tok) || BREAK.test(tok.gap) || NOTICED.has(tok.lower)) return []
  const how = toks[i + 1]
  const told = how?.tag === 'N' && how.gap === '' && toks[i + 2]?.tag !== 'N' && !isParticiple(how)
  return [{ ...tok, tag: 'N' }, ...(told ? [how] : [])]
}

/** "one injury was reported" counts all there were. */
export function isNoticed(toks: readonly Tok[], k: number): boolean {
  let i = k
  while (toks[i] && AUXILIARIES.has(toks[i]!.lower) && i - k < 3) i++
  return i > k && NOTICED.has(toks[i]?.lower ?? '')
}

/** "512 patients had been enrolled" counts all who were. */
export function isDone(toks: readonly Tok[], k: number): boolean {
  let i = k
  while (toks[i] && FORMS_VERBS.has(toks[i]!.lower) && i - k < 3) i++
  return i > k && isParticiple(toks[i]) && toks[i]!.gap === ''
}

export function phraseRight(toks: readonly Tok[], k: number): { words: Tok[]; head: Tok; to: number } | null {
  const words: Tok[] = []
  let head: Tok | null = null
  let joins = 0
  let to = k
  for (let i = k; i < toks.length && i - k < 10; i++) {
    const tok = toks[i]!
    if (i > k && BREAK.test(tok.gap)) break
    // "12 shops in order to"
    if (tok.lower === 'in' && toks[i + 1]?.lower === 'order') break
    if (i === k && tok.lower === 'other') continue
    // "findings rated high", but "goods received notes".
    const isLast = toks[i + 1]?.tag !== 'N' || /[^s]s$/.test(words.at(-1)?.lower ?? '')
    if (tok.tag === 'N' && words.length && ((isParticiple(tok) && isLast) || toks[i + 1]?.lower === 'than')) break
    if (tok.tag === 'N') {
      words.push(tok)
      to = i
    } else if (tok.tag === 'D' || tok.tag === 'T') {
      if (head === null && words.length) break
    } else if (
      tok.tag === 'P' &&
      words.length &&
      joins < 2 &&
      (/^with$/.test(tok.lower) || (joins < 1 && /^(?:of|in|for)$/.test(tok.lower)))
    ) {
      head ??= words.at(-1)!
      joins++
    } else break
  }
  if (!words.length) return null
  return { words, head: head ?? words.at(-1)!, to }
}

/** "two critical, five major and nine other deficiencies": the noun all of them count stands with the last. */
function elided(toks: readonly Tok[], to: number): Tok | null {
  let k = to + 1
  for (let hops = 0; hops < 6; hops++) {
    if (toks[k]?.lower === 'and' || toks[k]?.lower === 'or') k++
    const tok = toks[k]
    if (tok?.tag !== 'V' || !/^,?$/.test(tok.gap)) return null
    const found = phraseRight(toks, k + 1)
    if (!found) return null
    if (/s$/.test(found.head.lower)) return found.head
    k = found.to + 1
  }
  return null
}

/** A counted noun with what completes it. */
export function counted(toks: readonly Tok[], found: { words: Tok[]; head: Tok; to: number }): { words: Tok[]; head: Tok; to: number } {
  if (!/s$/.test(found.head.lower)) {
    const noun = elided(toks, found.to)
    if (noun) return { words: [...found.words, noun], head: noun, to: found.to }
  }
  const said = participleAfter(toks, found.to + 1)
  return said.length ? { ...found, words: [...found.words, ...said] } : found
}
