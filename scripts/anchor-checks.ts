/**
 * `npm run test:anchors`: the head of the audit log stamped by a real time stamp authority, OpenSSL's `ts` behind a small server, through the
 * whole service. OpenSSL and `concord verify --anchors` find the time stamp right, and nobody else is believed.
 */

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from '../src/client/index.js'
import { startThrowawayService } from './throwaway-service.js'

const folder = mkdtempSync(join(tmpdir(), 'concord-authority-'))
const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' }).toString()

writeFileSync(
  join(folder, 'tsa.cnf'),
  `[req]
distinguished_name = name
[name]
[ca]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign
[signer]
basicConstraints = CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[authority]
serial = serial
signer_cert = signer.pem
certs = ca.pem
signer_key = signer.key
signer_digest = sha384
default_policy = 1.2.3.4.1
digests = sha256
ess_cert_id_alg = sha256
`,
)
writeFileSync(join(folder, 'serial'), '01\n')
const newKey = ['-newkey', 'rsa:2048', '-nodes', '-config', 'tsa.cnf', '-batch']
for (const name of ['ca', 'other'])
  openssl('req', '-x509', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.pem`, '-subj', `/CN=${name}`, '-extensions', 'ca')
openssl('req', ...newKey, '-keyout', 'signer.key', '-out', 'signer.csr', '-subj', '/CN=signer')
const issued = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'tsa.cnf', '-extensions', 'signer']
openssl('x509', '-req', '-in', 'signer.csr', '-out', 'signer.pem', ...issued)

const authority = createServer((request, response) => {
  const pieces: Buffer[] = []
  request.on('data', piece => pieces.push(piece))
  request.on('end', () => {
    writeFileSync(join(folder, 'query.tsq'), Buffer.concat(pieces))
    openssl('ts', '-reply', '-queryfile', 'query.tsq', '-out', 'reply.tsr', '-config', 'tsa.cnf', '-section', 'authority')
    response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(readFileSync(join(folder, 'reply.tsr')))
  })
})
await new Promise<void>(resolve => authority.listen(0, '127.0.0.1', resolve))
const { port } = authority.address() as AddressInfo
const settings = { ANCHOR_URL: `tsa+http://127.0.0.1:${port}/`, WEBHOOK_ALLOW_PRIVATE: 'true' }
const service = await startThrowawayService({ name: 'anchors', user: 'tester', settings })
const program = fileURLToPath(new URL('../bin/concord.mjs', import.meta.url))
const verify = (trusted: string) => {
  const args = [program, 'verify', '--anchors', '--anchor-ca', join(folder, trusted), '--json']
  const { status, stdout } = spawnSync(process.execPath, args, { env: service.env, encoding: 'utf8' })
  return { status, ...(JSON.parse(stdout) as { anchors: { anchors: number; last: unknown; faults: { fault: string }[] } }) }
}

try {
  const keys = async () => JSON.parse(readFileSync(join(service.folder, 'data', 'keys.json'), 'utf8')) as { admin: string }
  const url = await service.url()
  await createClient({ url, adminKey: (await keys()).admin }).admin.createTenant({ name: 'Anchored' })
  const started = performance.now()
  // The log is anchored within a minute of its first entry.
  while (verify('ca.pem').anchors.anchors === 0) {
    assert(performance.now() - started < 300_000, 'nothing was anchored in five minutes')
    await wait(2000)
  }
  const right = verify('ca.pem')
  assert.deepEqual([right.status, right.anchors.faults], [0, []])
  assert.match(JSON.stringify(right.anchors.last), /CN=signer/)
  assert.match(openssl('ts', '-verify', '-queryfile', 'query.tsq', '-in', 'reply.tsr', '-CAfile', 'ca.pem'), /OK/)
  const other = verify('other.pem')
  assert.equal(other.status, 1)
  assert.match(other.anchors.faults[0]?.fault ?? '', /leads to none that is trusted/)
  console.log(
    `The head of the audit log was stamped within ${Math.round((performance.now() - started) / 1000)} s, and the time stamp verifies.`,
  )
} finally {
  await service.stop()
  authority.close()
  rmSync(folder, { recursive: true, force: true })
}
