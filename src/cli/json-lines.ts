/** Values as lines of JSON, into a file its owner alone can read, or to standard output. */

import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { wholeFile } from './whole-file.js'

/** Answers how many lines there are. */
export async function writeLines(values: AsyncIterable<unknown>, file: string | undefined): Promise<number> {
  let count = 0
  const lines = async function* () {
    for await (const value of values) {
      count++
      yield `${JSON.stringify(value)}\n`
    }
  }
  // A file that cannot be written is a failure of the command, whenever the system says so.
  if (file === undefined) await pipeline(lines, process.stdout, { end: false })
  else await wholeFile(file, draft => pipeline(lines, createWriteStream(draft, { mode: 0o600 })), 0o600)
  return count
}
