/**
 * Whether the audit log still holds what was shown outside. A time stamp proves its head by itself. A webhook anchor says what was sent; what
 * proves it is the copy outside, which comes in as a checkpoint. That an anchor was removed, or the old end of the log cut off by other
 * than its retention, shows in the log, where both are entries.
 */

import type { X509Certificate } from 'node:crypto'
import { verifyTimeStamp } from '../platform/time-stamp.js'
import type { Database } from '../store/server/database.js'
import { type AnchorRow, findUnrecordedCut, listAnchors, listLostAnchors, readPlaceInLog } from '../store/tenants/anchors.js'

/** How far the log reached, as somebody signed it. */
export interface ShownHead {
  length: number
  head: string
  at: string
}

export type ReadCheckpoint = (signed: string) => Promise<{ ok: true; shown: ShownHead } | { ok: false; fault: string }>

export interface AnchorsAsked {
  /** Checks who signed a checkpoint. */
  readCheckpoint: ReadCheckpoint
  /** Kept outside, each with the name it is called by. */
  checkpoints?: readonly { name: string; signed: string }[]
  /** Certificates of authorities; without them it is not asked who the authority is. */
  trusted?: readonly X509Certificate[] | undefined
}

export interface VerifiedAnchors {
  anchors: number
  checkpoints: number
  /** Of entries that retention took: there is nothing to compare them with. */
  beyond: number
  /** The latest that proves something: until then nothing was changed or cut off without being seen. */
  last: { at: string; length: number; by: 'tsa' | 'checkpoint'; authority: string | null } | null
  /** Of webhook anchors that none of the checkpoints is a copy of: they prove nothing by themselves. */
  unproved: number
  faults: { what: string; fault: string }[]
}

export async function verifyAnchors(db: Database, { readCheckpoint, checkpoints = [], trusted }: AnchorsAsked): Promise<VerifiedAnchors> {
  const found: VerifiedAnchors = { anchors: 0, checkpoints: checkpoints.length, beyond: 0, last: null, unproved: 0, faults: [] }
  const keep = (last: NonNullable<VerifiedAnchors['last']>) => {
    if (found.last === null || found.last.length <= last.length) found.last = last
  }
  const copies = new Set<number>()
  for (const { name, signed } of checkpoints) {
    const read = await readCheckpoint(signed)
    const place = read.ok ? await readPlaceInLog(db, read.shown.length) : null
    const fault = read.ok ? chainFault(read.shown, place) : read.fault
    if (fault !== null) found.faults.push({ what: `checkpoint ${name}`, fault })
    else if (place?.is_cut) found.beyond++
    else if (read.ok) {
      copies.add(read.shown.length)
      keep({ at: read.shown.at, length: read.shown.length, by: 'checkpoint', authority: null })
    }
  }
  for (let after = 0; ; ) {
    const rows = await listAnchors(db, after, 100)
    for (const row of rows) {
      found.anchors++
      after = row.anchor_no
      const shown = await proofOf(row, { readCheckpoint, trusted })
      const fault = chainFault({ length: row.chain_no, head: row.hash }, row) ?? (shown.ok ? null : shown.fault)
      if (fault !== null) found.faults.push({ what: `anchor ${row.anchor_no}`, fault })
      else if (row.is_cut) found.beyond++
      else if (shown.ok && row.kind === 'tsa') keep({ at: shown.at, length: row.chain_no, by: 'tsa', authority: shown.authority })
      else if (!copies.has(row.chain_no)) found.unproved++
    }
    if (rows.length === 0) break
  }
  for (const { anchor_no, length } of await listLostAnchors(db, 100))
    found.faults.push({
      what: `anchor ${anchor_no}`,
      fault: `the log says that ${length} entries were anchored, and the anchor is gone or another`,
    })
  const cut = await findUnrecordedCut(db)
  if (cut !== null)
    found.faults.push({ what: 'the log', fault: `begins behind entry ${cut.chain_no}, and no entry says that its retention cut it there` })
  return found
}

type Proof = { ok: true; at: string; authority: string | null } | { ok: false; fault: string }

async function proofOf(row: AnchorRow, { readCheckpoint, trusted }: Pick<AnchorsAsked, 'readCheckpoint' | 'trusted'>): Promise<Proof> {
  if (row.kind === 'tsa') return verifyTimeStamp(row.proof, { digest: Buffer.from(row.hash, 'hex'), ...(trusted && { trusted }) })
  const read = await readCheckpoint(row.proof.toString('utf8'))
  if (!read.ok) return { ok: false, fault: `the checkpoint that was sent ${read.fault}` }
  const isSame = read.shown.length === row.chain_no && read.shown.head === row.hash
  return isSame
    ? { ok: true, at: read.shown.at, authority: null }
    : { ok: false, fault: `the checkpoint that was sent is of ${read.shown.length} entries with another head` }
}

function chainFault(
  { length, head }: Pick<ShownHead, 'length' | 'head'>,
  place: { hash_now: string | null; is_cut: boolean } | null,
): string | null {
  if (place === null || place.is_cut || place.hash_now === head) return null
  return place.hash_now === null ? `entry ${length} is gone` : `entry ${length} had another hash when it was shown`
}
