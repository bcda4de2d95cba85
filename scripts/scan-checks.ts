/**
 * `npm run test:scans`: a scan read by the script that docs/files.md gives for Debian's tesseract-ocr and poppler-utils,
 * through the whole service: the words of both pages, each with its page.
 */

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '../src/client/index.js'
import { outcomeOf } from './document-outcome.js'
import { startThrowawayService } from './throwaway-service.js'

const rootOf = (path: string) => new URL(`../${path}`, import.meta.url)
const script = /```sh\n(#!\/bin\/sh\n[\s\S]*?)```/.exec(readFileSync(rootOf('docs/files.md'), 'utf8'))?.[1]
assert(script, 'docs/files.md gives no script')
const folder = mkdtempSync(join(tmpdir(), 'concord-scans-'))
const command = join(folder, 'ocr.sh')
writeFileSync(command, script)

const service = await startThrowawayService({ name: 'scans', user: 'tester', settings: { OCR_COMMAND: `sh ${command}` } })
try {
  const url = await service.url()
  const keys = JSON.parse(readFileSync(join(service.folder, 'data', 'keys.json'), 'utf8')) as { admin: string }
  const tenant = await createClient({ url, adminKey: keys.admin }).admin.createTenant({ name: 'Scans' })
  const client = createClient({ url, tenantKey: tenant.api_key })
  const started = performance.now()
  const scan = new Blob([new Uint8Array(readFileSync(rootOf('test/files/samples/scan.pdf')))])
  await client.ingestFile(scan, { scope_id: 'scans', name: 'scan.pdf', document_id: 'scan' })
  const read = await outcomeOf(client, 'scans', 'scan')
  assert.equal(read.status, 'indexed', read.reason ?? '')
  assert.equal(read.file?.extractor, 'ocr@1')
  const pages = new Map<string, number | null>()
  for await (const claim of client.claims('scans')) pages.set(claim.quote ?? '', claim.page)
  const pageOf = (words: string) => [...pages].find(([quote]) => quote.includes(words))?.[1]
  assert.equal(pageOf('EUR 12,500'), 1, JSON.stringify([...pages]))
  assert.equal(pageOf('420 square metres'), 2, JSON.stringify([...pages]))
  console.log(`A scan of two pages was read in ${Math.round(performance.now() - started)} ms: ${pages.size} claims, with their pages.`)
} finally {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
}
