/** Which statement stands for a side of a contradiction, while papers are revised and decided about. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/platform/clock.js'
import { getAsOf } from '../../src/scopes/as-of.js'
import type { ScopesDeps } from '../../src/scopes/deps.js'
import { attachDocument } from '../../src/scopes/documents/attach.js'
import { createDocumentWaits } from '../../src/scopes/documents/document-waits.js'
import { awaitDocument } from '../../src/scopes/documents/documents.js'
import { triggerIngest } from '../../src/scopes/documents/trigger.js'
import { getContradiction, listContradictions } from '../../src/scopes/findings/contradictions.js'
import { resolveContradiction } from '../../src/scopes/findings/resolution.js'
import { createScope } from '../../src/scopes/lifecycle.js'
import { passing } from '../http/contradicting-notes.js'
import { openWorld, type PipelineWorld } from '../pipeline/support.js'

let world: PipelineWorld
let deps: ScopesDeps
beforeAll(async () => {
  world = await openWorld()
  deps = { ...world, clock: systemClock, config: { scopeAutocreate: true } }
  world.startWorker()
})
afterAll(() => world.close())

type Scope = { tenantId: string; scopeId: string }

const paper = (issuer: string, day: string, figure: string) =>
  `Issuer: ${issuer}\nDate: ${day}\n\nIn FY2025, revenue of Aurelia Holding was EUR ${figure}.\n`
const silent = 'Issuer: Aurelia Holding\nDate: 2026-02-01\n\nThe office moved to Graz.\n'

async function hand(scope: Scope, documentId: string, text: string) {
  await attachDocument(deps, scope, { name: documentId, text, document_id: documentId, source: documentId })
  await triggerIngest(deps, scope, [documentId])
  await awaitDocument(deps, createDocumentWaits(deps), { ...scope, documentId, wait: 30 })
}

/** The report and a broker say 41.2, an auditor says 33.9. */
async function disputed(): Promise<Scope> {
  const scope = { tenantId: await world.newTenant(), scopeId: 'case' }
  await createScope(deps, scope.tenantId, { scope_id: scope.scopeId, mode: 'auto' })
  await hand(scope, 'report', paper('Aurelia Holding', '2026-02-01', '41.2M'))
  await hand(scope, 'broker', paper('Lindqvist Brokers', '2026-02-03', '41.2M'))
  await hand(scope, 'audit', paper('Meridian Audit', '2026-03-01', '33.9M'))
  return scope
}

async function found(scope: Scope) {
  const [item] = (await listContradictions(deps, { ...scope, status: 'all' })).items
  if (item === undefined) throw new Error('there is no contradiction')
  return item
}

async function decide(scope: Scope, verdict: 'a' | 'b') {
  const { contradiction_id: contradictionId } = await found(scope)
  return resolveContradiction(deps, { tenantId: scope.tenantId, contradictionId, verdict, reason: 'Looked at it.', by: 'ann' })
}

const live = { superseded_at: null }
const revised = { document_id: 'report', revision: 1, superseded_reason: 'A new revision of the same document.' }

