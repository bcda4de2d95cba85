/** What `concord ingest --follow` has dealt with, kept between runs in a file of its own for each server, tenant, folder and way of sorting. */

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Environment } from '../platform/config.js'
import { CommandError } from './command-error.js'
import type { Known } from './follow-plan.js'

export interface FollowState {
  read(): Map<string, Known>
  write(known: ReadonlyMap<string, Known>): void
}

/** `parts` say what it is about; they may hold a key, so only their digest is kept. */
export function followState(env: Environment, parts: readonly string[]): FollowState {
  const folder = env['XDG_STATE_HOME'] || join(env['HOME'] || env['USERPROFILE'] || '.', '.local', 'state')
  const name = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
  const path = join(folder, 'concord', `follow-${name}.json`)
  return {
    read: () => readKnown(path),
    // Moved into place, so that an interrupted write leaves the old file.
    write: known => {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      const draft = `${path}.${process.pid}`
      writeFileSync(draft, JSON.stringify(Object.fromEntries(known)), { mode: 0o600 })
      renameSync(draft, path)
    },
  }
}

function readKnown(path: string): Map<string, Known> {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Record<string, Known>))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map()
    throw new CommandError(`${path}, which says what was taken before, cannot be read`, {
      next: 'remove it: what was sent is then recognised by its content, and nothing is made twice',
      cause: error,
    })
  }
}
