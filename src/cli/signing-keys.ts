/** `concord signing-keys`: the keys that sign certificates, and a new one. */

import type { AddCommand } from './command.js'

export const addSigningKeys: AddCommand = program => {
  const keys = program
    .command('signing-keys')
    .description('the keys that sign certificates')
    .examples('concord signing-keys', 'concord signing-keys rotate')
  keys
    .command('list', { isDefault: true })
    .description('every key ever used, the newest first')
    .examples('concord signing-keys list')
    .calls(
      'nothing',
      client => client.jwks(),
      jwks => jwks.keys.map(key => String((key as { kid?: unknown }).kid)),
    )
  keys
    .command('rotate')
    .description('sign with a new key, on every node; what older keys signed stays verifiable')
    .examples('concord signing-keys rotate')
    .calls(
      'internals',
      client => client.internals.rotateSigningKey(),
      rotated => `${rotated.kid} signs from now on.`,
    )
}
