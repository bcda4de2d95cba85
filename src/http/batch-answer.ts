/**
 * Documents handed in together: each is counted, checked, stored and answered on its own, as if it had come alone. They
 * are handed to ingest in one turn, so that their order in the array is their order in the scope.
 */

import type { Static } from 'typebox'
import { IngestDocumentRequest } from '../contract/documents.js'
import type { AppError } from '../platform/errors.js'
import { withoutWords } from '../platform/logger.js'
import { aboutOf } from './about-header.js'
import type { Answer, Call } from './handler.js'
import { findUnstorable } from './json-body.js'
import { checkReach } from './permission.js'
import { problemBody, toAppError } from './problem.js'
import type { Services } from './services.js'
import { createStorageRefusals } from './storage-refusals.js'
import { checkOf, validationFailed } from './validation.js'

type BatchServices = Pick<Services, 'ingest'> & { scopes: Pick<Services['scopes'], 'logger' | 'clock'> }

type BatchCall = Pick<Call, 'caller' | 'tenantId' | 'trace' | 'requestId' | 'countAgain'> & {
  headers: { 'x-document-model'?: string | undefined; 'x-document-about'?: string | undefined }
  body: { documents: unknown[] }
}

export function createBatchAnswer({ ingest, scopes: { logger, clock } }: BatchServices): (call: BatchCall) => Promise<Answer> {
  const noteStorageRefusal = createStorageRefusals({ logger, clock })
  const check = checkOf(IngestDocumentRequest)

  const checked = (document: unknown): Static<typeof IngestDocumentRequest> => {
    const faults = findUnstorable(document)
    if (faults.length > 0) throw validationFailed(faults)
    return check(document) as Static<typeof IngestDocumentRequest>
  }
  const accept = async (
    call: BatchCall,
    document: unknown,
    { refusal, about }: { refusal: AppError | undefined; about: string | null },
  ) => {
    if (refusal !== undefined) throw refusal
    const { idempotency_key: idempotencyKey = null, type = 'txt', ...rest } = checked(document)
    checkReach(call.caller, rest.scope_id)
    const { tenantId, trace } = call
    const modelOff = call.headers['x-document-model'] === 'off'
    const accepted = await ingest.accept({ tenantId, body: { ...rest, type }, idempotencyKey, trace, modelOff, about })
    return { isAccepted: true, item: accepted.response, replayed: accepted.replayed }
  }
  return async call => {
    const about = aboutOf(call.headers)
    const answers = call.body.documents.map((document, index) => {
      // The request itself was counted at the gate: for the first.
      const refusal = index === 0 ? undefined : call.countAgain()
      return accept(call, document, { refusal, about }).catch((error: unknown) => {
        const failure = toAppError(error)
        const { requestId: request_id, tenantId: tenant_id } = call
        // What failed here has seen the document, and may quote it.
        if (failure.code === 'INTERNAL')
          logger.error({ request_id, tenant_id, entry: index, err: withoutWords(error) }, 'batch entry failed')
        noteStorageRefusal(failure, { request_id, tenant_id, entry: index })
        return { isAccepted: false, item: problemBody(failure, call.requestId), replayed: false }
      })
    })
    const answered = await Promise.all(answers)
    const accepted = answered.filter(({ isAccepted }) => isAccepted).length
    const items = answered.map(({ item }) => item)
    const replayed = answered.flatMap((answer, index) => (answer.replayed ? [index] : []))
    return { body: { accepted, refused: items.length - accepted, items, replayed } }
  }
}
