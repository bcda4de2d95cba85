import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { replayScope } from '../../src/pipeline/replay/replay.js'
import { keepExtractedText } from '../../src/store/documents/extracted-texts.js'
import { findFile } from '../../src/store/documents/files.js'
import { listFormerParts } from '../../src/store/documents/former-parts.js'
import { extendScans, type ScanRef } from '../../src/store/leases/scan-claims.js'
import { hostileFile, numbersFrom } from '../support/hostile-files.js'
import { mailOf } from '../support/mail.js'
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

/** A page for each line. */
function pdfOf(lines: readonly string[]): string {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${lines.length}/Kids[${lines.map((_line, n) => `${4 + 2 * n} 0 R`).join(' ')}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...lines.flatMap((line, n) => {
      const content = `BT /F1 11 Tf 40 190 Td (${line}) Tj ET`
      const page = `<</Type/Page/Parent 2 0 R/MediaBox[0 0 500 230]/Contents ${5 + 2 * n} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`
      return [page, `<</Length ${content.length}>>stream\n${content}\nendstream`]
    }),
  ]
  const numbered = objects.map((object, index) => `${index + 1} 0 obj${object}\nendobj\n`)
  return `%PDF-1.4\n${numbered.join('')}trailer<</Root 1 0 R/Size ${objects.length + 1}>>\n%%EOF`
}

describe.runIf(process.platform === 'linux')('a file that takes long', () => {
  const get = (tenant: Tenant, path: string) => service.call('GET', path, { headers: keyOf(tenant) })
  const file = async (tenant: Tenant, id: string, content: { bytes: string | Buffer; name: string }) => {
    const form = fileForm({ scope_id: 'case', document_id: id }, content)
    const answer = await service.call('POST', '/api/files', { headers: { ...keyOf(tenant), ...form.headers }, raw: form.raw })
    expect(answer.status, answer.text).toBe(202)
  }
  const text = (tenant: Tenant, id: string, said: string) =>
    service.call('POST', '/api/ingest', { headers: keyOf(tenant), body: { scope_id: 'case', document_id: id, name: id, text: said } })
  const stateOf = async (tenant: Tenant, id: string) => (await get(tenant, `/api/documents/${id}?scope_id=case`)).body.status
  /** However long a busy machine takes. */
  const read = async (tenant: Tenant, id: string) => {
    for (;;) {
      const { body } = await get(tenant, `/api/documents/${id}?scope_id=case&wait=30`)
      if (body.status !== 'queued' && body.status !== 'processing') return body
    }
  }
  /** The process that reads the files of a tenant, which stands still until it is told to go on. */
  const stopped = async (tenant: Tenant) => {
    await file(tenant, 'first', { bytes: 'The first one.', name: 'first.txt' })
    await read(tenant, 'first')
    const own = readers()
    expect(own).toHaveLength(1)
    process.kill(own[0]!, 'SIGSTOP')
    return { goOn: () => process.kill(own[0]!, 'SIGCONT') }
  }

  it('is read beside: what comes behind it in its case is read before it, files that wait for it too, and the case is not settled', async () => {
    const tenant = await service.createTenant()
    const { goOn } = await stopped(tenant)
    try {
      const pages = Array.from({ length: 40 }, (_none, n) => `The output of hall ${n + 1} for FY2025 was ${n + 100} tonnes.`)
      await file(tenant, 'long', { bytes: pdfOf(pages), name: 'long.pdf' })
      await text(tenant, 'behind', 'The output of hall 37 for FY2025 was 512 tonnes.')
      expect((await read(tenant, 'behind')).status).toBe('indexed')
      // This one waits for the process, and holds up nothing either.
      await file(tenant, 'short', { bytes: 'The rent is EUR 4,000 a month.', name: 'short.txt' })
      await text(tenant, 'last', 'The licence of hall 12 ends on 3 June 2026.')
      expect((await read(tenant, 'last')).status).toBe('indexed')
      expect([await stateOf(tenant, 'long'), await stateOf(tenant, 'short')]).toEqual(['queued', 'queued'])
      const { documents, finality } = (await get(tenant, '/api/scopes/case/summary')).body
      expect(documents).toMatchObject({ queued: 2, indexed: 3 })
      expect(finality.status).toBe('active')
      expect((await get(tenant, '/api/scopes/case/certificates')).body.items).toEqual([])
    } finally {
      goOn()
    }
    const long = await read(tenant, 'long')
    expect(long).toMatchObject({ status: 'indexed', attempts: 0, file: { extractor: expect.stringMatching(/^pdf@/) } })
    expect((await read(tenant, 'short')).status).toBe('indexed')
    const { items } = (await get(tenant, '/api/scopes/case/contradictions')).body
    expect(items).toHaveLength(1)
    expect([items[0].a, items[0].b]).toContainEqual(expect.objectContaining({ document_id: 'long', page: 37 }))
    const { db } = service.database
    const waited = `select data->>'reason' from events where type = 'document.requeued' and subject = 'long'`
    expect(await db.inTenant(tenant.tenant_id, tx => tx.column<string>(waited, []))).toEqual(['file_waits'])
    const place = { tenantId: tenant.tenant_id, scopeId: 'case' }
    expect(await replayScope(db, place)).toMatchObject({ ok: true, complete: true, difference: null })
  })

  it('and is overtaken by its next revision carries nothing', async () => {
    const tenant = await service.createTenant()
    const { goOn } = await stopped(tenant)
    try {
      const rent = { name: 'rent.txt', bytes: 'The rent is EUR 4,000 a month.' }
      await file(tenant, 'mail', { bytes: mailOf('As agreed.', [rent]), name: 'mail.eml' })
      await text(tenant, 'behind', 'The licence ends on 3 June 2026.')
      await read(tenant, 'behind')
      await text(tenant, 'mail', 'The rent is EUR 5,000 a month.')
      await expect.poll(() => stateOf(tenant, 'mail')).toBe('indexed')
    } finally {
      goOn()
    }
    const first = async () => (await get(tenant, '/api/documents/mail/revisions?scope_id=case')).body.items.at(-1)
    await expect.poll(async () => (await first()).status).toBe('quarantined')
    expect((await first()).revision).toBe(1)
    const { items } = (await get(tenant, '/api/scopes/case/documents?limit=200')).body
    expect(items.map((item: { document_id: string }) => item.document_id).sort()).toEqual(['behind', 'first', 'mail'])
  })
})

