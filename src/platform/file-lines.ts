/**
 * The lines of a file, unpacked where its name ends in .gz. They end at \n alone and are held one at a time: readline ends them at U+2028
 * and U+2029 too, which JSON leaves as they are, reads a thousand of them ahead, and leaves failures of what it reads from to the process.
 */

import { createReadStream } from 'node:fs'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { StartupError } from './errors.js'

/** A line of more than `longest` characters is refused. */
export async function* linesOf(path: string, longest = Number.POSITIVE_INFINITY): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of unpacked(path)) {
    const parts = chunk.split('\n')
    if (parts.length === 1) {
      rest += chunk
      if (rest.length > longest) throw new StartupError(`A line of ${path} is longer than any that was written.`)
      continue
    }
    yield rest + parts[0]
    yield* parts.slice(1, -1)
    rest = parts.at(-1) ?? ''
  }
  if (rest !== '') yield rest
}

async function* unpacked(path: string): AsyncGenerator<string> {
  const source = createReadStream(path)
  // The last stream fails with whichever fails first.
  const plain: Readable = path.endsWith('.gz') ? pipeline(source, createGunzip(), () => undefined) : source
  try {
    yield* plain.setEncoding('utf8') as AsyncIterable<string>
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw error
    throw new StartupError(
      `${path} is called .gz and cannot be unpacked: it is damaged, was not copied whole, or is not compressed. Copy it again; one that is not compressed must not end in .gz.`,
      { cause: error },
    )
  }
}
