/** Legal holds: what is on hold cannot be erased, reset or deleted, and no retention removes it. */

import { Type } from '../platform/schema.js'
import { closed, Nullable, open, PageOf, RecordOf, ScopeId, Time, vouched } from './common.js'
import { judgement } from './findings.js'

const LegalHold = RecordOf('LegalHold', {
  hold_id: Type.String(),
  scope_id: ScopeId,
  document_id: Nullable(Type.String({ description: 'Null: the whole case.' })),
  by: Type.String(),
  vouched,
  reason: Nullable(Type.String({ description: 'Null once the document was erased.' })),
  set_at: Time,
  lifted: Nullable(Type.Object({ by: Type.String(), vouched, reason: Nullable(Type.String()), at: Time }, open)),
})

export const LegalHoldPage = PageOf('LegalHoldPage', LegalHold)

export const LegalHoldResult = Type.Object(
  { ...LegalHold.properties, changed: Type.Boolean({ description: 'False when it was so already.' }) },
  { $id: 'LegalHoldResult', ...open },
)

export const LegalHoldRequest = Type.Object(judgement, {
  $id: 'LegalHoldRequest',
  ...closed,
  examples: [{ reason: 'Litigation over the north slab is expected.', by: 'j.doe' }],
})
