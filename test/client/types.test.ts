/** The client is typed end to end: what does not compile here would be a promise broken. Checked by `npm run check`. */

import { describe, expectTypeOf, it } from 'vitest'
import { createClient, type List, type ProblemCode, ProblemError, type Schema, type ServiceEvent } from '../../src/client/index.js'

const client = createClient({ url: 'http://127.0.0.1:1', tenantId: 't', tenantKey: 'k' })

describe('the types of the client', () => {
  it('know what a document needs and what ingest answers', () => {
    expectTypeOf(client.ingest).parameter(0).toEqualTypeOf<Schema['IngestDocumentRequest']>()
    expectTypeOf(client.ingest).returns.resolves.toExtend<Schema['IngestDocumentResponse']>()
    expectTypeOf<Schema['IngestDocumentRequest']>().toHaveProperty('type').toEqualTypeOf<string | undefined>()
    expectTypeOf<Schema['IngestDocumentResponse']>().toHaveProperty('seq').toEqualTypeOf<number | null>()
    // @ts-expect-error a document without text is none
    const wrong: Schema['IngestDocumentRequest'] = { scope_id: 'a', name: 'b' }
    expectTypeOf(wrong).toBeObject()
  })

  it('give lists as async iterators of their items', () => {
    expectTypeOf(client.claims).returns.toEqualTypeOf<List<Schema['Claim']>>()
    expectTypeOf(client.contradictions).returns.toExtend<AsyncIterable<Schema['Contradiction']>>()
    expectTypeOf(client.contradictions).parameter(1).exclude<undefined>().toHaveProperty('status')
    // @ts-expect-error no such status
    client.contradictions('case-1', { status: 'unknown' })
  })

  it('give events, summaries, decisions and the runtime their shapes', () => {
    expectTypeOf(client.events).returns.toExtend<AsyncIterable<ServiceEvent>>()
    expectTypeOf<ServiceEvent['type']>().extract<'document.indexed'>().not.toBeNever()
    expectTypeOf(client.summary).returns.resolves.toHaveProperty('finality')
    expectTypeOf<Schema['ScopeSummary']['finality']['status']>().toEqualTypeOf<Schema['FinalityStatus']>()
    expectTypeOf(client.admin.runtime).parameter(0).toEqualTypeOf<'start' | 'pause' | 'resume' | 'stop' | 'restart'>()
    // @ts-expect-error a mistyped member
    type Mistyped = Schema['ScopeSummary']['finalty']
    expectTypeOf<Mistyped>().not.toBeNever()
  })

  it('know the codes of problems', () => {
    expectTypeOf<ProblemError['code']>().toEqualTypeOf<ProblemCode>()
    expectTypeOf<'SCOPE_NOT_FOUND'>().toExtend<ProblemCode>()
    expectTypeOf<'SOMETHING'>().not.toExtend<ProblemCode>()
    expectTypeOf(new ProblemError({ code: 'INTERNAL', status: 500, detail: '' }).errors).items.toHaveProperty('pointer')
  })
})
