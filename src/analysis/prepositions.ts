/** The name of a value behind a preposition or a verb: "stands at V", "was held for V", "in the order of V". */
import { beforeParenthesis, type Phrase, phraseLeft } from './phrases.js'
import { adjunct, saidBefore } from './said-of.js'
import { BREAK, FORMS_VERBS, type Tok } from './tagging.js'
import { AUXILIARIES } from './words.js'

/** The word before the verbs that end at toks[k]. */
export function skipVerbs(toks: readonly Tok[], k: number): number {
  let i = k
  // "is expected to reach": one verb.
  while (
    i >= 0 &&
    (toks[i]!.tag === 'X' || toks[i]!.tag === 'A' || (i > 0 && i < k && toks[i]!.lower === 'to' && /[XA]/.test(toks[i - 1]!.tag)))
  ) {
    const gap = toks[i]!.gap
    i--
    if (BREAK.test(gap)) return gap.includes(')') && !/[,;:]/.test(gap) ? beforeParenthesis(toks, i) : -1
  }
  return i
}

/** "The alarm was late by 85 s": what is said of the subject belongs to the name. */
function predicate(toks: readonly Tok[], k: number, by: boolean): Phrase | null {
  const said = toks[k]
  if (!by || said?.tag !== 'N' || !/^[a-z]+$/.test(said.lower) || !FORMS_VERBS.has(toks[k - 1]?.lower ?? '') || said.gap !== '') return null
  const subject = phraseLeft(toks, skipVerbs(toks, k - 1))
  return subject ? { ...subject, words: [...subject.words, said], frame: 'verb', to: k, stated: true, measured: true } : null
}

/** What these say is a change, whatever it is of. */
export const MOVED = new Set(
  'increased decreased reduced raised lowered changed improved declined dropped widened narrowed adjusted exceeded revised grew rose fell cut'.split(
    ' ',
  ),
)

const ROUGHLY = new Set(['order', 'region', 'vicinity', 'range'])

/** "The deduction will be in the order of V": it names nothing. */
function aboutWhat(toks: readonly Tok[], j: number, left: (frame: Phrase['frame'], at: number) => Phrase | null): Phrase | null {
  const isIdiom = toks[j - 2]?.tag === 'D' && toks[j - 3]?.lower === 'in'
  return isIdiom ? left('verb', skipVerbs(toks, j - 4)) : left('of', j - 1)
}

/** The phrase that names a value behind the preposition at toks[j]; `left` reads a phrase that ends at a word. */
export function fromPreposition(
  toks: readonly Tok[],
  j: number,
  left: (frame: Phrase['frame'], at: number) => Phrase | null,
): Phrase | null {
  const word = toks[j]!.lower
  if (word === 'of') return ROUGHLY.has(toks[j - 1]?.lower ?? '') ? aboutWhat(toks, j, left) : left('of', j - 1)
  // "from V1 to V2": the name stands before "from".
  let k = j - 1
  if (word === 'to' && toks[k] && (toks[k]!.tag === 'V' || toks[k]!.tag === 'T')) {
    while (k >= 0 && toks[k]!.lower !== 'from' && j - k < 8) k--
    k--
  }
  // "delayed by up to 45 seconds", "a facility of up to V"
  if (word === 'to' && toks[k]?.lower === 'up') k--
  if (word === 'to' && k < j - 1 && toks[k]?.lower === 'of') return left('of', k - 1)
  // "came in at V"
  if (/^(?:at|to)$/.test(word) && /^(?:in|on)$/.test(toks[k]?.lower ?? '') && toks[k - 1]?.tag === 'X' && toks[k]!.gap === '') k--
  const by = word === 'by' || (word === 'to' && toks[k]?.lower === 'by')
  if (by && word === 'to') k--
  if (k < 0) return null
  let at = k
  while (at > 0 && toks[at]!.tag === 'A') at--
  const verb = toks[at]!
  // "reported to the board within five days": what is reported, and to whom.
  const told = /^(?:for|within|after|over)$/.test(word) && toks[k]!.tag === 'N' ? saidBefore(toks, j) : null
  if (told) return { ...told, frame: 'verb', from: 0, to: j, stated: true, measured: true, around: true }
  if (toks[k]!.tag === 'X' || toks[k]!.tag === 'A') k = skipVerbs(toks, k)
  const found = predicate(toks, k, by) ?? left(word === 'at' || word === 'to' ? 'verb' : 'direct', k)
  // "was held for 31 hours" measures the holding, "is delayed by 45 seconds" the delay.
  const lasting =
    found &&
    (word === 'for' || by) &&
    !AUXILIARIES.has(verb.lower) &&
    /(?:ed|eld|ept|pt)$/.test(verb.lower) &&
    !(by && MOVED.has(verb.lower))
  if (!lasting) return found
  const where = adjunct(toks, toks.findIndex((tok, at) => at > j && tok.tag === 'V') + 1).map(tok => ({ ...tok, said: 'whole' as const }))
  return { ...found, words: [...found.words, { ...verb, tag: 'N' }, ...where], measured: true, ...(where.length ? { around: true } : {}) }
}
