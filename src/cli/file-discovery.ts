/** The files below what was named on the command line, in a stable order, each with the document type of its extension. */

import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join, relative, resolve, sep } from 'node:path'
import { CommandError, exitCodes } from './command-error.js'

export interface FoundFile {
  /** `-` is standard input. */
  path: string
  /** As people will know the document: relative to the folder that was named, with slashes. */
  name: string
  /** Null where the content tells it: it is sent as the file it is. */
  type: string | null
  bytes: number
}

export interface Discovery {
  files: FoundFile[]
  /** Below a folder, but of a kind that is not read. */
  skipped: string[]
}

const types: Record<string, string> = {
  '.txt': 'txt',
  '.text': 'txt',
  '.log': 'txt',
  '.md': 'md',
  '.markdown': 'md',
  '.html': 'html',
  '.htm': 'html',
  '.csv': 'csv',
  '.tsv': 'csv',
  '.json': 'json',
}

/** Sent as they are; the service tells by their content what they are. */
const asFiles = new Set(['.pdf', '.docx', '.xlsx', '.eml'])

export async function discoverFiles(
  paths: readonly string[],
  { type: givenType, stdinName }: { type: string | undefined; stdinName: string },
): Promise<Discovery> {
  const found = new Map<string, FoundFile>()
  const skipped: string[] = []
  for (const path of paths) {
    if (path === '-') {
      found.set('-', { path, name: stdinName, type: givenType ?? null, bytes: 0 })
      continue
    }
    const about = await stat(path).catch((error: NodeJS.ErrnoException) => {
      throw new CommandError(`${path} cannot be read (${error.code})`, {
        next: 'name files or folders that exist',
        exitCode: exitCodes.usage,
      })
    })
    const files = about.isDirectory() ? await walk(path) : [path]
    for (const file of files) {
      const type = givenType ?? types[extname(file).toLowerCase()]
      const isFile = asFiles.has(extname(file).toLowerCase())
      if (type === undefined && !isFile && about.isDirectory()) skipped.push(file)
      else {
        const name = about.isDirectory() ? relative(path, file).split(sep).join('/') : basename(file)
        found.set(resolve(file), { path: file, name, type: type ?? null, bytes: (await stat(file)).size })
      }
    }
  }
  return { files: [...found.values()], skipped }
}

/** Hidden files and folders are left out; links to folders are not followed, so there are no circles, nor are links to nothing. */
async function walk(folder: string): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter(entry => !entry.name.startsWith('.')).sort(byName)
  const nested = await Promise.all(
    entries.map(async entry => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return walk(path)
      return entry.isFile() || (entry.isSymbolicLink() && (await leadsToFile(path))) ? [path] : []
    }),
  )
  return nested.flat()
}

async function leadsToFile(link: string): Promise<boolean> {
  const about = await stat(link).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ELOOP') return null
    throw error
  })
  return about?.isFile() ?? false
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1
}