describe('a side of a contradiction', () => {
  it('shows a paper that still says it once the one it was found with was revised, and that one as replaced', async () => {
    const scope = await disputed()
    const before = await passing()
    await hand(scope, 'report', silent)
    const shown = {
      status: 'open',
      a: { document_id: 'broker', ...live },
      supporters_a: [revised],
      supporters: { a: 1, b: 0 },
      evidence: { times: { a: 'FY2025', b: 'FY2025' }, issuers: { a: 'Lindqvist Brokers', b: 'Meridian Audit' } },
    }
    const item = await found(scope)
    expect(item).toMatchObject(shown)
    const { tenantId } = scope
    expect(await getContradiction(deps, { tenantId, contradictionId: item.contradiction_id })).toMatchObject(shown)
    const now = await getAsOf(deps, { ...scope, at: await passing() })
    expect(now.contradictions?.items).toMatchObject([{ a: { document_id: 'broker' } }])
    const then = await getAsOf(deps, { ...scope, at: before })
    expect(then.contradictions?.items).toMatchObject([{ a: { document_id: 'report', ...live } }])
    const [known] = (await listContradictions(deps, { ...scope, knownAt: before })).items
    expect(known).toMatchObject({ a: { document_id: 'report' }, evidence: { issuers: { a: 'Aurelia Holding' } } })
  })

  it('holds by what is still said: the other side ends in favour of that', async () => {
    const scope = await disputed()
    await hand(scope, 'report', silent)
    const { a, b } = await found(scope)
    const [kept, lost] = [a, b].map(side => ('claim_id' in side ? side.claim_id : ''))
    expect(await decide(scope, 'a')).toMatchObject({
      claims_retired: [lost],
      a: { claim_id: kept, document_id: 'broker', ...live },
      b: { claim_id: lost, superseded_by: kept },
      supporters_a: [revised],
    })
  })

  it('that lost shows what was decided about, not what was revised before', async () => {
    const scope = await disputed()
    await hand(scope, 'report', silent)
    await decide(scope, 'b')
    expect(await found(scope)).toMatchObject({ a: { document_id: 'broker' }, b: { document_id: 'audit', ...live } })
    const later = await disputed()
    await decide(later, 'b')
    expect(await found(later)).toMatchObject({ a: { document_id: 'report' } })
    const before = await passing()
    await hand(later, 'report', silent)
    const decided = { a: { document_id: 'report', superseded_reason: 'Decided by ann: Looked at it.' } }
    expect(await found(later)).toMatchObject(decided)
    // And the same is said of that moment later.
    expect((await listContradictions(deps, { ...later, status: 'all', knownAt: before })).items).toMatchObject([decided])
  })

  it('that nobody says any more shows what counted last', async () => {
    const scope = await disputed()
    await hand(scope, 'report', silent)
    await hand(scope, 'broker', silent.replace('Aurelia Holding', 'Lindqvist Brokers'))
    expect(await found(scope)).toMatchObject({ status: 'resolved', a: { document_id: 'broker' }, supporters_a: [revised] })
  })

  it('shows the same paper in a list, whatever else the list holds', async () => {
    const scope = { tenantId: await world.newTenant(), scopeId: 'case' }
    await createScope(deps, scope.tenantId, { scope_id: scope.scopeId, mode: 'auto' })
    await hand(scope, 'first', paper('Aurelia Holding', '2026-02-01', '41.2M'))
    await hand(scope, 'audit', paper('Meridian Audit', '2026-03-01', '33.9M'))
    await hand(scope, 'broker', paper('Lindqvist Brokers', '2026-02-03', '41.2M'))
    await hand(scope, 'first', silent)
    // The broker stands for a side of the first contradiction, and leads one of these.
    await hand(scope, 'bank', paper('Nordbank', '2026-03-02', '50.1M'))
    await hand(scope, 'tax', paper('Tax Office Graz', '2026-03-03', '41.2M'))
    const { tenantId } = scope
    const items = async () => (await listContradictions(deps, { ...scope, status: 'all' })).items
    const against = (await items()).flatMap(({ contradiction_id: contradictionId, a, b, status }) => {
      const isBank = (side: typeof a) => 'document_id' in side && side.document_id === 'bank'
      const verdict = isBank(a) ? ('a' as const) : isBank(b) ? ('b' as const) : null
      return verdict === null || status !== 'open' ? [] : [{ contradictionId, verdict }]
    })
    for (const each of against) await resolveContradiction(deps, { ...each, tenantId, reason: 'Looked at it.', by: 'ann' })
    for (const item of await items()) {
      const { a, b } = await getContradiction(deps, { tenantId, contradictionId: item.contradiction_id })
      expect([item.a, item.b]).toEqual([a, b])
    }
  })

  it('keeps to a paper whose new revision says the same', async () => {
    const scope = await disputed()
    await hand(scope, 'report', `${paper('Aurelia Holding', '2026-02-01', '41.2M')}\nThe office moved to Graz.\n`)
    expect(await found(scope)).toMatchObject({ a: { document_id: 'report', revision: 2, ...live } })
  })
})
