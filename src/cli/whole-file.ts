/** A file that a command writes: whoever finds it finds all of it, and a failure leaves what was there before. */

import { realpath, rename, rm, stat } from 'node:fs/promises'

/** `write` gets the name to write to. */
export async function wholeFile<T>(file: string, write: (draft: string) => Promise<T>): Promise<T> {
  const there = await stat(file).catch(() => undefined)
  // A pipe or a device takes what comes, and must not be replaced.
  if (there !== undefined && !there.isFile()) return write(file)
  const target = there === undefined ? file : await realpath(file)
  const draft = `${target}.part`
  try {
    await rm(draft, { force: true })
    const result = await write(draft)
    await rename(draft, target)
    return result
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
