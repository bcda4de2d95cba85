/** Claims of graded values in sentences: which thing has which value of a scale, and which it had before. */
import type { Block } from './blocks.js'
import { type Category, categoriesIn } from './categories.js'
import type { Draft, ReadContext } from './draft.js'
import { type Grade, gradesIn } from './grades.js'
import { pattern } from './pattern.js'
import type { Span } from './sentences.js'
import { termsOf } from './slots.js'
import { buildState, categoryValue, GENERIC } from './states.js'

/** "Proposed: Grade C": of what the sentence before spoke of. */
const PROPOSED = pattern(/^(?:proposed|recommended|suggested|our (?:rating|grade|assessment|view))\s?:\s/i)

export function gradeStates(context: ReadContext, block: Block, span: Span, text: string, before: string): Draft[] {
  const build = (name: string, terms: string[], found: Category, denied: boolean): Draft | null => {
    const key = terms.filter(term => !GENERIC.has(term)).at(-1) ?? terms.at(-1)
    if (!key) return null
    return buildState(context, block, {
      start: span.start,
      end: span.end,
      text,
      name,
      terms,
      head: key,
      value: categoryValue(found),
      negated: denied,
      confidence: 0.7,
    })
  }
  const proposed = PROPOSED.test(text)
  const said = proposed ? proposedIn(text, before) : gradesIn(text, block.path.at(-1))
  const drafts: Draft[] = []
  for (const grade of said) {
    const draft = build(grade.name, termsOf(grade.name), grade.found, grade.denied)
    if (!draft) continue
    if (draft.modality !== 'possibility') draft.role = 'actual'
    draft.graded = true
    if (grade.rater) draft.rater = termsOf(grade.rater)
    if (grade.prior) draft.priorGrade = grade.prior
    if (grade.disputes) draft.stance = { ...draft.stance, disputes: true }
    if (grade.moved) draft.stance = { ...draft.stance, corrects: true }
    drafts.push(draft)
  }
  return drafts
}

function proposedIn(text: string, before: string): Grade[] {
  const value = text.slice(text.indexOf(':') + 1).trim()
  const found = categoriesIn(value, true).find(item => item.start === 0 && item.set !== 'progress' && item.set !== 'answer')
  const earlier = found ? gradesIn(before).find(grade => grade.found.set === found.set) : undefined
  return found && earlier ? [{ ...earlier, found, prior: earlier.found.value, denied: false, disputes: true }] : []
}
