/** Pages for people: the desk, the OpenAPI document, the reference at /docs (all of it served from here), and one page per problem code. */

import type { FastifyInstance, FastifyReply } from 'fastify'
import { openApiDocument } from '../contract/openapi.js'
import { problems } from '../contract/problems.js'
import { AppError } from '../platform/errors.js'
import { addDesk } from './desk-page.js'
import { referencePage } from './reference-page.js'

/** Pages have styles of their own and nothing else. */
const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

export async function addPages(app: FastifyInstance): Promise<void> {
  const document = onceAsked(() => JSON.stringify(openApiDocument()))
  app.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(document()))
  app.get<{ Params: { code: string } }>('/problems/:code', (request, reply) => {
    const kind = Object.entries(problems).find(([code]) => code === request.params.code)?.[1]
    if (kind === undefined) throw new AppError('ROUTE_NOT_FOUND')
    return sendPage(reply, problemPage(request.params.code, kind))
  })
  addDesk(app)
  const reference = onceAsked(() => referencePage(openApiDocument()))
  for (const url of ['/docs', '/docs/']) app.get(url, (_request, reply) => sendPage(reply, reference()))
}

/** Made when first looked at: most processes never show it. */
function onceAsked(make: () => string): () => string {
  let made: string | undefined
  return () => {
    made ??= make()
    return made
  }
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.header('content-security-policy', pagePolicy).type('text/html; charset=utf-8').send(page)
}

function problemPage(code: string, kind: { status: number; title: string; help: string }): string {
  const help = kind.help.replaceAll(/`([^`]+)`/g, '<code>$1</code>')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${code}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}</style></head>
<body><main><h1>${kind.title}</h1><p><code>${code}</code>, status ${kind.status}</p><p>${help}</p><p><a href="/docs">API reference</a></p></main></body></html>`
}
