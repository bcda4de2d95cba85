/**
 * The process that reads files. One file at a time comes in by standard input and its text goes out by standard output;
 * it reaches no network, and its permissions keep it from writing files and starting programs. Whatever a file does to it,
 * the parent ends it and starts another.
 */

import { Socket } from 'node:net'
import { extract } from './extract.js'
import { FileFault, ReaderFailure } from './extraction.js'
import { type Answer, headOf, type Request, readerOf, readHead } from './frames.js'
import { placeRowsOf, wordRowOf } from './place-rows.js'
import type { PageReading } from './recognised.js'
import type { Scanned, Scanner } from './scan.js'
import { WholeTextDecoder } from './text-decoder.js'

Socket.prototype.connect = function refuse(): never {
  throw new Error('a process that reads files has no network')
}
Object.assign(globalThis, { fetch: undefined, WebSocket: undefined, XMLHttpRequest: undefined })
// For the library that reads mails, most of which are in Windows-1252.
globalThis.TextDecoder = WholeTextDecoder
// What libraries have to say about a file may quote it.
for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const) console[name] = () => undefined
process.on('unhandledRejection', () => undefined)

const read = readerOf(process.stdin)
let scanner: Scanner | undefined
for (;;) {
  const request = await readHead<Request>(read)
  const bytes = request === null ? null : await read(request.bytes)
  const known = request === null ? null : await read(request.scan?.known ?? 0)
  if (request === null || bytes === null || known === null) break
  for (const piece of await answer(request, bytes, known)) await write(piece)
}

async function answer(request: Request, bytes: Buffer, known: Buffer): Promise<Uint8Array[]> {
  try {
    const { text, places, notes, attachments, scan, nextPage, spent, words } = await contentOf(request, bytes, known)
    const encoded = Buffer.from(text, 'utf8')
    const parts = attachments.map(({ name, declared, bytes: own }) => ({ name, declared, bytes: own.length }))
    const placed = places && placeRowsOf(places)
    const rows = placed?.rows ?? []
    const wordRows = words.map(wordRowOf)
    const head: Answer = {
      ok: true,
      text: encoded.length,
      places: placed && { kind: placed.kind, rows: rows.map(({ firstAt, starts, labels }) => [firstAt, starts.length, labels.length]) },
      notes,
      attachments: parts,
      ...(scan !== undefined && { scan }),
      ...(nextPage !== undefined && { nextPage }),
      ...(spent && { spent }),
      words: wordRows.map(row => [row.page, row.starts.length, row.lengths.length, row.confidences.length, row.rectangles.length]),
    }
    return [
      headOf(head),
      encoded,
      ...rows.flatMap(({ starts, labels }) => [starts, labels]),
      ...attachments.map(each => each.bytes),
      ...wordRows.flatMap(({ starts, lengths, confidences, rectangles }) => [starts, lengths, confidences, rectangles]),
    ]
  } catch (error) {
    // That the process ends costs an attempt; an answer would be about the file.
    if (error instanceof ReaderFailure) process.exit(1)
    return [headOf({ ok: false, code: error instanceof FileFault ? error.code : 'BROKEN' })]
  }
}

async function contentOf({ kind, limits, scan: how }: Request, bytes: Buffer, known: Buffer): Promise<Scanned> {
  if (how === undefined) return { ...(await extract(bytes, kind, limits)), words: [] }
  // Nothing of it is loaded before the first scan.
  scanner ??= (await import('./scan.js').catch((cause: unknown) => Promise.reject(new ReaderFailure(cause)))).createScanner()
  const { languages, from } = how
  const readings = () => JSON.parse(known.toString('utf8')) as PageReading[]
  const step = from === null ? { write: { readings: readings() } } : { recognise: { from } }
  return scanner({ bytes, kind }, { limits, languages, step }, async reading => {
    if (reading === null) return write(headOf({ ok: 'looked' }))
    const json = Buffer.from(JSON.stringify(reading), 'utf8')
    await write(Buffer.concat([headOf({ ok: 'page', page: reading.page, bytes: json.length }), json]))
  })
}

function write(piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(piece, error => (error ? reject(error) : resolve())))
}
