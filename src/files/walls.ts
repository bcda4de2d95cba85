/**
 * What a process that reads files may reach, as far as the system permits: the folders of the program and no other file, neither
 * writing nor starting programs (Node's permissions), an empty environment, and where `unshare` may be used a network of its own with
 * nothing in it and, when the service is root, an account of its own. Where `setpriv` can have it so, it ends with the service, also
 * with one that is killed and can end nothing: what is busy with a file does not notice that nobody waits for it. What works is tried
 * once, with the program's own files; where nothing more does, Node's permissions are the wall.
 */

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from '../platform/logger.js'

export interface Wall {
  /** The account of its own, no network, and its end with its parent, where it has them. */
  has: readonly ('account' | 'network' | 'parent')[]
  /** Command and arguments of Node.js with these arguments. */
  program(args: readonly string[]): [command: string, ...args: string[]]
  options: Pick<SpawnOptions, 'env' | 'cwd' | 'uid' | 'gid' | 'windowsHide'>
}

/** The highest that stand here. */
export type Walls = () => Promise<Wall>

export function createWalls(logger: Logger): Walls {
  let found: Promise<Wall> | null = null
  return () => {
    found ??= find(logger)
    return found
  }
}

export function childFile(): string {
  const own = import.meta.url
  return fileURLToPath(new URL(own.endsWith('.ts') ? '../../dist/files/child.js' : './child.js', own))
}

async function find(logger: Logger): Promise<Wall> {
  const folders = programFolders()
  const flags = [permissionFlag(), ...folders.map(folder => `--allow-fs-read=${folder}`), '--no-warnings']
  const all = candidates(flags, await tether())
  for (const wall of all.slice(0, -1)) {
    if (!(await stands(wall))) continue
    logger.info({ walls: wall.has }, 'file processes walled in')
    return wall
  }
  const last = all.at(-1) as Wall
  logger.info({ walls: last.has }, 'file processes walled in')
  return last
}

/** The kernel ends what is started behind this when its parent dies. Nothing where there is no such program, or a smaller one of its name. */
async function tether(): Promise<readonly string[]> {
  const setpriv = systemProgram('setpriv')
  if (process.platform !== 'linux' || setpriv === undefined) return []
  const behind = ['--pdeathsig', 'KILL', '--']
  const isKnown = await succeeds(spawn(setpriv, [...behind, process.execPath, '--version'], { stdio: 'ignore' }))
  return isKnown ? [setpriv, ...behind] : []
}

function systemProgram(name: string): string | undefined {
  return [`/usr/bin/${name}`, `/bin/${name}`].find(path => existsSync(path))
}

/** Belongs to nobody, so that nothing of the service can be reached by it: neither its memory nor its environment. */
const nobody = 65534

function candidates(flags: readonly string[], before: readonly string[]): Wall[] {
  const node = (args: readonly string[]) => [...before, process.execPath, ...flags, ...args] as [string, ...string[]]
  const behind = (...first: [string, ...string[]]) => ({ program: (args: readonly string[]) => [...first, ...node(args)] as [string] })
  const tethered = before.length > 0 ? (['parent'] as const) : []
  // A folder that every account can be in.
  const options = { env: {}, windowsHide: true, ...(process.platform !== 'win32' && { cwd: '/' }) }
  const plain: Wall = { has: tethered, program: node, options }
  if (process.platform !== 'linux') return [plain]
  const unshare = systemProgram('unshare')
  const own = { ...options, uid: nobody, gid: nobody }
  const isRoot = process.getuid?.() === 0
  const walls: (Wall | false)[] = [
    isRoot &&
      unshare !== undefined && {
        has: ['account', 'network', ...tethered],
        ...behind(unshare, '--net', `--setgid=${nobody}`, `--setuid=${nobody}`, '--'),
        options,
      },
    isRoot && { has: ['account', ...tethered], program: node, options: own },
    unshare !== undefined && { has: ['network', ...tethered], ...behind(unshare, '--user', '--net', '--'), options },
    plain,
  ]
  return walls.filter(wall => wall !== false)
}

/** Whether Node.js starts behind it and reads the program. */
async function stands({ program, options }: Wall): Promise<boolean> {
  const reads = `for (const file of process.argv.slice(1)) require('node:fs').readFileSync(file)`
  const [command, ...args] = program(['--eval', reads, childFile(), ...packages.map(name => createRequire(import.meta.url).resolve(name))])
  return succeeds(spawn(command, args, { ...options, stdio: 'ignore' }))
}

async function succeeds(child: ChildProcess): Promise<boolean> {
  try {
    const [code] = await once(child, 'close')
    return code === 0
  } catch {
    // There is no such program, or it may not be started.
    return false
  }
}

/** What reading files needs beyond this program; whatever they need in turn lies beside them. */
const packages = ['pdfjs-dist', 'postal-mime', 'htmlparser2', 'tesseract.js-core', '@tesseract.js-data/eng'] as const

/** The compiled program, and the folders of packages it loads. */
function programFolders(): string[] {
  const resolve = createRequire(import.meta.url).resolve
  const folders = packages.map(name => {
    const file = resolve(name)
    const modules = file.lastIndexOf(`${sep}node_modules${sep}`)
    return modules < 0 ? dirname(file) + sep : file.slice(0, modules + `${sep}node_modules${sep}`.length)
  })
  return [...new Set([dirname(dirname(childFile())) + sep, ...folders])]
}

/** It may neither write files nor start programs or threads. */
function permissionFlag(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major > 23 || (major === 23 && minor >= 5) || (major === 22 && minor >= 13) ? '--permission' : '--experimental-permission'
}
