/** The legal hold beside the record of a case or a document. */

import { Type } from '../platform/schema.js'
import { Nullable, open, Time } from './common.js'

/** Who and when, as it stands beside a case or a document. */
export const StandingHold = Type.Object(
  {
    of: Type.Enum(['case', 'document', 'mail', 'attachment'], {
      description: 'What it was set on: a document is on hold with its case, with the mail it came with, and with what is attached to it.',
    }),
    hold_id: Type.String(),
    by: Type.String(),
    reason: Nullable(Type.String()),
    set_at: Time,
  },
  { ...open, description: 'The legal hold that keeps it from being removed; null without one.' },
)
