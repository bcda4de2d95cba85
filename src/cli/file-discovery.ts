/** The files below what was named on the command line, in a stable order. What each is, its content tells. */

import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { CommandError, exitCodes } from './command-error.js'

export interface FoundFile {
  /** `-` is standard input. */
  path: string
  /** As people will know the document: relative to the folder that was named, with slashes. */
  name: string
  /** Takes it as text of this type. */
  type?: string | undefined
  /** False for standard input that was given no name. */
  isNamed?: boolean
  /** Why it is not taken, where that is known before it is opened. */
  refusal?: string | undefined
  /** A folder that cannot be read: what is in it is not known. */
  isFolder?: boolean
}

export async function discoverFiles(
  paths: readonly string[],
  { type, stdinName }: { type: string | undefined; stdinName: string | undefined },
): Promise<FoundFile[]> {
  const found = new Map<string, FoundFile>()
  for (const path of paths) {
    if (path === '-') {
      found.set('-', { path, name: stdinName ?? 'stdin', type, isNamed: stdinName !== undefined })
      continue
    }
    const unread = (error: NodeJS.ErrnoException) => {
      throw new CommandError(`${path} cannot be read (${error.code})`, {
        next: 'name files or folders that exist',
        exitCode: exitCodes.usage,
      })
    }
    const about = await stat(path).catch(unread)
    if (!about.isDirectory()) found.set(resolve(path), { path, name: basename(path), type })
    else
      for (const file of await walk(path).catch(unread)) {
        found.set(resolve(file.path), { ...file, name: relative(path, file.path).split(sep).join('/'), type })
      }
  }
  return [...found.values()]
}

/** Hidden files and folders are left out. Links to folders are not followed, so there are no circles; what is no file is said. */
async function walk(folder: string): Promise<Omit<FoundFile, 'name'>[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter(entry => !entry.name.startsWith('.')).sort(byName)
  const nested = await Promise.all(
    entries.map(async entry => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return walk(path).catch((error: NodeJS.ErrnoException) => folderFault(path, error))
      return [{ path, refusal: entry.isFile() ? undefined : entry.isSymbolicLink() ? await linkFault(path) : 'It is no file.' }]
    }),
  )
  return nested.flat()
}

/** One folder that cannot be read keeps nobody from the others; one that has gone meanwhile is none. */
function folderFault(path: string, { code }: NodeJS.ErrnoException): Omit<FoundFile, 'name'>[] {
  return code === 'ENOENT' ? [] : [{ path, refusal: `The folder cannot be read (${code}).`, isFolder: true }]
}

async function linkFault(link: string): Promise<string | undefined> {
  const about = await stat(link).catch((error: NodeJS.ErrnoException) => error)
  if (about instanceof Error)
    return about.code === 'ENOENT' || about.code === 'ELOOP' ? 'It is a link to nothing.' : `It cannot be read (${about.code}).`
  return about.isFile() ? undefined : 'It is a link to a folder, which is not followed: name the folder itself.'
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1
}
