/**
 * `concord ingest DIR --follow`: takes the files of a folder as they are finished, until it is ended, and ends other than 0 when one was not. What was dealt with is
 * remembered, so that a restart sends nothing twice; where that memory is lost, the keys of hand-in keep documents single.
 * Files that go or get another name change nothing in the case: erasing is a person's act.
 */

import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { CommandError, exitCodes } from './command-error.js'
import { explainFailure } from './explain-failure.js'
import { followState } from './follow-state.js'
import { Follower, type FollowFlags, type Said } from './follower.js'
import type { Shell } from './shell.js'
import { printable } from './text-layout.js'

const longestPauseMs = 1000

export async function follow(shell: Shell, paths: readonly string[], flags: FollowFlags): Promise<number> {
  const [folder] = paths
  if (
    folder === undefined ||
    paths.length > 1 ||
    !(await stat(folder).then(
      about => about.isDirectory(),
      () => false,
    ))
  ) {
    throw new CommandError('--follow takes one folder', { next: 'name a folder that exists', exitCode: exitCodes.usage })
  }
  const { settings, env } = shell
  const tenant = settings.tenantId ?? settings.tenantKey ?? ''
  const state = followState(env, [settings.url, tenant, resolve(folder), flags.scopeFromFolder ? '/' : '', flags.scope ?? ''])
  const client = shell.client('tenant-key', { attempts: Number.POSITIVE_INFINITY, deadlineMs: flags.patience * 1000, maxMs: 2000 })
  const ending = new AbortController()
  const end = () => ending.abort(new Error('ended'))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  const follower = new Follower({ folder, flags, client, state, say: said => say(shell, said), signal: ending.signal })
  say(shell, { event: 'following', file: folder })
  try {
    while (!ending.signal.aborted) {
      await follower.look(Date.now())
      await delay(Math.min(longestPauseMs, flags.settle * 500), undefined, { signal: ending.signal }).catch(() => undefined)
    }
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end)
  }
  const left = follower.notTaken().length
  await sayQuarantined(shell, follower)
  say(shell, { event: 'ended', not_taken: left })
  return left === 0 ? exitCodes.done : exitCodes.failed
}

/** A service that does not answer now is asked another time. */
async function sayQuarantined(shell: Shell, follower: Follower): Promise<void> {
  await follower.sayQuarantined().catch((error: unknown) => say(shell, { event: 'waiting', reason: explainFailure(error).line }))
}

function say({ out }: Shell, said: Said): void {
  if (out.json) {
    out.line(JSON.stringify(said))
    return
  }
  const { event, file = '', scope_id: scope, known, from, reason, not_taken: left = 0 } = said
  const name = printable(file)
  const line = {
    following: `Following ${name}. Ctrl-C ends it; started again, it goes on where it was.`,
    taken: `${out.colors.green(known ? 'known' : 'taken')}      ${name}${scope === undefined ? '' : ` → ${scope}`}`,
    not_taken: `${out.colors.red('not taken')}  ${name}: ${printable(reason ?? '')}`,
    renamed: `renamed    ${printable(from ?? '')} is now ${name}; its document stays as it is`,
    gone: `gone       ${name}; its document stays. ${out.hint(`\`concord documents delete ${scope} ${said.document_id}\` would erase it.`)}`,
    waiting: `waiting    ${printable(reason ?? '')}`,
    quarantined: `${out.colors.red('not read')}   ${name}: ${printable(reason ?? '')}`,
    ended:
      left === 0
        ? 'ended      Every file was taken.'
        : out.colors.red(`ended      ${left} file${left === 1 ? ' was' : 's were'} not taken.`),
  }[event]
  out.line(event === 'following' ? line : `${out.colors.dim(new Date().toISOString().slice(11, 19))} ${line}`)
}
