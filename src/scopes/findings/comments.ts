/** What people write to each other about a contradiction: part of the record, never changed. */

import { AppError } from '../../platform/errors.js'
import { newId } from '../../platform/ids.js'
import { appendEvents } from '../../store/events/events.js'
import { type CommentRow, insertComment, listCommentRows } from '../../store/findings/comments.js'
import { scopeOfFinding } from '../../store/findings/finding-scope.js'
import { type ContradictionRow, findContradiction } from '../../store/findings/findings.js'
import { readTenant, type TenantTransaction } from '../../store/server/database.js'
import type { PageRequest } from '../cursors.js'
import type { ScopesDeps } from '../deps.js'
import { type Answer, actOnScope, notFound } from '../idempotent.js'
import { optionalInstant } from '../instants.js'
import { listInScope } from '../scope-list.js'
import { isStorable } from '../storable.js'
import type { CommentRecord, Page } from '../types.js'

const mostComments = 500

interface Named {
  tenantId: string
  contradictionId: string
}

export async function addComment(
  deps: ScopesDeps,
  { tenantId, contradictionId, by, text, bound }: Named & { by: string; text: string; bound: boolean },
  idempotencyKey?: string,
): Promise<Answer<CommentRecord>> {
  const scopeId = await scopeOf(deps, { tenantId, contradictionId })
  const request = { contradiction_id: contradictionId, by, text }
  return actOnScope(deps, { tenantId, scopeId, operation: 'comment', request, idempotencyKey }, async (tx, scope) => {
    const { contradiction_no: no, comments } = await found(tx, contradictionId)
    if (comments >= mostComments) throw new AppError('QUOTA_EXCEEDED', { detail: `A contradiction takes ${mostComments} comments.` })
    const row = await insertComment(tx, scope, no, { commentId: newId('cmt'), by, bound, text })
    const named = { scope_id: scopeId, contradiction_id: contradictionId }
    await appendEvents(tx, scope, [{ type: 'contradiction.commented', data: { ...named, comment_id: row.comment_id } }])
    return toRecord(row, named)
  })
}

export async function listComments(
  deps: ScopesDeps,
  input: Named & PageRequest & { knownAt?: string | undefined },
): Promise<Page<CommentRecord>> {
  const { contradictionId } = input
  const knownAt = optionalInstant(input.knownAt, '/known_at')
  const scopeId = await scopeOf(deps, input)
  return listInScope<CommentRow, CommentRecord>(
    deps,
    { ...input, scopeId },
    {
      name: 'comments',
      filters: [contradictionId, knownAt],
      async rows(tx, scope, { after, limit }) {
        const { contradiction_no: no } = await found(tx, contradictionId)
        return listCommentRows(tx, scope, { contradictionNos: [no], knownAt, after: (after?.[0] ?? 0) as number, limit })
      },
      place: row => [row.comment_no],
      shape: ['int4'],
      items: rows => rows.map(row => toRecord(row, { scope_id: scopeId, contradiction_id: contradictionId })),
    },
  )
}

async function scopeOf(deps: ScopesDeps, { tenantId, contradictionId }: Named): Promise<string> {
  const scopeId = isStorable(contradictionId) ? await readTenant(deps.db, tenantId, tx => scopeOfFinding(tx, contradictionId)) : null
  if (scopeId === null) throw notFound('contradiction')
  return scopeId
}

async function found(tx: TenantTransaction, contradictionId: string): Promise<ContradictionRow> {
  const row = await findContradiction(tx, contradictionId)
  if (row === null) throw notFound('contradiction')
  return row
}

function toRecord(row: CommentRow, named: Pick<CommentRecord, 'scope_id' | 'contradiction_id'>): CommentRecord {
  return { comment_id: row.comment_id, ...named, by: row.said_by, vouched: row.said_bound, text: row.text, said_at: row.said_at }
}
