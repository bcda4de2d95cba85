/** The schedule as rows of text, the same in every form it is handed on in. */

import { escapeMarkup } from '../../platform/markup.js'
import type { Schedule, ScheduledFact, ScheduledSide } from './schedule.js'

export interface Column {
  title: string
  /** Share of the width. */
  width: number
  text(fact: ScheduledFact, place: number): string
}

export const columns: readonly Column[] = [
  { title: 'No.', width: 5, text: (_fact, place) => String(place + 1) },
  { title: 'Fact', width: 22, text: fact => fact.fact },
  { title: 'A: what is said', width: 40, text: fact => fact.a.quote },
  { title: 'A: paper', width: 22, text: ({ a }) => paperOf(a) },
  { title: 'A: issuer, date, received', width: 22, text: ({ a }) => originOf(a) },
  { title: 'B: what is said', width: 40, text: fact => fact.b.quote },
  { title: 'B: paper', width: 22, text: ({ b }) => paperOf(b) },
  { title: 'B: issuer, date, received', width: 22, text: ({ b }) => originOf(b) },
  { title: 'Severity', width: 10, text: fact => fact.severity },
  { title: 'Found', width: 18, text: fact => `${day(fact.found)}, by ${fact.foundBy}` },
  { title: 'Status', width: 10, text: fact => fact.status },
  { title: 'Decision', width: 20, text: fact => fact.decision },
  { title: 'By', width: 16, text: fact => fact.by },
  { title: 'Decided', width: 12, text: fact => day(fact.decided) },
  { title: 'Why', width: 32, text: fact => fact.reason },
]

export function titleOf({ scopeId, facts, isCut, only }: Schedule): string {
  const count = `${facts.length} ${facts.length === 1 ? 'contradiction' : 'contradictions'}`
  return `Schedule of contradictions, case ${scopeId}: ${isCut ? `the first ${count}` : count}${only.length === 0 ? '' : ` (only ${only.join(', ')})`}`
}

function paperOf({ paper, place, replaced }: ScheduledSide): string {
  return [[paper, place].filter(Boolean).join(', '), ...replaced].join('\n')
}

function originOf({ issuer, dated, received }: ScheduledSide): string {
  return [issuer, dated, day(received)].filter(Boolean).join('; ')
}

function day(instant: string): string {
  return instant.slice(0, 10)
}

/** As XML may hold it: what the format cannot write at all is left out. */
export function escaped(text: string): string {
  return escapeMarkup(text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ''))
}
