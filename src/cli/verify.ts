/** `concord verify`: the promises of a whole database, or of one certificate without any service. */

import type { Command } from 'commander'
import { CommandError, exitCodes } from './command-error.js'
import { examples } from './help-text.js'
import { localShellOf, readIfThere } from './local-config.js'
import { type AddCommand, type CommandContext, outputOf } from './shell.js'
import { table } from './text-layout.js'

export const addVerify: AddCommand = (program, context) => {
  const verify = program
    .command('verify')
    .description('check the promises of a database, or a certificate')
    .addHelpText('after', examples('concord verify', 'concord verify certificate case-1.jws --jwks keys.json'))
  verify
    .command('database', { isDefault: true })
    .description('no gap, no orphan, no state without its event, counts that agree')
    .action(async (_options, command) => verifyWhole(command, context))
  verify
    .command('certificate <certificate>')
    .description('a file or the certificate itself; needs no service')
    .requiredOption('--jwks <keys>', 'public keys: a file, or the address of /.well-known/jwks.json')
    .action(async (certificate: string, { jwks }: { jwks: string }, command) => verifyOne(certificate, jwks, command, context))
}

async function verifyWhole(command: Command, context: CommandContext): Promise<void> {
  const out = outputOf(command, context)
  const { config, logger } = localShellOf(command, context)
  const [{ withExistingDatabase }, { verifyDatabase }] = await Promise.all([
    import('../store/existing-storage.js'),
    import('../store/verify.js'),
  ])
  const result = await withExistingDatabase({ config, logger }, db => verifyDatabase(db))
  out.show(result, () => {
    const rows = result.invariants.map(({ name, promise, broken }) => [
      broken === 0 ? out.colors.green('✓') : out.colors.red('✗'),
      name,
      promise,
      broken === 0 ? '' : `${broken} broken`,
    ])
    out.lines(
      table(
        ['', 'invariant', 'promise', ''].map(title => ({ title })),
        rows,
        out.colors.dim,
      ),
    )
    for (const fault of result.broken)
      out.line(out.colors.red(`${fault.invariant}: ${fault.tenantId ?? ''} ${fault.scopeId ?? ''} ${fault.detail}`))
    out.line(
      `${result.scopes} scopes, ${result.documents} document revisions, ${result.events} events: ${result.broken.length === 0 ? 'every promise holds' : `${result.broken.length} broken`}.`,
    )
  })
  if (result.broken.length > 0) context.exitCode = exitCodes.failed
}

async function verifyOne(given: string, jwks: string, command: Command, context: CommandContext): Promise<void> {
  const out = outputOf(command, context)
  const { verifyCertificate } = await import('../scopes/certificates.js')
  const certificate = readIfThere(given) ?? given
  const verdict = await verifyCertificate(certificate, await readKeys(jwks))
  out.show(verdict, () => {
    if (!verdict.ok) return out.line(out.colors.red(`Not valid: ${verdict.fault}.`))
    out.line(out.colors.green(`Valid, signed with key ${verdict.kid}.`))
    out.line(JSON.stringify(verdict.payload, null, 2))
  })
  if (!verdict.ok) context.exitCode = exitCodes.failed
}

async function readKeys(jwks: string) {
  const isAddress = /^https?:\/\//.test(jwks)
  try {
    const text = isAddress ? await (await fetch(jwks)).text() : readIfThere(jwks)
    const keys = JSON.parse(text ?? '') as { keys: [] }
    if (Array.isArray(keys.keys)) return keys
  } catch (error) {
    throw new CommandError(`${jwks} cannot be read as public keys`, {
      next: 'give a file or address with a JWKS',
      exitCode: exitCodes.usage,
      cause: error,
    })
  }
  throw new CommandError(`${jwks} holds no public keys`, { next: 'give a file or address with a JWKS', exitCode: exitCodes.usage })
}
