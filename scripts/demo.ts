/**
 * `npm run demo`: brings up the service with its own database in a temporary folder, hands in a sample case and shows, step
 * by step, the contradictions found, one of them decided, one closed by a correction, the scope settling, and the
 * certificate verified. No key, no network; everything is removed at the end. With `--keep` the service stays, the desk is
 * opened on the case, and everything is removed when Ctrl-C ends it.
 */

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCommandLine } from '../src/cli/command-line.js'
import type { Profile, Profiles } from '../src/cli/profiles.js'
import { createClient } from '../src/client/index.js'
import { startThrowawayService } from './throwaway-service.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const sample = join(root, 'samples', 'demo')
const scope = 'brightwater'
const startedAt = performance.now()

const service = await startThrowawayService({ name: 'demo', user: 'you' })
const { env, folder } = service

try {
  const url = await service.url()
  say(`The service is up at ${url}, with a PostgreSQL of its own in ${folder}.`)
  await demonstrate(url)
  console.log(`\nDone in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`)
  if (process.argv.includes('--keep')) await keep(url)
  else console.log('To look at this case at the desk: npm run demo -- --keep')
} catch (error) {
  console.error(`The demo stopped: ${(error as Error).message}`)
  process.exitCode = 1
} finally {
  await service.stop()
}

async function demonstrate(url: string): Promise<void> {
  const concord = async (...args: string[]) => {
    console.log(`\n$ concord ${args.map(arg => (/[^\w./=-]/.test(arg) ? JSON.stringify(arg) : arg)).join(' ')}`)
    const code = await runCommandLine({ args, env: { ...env, CONCORD_URL: url } })
    if (code !== 0) throw new Error(`concord ${args[0]} ended with ${code}`)
  }
  await concord('init', '--name', 'Demo')
  say('Three documents about one company, from three issuers.')
  await concord('ingest', join(sample, 'handed-in'), '--scope', scope, '--concurrency', '1', '--wait')
  say('Where they disagree:')
  await concord('contradictions', scope)
  say('The auditors are right about the revenue: a person decides that.')
  const { contradiction, verdict } = await revenueDispute(url)
  await concord('resolve', contradiction, verdict, '--reason', 'The audited figure holds.')
  say('The broker hands in a corrected note, and the bank confirms: the other contradiction closes itself.')
  await concord('ingest', join(sample, 'corrected'), '--scope', scope, '--concurrency', '1', '--wait')
  await concord('scopes')
  say('Nothing is left to decide. The service has compared by rules alone, and signs nothing that no person examined: one signs it off.')
  await concord('sign-off', scope, '--reason', 'I read all papers and compared what was found.')
  say('The certificate says who compared and who signed. Anybody can check it:')
  const [jws, keys] = [join(folder, 'case.jws'), join(folder, 'keys.json')]
  await concord('certificate', scope, '--output', jws, '--jwks', keys)
  await concord('verify', 'certificate', jws, '--jwks', keys)
}

/** Until Ctrl-C, or the process that ends a demo of its own. */
async function keep(url: string): Promise<void> {
  const ended = Promise.race(['SIGINT', 'SIGTERM'].map(signal => once(process, signal)))
  say('The case at the desk. Sign in with this key:')
  console.log(`\n  ${ownProfile().tenantKey}\n`)
  await runCommandLine({ args: ['open', scope], env: { ...env, CONCORD_URL: url } })
  console.log('\nCtrl-C ends the service and removes everything.')
  await ended
}

function ownProfile(): Profile {
  const { profiles } = JSON.parse(readFileSync(join(folder, 'config', 'concord', 'profiles.json'), 'utf8')) as Profiles
  return profiles['default'] as Profile
}

/** Which side the auditors are on is for the service to say. */
async function revenueDispute(url: string): Promise<{ contradiction: string; verdict: string }> {
  const client = createClient({ ...ownProfile(), url })
  for await (const finding of client.contradictions(scope)) {
    const sides = { a: finding.a, b: finding.b }
    const audited = Object.entries(sides).find(([, side]) => side.quote?.includes('33.9'))
    if (audited) return { contradiction: finding.contradiction_id, verdict: audited[0] }
  }
  throw new Error('the contradiction about the revenue was not found')
}

function say(text: string): void {
  console.log(`\n\u2500\u2500 ${text}`)
}
