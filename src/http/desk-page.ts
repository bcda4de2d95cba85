/** The desk at /desk: three files made by the build. */

import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type KeptFile, keptFile, sendKeptFile } from './kept-file.js'

/** Scripts, styles and requests of this service alone; no frames, no forms that are sent, nothing inline. */
export const deskPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

const types: Record<string, string> = {
  'index.html': 'text/html; charset=utf-8',
  'desk.js': 'text/javascript; charset=utf-8',
  'desk.css': 'text/css; charset=utf-8',
}

export function addDesk(app: FastifyInstance): void {
  const read = createReader()
  const send = (name: string) => (request: FastifyRequest, reply: FastifyReply) =>
    sendKeptFile(read(name), request, reply.header('content-security-policy', deskPolicy))
  for (const url of ['/desk', '/desk/']) app.get(url, send('index.html'))
  for (const name of ['desk.js', 'desk.css']) app.get(`/desk/${name}`, send(name))
  app.get('/', (request, reply) => {
    if (/\btext\/html\b/.test(request.headers.accept ?? '')) return reply.redirect('/desk', 302)
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(places))
  })
}

const places = { desk: '/desk', docs: '/docs', openapi: '/openapi.json', health: '/api/health' }

/** The same place seen from `src/http/` and from `dist/http/`. Read when first asked for: most processes never show them. */
function createReader(): (name: string) => KeptFile {
  const folder = new URL('../../dist/desk/', import.meta.url)
  const known = new Map<string, KeptFile>()
  return name => {
    const found = known.get(name)
    if (found !== undefined) return found
    const file = keptFile(types[name] as string, readFileSync(new URL(name, folder)))
    known.set(name, file)
    return file
  }
}
