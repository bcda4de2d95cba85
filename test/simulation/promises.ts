/** What the answers that a tenant was given promise, and where its scope does not keep it, in words. */

import type { Database } from '../../src/store/server/database.js'
import { wrongRevisions } from './scope-checks.js'

export interface Known {
  revision: number
  hash: string
  status: 'attached' | 'queued' | 'erased'
}

/** What the answers so far promise. */
export interface Promised {
  queued: { seq: number; documentId: string }[]
  attached: number
  resets: number
  unansweredResets: number
  documents: Map<string, Known>
  keys: Map<string, { body: string; seq: number; documentId: string }>
  answersChanged: string[]
  /** Words of its own that each document of the generation was given, and those of documents that are erased. */
  words: Map<string, string[]>
  erased: string[]
  /** What was said last of a contradiction or a supersession, and answered; null where it was taken back. */
  said: Map<string, string | null>
}

export async function brokenPromises(db: Database, tenantId: string, promised: Promised): Promise<string[]> {
  const log = await rowsOf<LogRow>(db, 'select seq, type, subject from events where tenant_id = $1 and scope_no > 0 order by seq', tenantId)
  const problems = [...promised.answersChanged]
  log.forEach((event, n) => {
    if (Number(event.seq) !== n) problems.push(`the log has ${event.seq} at place ${n}`)
  })
  for (const { seq, documentId } of promised.queued) {
    const event = log[seq]
    if (event?.type !== 'document.queued' || event.subject !== documentId)
      problems.push(`seq ${seq} was promised to ${documentId} and holds ${event?.type} ${event?.subject}`)
  }
  const count = (type: string) => log.filter(event => event.type === type).length
  if (count('document.attached') !== promised.attached)
    problems.push(`${promised.attached} attached, ${count('document.attached')} in the log`)
  const resets = count('scope.reset')
  if (resets < promised.resets || resets > promised.resets + promised.unansweredResets)
    problems.push(`${promised.resets} resets answered, ${resets} in the log`)
  return [
    ...problems,
    ...(await checkDocuments(db, tenantId, promised.documents)),
    ...(await checkWords(db, tenantId, promised.said)),
    ...(await wrongRevisions(db, tenantId)),
  ]
}

/** What people said of findings is kept, whatever came after. */
async function checkWords(db: Database, tenantId: string, said: ReadonlyMap<string, string | null>): Promise<string[]> {
  const rows = await rowsOf<{ id: string; word: string | null }>(
    db,
    `select contradiction_id as id, case when resolution->>'by' = 'j.doe' then resolution->>'verdict' end as word from contradictions
     where tenant_id = $1 and in_force
     union all select supersession_id, case when objection is not null then 'object' end from supersessions where tenant_id = $1`,
    tenantId,
  )
  const found = new Map(rows.map(row => [row.id, row.word]))
  // A contradiction that an objection had made is gone with it.
  const kept = [...said].filter(([id]) => found.has(id))
  return kept.flatMap(([id, word]) => (found.get(id) === word ? [] : [`${id} was answered ${word} and holds ${found.get(id)}`]))
}

async function checkDocuments(db: Database, tenantId: string, documents: ReadonlyMap<string, Known>): Promise<string[]> {
  const rows = await rowsOf<{ document_id: string; revision: number; hash: string; status: string }>(
    db,
    `select d.document_id, d.revision, encode(d.text_hash, 'hex') as hash, d.status from documents d
     join scopes s on s.tenant_id = d.tenant_id and s.scope_no = d.scope_no and s.generation = d.generation
     where d.tenant_id = $1 and d.current`,
    tenantId,
  )
  const found = new Map(rows.map(row => [row.document_id, row]))
  const problems = [...found.keys()].filter(id => !documents.has(id)).map(id => `document ${id} was never answered for`)
  for (const [id, known] of documents) {
    const row = found.get(id)
    if (row === undefined) problems.push(`document ${id} is lost`)
    else if (row.revision !== known.revision || row.hash !== known.hash)
      problems.push(`document ${id} is at revision ${row.revision} and not ${known.revision}`)
    else if (
      known.status === 'erased'
        ? !['indexed', 'held', 'rejected'].includes(row.status)
        : known.status === 'attached'
          ? row.status !== 'attached'
          : !['indexed', 'held', 'rejected'].includes(row.status)
    ) {
      problems.push(`document ${id} is ${row.status} although it was ${known.status}`)
    }
  }
  return problems
}

interface LogRow {
  seq: number
  type: string
  subject: string | null
}

export async function rowsOf<T>(db: Database, text: string, tenantId: string): Promise<T[]> {
  return (await db.engineQuery<T>(text, [tenantId])).rows
}
