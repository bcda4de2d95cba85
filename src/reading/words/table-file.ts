/** The file of the word table. A host reads it once into memory that all its threads share. */
import { readFileSync } from 'node:fs'

export function readTableFile(): SharedArrayBuffer {
  const bytes = readFileSync(new URL('../../../wordnet/words.bin', import.meta.url))
  const shared = new SharedArrayBuffer(bytes.byteLength)
  new Uint8Array(shared).set(bytes)
  return shared
}
