/** What is wrong with a running service, for the person who runs it. */

import { Type } from '../platform/schema.js'
import { Nullable, open, RecordOf, Time } from './common.js'

export const Trouble = Type.Object(
  {
    kind: Type.Enum(['queue_grows', 'documents_fail', 'model_down', 'webhooks_down', 'disk_fills', 'node_gone']),
    what: Type.String({ description: 'In words, with its figures.' }),
    since: Nullable(Time),
    tenants: Type.Integer({ minimum: 0, description: 'How many tenants it concerns.' }),
    tenant_ids: Type.Array(Type.String(), { maxItems: 5, description: 'The first few of them; none where it concerns all.' }),
    next: Type.String({ description: 'What to do, with the command in backticks.' }),
  },
  { $id: 'Trouble', ...open },
)

export const TroubleList = RecordOf('TroubleList', { checked_at: Time, items: Type.Array(Trouble) })
