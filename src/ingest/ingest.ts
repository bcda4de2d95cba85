/**
 * Accepting documents: an answer means that the document, its event, its place in the backlog and its idempotency key
 * are on disk, in one transaction. Everything else is a refusal (`AppError`), and a refusal with 503 may be repeated:
 * with an idempotency key the repetition finds what the first try left.
 */

import type { Static } from 'typebox'
import type { IngestDocumentRequest, IngestDocumentResponse } from '../contract/documents.js'
import type { Hints } from '../events/hints.js'
import type { Clock } from '../platform/clock.js'
import type { Config } from '../platform/config.js'
import { sha256 } from '../platform/digest.js'
import { AppError, invariant, limitReached, type TenantLimit } from '../platform/errors.js'
import { newId } from '../platform/ids.js'
import type { Logger } from '../platform/logger.js'
import { keyReused } from '../store/documents/idempotency.js'
import type { IngestAnswer, IngestRow } from '../store/documents/ingest.js'
import type { Database } from '../store/server/database.js'
import { createFlush, nameOf } from './flush.js'
import { GroupCommit, type GroupCommitStats } from './group-commit.js'

/** The parsed body of a request, with defaults filled in. */
type IngestBody = Omit<Static<typeof IngestDocumentRequest>, 'type' | 'idempotency_key'> & { type: string }

export interface IngestInput {
  tenantId: string
  body: IngestBody
  /** From the body or the header; the caller has seen to it that both agree. */
  idempotencyKey: string | null
  trace?: string | null
  /** No model is shown it, nor its later revisions. */
  modelOff?: boolean
  /** What it is about, as its submitter says. */
  about?: string | null
}

export interface Accepted {
  response: Static<typeof IngestDocumentResponse> & { document_id: string; seq: number }
  /** The same request was accepted before; this is its first answer again. */
  replayed: boolean
}

export interface Ingest {
  /** Documents of a scope are stored in the order in which they are handed over. */
  accept(input: IngestInput): Promise<Accepted>
  stats(): GroupCommitStats
  /** Whether one more document would be refused for lack of room. */
  isFull(): boolean
  /** Refuses what comes, answers what came. */
  close(): Promise<void>
}

export type IngestConfig = Pick<
  Config,
  | 'ingestFlushRows'
  | 'ingestFlushesInFlight'
  | 'ingestQueueLimit'
  | 'ingestQueueBytes'
  | 'ingestDeadlineMs'
  | 'scopeAutocreate'
  | 'databaseEnginePool'
>

export interface IngestDependencies {
  db: Database
  config: IngestConfig
  hints: Hints
  clock: Clock
  logger: Logger
}

/** Documents of a few pages, as most are, fill a flush by their number; long ones must not keep the others waiting for megabytes. */
const flushBytes = 4 * 1024 * 1024

export function createIngest({ db, config, hints, clock, logger }: IngestDependencies): Ingest {
  const commit = new GroupCommit<IngestRow, IngestAnswer>({
    flush: createFlush({ db, hints, logger, clock, makeScopes: config.scopeAutocreate }),
    placeOf: nameOf,
    holderOf: row => row.tenantId,
    isBusy: answer => answer.outcome === 'busy',
    keyOf: row => (row.idempotencyKey === null ? null : `${row.tenantId} ${row.idempotencyKey}`),
    isRepetition: (first, second) => second.bodyHash !== null && first.bodyHash?.equals(second.bodyHash) === true,
    repeatedAnswer: answer => (answer.outcome === 'queued' ? { ...answer, outcome: 'replayed' } : answer),
    bytesOf: row => Buffer.byteLength(row.text),
    rowsPerFlush: config.ingestFlushRows,
    bytesPerFlush: flushBytes,
    flushesInFlight: config.ingestFlushesInFlight,
    // Each has a connection for as long as it waits.
    patientFlushes: Math.max(1, Math.floor(config.databaseEnginePool / 3)),
    queueLimit: config.ingestQueueLimit,
    queueBytes: config.ingestQueueBytes,
    deadlineMs: config.ingestDeadlineMs,
    clock,
  })
  return {
    accept: async input => accepted(input, await commit.add(toRow(input))),
    stats: () => commit.stats(),
    isFull: () => commit.isFull(),
    close: () => commit.close(),
  }
}

export function toRow({ tenantId, body, idempotencyKey, trace, modelOff = false, about = null }: IngestInput): IngestRow {
  const documentId = body.document_id ?? newId('doc')
  const textHash = sha256(body.text)
  return {
    tenantId,
    scopeId: body.scope_id,
    documentId,
    named: body.document_id !== undefined,
    name: body.name,
    type: body.type,
    source: body.source ?? null,
    text: body.text,
    textHash,
    idempotencyKey,
    bodyHash: idempotencyKey === null ? null : bodyHash(body, textHash, { modelOff, about }),
    eventStart: JSON.stringify({
      scope_id: body.scope_id,
      document_id: documentId,
      type: body.type,
      status: 'queued',
    }).slice(0, -1),
    trace: trace ?? null,
    modelOff,
    about,
  }
}

/** The body after defaults; the text enters by its hash, which is at hand. */
function bodyHash(body: IngestBody, textHash: Buffer, { modelOff, about }: { modelOff: boolean; about: string | null }): Buffer {
  const canonical = [body.scope_id, body.name, body.type, body.document_id ?? null, body.source ?? null, textHash.toString('base64')]
  return sha256(JSON.stringify([...canonical, ...(modelOff ? ['model: off'] : []), ...(about === null ? [] : [`about: ${about}`])]))
}

function accepted({ body, idempotencyKey }: IngestInput, answer: IngestAnswer): Accepted {
  if (answer.outcome !== 'queued' && answer.outcome !== 'replayed') throw refusal(answer.outcome)
  return {
    response: {
      scope_id: body.scope_id,
      name: body.name,
      type: body.type,
      document_id: answer.documentId,
      idempotency_key: idempotencyKey,
      queued: true,
      seq: answer.seq as number,
      integration_version: 'v1',
      message: 'Document queued for processing.',
    },
    replayed: answer.outcome === 'replayed',
  }
}

function refusal(outcome: Exclude<IngestAnswer['outcome'], 'queued' | 'replayed'>): AppError {
  if (outcome === 'reused') return keyReused()
  if (outcome === 'tenant') return new AppError('TENANT_UNKNOWN')
  invariant(outcome !== 'busy', 'a group commit gave up on a document whose case was busy')
  if (outcome === 'scope') return new AppError('SCOPE_NOT_FOUND', { detail: 'The tenant has no case with this id.' })
  return limitReached(outcome.slice('quota:'.length) as TenantLimit)
}
