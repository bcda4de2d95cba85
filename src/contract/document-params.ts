/** How routes name a document, and what they answer to a repeated key. */

import { Type } from '../platform/schema.js'
import { ScopeId } from './common.js'

/** Some legal ids (`.`, `..`, with slashes) do not survive in a path: clients and proxies rewrite it. */
export const documentId = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The document, by an id that may not survive in a path.',
})
export const namedDocument = { scope_id: ScopeId, document_id: Type.Optional(documentId) }
export const idempotent = { 'Idempotent-Replayed': '`true` when the answer is that of an earlier request with the same key.' }
export const revision = Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'The newest when it is not given.' }))
