/** Arrays in PostgreSQL's binary form for the columns of claims, beside those of `ingest-arrays`: no quoting on either side. */

const headerBytes = 20
const oid = { int8: 20, float4: 700, date: 1082 } as const
/** Days between 1970-01-01 and PostgreSQL's 2000-01-01. */
const epochDays = 10_957
const dayMs = 86_400_000

export function int8Array(values: readonly (number | null)[]): Buffer {
  return fixedArray(values, oid.int8, 8, (out, value, at) => out.writeBigInt64BE(BigInt(value), at))
}

export function float4Array(values: readonly number[]): Buffer {
  return fixedArray(values, oid.float4, 4, (out, value, at) => out.writeFloatBE(value, at))
}

/** ISO dates. */
export function dateArray(values: readonly (string | null)[]): Buffer {
  const days = values.map(value => (value === null ? null : Math.round(Date.parse(`${value}T00:00:00Z`) / dayMs) - epochDays))
  return fixedArray(days, oid.date, 4, (out, value, at) => out.writeInt32BE(value, at))
}

function fixedArray(
  values: readonly (number | null)[],
  elementType: number,
  width: number,
  write: (out: Buffer, value: number, at: number) => void,
): Buffer {
  const present = values.reduce<number>((count, value) => count + (value === null ? 0 : 1), 0)
  const out = Buffer.allocUnsafe(headerBytes + 4 * values.length + width * present)
  out.writeInt32BE(1, 0)
  out.writeInt32BE(present < values.length ? 1 : 0, 4)
  out.writeInt32BE(elementType, 8)
  out.writeInt32BE(values.length, 12)
  out.writeInt32BE(1, 16)
  let at = headerBytes
  for (const value of values) {
    out.writeInt32BE(value === null ? -1 : width, at)
    at += 4
    if (value === null) continue
    write(out, value, at)
    at += width
  }
  return out
}
