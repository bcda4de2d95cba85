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
    `^(${NAME})\\s(?:is|was|remains|acts as|serves as|has been appointed|was appointed)\\s(?:as\\s)?(?:the\\s|our\\s|its\\s)?((?:[\\p{Ll}][\\p{L}'’-]*\\s){0,5}?[\\p{Ll}][\\p{L}'’-]*)(?=[.,;(]|$)`,
    'u',
  ),
)

/** "is classified in consequence class 3": the class is the label, its number the answer. */
const CLASSED = pattern(
  /\b(?:is|are|was|were|remains?|classified|classifies|placed|places|lists?|listed|registered|rated|rates|assigned|falls?|belongs?|graded|puts?)\b[^.;]{0,50}?\b(?:in|as|to|under|of|is|rated|into)\s(?:the\s)?((?:[\p{Ll}-]+\s){0,2}(?:class|category|grade|tier|group|zone|stage|rating))\s(\d{1,2}|[A-F][+-]?|[IVX]{1,4})(?![\p{L}\d])/u,
)

export function sentenceNames(context: ReadContext, block: Block, start: number, end: number): Draft[] {
  const drafts: Draft[] = []
  for (const span of sentencesOf(context.text, start, end)) {
    if (span.end - span.start > 300) continue
    const text = squeeze(context.text.slice(span.start, span.end))
    const forward = FORWARD.exec(text)
    const backward = forward ? null : BACKWARD.exec(text)
    const classed = forward || backward ? null : CLASSED.exec(text)
    const label = forward?.[1] ?? backward?.[2] ?? classed?.[1]
    const value = (forward?.[2] ?? backward?.[1] ?? classed?.[2])?.replace(/[.,]$/, '')
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
