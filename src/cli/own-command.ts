/**
 * How the reader of a hint can run this program from where they stand. `concord` is right only where the shell finds
 * this very program under that name; elsewhere npm's `concord`, which is somebody else's, would be fetched and run, and
 * what npx unpacked from a file it cannot find again by any name.
 */

import { realpathSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'

export interface Standing {
  /** The file that was started. */
  program: string
  cwd: string
  /** PATH as the process sees it. */
  path: string
}

export function ownCommand({ program, cwd, path }: Standing): string {
  const own = real(program)
  if (own === undefined) return 'concord'
  const isOwn = (folder: string) => [join(folder, 'concord'), join(folder, 'concord.cmd')].some(file => real(file) === own)
  // npm adds these for the time of a script; the shell of the reader does not have them.
  const shellPath = path.split(delimiter).filter(folder => folder !== '' && !/node_modules[\\/]\.bin[\\/]?$/.test(folder))
  if (shellPath.some(isOwn)) return 'concord'
  if (upwards(cwd).some(folder => isOwn(join(folder, 'node_modules', '.bin')))) return 'npx concord'
  const file = relative(real(cwd) ?? cwd, own)
  return `node ${/\s/.test(file) ? JSON.stringify(file) : file}`
}

/** Hints name the command as `concord`, in backticks or after a prompt. */
export function namedAs(command: string, text: string): string {
  return command === 'concord' ? text : text.replaceAll('`concord ', () => `\`${command} `)
}

function real(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    // Not there: then it is not this program either.
    return undefined
  }
}

function upwards(folder: string): string[] {
  return dirname(folder) === folder ? [folder] : [folder, ...upwards(dirname(folder))]
}
