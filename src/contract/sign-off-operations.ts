/** Signing a scope off, taking that back, and who did. */

import { Type } from '../platform/schema.js'
import { idempotencyHeader, pageQuery } from './common.js'
import { idempotent } from './documents.js'
import { judgement } from './findings.js'
import { defineOperations, forTenants } from './operation.js'
import { SignOffPage, SignOffRequest, SignOffResult } from './sign-offs.js'

export const signOffOperations = defineOperations(forTenants('Decisions'), {
  signOffScope: {
    route: 'POST /api/scopes/{scopeId}/sign-off',
    summary: 'Sign a scope off as it stands',
    description:
      'A dated statement about a fixed set: the documents by revision and digest, what counts, and what the settings let stand open. Refused while any gate but `examined` fails, with the list, and while a document that is attached or quarantined is not named in `unread`. Once a document comes, changes or goes, or something else counts, the scope needs the next one. It also answers a settlement that a policy holds for a person.',
    headers: idempotencyHeader,
    body: { schema: SignOffRequest, required: true },
    success: { status: 201, description: 'The sign-off.', schema: SignOffResult, headers: idempotent },
    refusals: ['STATE_CONFLICT', 'DOCUMENT_NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED'],
  },
  listSignOffs: {
    route: 'GET /api/scopes/{scopeId}/sign-offs',
    summary: 'List every sign-off of a scope, newest first',
    query: Type.Object(pageQuery),
    success: { status: 200, description: 'A page of sign-offs, withdrawn ones too.', schema: SignOffPage },
  },
  withdrawSignOff: {
    route: 'DELETE /api/scopes/{scopeId}/sign-offs/{signOffId}',
    summary: 'Withdraw a sign-off',
    description: 'The sign-off stays on record with who withdrew it. The scope needs another one where it needs one at all.',
    query: Type.Object(judgement),
    success: { status: 200, description: 'The sign-off, withdrawn.', schema: SignOffResult },
    refusals: ['STATE_CONFLICT'],
  },
})
