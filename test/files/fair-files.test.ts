import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fileForm } from '../support/multipart.js'
import { startTestService, type TestService } from '../support/service.js'

const isProof = process.env['PROVE'] === '1'
const hostileFiles = isProof ? 50 : 4

let service: TestService
beforeAll(async () => {
  // Longer than the test: what stands still stands still to its end.
  service = await startTestService({ DOCUMENT_TIMEOUT_MS: '600000' })
})
afterAll(() => service.stop())

type Tenant = Awaited<ReturnType<TestService['createTenant']>>
const keyOf = (tenant: Tenant) => ({ 'x-tenant-api-key': tenant.api_key })

async function upload(tenant: Tenant, documentId: string): Promise<void> {
  const file = { bytes: `The rent of ${documentId} is EUR 4,000 a month.`, name: `${documentId}.txt` }
  const form = fileForm({ scope_id: `case-${documentId}`, document_id: documentId }, file)
  const answer = await service.call('POST', '/api/files', { headers: { ...keyOf(tenant), ...form.headers }, raw: form.raw })
  expect(answer.status, answer.text).toBe(202)
}

async function outcome(tenant: Tenant, documentId: string, seconds: number): Promise<string> {
  const path = `/api/documents/${documentId}?scope_id=case-${documentId}&wait=${seconds}`
  return (await service.call('GET', path, { headers: keyOf(tenant) })).body.status
}

/** Processes of this one that read files. */
function readers(): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => {
      try {
        const isOurs = readFileSync(`/proc/${pid}/status`, 'utf8').includes(`\nPPid:\t${process.pid}\n`)
        return isOurs && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('files/child.js')
      } catch {
        return false
      }
    })
}

describe.runIf(process.platform === 'linux')('files of one tenant that take for ever', () => {
  it('hold up none of another tenant', async () => {
    const [hostile, other, third] = [await service.createTenant(), await service.createTenant(), await service.createTenant()]
    const before = readers()
    await upload(hostile, 'first')
    expect(await outcome(hostile, 'first', 30)).toBe('indexed')
    const stopped = readers().filter(pid => !before.includes(pid))
    expect(stopped).toHaveLength(1)
    for (const pid of stopped) process.kill(pid, 'SIGSTOP')
    for (let n = 0; n < hostileFiles; n++) await upload(hostile, `slow-${n}`)
    const from = performance.now()
    await upload(other, 'own')
    expect(await outcome(other, 'own', 30)).toBe('indexed')
    // Every day it only has to come before the other's time is over.
    if (isProof) expect(performance.now() - from).toBeLessThan(2000)
    await upload(third, 'also')
    expect(await outcome(third, 'also', 30)).toBe('indexed')
    expect(await outcome(hostile, 'slow-0', 0)).not.toBe('indexed')
  })
})
