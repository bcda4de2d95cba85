/** What a ZIP archive holds whose parts are stored as they are. */

/** By the listing at its end, as programs read it. */
export function partsOf(archive: Buffer): Map<string, Buffer> {
  const parts = new Map<string, Buffer>()
  let at = archive.readUInt32LE(archive.length - 6)
  for (let left = archive.readUInt16LE(archive.length - 12); left > 0; left--) {
    const [bytes, nameBytes, offset] = [archive.readUInt32LE(at + 24), archive.readUInt16LE(at + 28), archive.readUInt32LE(at + 42)]
    const name = archive.toString('utf8', at + 46, at + 46 + nameBytes)
    const start = offset + 30 + archive.readUInt16LE(offset + 26)
    parts.set(name, archive.subarray(start, start + bytes))
    at += 46 + nameBytes
  }
  return parts
}
