/** Values as lines of JSON, into a file its owner alone can read, or to standard output. */

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'

/** Answers how many lines there are. */
export async function writeLines(values: AsyncIterable<unknown>, file: string | undefined): Promise<number> {
  const target = file === undefined ? process.stdout : createWriteStream(file, { mode: 0o600 })
  let count = 0
  for await (const value of values) {
    count++
    if (!target.write(`${JSON.stringify(value)}\n`)) await once(target, 'drain')
  }
  if (file !== undefined) await finished(target.end())
  return count
}
