import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

  it('says what to give where there is no such file', async () => {
    const { code, err } = await verify(join(folder, 'case-1.jws'))
    expect([code, err]).toEqual([2, expect.stringMatching(/there is no file .*case-1\.jws.*name the file that/)])
  })
})
