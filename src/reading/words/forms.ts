/**
 * The words of a text as they are written, with all that is known of a form whatever stands around it. A form is looked
 * into once and then remembered: documents of one kind share most of theirs.
 */
import { letterAt, markAt } from '../layout/characters.js'
import { memo } from '../memo.js'
import { CUE, cuesIn } from './cues.js'
import { isKnown, isProper, lemmaOf, NOUN, partOf, partsOf, VERB } from './dictionary.js'
import { FUNCTION_WORDS, PREPOSITION, TIME_WORDS } from './lists.js'

/** What a function word does to the words behind it. */
export const LEADS = 1
export const HELPS = 2
export const ACTS = 3
export const PASSES = 4
export const BREAKS = 5

export interface Form {
  written: string
  lower: string
  /** In lower case, without the ending of a genitive. */
  bare: string
  lemma: string
  /** 0 for what is no function word. */
  role: number
  /** Names no thing: a unit or part of time. */
  timely: boolean
  verb: boolean
  /** Its lemma where it is a noun and no verb. */
  noun: string | null
  capital: boolean
  /** More than one letter, and all of them capitals. */
  shouted: boolean
  /** No common word: only ever written with a capital, or in no dictionary. */
  odd: boolean
  cues: number
}

export interface WrittenWord {
  form: Form
  start: number
  end: number
}

export interface Written {
  words: WrittenWord[]
  /** Cues of all words. */
  cues: number
  /** Whether there is a digit. */
  digit: boolean
}

const AUXILIARY = /^(?:is|are|was|were|be|been|being|has|have|had|do|does|did|will|would|shall|should|may|might|can|could|must|cannot)$/
/** Verbs that tell nothing of what a statement is about, but begin what it says. */
const FUNCTION_VERB =
  /^(?:comes?|came|stands?|stood|reach(?:es|ed)?|show(?:s|ed|n)?|stated|gives?|gave|gets?|got|makes?|made|takes?|took|becomes?|became|remains?|remained|finds?|found|recorded|confirm(?:s|ed))$/
const ARTICLE = /^(?:the|a|an|its|their|our|his|her|mr|mrs|ms|miss|dr|prof|sir|dame)$/

function roleOf(lower: string): number {
  if (!FUNCTION_WORDS.has(lower)) return 0
  if (PREPOSITION.test(lower)) return LEADS
  if (AUXILIARY.test(lower)) return HELPS
  return FUNCTION_VERB.test(lower) ? ACTS : ARTICLE.test(lower) ? PASSES : BREAKS
}

const LONGEST_REMEMBERED = 40
const rememberedForm = memo(50_000, readForm)

function readForm(written: string): Form {
  const lower = written.toLowerCase()
  const lemma = lemmaOf(written)
  const role = roleOf(lower)
  const verb = isVerb(lower, lemma)
  const capital = /^\p{Lu}/u.test(written)
  return {
    written,
    lower,
    bare: lower.replace(/['’]s?$/, ''),
    lemma,
    role,
    timely: TIME_WORDS.has(lemma),
    verb,
    noun: role !== 0 || verb || (partsOf(lemma) & NOUN) === 0 ? null : lemma,
    capital,
    shouted: written.length > 1 && written === written.toUpperCase(),
    odd: isProper(lower) || !isKnown(lemma),
    cues: cuesIn(lower) | (capital && written.length === 1 ? CUE.letter : 0),
  }
}

/** A form that can only be a verb, or mostly is one. */
function isVerb(lower: string, lemma: string): boolean {
  if ((partsOf(lemma) & VERB) === 0) return false
  if (lower !== lemma && /(?:ed|en|t|ew|ook|old|ent|aid)$/.test(lower) && !lower.endsWith('ment')) return true
  return partOf(lemma) === VERB && lower !== lemma && !lower.endsWith('ing')
}

const isJoint = (code: number): boolean => code === 0x27 || code === 0x2019 || code === 0x2d

/** Words are letters, joined by a hyphen or an apostrophe. */
export function writtenIn(text: string): Written {
  const words: WrittenWord[] = []
  let cues = 0
  let digit = false
  const add = (start: number, end: number): void => {
    const form = end - start > LONGEST_REMEMBERED ? readForm(text.slice(start, end)) : rememberedForm(text.slice(start, end))
    cues |= form.cues
    words.push({ form, start, end })
  }
  for (let at = 0; at < text.length; ) {
    const width = letterAt(text, at)
    if (width === 0) {
      const code = text.charCodeAt(at++)
      if (code >= 0x30 && code <= 0x39) digit = true
      continue
    }
    const start = at
    let hyphen = false
    at += width
    for (let more = 1; more > 0; at += more) {
      more = letterAt(text, at) || markAt(text, at)
      if (more > 0) continue
      const joint = text.charCodeAt(at)
      more = isJoint(joint) ? letterAt(text, at + 1) : 0
      if (more === 0) break
      if (joint === 0x2d) hyphen = true
      more++
    }
    // "burst-pipe" is two words; "long-term" is one that the dictionary knows.
    if (!hyphen || isKnown(text.slice(start, at).toLowerCase())) {
      add(start, at)
      continue
    }
    let from = start
    for (let to = text.indexOf('-', from); to >= 0 && to < at; to = text.indexOf('-', from)) {
      add(from, to)
      from = to + 1
    }
    add(from, at)
  }
  return { words, cues, digit }
}
