/** Who is to look at a contradiction, and what people write to each other about it. */

import { Type } from '../platform/schema.js'
import { closed, Nullable, open, PageOf, personName, RecordOf, ScopeId, Time, VisibleText, vouched } from './common.js'

const Day = Type.String({ format: 'date', examples: ['2026-03-31'] })

export const Assignment = Type.Object(
  {
    to: Type.String(),
    due: Nullable(Day),
    by: Nullable(Type.String({ description: 'Null where nobody was named and the key is nobody’s.' })),
    vouched,
    assigned_at: Time,
  },
  { $id: 'Assignment', ...open, description: 'Who is to look at it, and by which day; left out where nobody is.' },
)

const by = Type.Optional(Type.String({ ...personName, description: 'Who does it; otherwise the person of the key.' }))

export const AssignmentRequest = Type.Object(
  { to: Type.String(personName), due: Type.Optional(Nullable(Day)), by },
  { $id: 'AssignmentRequest', ...closed, examples: [{ to: 'j.doe', due: '2026-03-31' }] },
)
export const assignmentQuery = Type.Object({ by })

export const AssignmentResult = RecordOf('AssignmentResult', {
  scope_id: ScopeId,
  contradiction_id: Type.String(),
  assignment: Nullable(Assignment),
  changed: Type.Boolean({ description: 'False when it was so already.' }),
})

export const Comment = RecordOf('Comment', {
  comment_id: Type.String(),
  scope_id: ScopeId,
  contradiction_id: Type.String(),
  by: Type.String(),
  vouched,
  text: Nullable(Type.String({ description: 'Null once a document of the contradiction was erased.' })),
  said_at: Time,
})
export const CommentPage = PageOf('CommentPage', Comment)

export const CommentRequest = Type.Object(
  { by: Type.String(personName), text: VisibleText(2000) },
  { $id: 'CommentRequest', ...closed, examples: [{ by: 'j.doe', text: 'The surveyor was asked on Monday.' }] },
)
