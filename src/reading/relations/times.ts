/** Whether two statements speak of the same time, of other times, or of what changes, on other days. */
import { overlaps, samePeriod } from './compare-values.js'
import type { Difference } from './differences.js'
import type { StatementView } from './views.js'

export type Time = 'same' | 'unknown' | 'evolving' | 'other'

/** By the words themselves, then by the headings, then by what the documents are about. */
export function timeBetween(s: StatementView, t: StatementView, difference: Difference): Time {
  if (difference === 'date') return 'same'
  if (difference === 'value' && (isOtherMonth(s, t) || isOtherMonth(t, s))) return 'other'
  const [a, b] = [s.periods, t.periods]
  if (a.length > 0 && b.length > 0) {
    if (a.some(x => b.some(y => samePeriod(x, y)))) return 'same'
    if (!a.some(x => b.some(y => overlaps(x, y)))) return 'other'
    // A year against one of its quarters measures something else; what happened then may be told by either.
    return difference === 'value' ? 'other' : 'unknown'
  }
  const [x, y] = [s.widePeriods, t.widePeriods]
  if (x.length > 0 && y.length > 0 && !x.some(p => y.some(q => overlaps(p, q)))) return 'other'
  if (x.length > 0 && y.length > 0 && x.some(p => y.some(q => samePeriod(p, q)))) return 'same'
  const [day, other] = [s.document.day, t.document.day]
  if (day !== other && day !== null && other !== null && s.document !== t.document && changes(s, t)) return 'evolving'
  return 'unknown'
}

/** Something told in the present, or by a label, that is another on another day. */
function changes(s: StatementView, t: StatementView): boolean {
  if (s.frame.tense === 'past' || t.frame.tense === 'past') return false
  // A table or form shows the state of its day.
  if (s.value?.type === 'number' && !s.isSentence && !t.isSentence) return true
  const isPresent = s.frame.tense === 'present' && t.frame.tense === 'present'
  return s.isChanging || t.isChanging || (isPresent && (s.value?.type !== 'number' || areOfSeries(s, t)))
}

/** Two returns of one prison: what is entitled alike is issued again and again, with the state of its day. */
const areOfSeries = ({ document: { topic } }: StatementView, { document }: StatementView): boolean =>
  topic.words.length > 0 && topic.words.join(' ') === document.topic.words.join(' ')

/** One names a month; the other speaks of another one, or of longer than a month. */
function isOtherMonth({ frame: { months } }: StatementView, { frame, document }: StatementView): boolean {
  if (months.length === 0) return false
  if (frame.months.length > 0) return !frame.months.some(month => months.includes(month))
  const periods = frame.dates.length > 0 ? frame.dates : [...frame.above.periods, ...document.topic.periods]
  const spans = periods.filter(({ grain }) => grain !== 'day')
  return spans.length > 0 && !spans.some(({ grain, from }) => grain === 'month' && months.includes(Number(from.slice(5, 7))))
}
