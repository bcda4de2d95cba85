/**
 * Numbered entries whose status is followed from document to document: findings, observations, actions, points. The kind and
 * the number are the slot, open or closed the value; a title beside them only helps.
 */
import { isTellingCode, marksOf } from './marks.js'
import { pattern } from './pattern.js'
import type { Make, Relation, Situation } from './relation.js'
import { isScaleWord } from './scales.js'
import { isTopic } from './topics.js'
import type { PlacedClaim } from './types.js'
import type { View } from './view.js'
import { stem } from './words.js'

const KINDS =
  'findings?|observations?|actions?|points?|recommendations?|issues?|conditions?|deficienc(?:y|ies)|deviations?|non-?conformit(?:y|ies)|requirements?|measures?|objections?|queries|query|comments?|items?|incidents?|cases?|tickets?|risks?|notices?|requests?|questions?'
const NUMBERED = pattern(
  new RegExp(
    `^[^\\p{L}\\d]{0,4}(?:(?:status of|the|audit|inspection|corrective|open|improvement|enforcement)\\s){0,3}(${KINDS})\\s(?:no\\.?\\s|nr\\.?\\s|number\\s|#)?(\\d{1,3}(?:\\.\\d{1,2}){0,2}[a-z]?|[A-Z]-?\\d{1,3}|[IVX]{1,4}|[A-Z])(?![\\p{L}\\d-])`,
    'iu',
  ),
)

/** The entry a label, a heading or a sentence begins with, as "finding:1"; null when it begins with none. */
export function itemIn(text: string): string | null {
  const match = NUMBERED.exec(text.slice(0, 80))
  if (!match || (!/\d/.test(match[2]!) && match[2] !== match[2]!.toUpperCase())) return null
  return `${stem(match[1]!.toLowerCase())}:${match[2]!.toLowerCase().replace(/-/g, '')}`
}

/** The nearest heading that is a numbered entry. */
export function itemAbove(path: readonly string[]): string | null {
  for (let i = path.length - 1; i >= Math.max(0, path.length - 3); i--) {
    const found = itemIn(path[i]!)
    if (found) return found
  }
  return null
}

const SAID = pattern(
  /\b(?:is|are|was|were|been|be|remains?|remained|stays?|stayed)\s(?:now\s|still\s|therefore\s|fully\s|also\s)?(?:open|closed|outstanding|pending|resolved|settled|completed?|done|implemented|remediated|overdue|withdrawn|lifted)\b/i,
)

/** "Point 3 of the letter stays open", "Notice EN-31 is closed": the entry of which a sentence says the status. */
export function itemSaid(text: string): string | null {
  if (!SAID.test(text)) return null
  const numbered = itemIn(text)
  if (numbered) return numbered
  const opening = /^(?:\S+\s){0,4}?\S*\d\S*/.exec(text.slice(0, 60))?.[0] ?? ''
  return marksOf(opening).find(isTellingCode) ?? null
}

const itemOf = ({ hints }: PlacedClaim): unknown => hints?.['item']

const DULL = new Set(
  'status open closed close remediated title material significant minor high medium low rating finding observation action point issue recommendation audit remain stay'
    .split(' ')
    .map(word => stem(word)),
)

/** Findings are counted anew in every report: something besides the number must tie the two. */
function tied(old: View, fresh: View, s: Situation, item: string): boolean {
  // "F-03" is a name by itself.
  if (s.sameIssuer || item.startsWith('code') || /:[a-z]\d{2,3}$/.test(item)) return true
  const reference = s.oldDocument?.reference?.toLowerCase()
  if (reference && [...fresh.allMarks].some(mark => mark.endsWith(`:${reference}`))) return true
  const telling = (view: View): string[] => view.terms.filter(term => isTopic(term) && !DULL.has(term))
  return telling(fresh).some(term => old.context.has(term)) || telling(old).some(term => fresh.context.has(term))
}

/** "Licence status: suspended" */
const isStatus = ({ claim, terms }: View): boolean =>
  claim.value.type === 'category' &&
  claim.value.set === 'progress' &&
  claim.hints?.['labelled'] === true &&
  terms.length >= 2 &&
  terms.some(term => isTopic(term) && !isScaleWord(term))

const sameLabel = (a: View, b: View): boolean =>
  a.termSet.size === b.termSet.size && a.terms.every(term => b.termSet.has(term)) && a.allMarks.size === 0 && b.allMarks.size === 0

/** Undefined when the two are not the status of one entry. */
export function relateItems(old: View, fresh: View, s: Situation, make: Make): Relation | null | undefined {
  const [a, b] = [old.claim, fresh.claim]
  if (s.sameDocument || a.value.type !== 'category' || b.value.type !== 'category') return undefined
  const item = itemOf(a)
  const entry = typeof item === 'string' && item === itemOf(b) && tied(old, fresh, s, item)
  if (!entry && !(isStatus(old) && isStatus(fresh) && sameLabel(old, fresh))) return undefined
  if (a.value.value === b.value.value) return { kind: 'repeated', loser: 'old', weight: 3, reason: 'the status is the same' }
  const why = `its status was "${a.valueText}" and is "${b.valueText}"`
  const found =
    a.value.value !== 'open' && b.value.value === 'open' && s.later && !s.sameIssuer
      ? make('contradicting', `one calls it ${a.valueText}, the other ${b.valueText}`)
      : make('superseding', why, s.later ? 'old' : 'new')
  return { ...found, weight: found.weight + 3 }
}
