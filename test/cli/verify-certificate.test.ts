import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateSigningKey, signStatement } from '../../src/scopes/certificates/certificates.js'
import { runConcord } from './run-concord.js'

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const certificate = [part({ alg: 'EdDSA', kid: 'unknown' }), part({ text: 'x'.repeat(4000) }), 'A'.repeat(86)].join('.')
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'concord-certificate-'))
  writeFileSync(join(folder, 'keys.json'), '{"keys":[]}')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('concord verify certificate', () => {
  const verify = (given: string) => runConcord({}, 'verify', 'certificate', given, '--jwks', join(folder, 'keys.json'))

  it('takes the certificate itself, longer than any name of a file', async () => {
    expect(await verify(certificate)).toMatchObject({ code: 1, out: expect.stringContaining('Not accepted'), err: '' })
  })

  it('takes it with the line breaks of a mail, and as the answer of the service, typed or in a file', async () => {
    const answer = JSON.stringify({ certificate_id: 'cert_1', certificate, status: 'current' }, null, 2)
    const whole = (await verify(certificate)).out
    expect(whole).toContain('key unknown')
    for (const given of [certificate.replace(/.{72}/g, '$&\n  '), answer]) {
      writeFileSync(join(folder, 'given'), given)
      for (const way of [given, join(folder, 'given')]) expect(await verify(way)).toMatchObject({ code: 1, out: whole, err: '' })
    }
  })

  it('says what to give where the certificate was cut off', async () => {
    for (const given of [certificate.slice(0, 3000), certificate.slice(0, 100), `{"certificate": "${certificate.slice(0, 3000)}`]) {
      const { code, err } = await verify(given)
      expect([code, err]).toEqual([2, expect.stringMatching(/there is no file .{1,200}, and it is not .* give all of its text/)])
    }
  })

  it('names the command that writes what is wanted where a file holds something else', async () => {
    const commands = { certificate: 'certificate <case> -o', 'as-of': 'as-of <case> --at', checkpoint: 'audit checkpoint >' }
    const key = await generateSigningKey()
    writeFileSync(join(folder, 'own.json'), JSON.stringify({ keys: [key.publicJwk] }))
    writeFileSync(join(folder, 'letter.txt'), 'Dear Sir,\nhere it is.\n')
    writeFileSync(
      join(folder, 'other.jws'),
      await signStatement({ iss: 'x', version: 1, text: 'x'.repeat(40) }, key, 'concord-withdrawals+jws'),
    )
    for (const [kind, command] of Object.entries(commands)) {
      const verifyFile = (name: string) => runConcord({}, 'verify', kind, join(folder, name), '--jwks', join(folder, 'own.json'))
      const written = expect.stringContaining(`ame the file that \`concord ${command}`)
      expect(await verifyFile('letter.txt')).toMatchObject({ code: 2, err: written })
      expect(await verifyFile('other.jws')).toMatchObject({ code: 1, out: written })
    }
  })

  it('says what to give where there is no such file', async () => {
    const { code, err } = await verify(join(folder, 'case-1.jws'))
    expect([code, err]).toEqual([2, expect.stringMatching(/there is no file .*case-1\.jws.*name the file that/)])
  })
})
