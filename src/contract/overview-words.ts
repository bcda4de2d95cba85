/** What changed and how much is decided, in words. Pure. */

import { countOf } from './field-words.js'

/** Kinds of events a reader asks about, with what one of them is called. What the service does by itself on the way is none. */
const told: readonly (readonly [type: string, noun: string, what: string])[] = [
  ['contradiction.detected', 'contradiction', 'found'],
  ['contradiction.resolved', 'contradiction', 'closed'],
  ['contradiction.reopened', 'contradiction', 'opened again'],
  ['contradiction.commented', 'comment', 'written'],
  ['contradiction.assigned', 'contradiction', 'given to somebody'],
  ['contradiction.unassigned', 'contradiction', 'taken back from somebody'],
  ['possible_conflict.detected', 'possible conflict', 'found'],
  ['possible_conflict.promoted', 'possible conflict', 'made a contradiction'],
  ['possible_conflict.accepted', 'replacement', 'accepted'],
  ['possible_conflict.dismissed', 'possible conflict', 'dismissed'],
  ['possible_conflict.reopened', 'possible conflict', 'opened again'],
  ['document.indexed', 'document', 'read'],
  ['document.quarantined', 'document', 'that could not be read'],
  ['document.held', 'document', 'that a person has to approve'],
  ['document.rejected', 'document', 'refused'],
  ['document.erased', 'document', 'erased'],
  ['document.reread', 'document', 'read again'],
  ['claim.superseded', 'statement', 'taken out of what counts'],
  ['supersession.objected', 'objection', 'to a replacement'],
  ['supersession.restored', 'objection', 'taken back'],
  ['supersession.withdrawn', 'replacement', 'that holds no more'],
  ['scope.signed_off', 'sign-off', 'given'],
  ['scope.sign_off_withdrawn', 'sign-off', 'taken back'],
  ['certificate.issued', 'certificate', 'issued'],
  ['certificate.withdrawn', 'certificate', 'withdrawn'],
  ['legal_hold.set', 'legal hold', 'set'],
  ['legal_hold.lifted', 'legal hold', 'lifted'],
  ['scope.changed', 'change', 'of settings'],
  ['scope.reset', 'reset', 'of the case'],
]

/** `1 contradiction found, 2 documents read`, or that nothing changed. */
export function changeWords(changes: readonly { type: string; count: number }[]): string {
  const counts = new Map(changes.map(({ type, count }) => [type, count]))
  const parts = told.flatMap(([type, noun, what]) => {
    const count = counts.get(type) ?? 0
    return count === 0 ? [] : [`${countOf(count, noun)} ${what}`]
  })
  return parts.join(', ') || 'nothing changed'
}

/** What a person who signed off did about a paper that was not read. */
export function asideWords(how: string): string {
  return how === 'set_aside' ? 'set aside' : 'read by eye'
}

/** `3 of 12, 25 %` */
export function decidedShare({ decided, total }: { decided: number; total: number }): string {
  if (total === 0) return 'none'
  return `${decided.toLocaleString('en')} of ${total.toLocaleString('en')}, ${Math.floor((decided / total) * 100)} %`
}
