/**
 * Arrays in PostgreSQL's binary form, as parameters of a statement. Measured against text arrays: a third more rows a
 * second, because neither side has to quote or escape four kilobytes of text per row.
 */

const oid = { bool: 16, bytea: 17, int4: 23, text: 25 } as const
const headerBytes = 20

export function textArray(values: readonly (string | null)[]): Buffer {
  let bytes = headerBytes
  for (const value of values) bytes += 4 + (value === null ? 0 : Buffer.byteLength(value))
  const out = startArray(bytes, oid.text, values)
  let at = headerBytes
  for (const value of values) {
    const written = value === null ? 0 : out.write(value, at + 4, 'utf8')
    out.writeInt32BE(value === null ? -1 : written, at)
    at += 4 + written
  }
  return out
}

export function byteaArray(values: readonly (Buffer | null)[]): Buffer {
  let bytes = headerBytes
  for (const value of values) bytes += 4 + (value === null ? 0 : value.length)
  const out = startArray(bytes, oid.bytea, values)
  let at = headerBytes
  for (const value of values) {
    out.writeInt32BE(value === null ? -1 : value.length, at)
    if (value !== null) value.copy(out, at + 4)
    at += 4 + (value === null ? 0 : value.length)
  }
  return out
}

export function int4Array(values: readonly number[]): Buffer {
  const out = startArray(headerBytes + 8 * values.length, oid.int4, values)
  for (const [index, value] of values.entries()) {
    out.writeInt32BE(4, headerBytes + 8 * index)
    out.writeInt32BE(value, headerBytes + 8 * index + 4)
  }
  return out
}

export function boolArray(values: readonly boolean[]): Buffer {
  const out = startArray(headerBytes + 5 * values.length, oid.bool, values)
  for (const [index, value] of values.entries()) {
    out.writeInt32BE(1, headerBytes + 5 * index)
    out.writeUInt8(value ? 1 : 0, headerBytes + 5 * index + 4)
  }
  return out
}

/** One dimension, counted from 1; the flag says whether nulls may occur. */
function startArray(bytes: number, elementType: number, values: readonly unknown[]): Buffer {
  const out = Buffer.allocUnsafe(bytes)
  out.writeInt32BE(1, 0)
  out.writeInt32BE(values.includes(null) ? 1 : 0, 4)
  out.writeInt32BE(elementType, 8)
  out.writeInt32BE(values.length, 12)
  out.writeInt32BE(1, 16)
  return out
}
