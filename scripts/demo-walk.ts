/** The walk of the demo, from the first papers to the certificate, with the command line alone. Shown by `npm run demo`, tried by a test. */

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '../src/client/index.js'

const sample = fileURLToPath(new URL('../samples/demo', import.meta.url))
export const demoScope = 'brightwater'

export interface DemoPlace {
  url: string
  /** For what it writes. */
  folder: string
  /** Whether the service stays, with the case at its desk. */
  isKept: boolean
  /** Of the tenant that `init` made. */
  tenantKey(): string
  /** Rejects when the command ends other than 0. */
  concord(...args: string[]): Promise<void>
  say(text: string): void
}

export async function walkDemo({ url, folder, isKept, tenantKey, concord, say }: DemoPlace): Promise<void> {
  await concord('init', '--name', 'Demo')
  say('Three documents about one company, from three issuers.')
  await concord('ingest', join(sample, 'handed-in'), '--scope', demoScope, '--concurrency', '1', '--wait')
  say('Where they disagree:')
  await concord('contradictions', demoScope)
  say('The auditors are right about the revenue: a person decides that.')
  const { contradiction, verdict } = await revenueDispute(url, tenantKey())
  await concord('resolve', contradiction, verdict, '--reason', 'The audited figure holds.')
  say('The broker hands in a corrected note, and the bank confirms: the other contradiction closes itself.')
  await concord('ingest', join(sample, 'corrected'), '--scope', demoScope, '--concurrency', '1', '--wait')
  await concord('scopes')
  say('Nothing is left to decide. The service has compared by rules alone, and signs nothing that no person examined: one signs it off.')
  await concord('sign-off', demoScope, '--reason', 'I read all papers and compared what was found.')
  say('The certificate says who compared and who signed. Anybody can check it:')
  const [jws, keys] = [join(folder, 'case.jws'), join(folder, 'keys.json')]
  await concord('certificate', demoScope, '--output', jws, '--jwks', keys)
  await concord('verify', 'certificate', jws, '--jwks', keys)
  if (!isKept) say('To look at this case at the desk: npm run demo -- --keep')
}

/** Which side the auditors are on is for the service to say. */
async function revenueDispute(url: string, tenantKey: string): Promise<{ contradiction: string; verdict: string }> {
  for await (const finding of createClient({ url, tenantKey }).contradictions(demoScope)) {
    const sides = { a: finding.a, b: finding.b }
    const audited = Object.entries(sides).find(([, side]) => side.quote?.includes('33.9'))
    if (audited) return { contradiction: finding.contradiction_id, verdict: audited[0] }
  }
  throw new Error('the contradiction about the revenue was not found')
}
