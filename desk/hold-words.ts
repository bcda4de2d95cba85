/** A legal hold in the words people read. */

import type { Schema } from '../src/contract/types.js'
import { moment } from './wording'

export function holdWords({ of, by, reason, set_at }: NonNullable<Schema['Document']['legal_hold']>, what: 'case' | 'document'): string {
  const held = of === what ? 'On legal hold' : `On legal hold with its ${of}`
  return `${held} since ${moment(set_at)}, set by ${by}: ${reason ?? 'the reason was erased'}`
}
