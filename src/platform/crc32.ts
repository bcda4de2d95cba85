/** CRC-32 (IEEE) of bytes, going on from the sum of those before. Node's own exists only from 20.15 on. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let sum = ~before
  for (const byte of bytes) sum = (sum >>> 8) ^ (sumsOfBytes[(sum ^ byte) & 0xff] as number)
  return ~sum >>> 0
}

const sumsOfBytes = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb8_8320 : sum >>> 1
  return sum
})
