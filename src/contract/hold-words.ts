/** A legal hold in the words people read, the same on the command line, in the report and at the desk. */

import type { Schema } from './types.js'

/** `moment` as the reader is shown times. */
export function holdWords(
  { of, by, reason, set_at }: NonNullable<Schema['Document']['legal_hold']>,
  what: 'case' | 'document',
  moment: (instant: string) => string,
): string {
  const held = of === what ? 'On legal hold' : `On legal hold with its ${of}`
  return `${held} since ${moment(set_at)}, set by ${by}: ${reason ?? 'the reason was erased'}`
}
