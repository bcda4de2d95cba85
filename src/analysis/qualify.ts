/**
 * Completes names that one document uses for several things: the same label under "Equity risk" and under "Spread risk" is
 * two quantities, and what stands above the label says which. Linear in the number of claims.
 */
import type { Draft } from './draft.js'
import { NEUTRAL } from './lexicon.js'
import { marksOf } from './marks.js'
import { termsOf } from './slots.js'

const ROUNDS = 3
const RELATIVE = new Set(['sequential', 'yoy', 'mom', 'change'])

function nameKey(draft: Draft): string {
  const kind =
    draft.value.type === 'quantity'
      ? `quantity ${draft.value.unit ?? ''}`
      : draft.value.type === 'category'
        ? draft.value.set
        : draft.value.type
  return `${kind}|${[...new Set(draft.terms)].sort().join(' ')}|${[...draft.marks].sort().join(';')}|${draft.role}|${draft.period?.label ?? ''}|${draft.version ?? ''}`
}

function valueText(draft: Draft): string {
  const { value } = draft
  return 'low' in value ? `${value.low}:${value.high}` : value.type === 'date' ? value.from : String(value.value)
}

/** The first thing above that adds words to the name. */
function parentOf(draft: Draft, from: number): { terms: string[]; marks: string[]; text: string; at: number } | null {
  for (let at = from; at < draft.parents.length; at++) {
    const text = draft.parents[at]!.slice(0, 160)
    const terms = termsOf(text.replace(/\([^()]{0,160}\)/g, ' ')).filter(
      term => !NEUTRAL.has(term) && !RELATIVE.has(term) && !draft.terms.includes(term),
    )
    const marks = marksOf(text, true).filter(mark => !draft.marks.includes(mark))
    if (terms.length || marks.length) return { terms: terms.slice(0, 6), marks, text, at }
  }
  return null
}

export function qualify(drafts: Draft[]): Draft[] {
  const progress = new Map<Draft, number>()
  for (let round = 0; round < ROUNDS; round++) {
    const byName = new Map<string, Draft[]>()
    for (const draft of drafts) {
      if (draft.frame === 'prose' && draft.value.type !== 'date') continue
      if (draft.value.type === 'boolean') continue
      const key = nameKey(draft)
      const bucket = byName.get(key)
      if (bucket) bucket.push(draft)
      else byName.set(key, [draft])
    }
    let changed = false
    for (const bucket of byName.values()) {
      if (bucket.length < 2 || new Set(bucket.map(valueText)).size < 2 || new Set(bucket.map(draft => draft.parents.join('|'))).size < 2)
        continue
      for (const draft of bucket) {
        const parent = parentOf(draft, progress.get(draft) ?? 0)
        if (!parent) continue
        progress.set(draft, parent.at + 1)
        draft.terms = [...parent.terms, ...draft.terms].slice(0, 18)
        draft.marks = [...draft.marks, ...parent.marks].slice(0, 10)
        draft.attribute = `${parent.text} · ${draft.attribute}`.slice(0, 160)
        changed = true
      }
    }
    if (!changed) break
  }
  return drafts
}
