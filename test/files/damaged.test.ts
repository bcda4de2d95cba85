import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { msgOf } from '../support/msg.js'
import { fileForm } from '../support/multipart.js'
import { commented, deleted, docxOf, inserted, odsOf, odtOf, pptxOf, said, shape } from '../support/office.js'
import { startTestService, type TestService } from '../support/service.js'
import { zipOf } from '../support/zip.js'

/** Some dozen in the everyday run, thousands in `npm run prove`. */
const count = process.env['PROVE'] === '1' ? 5000 : 36
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
const pictures = process.env['PROVE'] === '1' ? 500 : 3
const pictureSamples = ['deposit.jpg', 'deposit.webp', 'scan.pdf']
const samples = ['lease.pdf', 'wrapped.pdf', 'lease.docx', 'costs.xlsx', 'mail.eml', 'html-mail.eml']

let service: TestService
beforeAll(async () => {
  service = await startTestService({ DOCUMENT_TIMEOUT_MS: '5000', RETRY_MAX_ATTEMPTS: '2', RETRY_BASE_MS: '1', RETRY_MAX_MS: '1' })
})
afterAll(() => service.stop())

it.each([
  { what: 'files', count, samples, made },
  { what: 'scans and pictures', count: pictures, samples: pictureSamples, made: {} },
])(
  'takes $count damaged $what without a failure of its own, and comes to an end with each',
  async ({ what, count, samples, made }) => {
    const tenant = await service.createTenant()
    const headers = { 'x-tenant-api-key': tenant.api_key }
    const random = numbersFrom(20_261_116)
    const originals = [
      ...samples.map(name => ({ name, bytes: readFileSync(new URL(`./samples/${name}`, import.meta.url)) })),
      ...Object.entries(made).map(([name, bytes]) => ({ name, bytes })),
    ]
    const statuses: Record<number, number> = {}
    const outcomes: Record<string, number> = {}
    const waiting = Array.from({ length: count }, (_, n) => n).values()
    const lane = async () => {
      for (const n of waiting) {
        const { name, bytes } = originals[n % originals.length]!
        const form = fileForm({ scope_id: `case-${n % 8}`, document_id: `d${n}` }, { bytes: damaged(bytes, random), name })
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
    console.log(`PROVE damaged ${what}=${count} statuses=${JSON.stringify(statuses)} outcomes=${JSON.stringify(outcomes)}`)
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
    const fine = fileForm({ scope_id: 'after', document_id: 'fine' }, { bytes: originals[0]!.bytes, name: originals[0]!.name })
    await service.call('POST', '/api/files', { headers: { ...headers, ...fine.headers }, raw: fine.raw })
    expect((await service.call('GET', '/api/documents/fine?scope_id=after&wait=30', { headers })).body.status).toBe('indexed')
  },
  (count + 5 * pictures) * 1000 + 120_000,
)

/** Bytes changed, cut off, cut out, doubled or filled with zeros; most of the file stays as it was. */
function damaged(bytes: Buffer, random: () => number): Buffer {
  const at = (most: number) => Math.floor(random() * most)
  const copy = Buffer.from(bytes)
  const kind = at(5)
  if (kind === 0) for (let n = 0; n < 1 + at(40); n++) copy[at(copy.length)] = at(256)
  if (kind === 1) return copy.subarray(0, 1 + at(copy.length))
  const from = at(copy.length)
  const to = Math.min(copy.length, from + at(2000))
  if (kind === 2) return Buffer.concat([copy.subarray(0, from), copy.subarray(to)])
  if (kind === 3) return Buffer.concat([copy.subarray(0, to), copy.subarray(from)])
  if (kind === 4) copy.fill(0, from, to)
  return copy
}

function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
