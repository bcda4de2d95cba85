/** Scans on their way through the whole service: recognised, corrected by people, read again, and what waits meanwhile. */

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runConcord } from '../cli/run-concord.js'
import { fileForm } from '../support/multipart.js'
import { startTestService } from '../support/service.js'
import { keyOf, sample, scan, startFileService, type Tenant } from './sent-files.js'

const at = startFileService()
const { get, settled, upload } = at

describe('a scan', () => {
  it('is read with nothing set up, each quote with its page, and not again when it comes again', async () => {
    const tenant = await at.service.createTenant()
    const read = await upload(tenant, 'scan', sample('scan.pdf'), 'scan.pdf')
    expect(read).toMatchObject({ status: 'indexed', file: { extractor: 'scan@1+tesseract-7.0.0+eng' } })
    expect(read.file.notes).toEqual(['All pages were recognised from a picture and may have mistakes.'])
    const { items } = (await get(tenant, '/api/scopes/case/claims')).body
    const pageOf = (words: string) => items.find(({ quote }: { quote: string }) => quote.includes(words))?.page
    expect([pageOf('EUR 12,500'), pageOf('420 square metres')]).toEqual([1, 2])
    const pages = () =>
      at.service.database.owner.query(
        'select revision, page, reading, cardinality(starts) > 5 as words from recognised_pages where tenant_id = $1 order by 1, 2',
        [tenant.tenant_id],
      )
    const kept = (revision: number) => [1, 2].map(page => ({ revision, page, reading: null, words: true }))
    expect((await pages()).rows).toEqual(kept(1))
    expect(await upload(tenant, 'scan', sample('scan.pdf'), 'scan.pdf')).toMatchObject({ revision: 2, unchanged: true })
    expect((await pages()).rows).toEqual([...kept(1), ...kept(2)])
    const words = () => get(tenant, '/api/documents/scan/words?scope_id=case')
    expect((await words()).body.items[0]).toMatchObject({ page: 1, text: 'Lease' })
    await at.service.call('DELETE', '/api/documents/scan?scope_id=case', { headers: keyOf(tenant) })
    expect((await pages()).rows).toEqual([])
    expect((await words()).body.items).toEqual([])
  })

  it('is read by the command that is set up for it, page by page', async () => {
    // In place of a program that recognises letters: it sees a PDF and says what two pages hold.
    const script =
      "const b=[];process.stdin.on('data',d=>b.push(d)).on('end',()=>process.stdout.write(Buffer.concat(b).subarray(0,5)+' scanned.\\f\\nThe rent is EUR 4,000 a month.'))"
    const own = await startTestService({ OCR_COMMAND: `"${process.execPath}" -e "${script}"` })
    try {
      const tenant = await own.createTenant()
      const form = fileForm({ scope_id: 'case', document_id: 'scan' }, { bytes: scan, name: 'scan.pdf' })
      await own.call('POST', '/api/files', { headers: { ...keyOf(tenant), ...form.headers }, raw: form.raw })
      const look = async () => (await own.call('GET', '/api/documents/scan?scope_id=case&wait=30', { headers: keyOf(tenant) })).body
      await expect.poll(async () => (await look()).status).toBe('indexed')
      expect(await look()).toMatchObject({
        status: 'indexed',
        file: { extractor: 'ocr@1', notes: [expect.stringContaining('OCR_COMMAND')] },
      })
      const text = await own.call('GET', '/api/documents/scan/text?scope_id=case', { headers: keyOf(tenant) })
      expect(text.text).toBe('%PDF- scanned.\n\nThe rent is EUR 4,000 a month.')
    } finally {
      await own.stop()
    }
  })

  it('is tried again where that command fails, and quarantined with that as its reason', async () => {
    const own = await startTestService({ OCR_COMMAND: 'exit 3', RETRY_MAX_ATTEMPTS: '2', RETRY_BASE_MS: '10' })
    try {
      const tenant = await own.createTenant()
      const form = fileForm({ scope_id: 'case', document_id: 'scan' }, { bytes: scan, name: 'scan.pdf' })
      await own.call('POST', '/api/files', { headers: { ...keyOf(tenant), ...form.headers }, raw: form.raw })
      const look = async () => (await own.call('GET', '/api/documents/scan?scope_id=case&wait=30', { headers: keyOf(tenant) })).body
      await expect.poll(async () => (await look()).status).toBe('quarantined')
      const reason = 'OCR_COMMAND failed with exit code 3.'
      expect(await look()).toMatchObject({ attempts: 2, reason, failure: { error_class: 'ocr_command_failed' } })
    } finally {
      await own.stop()
    }
  })

  it('is not recognised again after a crash; a doubtful word makes a possible conflict, is corrected by a person, and read again', async () => {
    const tenant = await at.service.createTenant()
    const admin = (command: string) => at.service.admin('POST', `/admin/runtime/${command}`, { scope_id: 'case' }, tenant.api_key)
    const body = { scope_id: 'case', name: 'Letter', document_id: 'letter', text: 'The rent of the Hamburg office is EUR 13,500 a month.' }
    const sent = await at.service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant.tenant_id }, body })
    expect(sent.status, sent.text).toBe(202)
    expect((await settled(tenant, 'letter')).status).toBe('indexed')
    await admin('pause')
    const form = fileForm({ scope_id: 'case', document_id: 'scan' }, { bytes: sample('scan.pdf'), name: 'scan.pdf' })
    await at.service.call('POST', '/api/files', { headers: { ...keyOf(tenant), ...form.headers }, raw: form.raw })
    // What was recognised of both pages before the process died, which is not what the pages say.
    const reading = (page: number, words: string) => ({
      page,
      height: 230,
      toPage: [1 / 500, 0, 0, 1 / 230, 0, 0],
      lines: [
        {
          size: 12,
          baseline: 60,
          words: words.split(' ').map((word, at) => {
            return { text: word, confidence: word === '18,500' ? 0.61 : 0.96, left: 20 + 40 * at, right: 54 + 40 * at, top: 50, bottom: 62 }
          }),
        },
      ],
    })
    for (const [page, words] of ['The rent of the Hamburg office is EUR 18,500 a month.', 'Signed in Hamburg.'].entries())
      await at.service.database.owner.query(
        `insert into recognised_pages (tenant_id, scope_no, generation, document_id, revision, page, reading)
         select tenant_id, scope_no, generation, document_id, revision, $2, $3 from documents where tenant_id = $1 and document_id = 'scan'`,
        [tenant.tenant_id, page + 1, JSON.stringify(reading(page + 1, words))],
      )
    await admin('resume')
    const read = await settled(tenant, 'scan')
    expect(read.status).toBe('indexed')
    expect((await get(tenant, '/api/documents/scan/text?scope_id=case')).text).toBe(
      'The rent of the Hamburg office is EUR 18,500 a month.\n\nSigned in Hamburg.',
    )
    const words = (query = '', of = tenant) => get(of, `/api/documents/scan/words?scope_id=case${query}`)
    const [the, second] = (await words('&limit=2')).body.items
    const rectangle = { left: 0.04, top: 0.2174, width: 0.068, height: 0.0522 }
    expect(the).toEqual({ page: 1, start: 0, end: 3, text: 'The', confidence: 0.96, ...rectangle, corrected: false })
    expect(second).toMatchObject({ text: 'rent', start: 4, left: 0.12 })
    const { next } = (await words('&limit=2')).body
    expect((await words(`&limit=2&cursor=${next}`)).body.items.map((word: { text: string }) => word.text)).toEqual(['of', 'the'])
    expect((await words('&below=0.8')).body).toMatchObject({
      items: [{ text: '18,500', start: 38, end: 44, confidence: 0.61 }],
      next: null,
    })
    expect((await words('&page=2')).body.items.map((word: { text: string }) => word.text)).toEqual(['Signed', 'in', 'Hamburg.'])
    expect((await get(tenant, '/api/documents/letter/words?scope_id=case')).body).toEqual({ items: [], next: null })
    expect((await words('', await at.service.createTenant())).status).toBe(404)
    const { items } = (await get(tenant, '/api/scopes/case/claims?document_id=scan')).body
    const rent = items.find(({ quote }: { quote: string }) => quote.includes('18,500'))
    expect(rent).toMatchObject({ page: 1, recognised: 0.61, confidence: 0.61 })
    expect((await get(tenant, '/api/scopes/case/contradictions')).body.items).toEqual([])
    const [possible, ...others] = (await get(tenant, '/api/scopes/case/possible-conflicts')).body.items
    expect([possible.reason, others]).toEqual([expect.stringMatching(/^Recognised, 61 %: look at the page\. /), []])

    // A person looks at the page, where it says something else.
    const correct = (body: object, of = tenant) =>
      at.service.call('POST', '/api/documents/scan/corrections?scope_id=case', { headers: keyOf(of), body: { by: 'j.doe', ...body } })
    expect((await correct({ revision: 1, start: 37, text: '9' })).body).toMatchObject({
      code: 'VALIDATION_FAILED',
      detail: expect.stringMatching(/^\/start/),
    })
    expect((await correct({ revision: 1, start: 38, text: ' ' })).status).toBe(400)
    expect((await correct({ revision: 2, start: 38, text: '9' })).body).toMatchObject({ code: 'STATE_CONFLICT' })
    expect((await correct({ revision: 1, start: 38, text: '9' }, await at.service.createTenant())).status).toBe(404)
    const corrected = await correct({ revision: 1, start: 38, text: '12,500.00', reason: 'The stamp lies over it.' })
    expect(corrected.body, corrected.text).toMatchObject({
      revision: 2,
      status: 'queued',
      unchanged: false,
      provenance: '“18,500” on page 1 reads “12,500.00”, says j.doe: The stamp lies over it.',
      file: { kept: true, extractor: read.file.extractor, notes: [...read.file.notes, 'Words corrected by people: 1.'] },
    })
    expect(corrected.status).toBe(202)
    expect((await settled(tenant, 'scan')).status).toBe('indexed')
    expect((await get(tenant, '/api/documents/scan/text?scope_id=case')).text).toBe(
      'The rent of the Hamburg office is EUR 12,500.00 a month.\n\nSigned in Hamburg.',
    )
    expect((await get(tenant, '/api/documents/scan/text?scope_id=case&revision=1')).text).toContain('EUR 18,500 a month')
    expect((await words('&below=0.8')).body.items).toEqual([])
    const after = (await words()).body.items
    expect(after[7]).toMatchObject({ text: 'EUR', corrected: false })
    expect(after[8]).toMatchObject({ text: '12,500.00', start: 38, end: 47, confidence: 1, corrected: true, left: 0.68 })
    expect(after.slice(9).map((word: { text: string }) => word.text)).toEqual(['a', 'month.', 'Signed', 'in', 'Hamburg.'])
    const signed = (await get(tenant, '/api/scopes/case/claims?document_id=scan')).body.items
    expect(
      signed.map(({ quote, page, recognised }: { quote: string; page: number; recognised?: number }) => [quote, page, recognised]),
    ).toEqual(expect.arrayContaining([['The rent of the Hamburg office is EUR 12,500.00 a month.', 1, undefined]]))
    // Now it is a contradiction, and the picture is there for either revision.
    expect((await get(tenant, '/api/scopes/case/contradictions')).body.items).toHaveLength(1)
    for (const revision of [1, 2]) {
      const original = await fetch(`${at.service.url}/api/documents/scan/original?scope_id=case&revision=${revision}`, {
        headers: keyOf(tenant),
      })
      expect(Buffer.from(await original.arrayBuffer()).equals(sample('scan.pdf'))).toBe(true)
    }
    // What was listed before the correction leads to other words after it.
    const env = { CONCORD_URL: at.service.url, CONCORD_TENANT_KEY: tenant.api_key, HOME: '/' }
    const listed = await runConcord(env, 'documents', 'words', 'case', 'scan', '--page', '1')
    expect(listed.out).toMatch(/^word +page +sure +start +revision\nThe +1 +\d+ % +0 +2\n/)
    const misplaced = ['documents', 'correct', 'case', 'scan', '0', 'Then', '--by', 'j.doe']
    expect((await runConcord(env, ...misplaced, '--revision', '1')).err).toContain('The document is at revision 2 by now')
    expect((await runConcord(env, ...misplaced)).code).toBe(2)
    // One that was read rightly is so as well, and each is said once.
    expect((await correct({ revision: 2, start: 0, text: 'The' })).body.provenance).toBe('“The” on page 1 was read rightly, says j.doe.')
    expect(await settled(tenant, 'scan')).toMatchObject({ revision: 3, status: 'indexed', unchanged: false })
    expect((await correct({ revision: 3, start: 0, text: 'The' })).body.detail).toBe('The word was corrected to this before.')
    // Read again, all of it is what the pages say.
    const again = (languages: string[]) =>
      at.service.call('POST', '/api/documents/scan/recognition?scope_id=case', { headers: keyOf(tenant), body: { by: 'j.doe', languages } })
    const known = (await get(tenant, '/api/scan-languages')).body
    expect(known.default).toEqual(['eng'])
    expect(known.languages).toContainEqual({ language: 'eng', name: 'English', installed: true, install: null })
    expect(await again(['eng', 'xyz'])).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('npm install @tesseract.js-data/xyz') },
    })
    // The same file again keeps what people read in it.
    expect(await upload(tenant, 'scan', sample('scan.pdf'), 'scan.pdf')).toMatchObject({ revision: 4, unchanged: true })
    expect((await words()).body.items[8]).toMatchObject({ text: '12,500.00', corrected: true })
    expect((await again(['eng'])).body).toMatchObject({
      revision: 5,
      status: 'queued',
      content_hash: null,
      provenance: 'Read again with eng, says j.doe.',
    })
    expect((await again(['eng'])).body.detail).toMatch(/^The document is (queued|processing)\.$/)
    expect(await settled(tenant, 'scan')).toMatchObject({ revision: 5, status: 'indexed', file: { kept: true, notes: read.file.notes } })
    expect((await get(tenant, '/api/documents/scan/text?scope_id=case')).text).toContain('Lease of the Hamburg office')
    expect((await words()).body.items.some((word: { corrected: boolean }) => word.corrected)).toBe(false)
    const { rows: acts } = await at.service.database.owner.query(
      "select count(*)::integer as n from audit_log where tenant_id = $1 and action = 'correctWord'",
      [tenant.tenant_id],
    )
    expect(acts[0].n).toBeGreaterThanOrEqual(2)
    await at.service.call('DELETE', '/api/documents/scan?scope_id=case', { headers: keyOf(tenant) })
    const { rows: left } = await at.service.database.owner.query(
      `select (select count(*)::integer from file_chunks where tenant_id = $1) as chunks, (select count(*)::integer from recognised_pages where tenant_id = $1) as pages,
         (select count(provenance)::integer from documents where tenant_id = $1) as said, (select sum(bytes)::integer from scope_heads where tenant_id = $1) as bytes`,
      [tenant.tenant_id],
    )
    expect(left[0]).toEqual({ chunks: 0, pages: 0, said: 0, bytes: Buffer.byteLength(body.text) })
  })

  it.runIf(process.platform !== 'win32')('holds up nothing; one that waits is not begun when its scope is paused or stopped', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'concord-scans-'))
    const command = `cat >/dev/null; echo begun >>${folder}/log; while [ ! -e ${folder}/go ]; do sleep 0.05; done; echo The rent is EUR 4,000.`
    const own = await startTestService({ OCR_COMMAND: command, WORKERS: '2' })
    const begun = () => readFileSync(`${folder}/log`, 'utf8').trim().split('\n').length
    try {
      const [reading, paused, stopped] = [await own.createTenant(), await own.createTenant(), await own.createTenant()]
      const submit = async (tenant: Tenant) => {
        const form = fileForm({ scope_id: 'case', document_id: 'scan' }, { bytes: scan, name: 'scan.pdf' })
        await own.call('POST', '/api/files', { headers: { ...keyOf(tenant), ...form.headers }, raw: form.raw })
      }
      const status = async (tenant: Tenant, wait = 0) =>
        (await own.call('GET', `/api/documents/scan?scope_id=case&wait=${wait}`, { headers: keyOf(tenant) })).body.status
      /** Handed over by its worker, and put off. */
      const waits = async ({ tenant_id }: Tenant) =>
        (await own.database.owner.query('select not_before > now() as waits from backlog where tenant_id = $1', [tenant_id])).rows[0]?.waits
      await submit(reading)
      await expect.poll(() => existsSync(`${folder}/log`)).toBe(true)
      for (const [tenant, command] of [
        [paused, 'pause'],
        [stopped, 'stop'],
      ] as const) {
        await submit(tenant)
        await expect.poll(() => waits(tenant)).toBe(true)
        await own.admin('POST', `/admin/runtime/${command}`, { scope_id: 'case' }, tenant.api_key)
      }
      // More scans than workers are in hand, and none can be read: texts and files go their way, also behind a scan in its own case.
      const { tenant_id } = reading
      const body = {
        scope_id: 'case',
        name: 'Letter',
        document_id: 'letter',
        text: 'The rent of the Hamburg office is EUR 13,500 a month.',
      }
      await own.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenant_id }, body })
      const files = [fileForm({ scope_id: 'case', document_id: 'lease' }, { bytes: sample('lease.pdf'), name: 'lease.pdf' })]
      files.push(fileForm({ scope_id: 'other', document_id: 'note' }, { bytes: 'The deposit is EUR 9,000.', name: 'note.txt' }))
      for (const { headers, raw } of files) await own.call('POST', '/api/files', { headers: { ...keyOf(reading), ...headers }, raw })
      const ended = async (path: string) =>
        (await own.call('GET', `/api/documents/${path}&wait=30`, { headers: keyOf(reading) })).body.status
      for (const path of ['letter?scope_id=case', 'lease?scope_id=case', 'note?scope_id=other'])
        await expect.poll(() => ended(path)).toBe('indexed')
      expect([await status(reading), begun()]).toEqual(['queued', 1])
      writeFileSync(`${folder}/go`, '')
      await expect.poll(() => status(reading, 30)).toBe('indexed')
      expect([await status(paused), await status(stopped), begun()]).toEqual(['queued', 'queued', 1])
      await own.admin('POST', '/admin/runtime/resume', { scope_id: 'case' }, paused.api_key)
      await expect.poll(() => status(paused, 30)).toBe('indexed')
    } finally {
      writeFileSync(`${folder}/go`, '')
      await own.stop()
      rmSync(folder, { recursive: true })
    }
  })
})
