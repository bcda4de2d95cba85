/**
 * The digest of a set that can be kept up to date: adding or taking away a member costs the same however many there are, and
 * the order does not matter. LtHash with 1,024 lanes of 16 bits (Lewi, Kim, Maykov, Weis 2019): each member is stretched to
 * 2,048 bytes by SHAKE256, and the lanes are added without carry. Finding two sets with one sum is as hard as a lattice
 * problem of more than 200 bits; with a plain sum of 256-bit hashes it would be a matter of hours.
 */
import { createHash } from 'node:crypto'

const LANES = 1024
const SUM_BYTES = 2 * LANES

export class SetDigest {
  private readonly lanes = new Uint16Array(LANES)

  /** From the bytes of `toBytes`; without them, the empty set. */
  constructor(sum?: Uint8Array) {
    if (sum === undefined) return
    if (sum.length !== SUM_BYTES) throw new Error(`the sum of a set has ${SUM_BYTES} bytes, not ${sum.length}`)
    const view = new DataView(sum.buffer, sum.byteOffset, sum.length)
    for (let lane = 0; lane < LANES; lane++) this.lanes[lane] = view.getUint16(2 * lane, true)
  }

  add(member: string): void {
    const stretched = stretch(member)
    for (let lane = 0; lane < LANES; lane++) this.lanes[lane]! += stretched.getUint16(2 * lane, true)
  }

  remove(member: string): void {
    const stretched = stretch(member)
    for (let lane = 0; lane < LANES; lane++) this.lanes[lane]! -= stretched.getUint16(2 * lane, true)
  }

  toBytes(): Buffer {
    const bytes = Buffer.alloc(SUM_BYTES)
    for (let lane = 0; lane < LANES; lane++) bytes.writeUInt16LE(this.lanes[lane]!, 2 * lane)
    return bytes
  }

  /** Lower-case hex of the SHA-256 of the sum. */
  hex(): string {
    return createHash('sha256').update(this.toBytes()).digest('hex')
  }
}

function stretch(member: string): DataView {
  const bytes = createHash('shake256', { outputLength: SUM_BYTES }).update(member, 'utf8').digest()
  return new DataView(bytes.buffer, bytes.byteOffset, SUM_BYTES)
}
