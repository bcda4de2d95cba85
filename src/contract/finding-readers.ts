/** Who opened a finding, and whether that is all that is known. */

import { Type } from '../platform/schema.js'
import { open, Time } from './common.js'

export const seen_by = Type.Array(
  Type.Object(
    { by: Type.String({ description: 'A person’s name, or the key where nobody is known by name.' }), first_at: Time, last_at: Time },
    open,
  ),
  { maxItems: 50, description: 'Who opened it before, the latest first, as far as AUDIT_READS keeps it.' },
)
/** Beside who opened it: without this, nobody and nobody knows look alike. */
const readsKept = (until: string) =>
  Type.Enum(['all', 'people', 'part', 'none'], {
    description: `Whose reads were recorded from when it was found until ${until}: everybody’s, those of people who had signed in, those of a part of the time, or none. Where nobody is listed, \`all\` says that nobody opened it, \`people\` that nobody who had signed in did, and the others that it is not known.`,
  })
export const reads_kept = readsKept('then')
export const keptUntilNow = readsKept('now')
export const opened_by = Type.Array(Type.Object({ by: Type.String(), first_at: Time }, open), {
  maxItems: 50,
  description: 'Who had opened it by then, the first first, as far as AUDIT_READS keeps it.',
})
