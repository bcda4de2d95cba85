/** What changed and how much is decided, in words. Pure. */

import { countOf } from './wording'

/** Kinds of events a reader asks about, with what one of them is called. */
const told: readonly (readonly [type: string, noun: string, what: string])[] = [
  ['contradiction.detected', 'contradiction', 'found'],
  ['contradiction.resolved', 'contradiction', 'closed'],
  ['contradiction.reopened', 'contradiction', 'opened again'],
  ['contradiction.commented', 'comment', 'written'],
  ['contradiction.assigned', 'contradiction', 'given to somebody'],
  ['possible_conflict.detected', 'possible conflict', 'found'],
  ['document.indexed', 'document', 'read'],
  ['document.quarantined', 'document', 'that could not be read'],
  ['document.erased', 'document', 'erased'],
  ['claim.superseded', 'statement', 'replaced'],
  ['scope.signed_off', 'sign-off', 'given'],
]

export function changeWords(changes: readonly { type: string; count: number }[]): string[] {
  const counts = new Map(changes.map(({ type, count }) => [type, count]))
  return told.flatMap(([type, noun, what]) => {
    const count = counts.get(type) ?? 0
    return count === 0 ? [] : [`${countOf(count, noun)} ${what}`]
  })
}

/** `3 of 12, 25 %` */
export function decidedShare({ decided, total }: { decided: number; total: number }): string {
  if (total === 0) return 'none'
  return `${decided.toLocaleString('en')} of ${total.toLocaleString('en')}, ${Math.floor((decided / total) * 100)} %`
}
