/** `concord certificate`: the newest certificate of a scope, checked against the public keys of its service. */

import { writeFileSync } from 'node:fs'
import { paintedStanding } from './certificate-standing.js'
import { exitCodes } from './command-error.js'
import { examples } from './help-text.js'
import { type AddCommand, shellOf } from './shell.js'

export const addCertificate: AddCommand = (program, context) => {
  program
    .command('certificate <scope>')
    .description('the newest certificate of a scope, verified')
    .option('-o, --output <file>', 'write the certificate to a file')
    .option('--jwks <file>', 'write the public keys to a file, for verifying later without the service')
    .addHelpText(
      'after',
      examples(
        'concord certificate case-1',
        'concord certificate case-1 -o case-1.jws --jwks keys.json',
        'concord verify certificate case-1.jws --jwks keys.json',
      ),
    )
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
