import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { damaged, type HostileFile, hostileFile, numbersFrom } from '../support/hostile-files.js'
import { msgOf } from '../support/msg.js'
import { fileForm } from '../support/multipart.js'
import { commented, deleted, docxOf, inserted, odsOf, odtOf, pptxOf, said, shape } from '../support/office.js'
import { linesOf, pngOf, tiffOf } from '../support/pictures.js'
import { startTestService, type TestService } from '../support/service.js'
import { zipOf } from '../support/zip.js'

const sentence = 'The rent of the Hamburg office is EUR 12,900 a month.'
const made: Record<string, Buffer> = {
  'tracked.docx': docxOf([said(sentence) + deleted('Not so.') + inserted('So.'), commented('Signed.')], ['By whom?']),
  'lease.odt': odtOf(`<text:h>Lease</text:h><text:p>${sentence}</text:p>`),
  'costs.ods': odsOf({ Costs: `<table:table-row><table:table-cell><text:p>${sentence}</text:p></table:table-cell></table:table-row>` }),
  'deck.pptx': pptxOf([{ shapes: shape('title', 'Lease') + shape('body', sentence), notes: 'Say more.' }]),
}
made['papers.zip'] = zipOf({ 'a/lease.odt': made['lease.odt']!, 'b/deck.pptx': made['deck.pptx']!, 'note.txt': sentence })
made['mail.msg'] = msgOf({
  subject: 'Rent',
  from: ['Ana Berg', 'ana@alder.example'],
  to: [['Board', 'board@alder.example']],
  date: '2026-03-02T09:00:00Z',
  body: sentence,
  attachments: [{ name: 'deck.pptx', bytes: made['deck.pptx']! }],
})
const isProof = process.env['PROVE'] === '1'
const count = isProof ? 5000 : 36
const pictures = isProof ? 500 : 5
const hostile = isProof ? 500 : 6
const sample = (name: string) => ({ name, bytes: readFileSync(new URL(`./samples/${name}`, import.meta.url)) })
const files = [
  ...['lease.pdf', 'wrapped.pdf', 'lease.docx', 'costs.xlsx', 'mail.eml', 'html-mail.eml'].map(sample),
  ...Object.entries(made).map(([name, bytes]) => ({ name, bytes })),
]
const scans = [
  ...['deposit.jpg', 'deposit.webp', 'scan.pdf'].map(sample),
  { name: 'lines.png', bytes: pngOf(linesOf(1, 60)) },
  { name: 'lines.tif', bytes: tiffOf([1, 2].map(page => ({ picture: linesOf(page as 1 | 2, 60), orientation: 1 }))) },
]
const samples = { jpeg: sample('deposit.jpg').bytes, webp: sample('deposit.webp').bytes }
/** Every day some that differ as much as possible; all of them in the proof. */
const nth = (n: number) => (isProof ? n : n * 7)

let service: TestService
beforeAll(async () => {
  service = await startTestService({ DOCUMENT_TIMEOUT_MS: '10000', RETRY_MAX_ATTEMPTS: '5', RETRY_BASE_MS: '1', RETRY_MAX_MS: '1' })
})
afterAll(() => service.stop())

interface Kind {
  what: string
  count: number
  make(n: number, random: () => number): HostileFile
}

it.each<Kind>([
  { what: 'damaged files', count, make: (n, random) => damagedOf(files[n % files.length]!, random) },
  { what: 'damaged scans and pictures', count: pictures, make: (n, random) => damagedOf(scans[n % scans.length]!, random) },
  { what: 'hostile pictures and archives', count: hostile, make: (n, random) => hostileFile(nth(n), random, samples) },
])(
  'takes $count $what without a failure of its own, and comes to an end with each',
  async ({ what, count, make }) => {
    const tenant = await service.createTenant()
    const headers = { 'x-tenant-api-key': tenant.api_key }
    const random = numbersFrom(20_261_116)
    const memory = watchMemory()
    const statuses: Record<number, number> = {}
    const outcomes: Record<string, number> = {}
    const waiting = Array.from({ length: count }, (_, n) => n).values()
    const lane = async () => {
      for (const n of waiting) {
        const form = fileForm({ scope_id: `case-${n % 8}`, document_id: `d${n}` }, make(n, random))
        const answer = await service.call('POST', '/api/files', { headers: { ...headers, ...form.headers }, raw: form.raw })
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
        if (answer.status !== 202) continue
        const look = () => service.call('GET', `/api/documents/d${n}?scope_id=case-${n % 8}&wait=30`, { headers })
        let read = await look()
        // One scan is read at a time, and takes its time.
        while (['queued', 'processing'].includes(read.body.status)) read = await look()
        const outcome = read.body.failure?.error_class ?? read.body.status
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      }
    }
    await Promise.all(Array.from({ length: 8 }, lane))
    const peakMib = memory.end()
    console.log(
      `PROVE damaged ${what}=${count} statuses=${JSON.stringify(statuses)} outcomes=${JSON.stringify(outcomes)} peak_mib=${peakMib}`,
    )
    // It is looked at every 20 ms: what is taken in between is over it.
    expect(peakMib).toBeLessThan(2 * 512)
    expect(Object.keys(statuses).filter(status => Number(status) !== 202 && Number(status) !== 415)).toEqual([])
    const ended = [
      'indexed',
      'held',
      'rejected',
      'BROKEN',
      'NO_TEXT',
      'ENCRYPTED',
      'TOO_LONG',
      'TOO_LARGE',
      'TOO_COMPLEX',
      'TOO_SLOW',
      'TOO_MUCH_MEMORY',
    ]
    expect(Object.keys(outcomes).filter(outcome => !ended.includes(outcome))).toEqual([])
    const fine = fileForm({ scope_id: 'after', document_id: 'fine' }, { bytes: files[0]!.bytes, name: files[0]!.name })
    await service.call('POST', '/api/files', { headers: { ...headers, ...fine.headers }, raw: fine.raw })
    expect((await service.call('GET', '/api/documents/fine?scope_id=after&wait=30', { headers })).body.status).toBe('indexed')
  },
  (count + 5 * pictures + 5 * hostile) * 1000 + 120_000,
)

function damagedOf({ name, bytes }: HostileFile, random: () => number): HostileFile {
  return { name, bytes: damaged(bytes, random) }
}

/** The most memory any process has had that reads files; 0 where it is unknown. */
function watchMemory() {
  let most = 0
  const look = () => {
    for (const pid of existsSync('/proc') ? readdirSync('/proc').filter(name => /^\d+$/.test(name)) : []) {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8')
        if (!status.includes(`\nPPid:\t${process.pid}\n`) || !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('files/child.js'))
          continue
        most = Math.max(most, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
      } catch (error) {
        // A process that ended while the list was read.
        if (!['ENOENT', 'ESRCH', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
      }
    }
  }
  const timer = setInterval(look, 250)
  return {
    end: () => {
      clearInterval(timer)
      look()
      return Math.round(most)
    },
  }
}
