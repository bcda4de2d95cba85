/** What differs between two statements about the same thing: figures, days, names, identifiers, opposite words, polarity. */
import { type FrameWord, NAME } from '../document/frames.js'
import { isOpposite, isSibling } from '../words/dictionary.js'
import { isContrary } from '../words/lists.js'
import { meets, overlaps, samePeriod } from './compare-values.js'
import type { Rest } from './overlap.js'
import { isAsserted } from './separations.js'
import type { StatementView, ViewedValue } from './views.js'

export type Difference = 'value' | 'name' | 'identifier' | 'opposite' | 'sibling' | 'polarity' | 'date'

export interface Found {
  kind: Difference
  a: string
  b: string
  left?: FrameWord[]
  right?: FrameWord[]
}

export function differences(s: StatementView, t: StatementView, left: Rest, right: Rest): Found[] {
  const found: Found[] = []
  const codes = (a: StatementView, b: StatementView): string[] => [...a.identifiers].filter(id => !b.allIdentifiers.has(id))
  const [idsLeft, idsRight] = [codes(s, t), codes(t, s)]
  if (idsLeft.length > 0 && idsRight.length > 0) found.push({ kind: 'identifier', a: idsLeft[0]!, b: idsRight[0]! })
  const names = (rest: Rest): FrameWord[] => rest.words.filter(([, flags]) => (flags & NAME) !== 0)
  const [namesLeft, namesRight] = [names(left), names(right)]
  if (namesLeft.length > 0 && namesRight.length > 0)
    found.push({ kind: 'name', a: said(namesLeft), b: said(namesRight), left: namesLeft, right: namesRight })
  const opposite = opposed(left, right)
  if (opposite) found.push(opposite)
  const denied = s.frame.denials % 2 !== t.frame.denials % 2
  if (denied) found.push({ kind: 'polarity', a: s.frame.denials % 2 ? 'not' : '', b: t.frame.denials % 2 ? 'not' : '' })
  found.push(...valueDifference(s, t))
  return found
}

const said = (words: readonly FrameWord[]): string => words.map(([lemma]) => lemma).join(' ')

function opposed(left: Rest, right: Rest): Found | null {
  const asserted = (rest: Rest): FrameWord[] => rest.words.filter(word => (word[1] & NAME) === 0 && isAsserted(word))
  const [x, y] = [asserted(left), asserted(right)]
  for (const a of x)
    for (const b of y)
      if (isOpposite(a[0], b[0]) || isContrary(a[0], b[0])) return { kind: 'opposite', a: a[0], b: b[0], left: [a], right: [b] }
  for (const a of x) for (const b of y) if (isSibling(a[0], b[0])) return { kind: 'sibling', a: a[0], b: b[0], left: [a], right: [b] }
  return null
}

export function comparable(a: Extract<ViewedValue, { type: 'number' }>, b: Extract<ViewedValue, { type: 'number' }>): boolean {
  if (
    a.dimension !== b.dimension &&
    !(a.dimension.startsWith('money') && b.dimension.startsWith('money') && (a.dimension.endsWith('?') || b.dimension.endsWith('?')))
  )
    return false
  return true
}

function valueDifference(s: StatementView, t: StatementView): Found[] {
  const [a, b] = [s.value, t.value]
  const found: Found[] = []
  const datesLeft = s.frame.dates
  const datesRight = t.frame.dates
  if (a?.type === 'number' && b?.type === 'number') {
    const apart = !meets(a.interval, b.interval) && !a.rounded(b)
    // A figure that the other statement gives as well is agreed on.
    const agreed =
      s.frame.numbers.some(x => !x.prior && x.unit === b.dimension && meets(x, b.interval)) ||
      t.frame.numbers.some(x => !x.prior && x.unit === a.dimension && meets(x, a.interval))
    if (apart && !agreed) found.push({ kind: 'value', a: a.text, b: b.text })
    if (datesLeft.length > 0 && datesRight.length > 0 && !datesLeft.some(x => datesRight.some(y => overlaps(x, y))))
      found.push({ kind: 'date', a: datesLeft[0]!.label, b: datesRight[0]!.label })
    return found
  }
  if (datesLeft.length > 0 && datesRight.length > 0 && !datesLeft.some(x => datesRight.some(y => samePeriod(x, y) || overlaps(x, y))))
    found.push({ kind: 'date', a: datesLeft[0]!.label, b: datesRight[0]!.label })
  // A statement as a whole agrees on its figures or says something else.
  const clash =
    s.frame.numbers.some(x => t.frame.numbers.some(y => x.unit === y.unit && !meets(x, y))) &&
    !s.frame.numbers.some(x => t.frame.numbers.some(y => x.unit === y.unit && meets(x, y)))
  if (clash) found.push({ kind: 'value', a: '', b: '' })
  return found
}
