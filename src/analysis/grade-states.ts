/** Claims of graded values in sentences: which thing has which value of a scale, and which it had before. */
import type { Block } from './blocks.js'
import { type Category, categoriesIn } from './categories.js'
import type { Draft, ReadContext } from './draft.js'
import { type Grade, gradesIn } from './grades.js'
import { pattern } from './pattern.js'
import type { Span } from './sentences.js'
import { contextTerms, termsOf } from './slots.js'
import { buildState, categoryValue, GENERIC } from './states.js'

const LEVEL = pattern(
  /\b((?:[\p{L}-]+\s){0,4}(?:risk|severity|likelihood|probability|priority|impact|exposure)(?:\s(?:profile|level|rating))?)\s(?:is|was|remains|stands at|are|has been (?:rated|assessed)(?: as)?|(?:is|was) (?:rated|assessed|considered|classified)(?: as)?)\s(?:a\s|considered\s|rated\s|assessed as\s)?((?:very\s)?(?:low|medium|moderate|high|critical|severe)(?:[- ](?:to[- ])?(?:medium|high))?)\b/iu,
)

/** "The rating of the borrower was raised to high risk". */
const RATED = pattern(
  /^((?:[\p{L}\p{N}'’-]+\s){1,9}?)(?:is|was|are|were|has been|have been|had been)\s(?:now\s)?(?:re-?)?(?:rated|changed to|raised to|lowered to|upgraded to|downgraded to|moved to|classified as|assessed as|treated as|put at|set (?:at|to))\s(?:an?\s)?((?:very\s)?(?:low|medium|moderate|high|critical))(?=[- ]risk\b|\s*(?:[.,;]|$))/iu,
)

function levelIn(text: string): { name: string; terms: string[]; found: Category } | null {
  const match = LEVEL.exec(text)
  const rated = match ? null : RATED.exec(text)
  if (rated && /\b(?:risk|rating)\b/i.test(text)) {
    const found = categoriesIn(rated[2]!, true).find(item => item.set === 'level')
    const terms = termsOf(rated[1]!).filter(term => term !== 'rating' && term !== 'risk')
    return found ? { name: rated[1]!.trim(), terms: [...terms, 'risk', 'rating'], found } : null
  }
  if (!match) return null
  const found = categoriesIn(match[2]!, true).find(item => item.set === 'level')
  return found ? { name: match[1]!, terms: termsOf(match[1]!), found } : null
}

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
  if (drafts.length) return drafts
  const level = levelIn(text)
  const draft = level ? build(level.name, level.terms, level.found, false) : null
  if (draft && before) draft.context = [...new Set([...draft.context, ...contextTerms(before, 16)])].slice(0, 64)
  return draft ? [draft] : []
}

function proposedIn(text: string, before: string): Grade[] {
  const value = text.slice(text.indexOf(':') + 1).trim()
  const found = categoriesIn(value, true).find(item => item.start === 0 && item.set !== 'progress' && item.set !== 'answer')
  const earlier = found ? gradesIn(before).find(grade => grade.found.set === found.set) : undefined
  return found && earlier ? [{ ...earlier, found, prior: earlier.found.value, denied: false, disputes: true }] : []
}
