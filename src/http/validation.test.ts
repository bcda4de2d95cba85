import { describe, expect, it } from 'vitest'
import { CommentRequest } from '../contract/assignments.js'
import { IngestDocumentRequest } from '../contract/documents.js'
import { operations } from '../contract/operations.js'
import { WordCorrection } from '../contract/scan-operations.js'
import { Glossary } from '../contract/scopes.js'
import { CreateWebhookRequest } from '../contract/webhooks.js'
import { isAppError } from '../platform/errors.js'
import { Type } from '../platform/schema.js'
import { checkOf, textCheckOf } from './validation.js'

const check = checkOf(IngestDocumentRequest)
const body = { scope_id: 'case-1', name: 'n', text: 't' }

function faultsOf(run: () => unknown) {
  try {
    run()
  } catch (error) {
    if (isAppError(error, 'VALIDATION_FAILED')) return error.errors
    throw error
  }
  return []
}

describe('body checks', () => {
  it('fills in defaults', () => {
    expect(check({ ...body })).toEqual({ ...body, type: 'txt' })
  })

  it('counts code points on both sides of a bound', () => {
    const astral = (count: number) => '😀'.repeat(count)
    expect(faultsOf(() => check({ ...body, name: astral(500) }))).toEqual([])
    expect(faultsOf(() => check({ ...body, name: astral(501) }))).toEqual([
      { pointer: '/name', detail: 'must have at most 500 characters' },
    ])
    expect(faultsOf(() => check({ ...body, name: 'x'.repeat(500) }))).toEqual([])
    expect(faultsOf(() => check({ ...body, name: 'x'.repeat(501) }))).toHaveLength(1)
    expect(faultsOf(() => check({ ...body, text: astral(100_000) }))).toEqual([])
    expect(faultsOf(() => check({ ...body, text: astral(100_001) }))).toHaveLength(1)
    expect(faultsOf(() => check({ ...body, name: '' }))).toEqual([{ pointer: '/name', detail: 'must have at least 1 characters' }])
  })

  it('points at everything that is wrong at once', () => {
    const pointers = faultsOf(() => check({ scope_id: 'UPPER', name: 5, extra: 1 }))?.map(fault => fault.pointer)
    expect(pointers?.sort()).toEqual(['/extra', '/name', '/scope_id', '/text'])
  })

  it('says of what may be null only what is wrong with the value', () => {
    const limits = checkOf(Type.Object({ documents: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]) }))
    expect(limits({ documents: null })).toEqual({ documents: null })
    expect(faultsOf(() => limits({ documents: 'many' }))).toEqual([{ pointer: '/documents', detail: 'must be integer' }])
    expect(faultsOf(() => limits({ documents: -1 }))).toEqual([{ pointer: '/documents', detail: 'must be >= 0' }])
  })

  it('asks for something that can be seen in what a person writes', () => {
    const comment = (text: string) => faultsOf(() => checkOf(CommentRequest)({ by: 'j.doe', text }))
    for (const unseen of [' ', '\n\t', '\u200b', '\u202e', '\u2066\u2069\ufeff', '\u3164'])
      expect(comment(unseen)).toEqual([{ pointer: '/text', detail: 'must have something in it that can be seen' }])
    for (const text of ['ok', '\u200f\u05e9\u05dc\u05d5\u05dd', 'two\nlines', '✓']) expect(comment(text)).toEqual([])
  })

  it('points at the name of a member that is wrong', () => {
    const glossary = (terms: object) => faultsOf(() => checkOf(Glossary)({ terms }))
    expect(glossary({ '': [] })?.map(fault => fault.pointer)).toContain('/terms/')
    expect(glossary({ '\u200b': [] })).toEqual([{ pointer: '/terms/\u200b', detail: 'must have something in it that can be seen' }])
    expect(glossary({ 'a\nb': 5 })?.[0]?.pointer).toBe('/terms/a\nb')
    // What ends a line in a regular expression ends no name.
    const lists = checkOf(Type.Record(Type.String(), Type.Array(Type.String())))
    for (const end of ['\n', '\r', '\u2028', '\u2029']) {
      const name = `a${end}b`
      expect(faultsOf(() => lists({ [name]: ['c'] }))).toEqual([])
      expect(faultsOf(() => lists({ [name]: 5 }))).toHaveLength(1)
      expect(glossary({ [name]: ['c'] })).toHaveLength(1)
    }
    expect(glossary({ ['n'.repeat(201)]: [] })).toHaveLength(1)
    expect(glossary({ premium: [' '] })).toHaveLength(1)
    expect(glossary({ 'net/premium': ['NWP'] })).toEqual([])
  })

  it('takes any id for a document that keeps the bounds of the specification', () => {
    const id = (document_id: string) => faultsOf(() => check({ ...body, document_id }))
    for (const taken of ['..', '.', 'a b', 'a/b', '%2e', '-', 'é', '文', ' ', 'a\tb', 'a\u2028b', 'n'.repeat(200)])
      expect(id(taken)).toEqual([])
    for (const refused of ['', 'n'.repeat(201)]) expect(id(refused)?.[0]?.pointer).toBe('/document_id')
  })

  it('does not turn numbers into text', () => {
    expect(faultsOf(() => check({ ...body, name: 7 }))).toHaveLength(1)
  })
})

