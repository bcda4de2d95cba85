/**
 * `npm run demo`: brings up the service with its own database in a temporary folder, hands in a sample case and shows, step
 * by step, the contradictions found, one of them decided, one closed by a correction, the scope settling, and the
 * certificate verified. No key, no network; everything is removed at the end. With `--keep` the service stays, the desk is
 * opened on the case, and everything is removed when Ctrl-C ends it.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommandLine } from '../src/cli/command-line.js'
import type { Profile, Profiles } from '../src/cli/profiles.js'
import { demoScope, walkDemo } from './demo-walk.js'
import { startThrowawayService } from './throwaway-service.js'

const startedAt = performance.now()
const isKept = process.argv.includes('--keep')

const service = await startThrowawayService({ name: 'demo', user: 'you', apart: true })
const { env, folder } = service

// Whenever it is ended, nothing is left behind. It goes on listening: whoever runs it may pass on a Ctrl-C that it has heard itself, and the
// second would end it before the service has.
const ended = new Promise<void>(resolve => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve())
})

try {
  await Promise.race([show(), ended])
} catch (error) {
  console.error(`The demo stopped: ${(error as Error).message}`)
  process.exitCode = 1
} finally {
  await service.stop()
}
// What was under way when it was ended would wait for the service.
process.exit()

async function show(): Promise<void> {
  const url = await service.url()
  say(`The service is up at ${url}, with a PostgreSQL of its own in ${folder}.`)
  await demonstrate(url)
  console.log(`\nDone in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`)
  if (isKept) await keep(url)
}

async function demonstrate(url: string): Promise<void> {
  const concord = async (...args: string[]) => {
    console.log(`\n$ concord ${args.map(arg => (/[^\w./=-]/.test(arg) ? JSON.stringify(arg) : arg)).join(' ')}`)
    const code = await runCommandLine({ args, env: { ...env, CONCORD_URL: url } })
    if (code !== 0) throw new Error(`concord ${args[0]} ended with ${code}`)
  }
  await walkDemo({ url, folder, isKept, tenantKey: () => ownProfile().tenantKey ?? '', concord, say })
}

/** Until Ctrl-C, or the process that ends a demo of its own. */
async function keep(url: string): Promise<void> {
  say('The case at the desk. Sign in with this key:')
  console.log(`\n  ${ownProfile().tenantKey}\n`)
  await runCommandLine({ args: ['open', demoScope], env: { ...env, CONCORD_URL: url } })
  console.log('\nCtrl-C ends the service and removes everything.')
  await ended
}

function ownProfile(): Profile {
  const { profiles } = JSON.parse(readFileSync(join(folder, 'config', 'concord', 'profiles.json'), 'utf8')) as Profiles
  return profiles['default'] as Profile
}

function say(text: string): void {
  console.log(`\n\u2500\u2500 ${text}`)
}
