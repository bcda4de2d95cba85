/** Whether two statements speak of the same time, of other times, or of what changes, on other days. */
import type { Period } from '../types.js'
import { CHANGING } from '../words/lists.js'
import { overlaps, samePeriod, yearless } from './compare-values.js'
import type { Difference } from './differences.js'
import type { StatementView } from './views.js'

export type Time = 'same' | 'unknown' | 'evolving' | 'other'

/** By the words themselves, then by the headings, then by what the documents are about. */
export function timeBetween(s: StatementView, t: StatementView, difference: Difference): Time {
  if (difference === 'date') return 'same'
  if (difference === 'value' && (isOtherMonth(s, t) || isOtherMonth(t, s))) return 'other'
  // A day above a sentence says when somebody wrote or came, not of when the sentence speaks.
  const dated = (view: StatementView, { from, grain }: Period): boolean =>
    from !== view.document.issuedOn && (grain !== 'day' || view.frame.kind !== 'sentence')
  const own = (view: StatementView): readonly Period[] =>
    view.frame.dates.length > 0 ? view.frame.dates : view.frame.above.periods.filter(period => dated(view, period))
  const [a, b] = [own(s), own(t)]
  if (a.length > 0 && b.length > 0) {
    if (a.some(x => b.some(y => samePeriod(x, y)))) return 'same'
    if (!a.some(x => b.some(y => overlaps(x, y)))) return 'other'
    // A year against one of its quarters measures something else; what happened then may be told by either.
    return difference === 'value' ? 'other' : 'unknown'
  }
  const wide = (view: StatementView): readonly Period[] => {
    const near = own(view)
    return near.length > 0 ? near : view.document.topic.periods.filter(period => dated(view, period) && !yearless(period))
  }
  const [x, y] = [wide(s), wide(t)]
  if (x.length > 0 && y.length > 0 && !x.some(p => y.some(q => overlaps(p, q)))) return 'other'
  if (x.length > 0 && y.length > 0 && x.some(p => y.some(q => samePeriod(p, q)))) return 'same'
  const days = [dayOf(s), dayOf(t)]
  if (days[0] !== days[1] && days[0] !== null && days[1] !== null && s.document !== t.document && changes(s, t)) return 'evolving'
  return 'unknown'
}

/** The day of issue, or the day in a title that gives no year. */
const dayOf = ({ document }: StatementView): string | null => document.issuedOn ?? document.topic.periods.find(yearless)?.from ?? null

/** Something told in the present, or by a label, that is another on another day. */
function changes(s: StatementView, t: StatementView): boolean {
  if (s.frame.tense === 'past' || t.frame.tense === 'past')
    return s.frame.tense !== 'past' && s.frame.words.some(([lemma]) => CHANGING.has(lemma)) && t.frame.tense !== 'past'
  // A table or form shows the state of its day.
  if (s.value?.type === 'number' && s.frame.kind !== 'sentence' && t.frame.kind !== 'sentence') return true
  return (
    s.frame.words.some(([lemma]) => CHANGING.has(lemma)) ||
    t.frame.words.some(([lemma]) => CHANGING.has(lemma)) ||
    (s.frame.tense === 'present' && t.frame.tense === 'present' && s.value?.type !== 'number')
  )
}

/** One names a month; the other speaks of another one, or of longer than a month. */
function isOtherMonth({ frame: { months } }: StatementView, { frame, document }: StatementView): boolean {
  if (months.length === 0) return false
  if (frame.months.length > 0) return !frame.months.some(month => months.includes(month))
  const periods = frame.dates.length > 0 ? frame.dates : [...frame.above.periods, ...document.topic.periods]
  const spans = periods.filter(({ grain }) => grain !== 'day')
  return spans.length > 0 && !spans.some(({ grain, from }) => grain === 'month' && months.includes(Number(from.slice(5, 7))))
}