describe('a file whose text is kept', () => {
  it('overtakes earlier revisions before it is indexed, and is refused where its case was reset', async () => {
    const { db } = service.database
    const tenant = await service.createTenant()
    const act = async (path: string, body?: object) => expect((await service.admin('POST', path, body, tenant.api_key)).status).toBe(200)
    const send = async (content: { bytes: string | Buffer; name: string }) => {
      const form = fileForm({ scope_id: 'case', document_id: 'mail' }, content)
      const answer = await service.call('POST', '/api/files', { headers: { ...keyOf(tenant), ...form.headers }, raw: form.raw })
      expect(answer.status, answer.text).toBe(202)
    }
    const mail = () => mailOf('As agreed.', [{ name: 'rent.txt', bytes: 'The rent is EUR 4,000 a month.' }])
    await send({ bytes: mail(), name: 'mail.eml' })
    const { tenant_id: tenantId } = tenant
    const states = () => db.inTenant(tenantId, tx => tx.column<string>('select status from documents', []))
    await expect.poll(states).toEqual(['indexed', 'indexed'])
    await act('/admin/runtime/pause', { scope_id: 'case' })
    await send({ bytes: 'It was a text then.', name: 'mail.txt' })
    await send({ bytes: mail(), name: 'mail.eml' })
    const queued = await db.inTenant(tenantId, tx =>
      tx.rows<ScanRef>(
        `select tenant_id as "tenantId", scope_no as "scopeNo", generation, seq, document_id as "documentId", revision
         from documents where status = 'queued' order by revision`,
        [],
      ),
    )
    const [second, third] = queued as [ScanRef, ScanRef]
    const keep = (ref: ScanRef, carries: string[] = []) => {
      const text = { text: 'read', textHash: Buffer.alloc(32), extractor: 'mail@1', notes: [], places: null, words: [], carries }
      return db.inTenant(tenantId, tx => keepExtractedText(tx, ref, ref, text))
    }
    /** Whether what came with the second may still come, and how much of what came before goes on account of the third. */
    const standing = () =>
      db.inTenant(tenantId, async tx => [
        (await findFile(tx, second, second))?.overtaken,
        (await listFormerParts(tx, third, [{ ...third, outcome: 'admitted' }])).length,
      ])
    expect(await standing()).toEqual([false, 0])
    expect(await keep(third)).toBe(true)
    expect(await standing()).toEqual([true, 1])
    // What is read for the case as it was is neither put off any longer nor kept.
    await act('/admin/scopes/case/reset')
    await act('/admin/runtime/resume', { scope_id: 'case' })
    expect([(await extendScans(db, [second], 60_000)).size, await keep(second)]).toEqual([0, false])
    const { documents } = (await service.call('GET', '/api/scopes/case/summary', { headers: keyOf(tenant) })).body
    expect(documents).toMatchObject({ queued: 0, processing: 0, indexed: 0 })
  })
})

describe.runIf(process.platform === 'linux')('files of one tenant that take for ever', () => {
  it('hold up none of another tenant', async () => {
    const [hostile, other, third] = [await service.createTenant(), await service.createTenant(), await service.createTenant()]
    await upload(hostile, 'first')
    expect(await outcome(hostile, 'first', 30)).toBe('indexed')
    const stopped = readers()
    expect(stopped).toHaveLength(1)
    for (const pid of stopped) process.kill(pid, 'SIGSTOP')
    try {
      for (let n = 0; n < 4; n++) await upload(hostile, `slow-${n}`)
      await upload(other, 'own')
      expect(await outcome(other, 'own', 30)).toBe('indexed')
      await upload(third, 'also')
      expect(await outcome(third, 'also', 30)).toBe('indexed')
      expect(await outcome(hostile, 'slow-0', 0)).not.toBe('indexed')
    } finally {
      // Another reader takes what it held, also for who tries this again.
      for (const pid of stopped) process.kill(pid, 'SIGKILL')
    }
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
