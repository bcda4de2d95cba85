/** Subjects told by more than the noun before their verb: relative clauses, spans, how a figure came about. */
import { NEUTRAL } from './lexicon.js'
import { type Phrase, phraseLeft } from './phrases.js'
import { BREAK, isParticiple, isPast, type Tok } from './tagging.js'
import { AUXILIARIES, stem } from './words.js'

/** "The guarantee, which amounts to": what "which" stands for. */
export const beforeRelative = (toks: readonly Tok[], at: number): number =>
  /^(?:which|that)$/.test(toks[at]?.lower ?? '') && toks[at - 1]?.tag === 'N' ? at - 1 : at

/** "Longest delay found by our own engineers after the update: V": what stands first names it, the rest says how it was found. */
export function opening(toks: readonly Tok[], i: number): Phrase | null {
  let k = 0
  while (
    k < i &&
    (toks[k]!.tag === 'D' || (toks[k]!.tag === 'N' && !(k > 0 && isPast(toks[k]!))) || toks[k]!.lower === 'of') &&
    (k === 0 || !BREAK.test(toks[k]!.gap))
  )
    k++
  if (k >= i || !isPast(toks[k]!) || toks.slice(k, i).some(tok => BREAK.test(tok.gap))) return null
  const found = phraseLeft(toks, k - 1)
  return found && found.from <= 1 ? { ...found, frame: 'direct', to: i, stated: true } : null
}

/** "Expenditure required over the next five years is": the span says for how long, not what. */
export function beforeSpan(toks: readonly Tok[], at: number): number {
  if (toks[at]?.tag !== 'V') return at
  let k = at - 1
  while (k > 0 && (toks[k]!.tag === 'D' || /^(?:next|last|past|first|following|coming)$/.test(toks[k]!.lower))) k--
  if (toks[k]?.tag !== 'P' || !/^(?:over|for|within|during|in|after|at)$/.test(toks[k]!.lower)) return at
  k--
  if (isParticiple(toks[k]) && toks[k]!.tag === 'X' && toks[k - 1]?.tag === 'N') k--
  return k
}

/** "The target approved by the Board on 12 November is 135%": who approved it does not name it. */
export function describedBy(toks: readonly Tok[], from: number): { words: Tok[]; head: Tok; from: number } | null {
  let k = from - 1
  while (k > 0 && toks[k]!.tag === 'D') k--
  if (toks[k]?.tag !== 'P' || !/^(?:by|on|in|at|under|to|with)$/.test(toks[k]!.lower) || BREAK.test(toks[k + 1]!.gap)) return null
  const participle = toks[k - 1]
  if (!participle || !isPast(participle) || participle.tag !== 'X' || AUXILIARIES.has(participle.lower) || BREAK.test(participle.gap))
    return null
  const found = toks[k - 2]?.tag === 'N' ? phraseLeft(toks, k - 2) : null
  // "Deposits covered by the scheme": what was done to them tells which.
  return found && !NEUTRAL.has(stem(participle.lower)) ? { ...found, words: [...found.words, { ...participle, tag: 'N' as const }] } : found
}

const RELATIVE = /^(?:who|which|that|whose)$/

/** "The number of pupils who receive free meals is 214": the noun before the clause, and what the clause says of it. */
export function beforeClause(toks: readonly Tok[], at: number): { words: Tok[]; head: Tok; from: number } | null {
  for (let k = at - 1; k > 0 && at - k < 12; k--) {
    if (BREAK.test(toks[k + 1]!.gap)) return null
    if (!RELATIVE.test(toks[k]!.lower) || toks[k - 1]!.tag !== 'N' || BREAK.test(toks[k]!.gap)) continue
    const clause = toks.slice(k + 1, at + 1)
    if (clause[0]?.tag !== 'X' && !(toks[k]!.lower === 'who' && clause[0]?.tag === 'N')) return null
    const noun = phraseLeft(toks, k - 1)
    if (!noun) return null
    const said = clause.filter(tok => /[NX]/.test(tok.tag) && !AUXILIARIES.has(tok.lower)).slice(0, 4)
    return { ...noun, words: [...noun.words, ...said.map(tok => ({ ...tok, tag: 'N' as const, said: 'whole' as const }))] }
  }
  return null
}
