/**
 * What a sentence says of the things a figure is of: "64% of the samples were tested within two days", "the status is known for
 * 88% of the patients". It belongs to the name of the figure, as the things themselves do.
 */
import { NEUTRAL } from './lexicon.js'
import { denied, NOTICED, phraseLeft } from './phrases.js'
import { BREAK, FORMS_VERBS, isPast, type Tok } from './tagging.js'
import { AUXILIARIES, stem } from './words.js'

const isOpen = (tok: Tok | undefined): tok is Tok => tok !== undefined && !BREAK.test(tok.gap)

/** The nouns behind a preposition or verb, at most three. */
function nounsFrom(toks: readonly Tok[], k: number): Tok[] {
  const nouns: Tok[] = []
  for (let i = k; i < toks.length && nouns.length < 3; i++) {
    const tok = toks[i]!
    if (!isOpen(tok)) break
    if (tok.tag === 'N' && !(nouns.length && isPast(tok))) nouns.push(tok)
    else if (nouns.length || tok.tag !== 'D') break
  }
  return nouns
}

const isEmpty = (tok: Tok): boolean => NOTICED.has(tok.lower) || NEUTRAL.has(stem(tok.lower))

/** Where or for what it was done; who did it and when says nothing of the thing. */
export function adjunct(toks: readonly Tok[], k: number): Tok[] {
  const tok = toks[k]
  if (!isOpen(tok) || tok.tag !== 'P' || /^(?:by|than|as|per|since|until|during|after|before)$/.test(tok.lower)) return []
  return nounsFrom(toks, k + 1)
}

/** What is said from toks[k] on of the things before it. */
export const saidBehind = (toks: readonly Tok[], k: number, said: 'whole' | 'part'): Tok[] =>
  predicateAt(toks, k).map(tok => ({ ...tok, said }))

function predicateAt(toks: readonly Tok[], k: number): Tok[] {
  let i = k
  let not = false
  while (isOpen(toks[i]) && i - k < 5 && (AUXILIARIES.has(toks[i]!.lower) || toks[i]!.tag === 'A' || toks[i]!.lower === 'not')) {
    if (toks[i]!.lower === 'not') not = true
    i++
  }
  const tok = toks[i]
  if (!isOpen(tok)) return []
  const isVerb = i > k && isPast(tok)
  const particle = toks[i + 1]?.tag === 'A' && isOpen(toks[i + 1]) ? i + 2 : i + 1
  if (isVerb || (i === k && isPast(tok) && toks[i + 1]?.tag !== 'N' && toks[i + 1]?.tag !== 'D'))
    return isEmpty(tok) && !not ? [] : [not ? denied(tok) : { ...tok, tag: 'N' as const }, ...adjunct(toks, particle)]
  // "were incomplete", "are in arrears"
  if (i > k && FORMS_VERBS.has(toks[i - 1]!.lower) && tok.tag === 'N') return nounsFrom(toks, i).map(word => (not ? denied(word) : word))
  if (i > k && FORMS_VERBS.has(toks[i - 1]!.lower) && tok.tag === 'P') return adjunct(toks, i)
  // "hold a valid certificate"
  return i === k && (tok.tag === 'X' || isPast(tok)) && !AUXILIARIES.has(tok.lower) ? [{ ...tok, tag: 'N' }, ...nounsFrom(toks, i + 1)] : []
}

/** "is known for 88% of": the verb and its subject before the preposition at toks[j]. */
export function saidBefore(toks: readonly Tok[], j: number): { words: Tok[]; head: Tok } | null {
  let k = j - 1
  const between: Tok[] = []
  for (; k > 0 && j - k < 9 && toks[k]!.tag !== 'X'; k--) {
    if (BREAK.test(toks[k + 1]!.gap) || !/[NPDA]/.test(toks[k]!.tag)) return null
    if (toks[k]!.tag === 'N') between.unshift(toks[k]!)
  }
  const verb = toks[k]
  if (
    verb?.tag !== 'X' ||
    BREAK.test(toks[k + 1]!.gap) ||
    !(isPast(verb) || verb.lower.endsWith('ing')) ||
    !FORMS_VERBS.has(toks[k - 1]?.lower ?? '')
  )
    return null
  let from = k - 1
  while (from >= 0 && (AUXILIARIES.has(toks[from]!.lower) || toks[from]!.tag === 'A')) from--
  const subject = from >= 0 && toks[from]!.tag === 'N' ? phraseLeft(toks, from, false, true) : null
  if (!subject) return null
  const agent = toks[k + 1]?.lower === 'by' ? [] : between.map(tok => ({ ...tok, said: 'whole' as const }))
  return {
    words: [...subject.words, ...(isEmpty(verb) ? [] : [{ ...verb, tag: 'N' as const, said: 'whole' as const }]), ...agent],
    head: subject.head,
  }
}
