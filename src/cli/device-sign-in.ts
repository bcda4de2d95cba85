/** Signing in on another device: says where to go and which code to type, and waits until the person has. */

import { wait } from '../client/backoff.js'
import type { Client, Schema } from '../client/index.js'
import { CommandError } from './command-error.js'
import type { Output } from './output.js'
import { printable } from './text-layout.js'

interface DeviceSignInOptions {
  client: Pick<Client, 'signIn'>
  out: Output
  /** For people who are mapped to several. */
  tenantId: string | undefined
}

export async function signInWithDevice({ client, out, tenantId }: DeviceSignInOptions): Promise<Schema['CreatedDeviceSession']> {
  const begun = await client.signIn.beginDevice()
  const place = printable(begun.verification_uri_complete ?? begun.verification_uri)
  out.note(`Open ${place} and check or type in the code ${out.colors.bold(printable(begun.user_code))}.`)
  const asked = { device_code: begun.device_code, tenant_id: tenantId }
  const over = performance.now() + begun.expires_in * 1000
  for (;;) {
    const answer = await client.signIn.completeDevice(asked)
    if ('token' in answer) return answer
    const seconds = Math.max(begun.interval, answer.waitSeconds)
    if (performance.now() + seconds * 1000 > over) throw new CommandError('sign-in timed out', { next: 'run the command again' })
    await wait(seconds * 1000)
  }
}
