/**
 * The API reference as one page of plain HTML, made from the OpenAPI document: every operation with its credentials,
 * parameters, body, answers and a command to try, and every schema. No script and nothing to load, so it works
 * without internet, for a screen reader and under a policy that forbids everything but its own styles.
 */

import { escapeMarkup } from '../platform/markup.js'

interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  format?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  examples?: unknown[]
  [limit: string]: unknown
}

interface Parameter {
  name: string
  in: string
  required: boolean
  description?: string
  schema: Schema
}

interface Answer {
  $ref?: string
  description: string
  content?: Record<string, { schema?: Schema }>
}

interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  deprecated?: boolean
  security: Record<string, unknown>[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, Answer>
}

interface Document {
  info: { title: string; version: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, Answer>
    securitySchemes: Record<string, { name?: string }>
  }
}

interface Placed {
  method: string
  path: string
  operation: Operation
}

export function referencePage(openApi: Record<string, unknown>): string {
  const document = openApi as unknown as Document
  const placed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const groups = document.tags.map(tag => ({ ...tag, placed: placed.filter(each => each.operation.tags.includes(tag.name)) }))
  const schemas = Object.entries(document.components.schemas)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Concord API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${styles}</style></head>
<body>
<nav aria-label="Operations"><p><a href="#top">Concord API ${escapeMarkup(document.info.version)}</a></p>
${groups.map(group => `<h2>${escapeMarkup(group.name)}</h2><ul>${group.placed.map(navigationItem).join('')}</ul>`).join('\n')}
<h2>Schemas</h2><ul>${schemas.map(([name]) => `<li>${schemaLink(name)}</li>`).join('')}</ul></nav>
<main id="top"><h1>${escapeMarkup(document.info.title)}</h1>
${paragraphs(document.info.description)}
<p>For tools: <a href="/openapi.json">the OpenAPI document</a>.</p>
${groups.map(group => groupSection(group, document)).join('\n')}
<section aria-labelledby="schemas"><h2 id="schemas">Schemas</h2>${schemas.map(([name, schema]) => schemaArticle(name, schema)).join('\n')}</section>
</main></body></html>`
}

function navigationItem({ method, path, operation }: Placed): string {
  return `<li><a href="#${escapeMarkup(operation.operationId)}"><b>${method}</b> ${escapeMarkup(path)}</a></li>`
}

function groupSection(group: { name: string; description: string; placed: Placed[] }, document: Document): string {
  const id = `group-${escapeMarkup(group.name)}`
  return `<section aria-labelledby="${id}"><h2 id="${id}">${escapeMarkup(group.name)}</h2><p>${inline(group.description)}</p>
${group.placed.map(each => operationArticle(each, document)).join('\n')}</section>`
}

function operationArticle(placed: Placed, document: Document): string {
  const { method, path, operation } = placed
  const body = operation.requestBody?.content['application/json']?.schema
  const answers = Object.entries(operation.responses).map(([status, answer]) => answerItem(status, answer, document))
  return `<article><h3 id="${escapeMarkup(operation.operationId)}"><code>${method} ${escapeMarkup(path)}</code> ${escapeMarkup(operation.summary)}${operation.deprecated ? ' (deprecated)' : ''}</h3>
${paragraphs(operation.description)}
<p>Credentials: ${credentials(operation, document)}.</p>
${operation.parameters.length === 0 ? '' : table('Parameters', operation.parameters.map(parameterRow))}
${body === undefined ? '' : `<p>Body${operation.requestBody?.required ? '' : ' (optional)'}: ${typeOf(body)}</p>`}
<p>Answers:</p><ul>${answers.join('')}</ul>
<pre tabindex="0" aria-label="Command for ${escapeMarkup(operation.operationId)}"><code>${escapeMarkup(curl(placed, document))}</code></pre></article>`
}

function credentials({ security }: Operation, document: Document): string {
  if (security.length === 0) return 'none'
  return security
    .map(set =>
      Object.keys(set)
        .map(name => `<code>${escapeMarkup(headerOf(name, document))}</code>`)
        .join(' and '),
    )
    .join(', or ')
}

function headerOf(scheme: string, document: Document): string {
  return document.components.securitySchemes[scheme]?.name ?? 'Authorization: Bearer'
}

function parameterRow({ name, in: place, required, description, schema }: Parameter): string[] {
  return [
    `<code>${escapeMarkup(name)}</code>`,
    `${place}${required ? ', required' : ''}`,
    typeOf(schema),
    inline(description ?? schema.description ?? ''),
  ]
}

function answerItem(status: string, given: Answer, document: Document): string {
  const name = given.$ref?.split('/').at(-1)
  const answer = name === undefined ? given : (document.components.responses[name] ?? given)
  const content = Object.entries(answer.content ?? {}).map(
    ([type, { schema }]) => `${schema ? typeOf(schema) : ''} <code>${escapeMarkup(type)}</code>`,
  )
  const codes = name?.split('.').map(code => `<a href="/problems/${escapeMarkup(code)}"><code>${escapeMarkup(code)}</code></a>`)
  return `<li><b>${status}</b> ${codes ? codes.join(', ') : `${inline(answer.description)} ${content.join(', ')}`}</li>`
}

/** What can be pasted into a shell once the values in capitals are set there. */
function curl({ method, path, operation }: Placed, document: Document): string {
  const address = `"$CONCORD_URL${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)}"`
  const [first = {}] = operation.security
  const headers = Object.keys(first).map(name => {
    const header = headerOf(name, document)
    return header.includes(':') ? `-H "${header} $CONCORD_KEY"` : `-H "${header}: $${header.slice(2).replaceAll('-', '_').toUpperCase()}"`
  })
  const example = exampleOf(operation.requestBody?.content['application/json']?.schema, document)
  const body =
    operation.requestBody === undefined
      ? []
      : [`-H 'Content-Type: application/json' -d '${JSON.stringify(example).replaceAll("'", "'\\''")}'`]
  return [`curl -s${method === 'GET' ? '' : ` -X ${method}`} ${address}`, ...headers, ...body].join(' \\\n  ')
}

function exampleOf(schema: Schema | undefined, document: Document): unknown {
  const name = schema?.$ref?.split('/').at(-1)
  const meant = name === undefined ? schema : document.components.schemas[name]
  return meant?.examples?.[0] ?? {}
}

function schemaArticle(name: string, schema: Schema): string {
  const fields = Object.entries(schema.properties ?? {}).map(([field, each]) => [
    `<code>${escapeMarkup(field)}</code>`,
    schema.required?.includes(field) ? 'required' : 'optional',
    typeOf(each),
    inline(each.description ?? ''),
  ])
  const example = schema.examples?.[0]
  return `<article><h3 id="schema-${escapeMarkup(name)}">${escapeMarkup(name)}</h3>${paragraphs(schema.description ?? '')}
${fields.length === 0 ? `<p>${typeOf(schema)}</p>` : table('Fields', fields)}
${example === undefined ? '' : `<pre tabindex="0" aria-label="Example of ${escapeMarkup(name)}"><code>${escapeMarkup(JSON.stringify(example, null, 2))}</code></pre>`}</article>`
}

function schemaLink(name: string): string {
  return `<a href="#schema-${escapeMarkup(name)}">${escapeMarkup(name)}</a>`
}

const limits = ['format', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'pattern', 'default'] as const

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schemaLink(schema.$ref.split('/').at(-1) ?? '')
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ')
  if (schema.const !== undefined) return `<code>${escapeMarkup(JSON.stringify(schema.const))}</code>`
  if (schema.enum !== undefined) return schema.enum.map(value => `<code>${escapeMarkup(JSON.stringify(value))}</code>`).join(', ')
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`
  const bounds = limits.flatMap(limit => (schema[limit] === undefined ? [] : [`${limit} ${JSON.stringify(schema[limit])}`]))
  const type = [schema.type ?? 'any value'].flat().join(' or ')
  const inner = Object.entries(schema.properties ?? {}).map(([name, each]) => `<code>${escapeMarkup(name)}</code>: ${typeOf(each)}`)
  return `${escapeMarkup(type)}${bounds.length === 0 ? '' : ` (${escapeMarkup(bounds.join(', '))})`}${inner.length === 0 ? '' : ` with ${inner.join(', ')}`}`
}

