/** Working on contradictions together: who looks at which, and what is said about it. */

import { Type } from '../platform/schema.js'
import { AssignmentRequest, AssignmentResult, assignmentQuery, Comment, CommentPage, CommentRequest } from './assignments.js'
import { idempotencyHeader, pageQuery } from './common.js'
import { idempotent } from './documents.js'
import { defineOperations, forTenants } from './operation.js'

export const assignmentOperations = defineOperations(forTenants('Findings'), {
  assignContradiction: {
    route: 'PUT /api/contradictions/{contradictionId}/assignment',
    summary: 'Say who is to look at a contradiction',
    description: 'Takes the place of who was to before, which stays on record. The same person and day again change nothing.',
    audited: true,
    body: { schema: AssignmentRequest, required: true },
    success: { status: 200, description: 'The assignment.', schema: AssignmentResult },
  },
  unassignContradiction: {
    route: 'DELETE /api/contradictions/{contradictionId}/assignment',
    summary: 'Take the assignment of a contradiction back',
    description: 'Taking it back twice changes nothing.',
    audited: true,
    query: assignmentQuery,
    success: { status: 200, description: 'Nobody is assigned.', schema: AssignmentResult },
  },
  listComments: {
    route: 'GET /api/contradictions/{contradictionId}/comments',
    summary: 'List what people wrote about a contradiction, oldest first',
    seen: 'finding',
    query: Type.Object({
      known_at: Type.Optional(Type.String({ format: 'date-time', description: 'What had been written by then.' })),
      ...pageQuery,
    }),
    success: { status: 200, description: 'A page of comments.', schema: CommentPage },
  },
  addComment: {
    route: 'POST /api/contradictions/{contradictionId}/comments',
    summary: 'Write a comment on a contradiction',
    description:
      'Part of the record: it is never changed, and blanked when a document of the contradiction is erased. At most 500 of them.',
    audited: true,
    headers: idempotencyHeader,
    body: { schema: CommentRequest, required: true },
    success: { status: 201, description: 'The comment.', schema: Comment, headers: idempotent },
    refusals: ['QUOTA_EXCEEDED', 'IDEMPOTENCY_KEY_REUSED'],
  },
})
