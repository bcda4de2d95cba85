/** Pages for people: the desk, the OpenAPI document, the reference at /docs (all of it served from here), and a page for each problem code with an index. */

import type { FastifyInstance, FastifyReply } from 'fastify'
import { openApiDocument } from '../contract/openapi.js'
import { problems } from '../contract/problems.js'
import { AppError } from '../platform/errors.js'
import { addDesk } from './desk-page.js'
import { keptFile, sendKeptFile } from './kept-file.js'
import { referencePage } from './reference-page.js'

/** Pages have styles of their own and nothing else. */
const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

export async function addPages(app: FastifyInstance, publicAuth: 'id' | 'key'): Promise<void> {
  const document = onceAsked(() => keptFile('application/json; charset=utf-8', Buffer.from(JSON.stringify(openApiDocument(publicAuth)))))
  app.get('/openapi.json', (request, reply) => sendKeptFile(document(), request, reply))
  const index = onceAsked(problemIndex)
  for (const url of ['/problems', '/problems/']) app.get(url, (_request, reply) => sendPage(reply, index()))
  app.get<{ Params: { code: string } }>('/problems/:code', (request, reply) => {
    const kind = Object.entries(problems).find(([code]) => code === request.params.code)?.[1]
    if (kind === undefined) throw new AppError('ROUTE_NOT_FOUND')
    return sendPage(reply, problemPage(request.params.code, kind))
  })
  addDesk(app)
  const reference = onceAsked(() => referencePage(openApiDocument(publicAuth)))
  for (const url of ['/docs', '/docs/']) app.get(url, (_request, reply) => sendPage(reply, reference()))
}

/** Made when first looked at: most processes never show it. */
function onceAsked<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.header('content-security-policy', pagePolicy).type('text/html; charset=utf-8').send(page)
}

function problemPage(code: string, kind: { status: number; title: string; help: string }): string {
  const body = `<h1>${kind.title}</h1><p><code>${code}</code>, status ${kind.status}</p><p>${coded(kind.help)}</p>
<p><a href="/problems">All problems</a> · <a href="/docs">API reference</a></p>`
  return pageOf(code, body)
}

function problemIndex(): string {
  const rows = Object.entries(problems).map(
    ([code, { status, title, help }]) =>
      `<tr><td>${status}</td><td><a href="/problems/${code}"><code>${code}</code></a></td><td>${title}. ${coded(help)}</td></tr>`,
  )
  const head = '<thead><tr><th>Status</th><th>Code</th><th>What it means and what to do</th></tr></thead>'
  const words = '<p>Every refusal and failure carries one of these as <code>code</code>. <a href="/docs">API reference</a></p>'
  return pageOf('Problems', `<h1>Problems</h1>${words}<table>${head}<tbody>${rows.join('\n')}</tbody></table>`)
}

function coded(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

function pageOf(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:52rem;margin:4rem auto;padding:0 1rem}
td,th{text-align:left;vertical-align:top;padding:.3rem .8rem .3rem 0}</style></head>
<body><main>${body}</main></body></html>`
}
