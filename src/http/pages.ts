/** Pages for people: the OpenAPI document, the reference at /docs (all of it served from here), and one page per problem code. */

import Fastify, { type FastifyInstance } from 'fastify'
import { openApiDocument } from '../contract/openapi.js'
import { problems } from '../contract/problems.js'
import { AppError } from '../platform/errors.js'

/** The reference is an application in one script with inline styles; it may load from this service and nowhere else. */
const referencePolicy =
  "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; worker-src 'self' blob:; frame-ancestors 'none'"

/** The reference's own greys and method colours are too pale on white to be read by everybody; its copy buttons have no name. */
const readableColors = `
.light-mode { --scalar-color-2: #4a4a4a; --scalar-color-3: #595959; --scalar-color-green: #0a6b3d; --scalar-color-blue: #0a58a8; --scalar-color-orange: #9a4a00; --scalar-color-red: #b3122b; --scalar-color-yellow: #7a5b00; --scalar-color-purple: #6b3fa0; }
.dark-mode { --scalar-color-2: #c4c4c4; --scalar-color-3: #adadad; }
[class~="group/copy-button"] { display: none !important; }`

export async function addPages(app: FastifyInstance): Promise<void> {
  const document = JSON.stringify(openApiDocument())
  app.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(document))
  app.get<{ Params: { code: string } }>('/problems/:code', (request, reply) => {
    const kind = Object.entries(problems).find(([code]) => code === request.params.code)?.[1]
    if (kind === undefined) throw new AppError('ROUTE_NOT_FOUND')
    const page = problemPage(request.params.code, kind)
    return reply
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .type('text/html; charset=utf-8')
      .send(page)
  })
  const reference = createReference()
  for (const url of ['/docs', '/docs/*']) {
    app.get(url, async (request, reply) => {
      const page = await (await reference()).inject({ method: 'GET', url: request.url })
      if (page.statusCode === 404) throw new AppError('ROUTE_NOT_FOUND')
      const type = String(page.headers['content-type'] ?? 'text/html; charset=utf-8')
      if (page.headers.location !== undefined) reply.header('location', page.headers.location)
      reply.code(page.statusCode).headers({ 'content-security-policy': referencePolicy, 'cache-control': 'no-cache' }).type(type)
      return reply.send(type.startsWith('text/html') ? page.payload.replace(/<html>/i, '<html lang="en">') : page.rawPayload)
    })
  }
}

/** Loaded when first looked at: it takes 30 MiB, and most processes never show it. */
function createReference(): () => Promise<FastifyInstance> {
  let loaded: Promise<FastifyInstance> | undefined
  return () => {
    loaded ??= loadReference()
    return loaded
  }
}

async function loadReference(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const reference = Fastify()
  await reference.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Concord API',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      customCss: readableColors,
    },
  })
  return reference
}

function problemPage(code: string, kind: { status: number; title: string; help: string }): string {
  const help = kind.help.replaceAll(/`([^`]+)`/g, '<code>$1</code>')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${code}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}</style></head>
<body><main><h1>${kind.title}</h1><p><code>${code}</code>, status ${kind.status}</p><p>${help}</p><p><a href="/docs">API reference</a></p></main></body></html>`
}
