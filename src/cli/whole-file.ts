/** A file that a command writes: whoever finds it finds all of it, and a failure leaves what was there before. */

import { randomBytes } from 'node:crypto'
import { constants, createReadStream, createWriteStream, type Stats } from 'node:fs'
import { access, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** `write` gets the name to write to. Without a mode the file keeps its own, and a new one gets what the umask leaves. */
export async function wholeFile<T>(file: string, write: (draft: string) => Promise<T>, mode?: number): Promise<T> {
  const there = await stat(file).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  // A pipe or a device takes what comes, and must not be replaced.
  if (there && !there.isFile()) return write(file)
  const target = await whereItLeads(file)
  // Another run may write the same file now: each has a draft of its own, and the last to end is what stays.
  const draft = `${target}.${process.pid}-${randomBytes(6).toString('hex')}.part`
  try {
    await makeDraft(draft, target, there, mode)
  } catch (error) {
    if (!cannotReplace(error)) throw error
    return write(file)
  }
  try {
    const result = await write(draft)
    await rename(draft, target).catch(async (error: unknown) => {
      if (!cannotReplace(error)) throw error
      await pipeline(createReadStream(draft), createWriteStream(target))
    })
    return result
  } finally {
    await rm(draft, { force: true })
  }
}

/** Where links end, also where nothing is there yet: a link stays one, and what it names is made. */
async function whereItLeads(file: string): Promise<string> {
  const place = join(await realpath(dirname(file)), basename(file))
  const next = await readlink(place).catch(() => undefined)
  return next === undefined ? place : whereItLeads(resolve(dirname(place), next))
}

/** Readable from its first byte by those alone who may read what it replaces. */
async function makeDraft(draft: string, target: string, there: Stats | undefined, mode: number | undefined): Promise<void> {
  // Replacing asks for rights on the folder alone; a file that is protected from writing stays so.
  if (there) await access(target, constants.W_OK)
  const wanted = mode ?? (there && there.mode & 0o777)
  const made = await open(draft, 'wx', wanted ?? 0o666)
  try {
    const { uid, gid } = await made.stat()
    if (there && (there.uid !== uid || there.gid !== gid)) await made.chown(there.uid, there.gid)
    if (wanted !== undefined) await made.chmod(wanted)
    await made.close()
  } catch (error) {
    await made.close()
    await rm(draft, { force: true })
    throw error
  }
}

/** The folder is closed or read-only, the file is mounted by itself or somebody else's, or its name leaves no room: it is written into. */
function cannotReplace(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'EXDEV', 'ENAMETOOLONG'].includes(codeOf(error) ?? '')
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}
