/** Whether a certificate still stands, in the words people see. A right signature only says that it was issued. */

import { causeWords } from '../contract/field-words.js'
import type { Schema } from '../contract/types.js'
import type { Output } from './output.js'

type Standing = Pick<Schema['Certificate'], 'status' | 'superseded_at' | 'superseded_cause' | 'withdrawn_at' | 'withdrawn_reason'>

export function standingOf({ status, superseded_at, superseded_cause, withdrawn_at, withdrawn_reason }: Standing): string {
  if (status === 'current') return 'current'
  const cause = causeWords(superseded_cause)
  if (status === 'superseded') return `no longer current since ${superseded_at}${cause === null ? '' : `: ${cause}`}`
  return `withdrawn on ${withdrawn_at}${withdrawn_reason === null ? '' : `: ${withdrawn_reason}`}`
}

export function paintedStanding(certificate: Standing, { colors }: Output): string {
  return (certificate.status === 'current' ? colors.green : colors.yellow)(standingOf(certificate))
}
