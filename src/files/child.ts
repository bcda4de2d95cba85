/**
 * The process that reads files. One file at a time comes in by standard input and its text goes out by standard output;
 * it reaches no network, and its permissions keep it from writing files and starting programs. Whatever a file does to it,
 * the parent ends it and starts another.
 */

import { Socket } from 'node:net'
import { extract } from './extract.js'
import { FileFault } from './extraction.js'
import { type Answer, headOf, type Request, readerOf, readHead } from './frames.js'
import { placeRowsOf } from './place-rows.js'

Socket.prototype.connect = function refuse(): never {
  throw new Error('a process that reads files has no network')
}
Object.assign(globalThis, { fetch: undefined, WebSocket: undefined, XMLHttpRequest: undefined })
// What libraries have to say about a file may quote it.
for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const) console[name] = () => undefined
process.on('unhandledRejection', () => undefined)

const read = readerOf(process.stdin)
for (;;) {
  const request = await readHead<Request>(read)
  const bytes = request === null ? null : await read(request.bytes)
  if (request === null || bytes === null) break
  for (const piece of await answer(request, bytes)) await write(piece)
}

async function answer({ kind, limits }: Request, bytes: Buffer): Promise<Uint8Array[]> {
  try {
    const { text, places, notes, attachments } = await extract(bytes, kind, limits)
    const encoded = Buffer.from(text, 'utf8')
    const parts = attachments.map(({ name, declared, bytes: own }) => ({ name, declared, bytes: own.length }))
    const placed = places && placeRowsOf(places)
    const rows = placed?.rows ?? []
    const head: Answer = {
      ok: true,
      text: encoded.length,
      places: placed && { kind: placed.kind, rows: rows.map(({ firstAt, starts, labels }) => [firstAt, starts.length, labels.length]) },
      notes,
      attachments: parts,
    }
    return [headOf(head), encoded, ...rows.flatMap(({ starts, labels }) => [starts, labels]), ...attachments.map(each => each.bytes)]
  } catch (error) {
    return [headOf({ ok: false, code: error instanceof FileFault ? error.code : 'BROKEN' })]
  }
}

function write(piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(piece, error => (error ? reject(error) : resolve())))
}
