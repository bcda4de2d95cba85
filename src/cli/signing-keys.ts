/** `concord signing-keys`: the keys that sign certificates, and a new one. */

import { type AddCommand, shellOf } from './shell.js'

export const addSigningKeys: AddCommand = (program, context) => {
  const keys = program
    .command('signing-keys')
    .description('the keys that sign certificates')
    .examples('concord signing-keys', 'concord signing-keys rotate')
  keys
    .command('list', { isDefault: true })
    .description('every key ever used, the newest first')
    .action(async (_options, command) => {
      const { out, client } = shellOf(command, context)
      const jwks = await client('nothing').jwks()
      out.show(jwks, () => out.lines(jwks.keys.map(key => String((key as { kid?: unknown }).kid))))
    })
  keys
    .command('rotate')
    .description('sign with a new key, on every node; what older keys signed stays verifiable')
    .action(async (_options, command) => {
      const { out, client } = shellOf(command, context)
      const rotated = await client('internals').internals.rotateSigningKey()
      out.show(rotated, () => out.line(`${rotated.kid} signs from now on.`))
    })
}
