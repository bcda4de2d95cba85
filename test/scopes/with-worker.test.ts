import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/platform/clock.js'
import { listClaims } from '../../src/scopes/claims.js'
import { listDecisions } from '../../src/scopes/decisions.js'
import type { ScopesDeps } from '../../src/scopes/deps.js'
import { attachDocument } from '../../src/scopes/documents/attach.js'
import { createDocumentWaits } from '../../src/scopes/documents/document-waits.js'
import { awaitDocument } from '../../src/scopes/documents/documents.js'
import { eraseDocument } from '../../src/scopes/documents/erase.js'
import { triggerIngest } from '../../src/scopes/documents/trigger.js'
import { listContradictions } from '../../src/scopes/findings/contradictions.js'
import { resolveContradiction } from '../../src/scopes/findings/resolution.js'
import { createScope } from '../../src/scopes/lifecycle.js'
import { resetScope } from '../../src/scopes/reset.js'
import { reviewDecision } from '../../src/scopes/review.js'
import { getSummary } from '../../src/scopes/summary.js'
import { openWorld, type PipelineWorld } from '../pipeline/support.js'

let world: PipelineWorld
let deps: ScopesDeps
beforeAll(async () => {
  world = await openWorld()
  deps = { ...world, clock: systemClock, config: { scopeAutocreate: true } }
  world.startWorker()
})
afterAll(() => world.close())

const report = 'Issuer: Aurelia Holding\nDate: 2026-02-01\n\nIn FY2025, revenue of Aurelia Holding was EUR 41.2M.\n'
const audit =
  'Issuer: Meridian Audit\nDate: 2026-03-01\n\nThe reported figure is wrong. In FY2025, revenue of Aurelia Holding was EUR 33.9M.\n'

async function hand(scope: { tenantId: string; scopeId: string }, documentId: string, text: string) {
  await attachDocument(deps, scope, { name: documentId, text, document_id: documentId, source: documentId })
  await triggerIngest(deps, scope, [documentId])
  return awaitDocument(deps, createDocumentWaits(deps), { ...scope, documentId, wait: 30 })
}

async function newScope(scopeId: string, mode: 'auto' | 'review') {
  const tenantId = await world.newTenant()
  await createScope(deps, tenantId, { scope_id: scopeId, mode })
  return { tenantId, scopeId }
}

/** Kept figures against the rows themselves. */
async function agrees(scope: { tenantId: string; scopeId: string }): Promise<void> {
  const { body } = await getSummary(deps, scope)
  const [row] = await world.rows<{ live: number; open: number; documents: number }>(
    `select (select count(*)::int from claims where tenant_id = $1 and superseded_at is null and generation = s.generation) as live,
       (select count(*)::int from contradictions where tenant_id = $1 and status = 'open' and generation = s.generation) as open,
       (select count(*)::int from documents where tenant_id = $1 and current and generation = s.generation) as documents
     from scopes s where s.tenant_id = $1`,
    [scope.tenantId],
  )
  expect({ live: body?.claims.live, open: body?.contradictions.open, documents: body?.documents.total }).toEqual(row)
}

describe('people and workers on one scope', () => {
  it('an attached document is read once it is triggered', async () => {
    const scope = await newScope('read', 'auto')
    const document = await hand(scope, 'report', report)
    expect(document).toMatchObject({ status: 'indexed', revision: 1, attempts: expect.any(Number) })
    expect(document.counts.claims).toBeGreaterThan(0)
    const { items } = await listClaims(deps, { ...scope, documentId: 'report' })
    for (const claim of items) expect([...report].slice(claim.start, claim.end).join('')).toBe(claim.quote)
    await agrees(scope)
  })

  it('a held document that a person approves is committed as that review', async () => {
    const scope = await newScope('approve', 'review')
    await hand(scope, 'report', report)
    expect(await hand(scope, 'audit', audit)).toMatchObject({ status: 'held' })
    const [pending] = (await listDecisions(deps, { ...scope, review: 'pending' })).items
    const input = {
      tenantId: scope.tenantId,
      decisionId: pending?.decision_id ?? '',
      verdict: 'approve' as const,
      reason: 'Checked.',
      by: 'ann',
    }
    expect(await reviewDecision(deps, input)).toMatchObject({ review: 'approved', document: { status: 'queued' } })
    expect(await awaitDocument(deps, createDocumentWaits(deps), { ...scope, documentId: 'audit', wait: 30 })).toMatchObject({
      status: 'indexed',
    })
    const decisions = (await listDecisions(deps, scope)).items
    expect(decisions.filter(item => item.kind === 'review')).toMatchObject([{ outcome: 'admit', document_id: 'audit' }])
    expect(decisions.find(item => item.decision_id === pending?.decision_id)?.review).toBe('approved')
    expect((await listContradictions(deps, scope)).items).toHaveLength(1)
    await agrees(scope)
  })

  it('a verdict, an erasure and a reset between documents leave the figures true', async () => {
    const scope = await newScope('acts', 'auto')
    await hand(scope, 'report', report)
    await hand(scope, 'audit', audit)
    const [found] = (await listContradictions(deps, scope)).items
    expect(found).toMatchObject({ kind: 'numeric', status: 'open' })
    const verdict = { tenantId: scope.tenantId, contradictionId: found?.contradiction_id ?? '', reason: 'Audited.', by: 'ann' }
    await resolveContradiction(deps, { ...verdict, verdict: 'b' })
    await agrees(scope)
    await hand(scope, 'note', 'Issuer: Registry\n\nIn FY2025, revenue of Aurelia Holding was EUR 33.9M.\n')
    await resolveContradiction(deps, { ...verdict, verdict: 'neither' })
    await agrees(scope)
    await eraseDocument(deps, { ...scope, documentId: 'audit' })
    await agrees(scope)
    await resetScope(deps, scope)
    await agrees(scope)
    expect(await hand(scope, 'report', report)).toMatchObject({ status: 'indexed', revision: 1, round: 1 })
    await agrees(scope)
  })

  it('verdicts while documents stream in are never lost', async () => {
    const scope = await newScope('stream', 'auto')
    await hand(scope, 'report', report)
    await hand(scope, 'audit', audit)
    const [found] = (await listContradictions(deps, scope)).items
    const verdict = { tenantId: scope.tenantId, contradictionId: found?.contradiction_id ?? '', reason: 'r', by: 'ann' }
    await world.ingest(
      Array.from({ length: 40 }, (_, index) => ({
        ...scope,
        documentId: `note-${index}`,
        text: `Note ${index}\n\nThe headcount of site ${index} in 2025 was ${100 + index}.\n`,
      })),
    )
    for (const side of ['a', 'b', 'both', 'b'] as const) await resolveContradiction(deps, { ...verdict, verdict: side })
    await world.until("select count(*) = 42 from documents where tenant_id = $1 and status = 'indexed'", [scope.tenantId])
    const rounds = await world.rows<{ round: number }>('select round::int from rounds where tenant_id = $1 order by round', [
      scope.tenantId,
    ])
    expect(rounds.map(row => row.round)).toEqual(rounds.map((_, index) => index + 1))
    expect(rounds).toHaveLength(46)
    const [closed] = (await listContradictions(deps, { ...scope, status: 'resolved' })).items
    expect(closed).toMatchObject({ resolution: { verdict: 'b', by: 'ann' } })
    await agrees(scope)
  })
})
