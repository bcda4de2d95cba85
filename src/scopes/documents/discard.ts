/**
 * Taking a document out that has not been read: cancelling one that waits, discarding one from quarantine. It is `rejected`
 * from then on, with who did it and why; its text stays until it is erased, and handing it in again is a new revision.
 * A fact and not a proposal, so no policy is asked but about an approval that waited, to keep it on record; a round all the
 * same, because what waits is part of a scope's finality.
 */

import { statusWords } from '../../contract/field-words.js'
import { AppError } from '../../platform/errors.js'
import { countMove } from '../../store/documents/documents-intake.js'
import { dropQueued, isInHand, listPendingDecisions, listQueued, markRejected } from '../../store/documents/documents-outcome.js'
import { listRetiring, retireParts } from '../../store/documents/former-parts.js'
import { listApprovals } from '../../store/documents/overtaken-approvals.js'
import { countUnexamined, isLeftUnexamined, listNamedUnread } from '../../store/scopes/examination.js'
import { concludeAct, loadStored } from '../act.js'
import type { ScopeName, ScopesDeps } from '../deps.js'
import { lockScope } from '../idempotent.js'
import { personOf, type Said } from '../person.js'
import type { DocumentRecord } from '../types.js'
import { requireDocument, toDocumentRecord } from './documents.js'

export interface Discarding extends ScopeName, Said {
  documentId: string
  /** The state it is taken out of. */
  from: 'queued' | 'quarantined'
}

const only = { queued: 'only one that waits is cancelled', quarantined: 'only one that could not be read is discarded' } as const
const done = { queued: 'Cancelled', quarantined: 'Discarded' } as const

export async function discardDocument(deps: ScopesDeps, input: Discarding): Promise<DocumentRecord> {
  const { documentId, from } = input
  const record = await deps.db.inTenant(input.tenantId, async tx => {
    const scope = await lockScope(tx, input.scopeId)
    const row = await requireDocument(tx, scope, documentId)
    if (row.status !== from || (await isInHand(tx, scope, documentId))) {
      throw new AppError('STATE_CONFLICT', {
        detail:
          row.status === from ? 'An earlier revision is being processed.' : `The document is ${statusWords(row.status)}: ${only[from]}.`,
      })
    }
    const stored = await loadStored(tx, scope.scopeNo)
    const document = { documentId, revision: row.revision }
    // Of a revision before it, which is current no more and can never be admitted.
    const pending = await listPendingDecisions(tx, scope, documentId)
    // One that waits was no part of what anybody signed, unless somebody signed for it before it was to be read.
    const counted = from === 'quarantined' || (await listNamedUnread(tx, scope, [documentId])).length > 0
    const left = (await isLeftUnexamined(tx, scope, documentId)) ? 1 : 0
    const leaves = { counted, unexamined: (await countUnexamined(tx, scope, documentId)) - left }
    const reason = `${done[from]} by ${input.by}: ${input.reason}`
    const overtaken = await listApprovals(tx, scope, documentId)
    // Earlier revisions that still wait go with it.
    const takenOut = new Set([...(await listQueued(tx, scope, documentId)), row.revision])
    const retiring = await listRetiring(tx, scope, documentId, [...takenOut])
    await concludeAct(deps, tx, stored, {
      input: { kind: 'discard', actor: personOf(input), document, reason, leaves, overtaken },
      detail: {},
      document,
      reviews: pending.map(seq => ({ seq, review: 'obsolete' })),
      settles: { queued: from === 'queued' ? 1 : 0 },
      queuesUnlessHeld: retiring.coming,
      settle: ({ round }) => markRejected(tx, stored, document, { reason, round }),
    })
    await dropQueued(tx, stored, documentId, { reason, rereads: false })
    await countMove(tx, scope, { from, to: 'rejected', documents: 1 })
    const discarded = toDocumentRecord(await requireDocument(tx, scope, documentId), scope.scopeId)
    await retireParts(tx, scope, retiring.parts)
    return discarded
  })
  deps.hints.notify('events')
  deps.hints.notify('backlog')
  return record
}
