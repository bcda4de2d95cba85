/** What is kept about a document that failed, and whether it is tried again. Reasons travel in events: what a message may quote does not. */

import { isAppError } from '../../platform/errors.js'
import type { FailedDocument } from '../../store/documents/quarantine.js'
import type { LeasedDocument } from '../../store/leases/leases.js'
import { causeOf, failureCode, isOverrun } from '../../store/server/failures.js'
import { ReadError } from '../threads/threads.js'
import { type FailureKind, type RetryLimits, retryAfter } from './retry-policy.js'

export function failureOf(
  document: LeasedDocument,
  { stage, error }: { stage: string; error: unknown },
  { retry, random }: { retry: RetryLimits; random: () => number },
): FailedDocument {
  const attempts = document.attempts + 1
  const { kind, errorClass, reason } = describe(error, stage)
  return failed({ ...document, attempts }, { stage, errorClass, reason }, retryAfter(kind, attempts, retry, random))
}

/** Its attempts were used up by processes that died over it, which could not say so themselves. */
export function exhausted(document: LeasedDocument): FailedDocument {
  const reason = 'The process died while it worked on the document, and its attempts are used up.'
  return failed(document, { stage: 'extract', errorClass: 'process_death', reason })
}

/** It failed, and before it was tried again a later revision was read: what it says holds no more. */
export function overtaken(document: LeasedDocument): FailedDocument {
  const reason = 'A later revision of the document was read before this one.'
  return failed(document, { stage: 'reconcile', errorClass: 'stale_revision', reason })
}

/** Nothing is wrong with it: its file is read beside, or its letters are recognised. */
export function handedOver(document: LeasedDocument, { why, putOffMs }: { why: string; putOffMs: number }): FailedDocument {
  return { ...failed(document, { stage: 'extract', errorClass: why, reason: 'Its file is being read.' }, putOffMs), isHandedOver: true }
}

function failed(
  { seq, documentId, revision, name, attempts, reread }: LeasedDocument,
  why: Pick<FailedDocument, 'stage' | 'errorClass' | 'reason'>,
  retryAfterMs: number | null = null,
): FailedDocument {
  return { seq, documentId, revision, name, attempts, reread, ...why, retryAfterMs }
}

/** Of what a server says, the states that are about the values it was given: invalid data, a broken constraint, too much of it. */
const ofTheDocument = /^(22|23|54)/

function describe(error: unknown, stage: string): { kind: FailureKind; errorClass: string; reason: string } {
  if (error instanceof ReadError) return { kind: error.kind, errorClass: error.errorClass, reason: error.message }
  const code = failureCode(causeOf(error))
  const ofStorage = { kind: 'transient' as const, errorClass: code ?? 'storage' }
  if (isOverrun(error)) return { ...ofStorage, reason: 'A statement exceeded a time, memory or disk limit of the database.' }
  if (isAppError(error, 'STORAGE_UNAVAILABLE')) return { ...ofStorage, reason: 'The database was unavailable.' }
  if (stage === 'commit') {
    const kind = code === undefined || ofTheDocument.test(code) ? 'permanent' : 'transient'
    return { kind, errorClass: code ?? 'commit_error', reason: 'The reading could not be stored.' }
  }
  const name = error instanceof Error ? error.name : typeof error
  return { kind: 'permanent', errorClass: `${stage}_error`, reason: `The stage ${stage} failed: ${name}.` }
}
