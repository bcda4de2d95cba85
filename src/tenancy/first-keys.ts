/**
 * The admin and internals keys of a first start: made once, kept in the data folder readable by its owner alone. Only
 * for the embedded database and only when no key is given.
 */

import { constants, existsSync } from 'node:fs'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../platform/config.js'
import { StartupError } from '../platform/errors.js'
import { randomBase62 } from '../platform/ids.js'

export interface FirstKeys {
  admin: string
  internals: string
  /** Whether they were made just now, and should be shown. */
  made: boolean
  path: string
}

type KeySettings = Pick<Config, 'databaseUrl' | 'dataDir' | 'adminApiKeys' | 'internalsApiKeys'>

export async function firstKeys(dataDir: string): Promise<FirstKeys> {
  const path = join(dataDir, 'keys.json')
  const existing = await readKeys(path)
  if (existing) return { ...existing, made: false, path }
  const keys = { admin: `cna_${randomBase62(40)}`, internals: `cni_${randomBase62(40)}` }
  await mkdir(dataDir, { recursive: true })
  if (await keep(path, keys)) return { ...keys, made: true, path }
  const others = await readKeys(path)
  if (others === undefined) throw new StartupError(`${path} is there and cannot be read, as a link that leads nowhere. Remove it.`)
  return { ...others, made: false, path }
}

/** Under their name whole or not at all, whatever ends the process. False where another process was first: its keys are the ones. */
async function keep(path: string, keys: { admin: string; internals: string }): Promise<boolean> {
  const written = `${path}.${randomBase62(8)}`
  try {
    const file = await open(written, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
    try {
      await file.writeFile(`${JSON.stringify(keys, null, 2)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    // Unlike a rename, a link takes nobody's place.
    await link(written, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(written, { force: true })
  }
}

/** Where they are, when they are out of use because a key is given for one tier and none for the other, which is closed then. */
export function idleFirstKeys({ databaseUrl, dataDir, adminApiKeys, internalsApiKeys }: KeySettings): string | undefined {
  const isOneTierGiven = adminApiKeys.length > 0 !== internalsApiKeys.length > 0
  const path = join(dataDir, 'keys.json')
  return databaseUrl === undefined && isOneTierGiven && existsSync(path) ? path : undefined
}

async function readKeys(path: string): Promise<{ admin: string; internals: string } | undefined> {
  let content: string
  try {
    content = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new StartupError(`${path} cannot be read: check who owns it`, { cause: error })
  }
  try {
    const keys = JSON.parse(content) as { admin?: unknown; internals?: unknown }
    if (typeof keys.admin === 'string' && typeof keys.internals === 'string') return { admin: keys.admin, internals: keys.internals }
  } catch (error) {
    throw damaged(path, error)
  }
  throw damaged(path)
}

function damaged(path: string, cause?: unknown): StartupError {
  return new StartupError(`${path} is damaged: restore it, or remove it to have new keys made`, { cause })
}