function table(caption: string, rows: string[][]): string {
  const body = rows.map(([head, ...cells]) => `<tr><th scope="row">${head}</th>${cells.map(cell => `<td>${cell}</td>`).join('')}</tr>`)
  return `<table><caption>${caption}</caption><tbody>${body.join('')}</tbody></table>`
}

function paragraphs(text: string): string {
  return text === ''
    ? ''
    : text
        .split('\n\n')
        .map(each => `<p>${inline(each)}</p>`)
        .join('')
}

function inline(text: string): string {
  return escapeMarkup(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

const styles = `:root{color-scheme:light dark}*{box-sizing:border-box}
body{font:1rem/1.5 system-ui,sans-serif;margin:0;display:flex;overflow-wrap:anywhere}
nav{flex:0 0 21rem;height:100vh;overflow-y:auto;position:sticky;top:0;padding:1rem;font-size:.85rem;border-right:1px solid #8888}
nav h2{font-size:1rem;margin:1rem 0 .25rem}nav ul{list-style:none;margin:0;padding:0}nav li{padding:.15rem 0}
main{flex:1;min-width:0;padding:1rem 2rem 6rem;max-width:64rem}h3{margin:2.5rem 0 .5rem;font-size:1.05rem}
a{color:light-dark(#0a4f9c,#8ec5ff)}table{border-collapse:collapse;width:100%;font-size:.9rem}caption{text-align:left;padding:.25rem 0}
th,td{text-align:left;vertical-align:top;border-top:1px solid #8886;padding:.3rem .75rem .3rem 0}
pre{background:light-dark(#f3f3f3,#222);padding:.75rem;overflow-x:auto;font-size:.85rem}
@media(max-width:60rem){body{display:block}nav{position:static;height:auto;border:0}main{padding:1rem}}`
