/** Rows of comments on contradictions: written once, in the order they came. */

import { ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { TenantTransaction, Transaction } from '../server/database.js'
import { shownInstant } from './finding-history.js'

export interface CommentRow {
  contradiction_no: number
  comment_no: number
  comment_id: string
  said_by: string
  said_bound: boolean
  text: string | null
  said_at: string
}

const columns = 'contradiction_no, comment_no, comment_id, said_by, said_bound, text, said_at'

export interface CommentWrite {
  commentId: string
  by: string
  bound: boolean
  text: string
}

/** Under the scope's lock. */
export async function insertComment(
  tx: TenantTransaction,
  scope: ScopePlace,
  contradictionNo: number,
  { commentId, by, bound, text }: CommentWrite,
): Promise<CommentRow> {
  return tx.one<CommentRow>(
    `insert into comments (tenant_id, scope_no, generation, contradiction_no, comment_no, comment_id, said_by, said_bound, text)
     select $1, $2, $3, $4, coalesce(max(comment_no), 0) + 1, $5, $6, $7, $8 from comments where ${ofPlace} and contradiction_no = $4
     returning ${columns}`,
    [...placeOf(scope), contradictionNo, commentId, by, bound, text],
  )
}

/** Oldest first. */
export async function listCommentRows(
  tx: TenantTransaction,
  scope: ScopePlace,
  {
    contradictionNos,
    knownAt,
    after,
    limit,
  }: { contradictionNos: readonly number[]; knownAt: string | null; after: number; limit: number },
): Promise<CommentRow[]> {
  return tx.rows<CommentRow>(
    `select ${columns} from comments where ${ofPlace} and contradiction_no = any ($4::bigint[]) and comment_no > $5
       and ($6::timestamptz is null or ${shownInstant('said_at')} <= $6)
     order by comment_no, contradiction_no limit $7`,
    [...placeOf(scope), contradictionNos, after, knownAt, limit],
  )
}

/** What people wrote about a contradiction can repeat its words: who and when stay. */
export async function blankComments(tx: Transaction, scope: ScopePlace, contradictionNos: readonly number[]): Promise<void> {
  await tx.run(`update comments set text = null where ${ofPlace} and contradiction_no = any ($4::bigint[])`, [
    ...placeOf(scope),
    contradictionNos,
  ])
  await tx.run(
    `update idempotency_keys k set response = (k.response::jsonb || '{"text": null}')::json
     where k.tenant_id = $1 and k.scope_no = $2 and k.generation = $3 and k.operation = 'comment' and k.response->>'comment_id' in (
       select comment_id from comments where ${ofPlace} and contradiction_no = any ($4::bigint[]))`,
    [...placeOf(scope), contradictionNos],
  )
}
