/**
 * `npm run test:office`: the schedule of a case opened by LibreOffice as Word and as Excel, each with both quotes, the papers, the page
 * and the cell they stand on, and the decision, and with nothing taken for a formula.
 */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient } from '../src/client/index.js'
import { pdfOf } from '../test/support/pdf.js'
import { outcomeOf } from './document-outcome.js'
import { startThrowawayService } from './throwaway-service.js'

const said = {
  'note.pdf': 'Vela Ltd: net debt at 31 March 2025 was EUR 17.5M.',
  'letter.csv': 'Vela Ltd: net debt at 31 March 2025 was EUR 12.0M.',
}
const files = {
  'note.pdf': pdfOf([['Note of the treasurer.'], [said['note.pdf']]]),
  'letter.csv': Buffer.from(`Statements of the auditors\n${said['letter.csv']}\n`),
}
const reason = '=1+2 days <apart> & "booked" twice'
const conversionMs = 120_000

const service = await startThrowawayService({ name: 'office', user: 'tester' })
try {
  const url = await service.url()
  const keys = JSON.parse(readFileSync(join(service.folder, 'data', 'keys.json'), 'utf8')) as { admin: string }
  const tenant = await createClient({ url, adminKey: keys.admin }).admin.createTenant({ name: 'Office' })
  const client = createClient({ url, tenantKey: tenant.api_key })
  for (const [id, bytes] of Object.entries(files)) {
    await client.ingestFile(new Blob([new Uint8Array(bytes)]), { scope_id: 'case', document_id: id, name: id })
    assert.equal((await outcomeOf(client, 'case', id)).status, 'indexed')
  }
  for await (const found of client.contradictions('case'))
    await client.resolve(found.contradiction_id, { verdict: 'both', reason, by: 'Ada' })
  const words = [...Object.values(said), 'note.pdf, revision 1, page 2', 'letter.csv, revision 1, cell A2', 'Both stand', 'Ada', reason]
  for (const [format, filter] of [
    ['docx', 'txt:Text (encoded):UTF8'],
    // Tab-separated UTF-8 with every text quoted, and cells as they are shown.
    ['xlsx', 'csv:Text - txt - csv (StarCalc):9,34,76,1,,0,true'],
  ] as const) {
    const schedule = await client.schedule('case', { format })
    const shown = openInOffice(`schedule.${format}`, Buffer.from(await schedule.arrayBuffer()), filter)
    for (const each of words) assert(shown.includes(each), `${format} does not show ${each}:\n${shown}`)
  }
  console.log('LibreOffice shows the schedule as Word and as Excel, with both quotes, papers, page and cell, and the decision.')
} finally {
  await service.stop()
}

/** What LibreOffice makes of a file, as text. */
function openInOffice(name: string, bytes: Buffer, filter: string): string {
  const folder = join(service.folder, 'office')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, name)
  writeFileSync(file, bytes)
  // With settings of its own, so that one that is open already is left alone.
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`
  const options = {
    cwd: folder,
    timeout: conversionMs,
    encoding: 'utf8' as const,
    stdio: 'pipe' as const,
    env: { ...process.env, HOME: folder },
  }
  execFileSync('soffice', [profile, '--headless', '--convert-to', filter, '--outdir', folder, file], options)
  const made = name.replace(/\.\w+$/, filter.startsWith('txt') ? '.txt' : '.csv')
  return readFileSync(join(folder, made), 'utf8').replaceAll('""', '"')
}
