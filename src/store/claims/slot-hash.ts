/**
 * The number a slot key is found by: 53 bits, so that it is exact as a number. Two slots may share it; readers compare
 * the key itself. Mixed from two 32-bit hashes of the key's UTF-16 units (the finalizer of MurmurHash3).
 */
export function slotHash(slotKey: string): number {
  let low = 0x811c9dc5
  let high = 0x9747b28c
  for (let index = 0; index < slotKey.length; index++) {
    const unit = slotKey.charCodeAt(index)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit, 0x85ebca6b)
    high ^= high >>> 13
  }
  return (finish(high) >>> 11) * 0x1_0000_0000 + finish(low)
}

function finish(hash: number): number {
  let mixed = hash ^ (hash >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