describe('text checks', () => {
  it('read numbers from text and point into the query', () => {
    const query = textCheckOf(Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, default: 50 })) }), 'query')
    expect(query({ limit: '7' })).toEqual({ limit: 7 })
    expect(query({})).toEqual({ limit: 50 })
    expect(faultsOf(() => query({ limit: '0' }))?.[0]?.pointer).toBe('/query/limit')
    expect(faultsOf(() => query({ limit: 'x' }))).toHaveLength(1)
    for (const limit of ['0x10', '1e2', ' 1', '1.0', '']) {
      expect(
        faultsOf(() => query({ limit })),
        limit,
      ).toEqual([{ pointer: '/query/limit', detail: 'must be integer' }])
    }
  })
})

describe('bodies with far too many members', () => {
  it('are refused for their number, and nothing in them is looked at', () => {
    const webhook = { url: 'https://example.com', events: Array.from({ length: 300_000 }, (_none, n) => n) }
    expect(faultsOf(() => checkOf(CreateWebhookRequest)(webhook))).toEqual([
      { pointer: '/events', detail: 'must NOT have more than 100 items' },
    ])
    const members = Object.fromEntries(Array.from({ length: 100_000 }, (_none, n) => [`m${n}`, n]))
    expect(faultsOf(() => check({ ...body, ...members }))).toHaveLength(1)
  })

  it('are told the first of a hundred thousand faults without comparing each with each', () => {
    const words = Array.from({ length: 50 }, (_none, n) => n)
    const terms = Object.fromEntries(Array.from({ length: 1000 }, (_none, n) => [`term ${n}`, words]))
    const checkGlossary = checkOf(Glossary)
    const begun = process.cpuUsage()
    expect(faultsOf(() => checkGlossary({ terms, entities: terms }))).toHaveLength(20)
    // Well under a second; looking at all faults for each of them takes minutes.
    expect(process.cpuUsage(begun).user / 1_000_000).toBeLessThan(5)
  })

  it('are told every fault while they are few', () => {
    expect((faultsOf(() => check({ ...body, more: 1, others: 2 })) ?? []).map(({ pointer }) => pointer)).toEqual(['/more', '/others'])
  })
})

describe('patterns and formats', () => {
  /** Of one length whatever is in the text: they look at no more than that. */
  const ofOneLength = ['date', 'date-time']

  function unbounded(schema: unknown, place: string): string[] {
    if (schema === null || typeof schema !== 'object') return []
    const { pattern, format, maxLength } = schema as { pattern?: unknown; format?: unknown; maxLength?: unknown }
    const looks = typeof pattern === 'string' || (typeof format === 'string' && !ofOneLength.includes(format))
    const own = looks && typeof maxLength !== 'number' ? [place] : []
    return [...own, ...Object.entries(schema).flatMap(([name, value]) => unbounded(value, `${place}/${name}`))]
  }

  it('stand beside a greatest length wherever a client writes', () => {
    const written = Object.values(operations).flatMap(({ id, params, query, headers, body, upload }) =>
      Object.entries({ params, query, headers, body: body?.schema, outer: body?.outer, upload: upload?.fields }).map(
        ([name, schema]) => [`${id} ${name}`, schema] as const,
      ),
    )
    expect(written.some(([place, schema]) => place === 'correctWord body' && schema === WordCorrection)).toBe(true)
    expect(written.flatMap(([place, schema]) => unbounded(schema, place))).toEqual([])
  })

  it('see no text that is too long, and every other one', () => {
    const squares = checkOf(Type.Object({ text: Type.String({ maxLength: 50, pattern: '^a*a*a*a*$' }) }))
    const begun = process.cpuUsage()
    expect(faultsOf(() => squares({ text: `${'a'.repeat(1_000_000)}b` }))).toEqual([
      { pointer: '/text', detail: 'must have at most 50 characters' },
    ])
    // Looking at it would take for ever.
    expect(process.cpuUsage(begun).user / 1_000_000).toBeLessThan(5)
    expect(faultsOf(() => squares({ text: 'ab' }))?.[0]?.detail).toMatch(/must match pattern/)
    expect(squares({ text: '' })).toEqual({ text: '' })
    const header = textCheckOf(Type.Object({ key: Type.String({ minLength: 2, maxLength: 4, pattern: '^[0-9]*$' }) }), 'headers')
    expect(faultsOf(() => header({ key: 'a' }))).toHaveLength(2)
    expect(faultsOf(() => header({ key: '12345a' }))).toHaveLength(1)
    expect(header({ key: '123' })).toEqual({ key: '123' })
  })

  it('take a line of words in any script, and nothing that is blank or more than a line', () => {
    const correct = (text: string) => faultsOf(() => checkOf(WordCorrection)({ revision: 1, start: 0, text, by: 'j.doe' }))
    for (const text of ['13,500', ' a', 'a b ', '\u00a0\u3000x\u00a0', '😀', 'ק']) expect(correct(text), text).toEqual([])
    for (const text of [' ', '\u00a0\u3000', 'a\n', '\na', ' \t', 'a\u2028b', '\u0085']) expect(correct(text), text).toHaveLength(1)
    expect(correct(`${'a'.repeat(1_000_000)}\n`)).toEqual([{ pointer: '/text', detail: 'must have at most 200 characters' }])
  })
})
