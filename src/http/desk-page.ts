/** The desk at /desk: three files made by the build, compressed once, and sent again only when they changed. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Scripts, styles and requests of this service alone; no frames, no forms that are sent, nothing inline. */
export const deskPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

const types: Record<string, string> = {
  'index.html': 'text/html; charset=utf-8',
  'desk.js': 'text/javascript; charset=utf-8',
  'desk.css': 'text/css; charset=utf-8',
}

interface DeskFile {
  type: string
  etag: string
  bytes: Buffer
  compressed: Buffer
}

export function addDesk(app: FastifyInstance): void {
  const read = createReader()
  const send = (name: string) => (request: FastifyRequest, reply: FastifyReply) => answer(read(name), request, reply)
  for (const url of ['/desk', '/desk/']) app.get(url, send('index.html'))
  for (const name of ['desk.js', 'desk.css']) app.get(`/desk/${name}`, send(name))
  app.get('/', (request, reply) => {
    if (/\btext\/html\b/.test(request.headers.accept ?? '')) return reply.redirect('/desk', 302)
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(places))
  })
}

const places = { desk: '/desk', docs: '/docs', openapi: '/openapi.json', health: '/api/health' }

/** The same place seen from `src/http/` and from `dist/http/`. Read when first asked for: most processes never show them. */
function createReader(): (name: string) => DeskFile {
  const folder = new URL('../../dist/desk/', import.meta.url)
  const known = new Map<string, DeskFile>()
  return name => {
    const found = known.get(name)
    if (found !== undefined) return found
    const bytes = readFileSync(new URL(name, folder))
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
    const file = { type: types[name] as string, etag, bytes, compressed: gzipSync(bytes, { level: 9 }) }
    known.set(name, file)
    return file
  }
}

function answer(file: DeskFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({ 'content-security-policy': deskPolicy, 'cache-control': 'no-cache', etag: file.etag, vary: 'accept-encoding' })
  if (request.headers['if-none-match']?.includes(file.etag)) return reply.code(304).send()
  reply.type(file.type)
  if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(file.bytes)
  return reply.header('content-encoding', 'gzip').send(file.compressed)
}
