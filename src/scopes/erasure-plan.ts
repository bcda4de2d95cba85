/**
 * What erasing a document would do: its claims end, what it had replaced counts again unless something else replaces it as well,
 * and contradictions and possible conflicts close and open accordingly. Reads only.
 */

import type { StoredClaim } from '../store/claims/claims.js'
import { listClaimRanges, readContribution } from '../store/documents/documents-outcome.js'
import { listRereadable, type RereadableRow } from '../store/documents/rereads.js'
import { type HandedClaim, listRevivable } from '../store/findings/findings-resolution.js'
import { listReplacedBy, type ReplacedRow } from '../store/findings/supersessions.js'
import type { StoredScope } from '../store/scopes/rounds.js'
import type { TenantTransaction } from '../store/server/database.js'
import { type ClaimMoves, type MovedClaim, moveClaims } from './claim-moves.js'

export interface ErasurePlan extends ClaimMoves {
  /** Claims of other documents that nothing replaces any more. */
  revived: MovedClaim[]
  handed: HandedClaim[]
  withdrawn: { supersessionNo: number; supersessionId: string }[]
  /** Documents of what counts again: it was not held against what came while it did not count. */
  rereads: RereadableRow[]
}

export async function planErasure(
  tx: TenantTransaction,
  stored: StoredScope,
  documentId: string,
  live: readonly StoredClaim[],
): Promise<ErasurePlan> {
  const ranges = await listClaimRanges(tx, stored, documentId)
  const replaced = await listReplacedBy(tx, stored, { documentId, ranges })
  const { freed, handed } = await releaseClaims(tx, stored, documentId, replaced)
  const ended = live.map(({ claimNo: claim_no, claimId: claim_id, slotKey: slot_key, confidence }) => ({
    claim_no,
    claim_id,
    slot_key,
    confidence,
  }))
  const moves = await moveClaims(tx, stored, { ended, revived: freed, except: new Set() })
  const given = await readContribution(tx, stored, documentId)
  return {
    ...moves,
    parts: { ...moves.parts, losses: given.content, documents: given.admitted ? -1 : 0 },
    revived: freed,
    handed,
    withdrawn: replaced.map(each => ({ supersessionNo: each.supersession_no, supersessionId: each.supersession_id })),
    rereads: await rereadsOf(tx, stored, freed),
  }
}

type FreedClaim = MovedClaim & { document_id: string }

/** Only claims that the document itself ended, or something that is gone already, and that their documents still say. */
async function releaseClaims(
  tx: TenantTransaction,
  stored: StoredScope,
  documentId: string,
  replaced: readonly ReplacedRow[],
): Promise<{ freed: FreedClaim[]; handed: HandedClaim[] }> {
  const own = new Set(replaced.map(each => each.by_claim_id))
  const ofOthers = replaced.filter(
    each => each.document_id !== documentId && each.superseded_by !== null && (own.has(each.superseded_by) || each.ender_gone),
  )
  const claims = new Map(ofOthers.map(each => [each.claim_no, each]))
  const said = await listRevivable(tx, stored, [...claims.keys()])
  const freed: FreedClaim[] = []
  const handed: HandedClaim[] = []
  for (const claimNo of said) {
    const { claim_no, claim_id, document_id, slot_key, confidence, held_by } = claims.get(claimNo)!
    if (held_by !== null) handed.push({ claimNo, byClaimId: held_by.claimId, reason: held_by.reason })
    else freed.push({ claim_no, claim_id, document_id, slot_key: slot_key ?? '', confidence })
  }
  return { freed, handed }
}

function rereadsOf(tx: TenantTransaction, stored: StoredScope, freed: readonly FreedClaim[]): Promise<RereadableRow[]> {
  const documentIds = [...new Set(freed.map(each => each.document_id))]
  if (documentIds.length === 0) return Promise.resolve([])
  return listRereadable(tx, stored, { model: false, after: '', limit: documentIds.length, documentIds })
}
