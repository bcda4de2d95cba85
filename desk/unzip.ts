/**
 * Parts of a ZIP archive, unpacked by the browser as far as they may go: what an archive says of its own sizes is not believed.
 * Only parts with words are unpacked; pictures and programs within a file stay packed.
 */

export interface Parts {
  names: string[]
  read(name: string): string | null
}

const mostEntries = 20_000
const mostBytes = 64 * 1024 * 1024

/** Throws what a person can read. */
export async function unpackParts(file: Blob, isWanted: (name: string) => boolean): Promise<Parts> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const entries = directoryOf(new DataView(bytes.buffer))
  const texts = new Map<string, string>()
  let left = mostBytes
  for (const { name, method, offset, length } of entries) {
    if (!isWanted(name)) continue
    const view = new DataView(bytes.buffer)
    const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
    const unpacked = await unpack(bytes.subarray(start, start + length), method, left)
    left -= unpacked.length
    texts.set(name, decode(unpacked))
  }
  return { names: [...texts.keys()], read: name => texts.get(name) ?? null }
}

interface Entry {
  name: string
  method: number
  offset: number
  length: number
}

function directoryOf(view: DataView): Entry[] {
  let end = view.byteLength - 22
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--
  if (end < 0) throw new Error('The file cannot be unpacked.')
  const count = Math.min(mostEntries, view.getUint16(end + 10, true))
  let at = end - view.getUint32(end + 12, true)
  const entries: Entry[] = []
  for (let n = 0; n < count && at >= 0 && at + 46 <= end && view.getUint32(at, true) === 0x02014b50; n++) {
    const nameLength = view.getUint16(at + 28, true)
    const name = new TextDecoder().decode(new Uint8Array(view.buffer, at + 46, nameLength)).replaceAll('\\', '/')
    entries.push({
      name,
      method: view.getUint16(at + 10, true),
      length: view.getUint32(at + 20, true),
      offset: view.getUint32(at + 42, true),
    })
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return entries
}

async function unpack(packed: Uint8Array<ArrayBuffer>, method: number, most: number): Promise<Uint8Array> {
  if (method === 0) return packed.subarray(0, most)
  const pieces: Uint8Array[] = []
  let length = 0
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  for (;;) {
    const { value, done } = await reader.read()
    if (done) break
    length += value.length
    if (length > most) {
      await reader.cancel()
      throw new Error('The file unpacks to more than is shown here.')
    }
    pieces.push(value)
  }
  const all = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

function decode(bytes: Uint8Array): string {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(wide).decode(bytes)
}
