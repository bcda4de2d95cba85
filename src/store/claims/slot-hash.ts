import { createHash } from 'node:crypto'

/** The number a slot key is found by: the first 48 bits of its SHA-256. Two slots may share it; readers compare the key itself. */
export function slotHash(slotKey: string): number {
  return createHash('sha256').update(slotKey).digest().readUIntBE(0, 6)
}
