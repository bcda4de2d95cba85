/** `concord certificate`: the certificates of a scope, checked against the public keys of its service. */

import { writeFileSync } from 'node:fs'
import { chainFaults } from './certificate-chain.js'
import { paintedStanding } from './certificate-standing.js'
import type { Command } from './command.js'
import { exitCodes } from './command-error.js'
import { type AddCommand, type CommandContext, shellOf } from './shell.js'

export const addCertificate: AddCommand = (program, context) => {
  const certificate = program
    .command('certificate')
    .description('the certificates of a case')
    .examples(
      'concord certificate case-1',
      'concord certificate case-1 -o case-1.jws --jwks keys.json',
      'concord certificate verify case-1 --chain',
      'concord verify certificate case-1.jws --jwks keys.json',
    )
  addShow(certificate, context)
  addList(certificate, context)
  addVerifyChain(certificate, context)
}

function addShow(certificate: Command, context: CommandContext): void {
  certificate
    .command('show <scope>', { isDefault: true })
    .description('the newest one, verified')
    .option('-o, --output <file>', 'write the certificate to a file')
    .option('--jwks <file>', 'write the public keys to a file, for verifying later without the service')
    .action(async (scopeId: string, options: { output?: string; jwks?: string }, command) => {
      const shell = shellOf(command, context)
      const { out } = shell
      const client = shell.client('tenant-key')
      const [view, jwks] = await Promise.all([client.certificate(scopeId), client.jwks()])
      const { verifyCertificate } = await import('../scopes/certificates.js')
      const verdict = await verifyCertificate(view.certificate, jwks as unknown as Parameters<typeof verifyCertificate>[1])
      if (options.output !== undefined) writeFileSync(options.output, `${view.certificate}\n`)
      if (options.jwks !== undefined) writeFileSync(options.jwks, `${JSON.stringify(jwks, null, 2)}\n`)
      out.show({ ...view, verification: verdict }, () => {
        out.line(`${view.certificate_id} of ${view.scope_id}, round ${view.round}, issued ${view.issued_at}: ${paintedStanding(view, out)}`)
        out.line(
          verdict.ok ? out.colors.green(`The signature is right (key ${verdict.kid}).`) : out.colors.red(`Not verified: ${verdict.fault}`),
        )
        if (options.output === undefined) out.line(view.certificate)
      })
      if (!verdict.ok) context.exitCode = exitCodes.failed
    })
}

function addList(certificate: Command, context: CommandContext): void {
  certificate
    .command('list <scope>')
    .description('all of them, oldest first')
    .action(async (scopeId: string, _options, command) => {
      const { out, client } = shellOf(command, context)
      const items = await client('tenant-key').certificates(scopeId, { limit: 200 }).toArray()
      out.show(items, () => {
        if (items.length === 0) return out.line('The case is not settled yet.')
        out.table(items, [
          ['certificate', item => item.certificate_id],
          ['issued', item => item.issued_at],
          ['generation', item => String(item.generation)],
          ['round', item => String(item.round)],
          ['standing', item => paintedStanding(item, out)],
        ])
      })
    })
}

function addVerifyChain(certificate: Command, context: CommandContext): void {
  certificate
    .command('verify <scope>')
    .description('the newest one, or with --chain all: signatures, their order, what was withdrawn, and the decisions they name')
    .option('--chain', 'walk the whole chain')
    .action(async (scopeId: string, { chain }: { chain?: boolean }, command) => {
      const { out, client } = shellOf(command, context)
      const found = await chainFaults(client('tenant-key'), scopeId, { whole: chain === true })
      out.show(found, () => {
        for (const { certificate_id: id, fault } of found.faults) out.line(out.colors.red(`${id}: ${fault}`))
        const what = `${found.certificates} certificate${found.certificates === 1 ? '' : 's'}, ${found.withdrawn} withdrawn`
        if (found.faults.length === 0) out.line(out.colors.green(`${what}: signatures and chain are right.`))
        else out.line(`${what}: ${found.faults.length} faults.`)
      })
      if (found.faults.length > 0) context.exitCode = exitCodes.failed
    })
}
