/**
 * Names given in sentences: "The head of production is Marek Wilk", "Marek Wilk is the head of production", "the energy
 * class of the offices is B". The phrase is read like a label, the capitals behind the verb are its answer.
 */
import type { Block } from './blocks.js'
import { squeeze } from './characters.js'
import type { Draft, ReadContext } from './draft.js'
import { pattern } from './pattern.js'
import { findPeriods } from './periods.js'
import { sentencesOf } from './sentences.js'
import { termsOf } from './slots.js'
import { buildState } from './states.js'

const NAME =
  "(?:(?:Dr|Mr|Ms|Mrs|Prof|Capt|Sir)\\.?\\s)?\\p{Lu}[\\p{L}\\p{M}'’&-]*(?:\\.(?=\\s\\p{Lu}))?(?:\\s(?:(?:of|and|de|van|von|&)\\s)?\\p{Lu}[\\p{L}\\p{M}'’&-]*\\.?(?=[\\s.,;]|$)){0,5}"
const LABEL = "(?:[Tt]he|[Ii]ts|[Oo]ur|[Tt]heir)\\s((?:[\\p{L}][\\p{L}\\p{N}'’/-]*\\s){0,8}?[\\p{Ll}][\\p{L}'’-]*)"
const FORWARD = pattern(
  new RegExp(
    `^(?:[^,]{0,40},\\s)?${LABEL}\\s(?:is|was|remains|are|will be)\\s(?:now\\s|called\\s|named\\s|in\\s|located in\\s)?(${NAME}|[A-G][+-]?)(?=[.,;(]|\\s(?:and|with|since|from|who|which|in|at|\\()|$)`,
    'u',
  ),
)
const BACKWARD = pattern(
  new RegExp(
    `^(${NAME})\\s(?:is|was|remains|acts as|serves as|has been appointed(?: as)?|was appointed(?: as)?)\\s(?:the|our|its|as)\\s((?:[\\p{Ll}][\\p{L}'’-]*\\s){0,5}?[\\p{Ll}][\\p{L}'’-]*)(?=[.,;(]|$)`,
    'u',
  ),
)

export function sentenceNames(context: ReadContext, block: Block, start: number, end: number): Draft[] {
  const drafts: Draft[] = []
  for (const span of sentencesOf(context.text, start, end)) {
    if (span.end - span.start > 300) continue
    const text = squeeze(context.text.slice(span.start, span.end))
    const forward = FORWARD.exec(text)
    const backward = forward ? null : BACKWARD.exec(text)
    const label = forward?.[1] ?? backward?.[2]
    const value = (forward?.[2] ?? backward?.[1])?.replace(/[.,]$/, '')
    if (!label || !value || isWord(value)) continue
    const terms = termsOf(label)
    const head = terms.at(-1)
    if (!head) continue
    const draft = buildState(context, block, {
      start: span.start,
      end: span.end,
      text,
      name: label,
      terms,
      head,
      value: { type: 'name', value },
      negated: false,
      confidence: 0.6,
    })
    draft.context = [...new Set([...draft.context, ...termsOf(value)])].slice(0, 64)
    drafts.push(draft)
  }
  return drafts
}

/** Capitals that name nothing: a shouted word, a month. */
function isWord(value: string): boolean {
  return (
    (/^\p{Lu}{4,}$/u.test(value) && !/\s/.test(value)) ||
    findPeriods(`${value} 2000`, 2000).length > 1 ||
    /^(?:January|February|March|April|May|June|July|August|September|October|November|December|Q[1-4]|EUR|USD|GBP|CHF)\b/.test(value)
  )
}
