import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostileFile, numbersFrom } from '../support/hostile-files.js'
import { fileForm } from '../support/multipart.js'
import { startTestService, type TestService } from '../support/service.js'

const isProof = process.env['PROVE'] === '1'

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
    for (let n = 0; n < 4; n++) await upload(hostile, `slow-${n}`)
    await upload(other, 'own')
    expect(await outcome(other, 'own', 30)).toBe('indexed')
    await upload(third, 'also')
    expect(await outcome(third, 'also', 30)).toBe('indexed')
    expect(await outcome(hostile, 'slow-0', 0)).not.toBe('indexed')
  })
})

// Of what it takes only a quiet machine can tell.
if (isProof)
  describe('fifty hostile files', () => {
    it('hold up a file of one line of another tenant for two seconds at most', async () => {
      const own = await startTestService()
      try {
        const [hostile, other] = [await own.createTenant(), await own.createTenant()]
        const send = (tenant: Tenant, id: string, file: Parameters<typeof fileForm>[1]) => {
          const { headers, raw } = fileForm({ scope_id: `case-${id}`, document_id: id }, file)
          return own.call('POST', '/api/files', { headers: { ...keyOf(tenant), ...headers }, raw })
        }
        /** From sending it to its being indexed: the middle of five. */
        const measure = async (what: string) => {
          const times: number[] = []
          for (let n = 0; n < 5; n++) {
            const from = performance.now()
            const id = `${what}-${n}`
            await send(other, id, { bytes: `The rent of ${id} is EUR 4,000 a month.`, name: `${id}.txt` })
            const path = `/api/documents/${id}?scope_id=case-${id}&wait=30`
            expect((await own.call('GET', path, { headers: keyOf(other) })).body.status).toBe('indexed')
            times.push(performance.now() - from)
          }
          return Math.round(times.sort((a, b) => a - b)[2]!)
        }
        const alone = await measure('alone')
        const random = numbersFrom(20_261_117)
        const sample = (name: string) => readFileSync(new URL(`./samples/${name}`, import.meta.url))
        const samples = { jpeg: sample('deposit.jpg'), webp: sample('deposit.webp') }
        for (let n = 0; n < 50; n++) await send(hostile, `hostile-${n}`, hostileFile(n, random, samples))
        const beside = await measure('beside')
        console.log(`PROVE fair hostile=50 alone=${alone}ms beside=${beside}ms ratio=${(beside / alone).toFixed(1)}`)
        // A machine that is busy with other things is slow for every file.
        expect(beside).toBeLessThan(Math.max(2000, 4 * alone))
      } finally {
        await own.stop()
      }
    })
  })
