/** `concord certificate`: the certificates of a scope, checked against the public keys of its service. */

import { writeFile } from 'node:fs/promises'
import { certificateLines, lineInWords } from '../client/certificate-lines.js'
import type { Client } from '../client/client.js'
import type { Schema } from '../contract/types.js'
import { chainFaults } from './certificate-chain.js'
import { paintedStanding } from './certificate-standing.js'
import type { AddCommand } from './command.js'
import { exitCodes } from './command-error.js'
import { printable } from './text-layout.js'
import { undefinedWhenMissing } from './undefined-when-missing.js'
import { wholeFile } from './whole-file.js'

export const addCertificate: AddCommand = program => {
  const certificate = program
    .command('certificate')
    .description('the certificates of a case')
    .examples(
      'concord certificate case-1',
      'concord certificate case-1 -o case-1.jws --jwks keys.json',
      'concord certificate verify case-1 --chain',
      'concord verify certificate case-1.jws --jwks keys.json',
    )
  certificate
    .command('show <case>', { isDefault: true })
    .description('the newest one, verified')
    .examples('concord certificate case-1', 'concord certificate case-1 -o case-1.jws --jwks keys.json')
    .option('-o, --output <file>', 'write the certificate to a file')
    .option('--jwks <file>', 'write the public keys to a file, for verifying later without the service')
    .runs(async ({ out, client: connect }, scopeId: string, options: { output?: string; jwks?: string }) => {
      const client = connect('tenant-key')
      const [view, jwks] = await Promise.all([client.certificate(scopeId), client.jwks()])
      const { verifyCertificate } = await import('../scopes/certificates/certificates.js')
      const verdict = await verifyCertificate(view.certificate, jwks as unknown as Parameters<typeof verifyCertificate>[1])
      if (options.output !== undefined) await wholeFile(options.output, draft => writeFile(draft, `${view.certificate}\n`))
      if (options.jwks !== undefined) await wholeFile(options.jwks, draft => writeFile(draft, `${JSON.stringify(jwks, null, 2)}\n`))
      const said = verdict.ok && !out.json ? await certificateText(client, scopeId, view) : []
      out.show({ ...view, verification: verdict }, () => {
        for (const line of said) out.line(printable(line))
        out.line(`${view.certificate_id} of ${view.scope_id}, step ${view.round}, issued ${view.issued_at}: ${paintedStanding(view, out)}`)
        out.line(
          verdict.ok ? out.colors.green(`The signature is right (key ${verdict.kid}).`) : out.colors.red(`Not verified: ${verdict.fault}`),
        )
        if (options.output === undefined) out.line(view.certificate)
      })
      return verdict.ok ? exitCodes.done : exitCodes.failed
    })
  certificate
    .command('list <case>')
    .description('all of them, oldest first')
    .examples('concord certificate list case-1')
    .calls(
      'tenant-key',
      async (client, scopeId: string) => {
        const items = await client.certificates(scopeId, { limit: 200 }).toArray()
        // A case that was deleted keeps its certificates; where it had none, there is nothing left of it.
        if (items.length === 0) await client.summary(scopeId)
        return items
      },
      (items, out) => {
        if (items.length === 0) return 'The review of the case is not complete yet.'
        return out.rows(items, [
          ['certificate', item => item.certificate_id],
          ['issued', item => item.issued_at],
          ['generation', item => String(item.generation)],
          ['step', item => String(item.round)],
          ['standing', item => paintedStanding(item, out)],
        ])
      },
    )
  certificate
    .command('verify <case>')
    .description('the newest one, or with --chain all: signatures, their order, what was withdrawn, and the decisions they name')
    .examples('concord certificate verify case-1 --chain')
    .option('--chain', 'walk the whole chain')
    .runs(async ({ out, client }, scopeId: string, { chain }: { chain?: boolean }) => {
      const found = await chainFaults(client('tenant-key'), scopeId, { whole: chain === true })
      out.show(found, () => {
        for (const { certificate_id: id, fault } of found.faults) out.line(out.colors.red(`${id}: ${fault}`))
        const what = `${found.certificates} certificate${found.certificates === 1 ? '' : 's'}, ${found.withdrawn} withdrawn`
        if (found.faults.length === 0) out.line(out.colors.green(`${what}: signatures and chain are right.`))
        else out.line(`${what}: ${found.faults.length} faults.`)
      })
      return found.faults.length > 0 ? exitCodes.failed : exitCodes.done
    })
}

/** What it says first, with the names that documents have now. */
async function certificateText(client: Client, scopeId: string, view: Schema['Certificate']): Promise<string[]> {
  const lines = certificateLines(view) ?? []
  const ids = lines.flatMap(({ papers = [] }) => papers.map(each => each.document_id))
  const documents = await Promise.all(ids.map(id => client.document(scopeId, id).catch(undefinedWhenMissing)))
  const names = new Map(documents.flatMap(each => (each?.name == null ? [] : [[each.document_id, each.name]])))
  return lines.map(line => lineInWords(line, id => names.get(id) ?? id))
}
