/** ASN.1 in DER, as much as a request for a time stamp and its answer need: definite lengths, tags of one byte. */

export interface Der {
  tag: number
  /** With tag and length. */
  bytes: Buffer
  content: Buffer
}

export const tags = { integer: 0x02, octets: 0x04, null: 0x05, oid: 0x06, boolean: 0x01, time: 0x18, sequence: 0x30, set: 0x31 }

export function encode(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body])
  const length = Buffer.from(body.length.toString(16).padStart(8, '0'), 'hex').subarray(
    body.length > 0xffff ? 1 : body.length > 0xff ? 2 : 3,
  )
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body])
}

export function encodeOid(oid: string): Buffer {
  const [first = 0, second = 0, ...rest] = oid.split('.').map(Number)
  const arcs = [40 * first + second, ...rest].flatMap(arc => {
    const bytes = [arc & 0x7f]
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) bytes.unshift((left & 0x7f) | 0x80)
    return bytes
  })
  return encode(tags.oid, Buffer.from(arcs))
}

/** The one element that these bytes are. */
export function decode(bytes: Buffer): Der {
  const der = elementAt(bytes, 0)
  if (der.bytes.length !== bytes.length) throw new DerError('something follows the end')
  return der
}

export function childrenOf({ content }: Der): Der[] {
  const children: Der[] = []
  for (let at = 0; at < content.length; ) {
    const child = elementAt(content, at)
    children.push(child)
    at += child.bytes.length
  }
  return children
}

/** The child at this place, of this kind. */
export function childOf(parent: Der | undefined, place: number, tag: number): Der {
  const child = parent === undefined ? undefined : childrenOf(parent)[place]
  if (child?.tag !== tag) throw new DerError(`element ${place} is not of kind 0x${tag.toString(16)}`)
  return child
}

export function oidOf({ tag, content }: Der): string {
  if (tag !== tags.oid || content.length === 0) throw new DerError('is not an object identifier')
  const arcs: number[] = []
  let arc = 0
  for (const byte of content) {
    arc = arc * 128 + (byte & 0x7f)
    if (byte < 0x80) {
      arcs.push(arc)
      arc = 0
    }
  }
  const [first = 0, ...rest] = arcs
  const root = Math.min(2, Math.floor(first / 40))
  return [root, first - 40 * root, ...rest].join('.')
}

export class DerError extends Error {
  constructor(fault: string) {
    super(`not the DER expected: ${fault}`)
    this.name = 'DerError'
  }
}

function elementAt(bytes: Buffer, at: number): Der {
  const [tag, short] = [bytes[at], bytes[at + 1]]
  if (tag === undefined || short === undefined || (tag & 0x1f) === 0x1f || short === 0x80 || short > 0x84)
    throw new DerError('a tag or length is not readable')
  const lengthBytes = short < 0x80 ? 0 : short & 0x7f
  const start = at + 2 + lengthBytes
  if (start > bytes.length) throw new DerError('it breaks off')
  const length = lengthBytes === 0 ? short : bytes.readUIntBE(at + 2, lengthBytes)
  if (start + length > bytes.length) throw new DerError('it breaks off')
  return { tag, bytes: bytes.subarray(at, start + length), content: bytes.subarray(start, start + length) }
}
