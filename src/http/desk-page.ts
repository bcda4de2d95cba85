/**
 * The desk at /desk: a page, a style sheet and a script made by the build, parts of the script that some views load when they
 * need them, and what pdf.js loads by itself to draw an original in the browser. Nothing else of the disk can be named here.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../platform/errors.js'
import { type KeptFile, keptFile, sendKeptFile } from './kept-file.js'

/** Scripts, styles and requests of this service alone; no frames, no forms that are sent, nothing inline. */
export const deskPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  pfb: 'application/octet-stream',
  ttf: 'font/ttf',
}

export function addDesk(app: FastifyInstance): void {
  const read = createReader(deskFiles)
  const send = (name: string) => (request: FastifyRequest, reply: FastifyReply) => sendNamed(name, request, reply)
  const sendNamed = (name: string, request: FastifyRequest, reply: FastifyReply) => {
    const file = read(name)
    if (file === null) throw new AppError('ROUTE_NOT_FOUND')
    return sendKeptFile(file, request, reply.header('content-security-policy', deskPolicy))
  }
  for (const url of ['/desk', '/desk/']) app.get(url, send('index.html'))
  for (const name of ['desk.js', 'desk.css']) app.get(`/desk/${name}`, send(name))
  app.get<{ Params: { part: string } }>('/desk/parts/:part', (request, reply) => sendNamed(`parts/${request.params.part}`, request, reply))
  app.get<{ Params: { name: string } }>('/desk/pdfjs/:name', (request, reply) => sendNamed(`pdfjs/${request.params.name}`, request, reply))
  app.get<{ Params: { name: string } }>('/desk/pdfjs/fonts/:name', (request, reply) =>
    sendNamed(`pdfjs/fonts/${request.params.name}`, request, reply),
  )
  app.get('/', (request, reply) => {
    if (/\btext\/html\b/.test(request.headers.accept ?? '')) return reply.redirect('/desk', 302)
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(places))
  })
}

const places = { desk: '/desk', docs: '/docs', openapi: '/openapi.json', health: '/api/health' }

/** Every file there is, by the name it is asked for. */
function deskFiles(): Map<string, URL> {
  // The same place seen from `src/http/` and from `dist/http/`.
  const built = new URL('../../dist/desk/', import.meta.url)
  const pdfjs = pathToFileURL(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
  const files = new Map(['index.html', 'desk.js', 'desk.css'].map(name => [name, new URL(name, built)]))
  files.set('pdfjs/pdf.worker.min.mjs', new URL('legacy/build/pdf.worker.min.mjs', pdfjs))
  files.set('pdfjs/openjpeg_nowasm_fallback.js', new URL('wasm/openjpeg_nowasm_fallback.js', pdfjs))
  const within = (folder: URL, ending: RegExp, prefix: string) => {
    for (const name of readdirSync(folder)) if (ending.test(name)) files.set(prefix + name, new URL(name, folder))
  }
  within(new URL('parts/', built), /\.js$/, 'parts/')
  within(new URL('standard_fonts/', pdfjs), /\.(pfb|ttf)$/, 'pdfjs/fonts/')
  return files
}

/** Looked for when first asked: most processes never show them. Null for what is none of them. */
function createReader(list: () => Map<string, URL>): (name: string) => KeptFile | null {
  let files: Map<string, URL> | undefined
  const known = new Map<string, KeptFile>()
  return name => {
    const found = known.get(name)
    if (found !== undefined) return found
    files ??= list()
    const url = files.get(name)
    if (url === undefined) return null
    const file = keptFile(types[name.slice(name.lastIndexOf('.') + 1)] as string, readFileSync(url))
    known.set(name, file)
    return file
  }
}
