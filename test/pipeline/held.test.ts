import { afterAll, beforeAll, expect, test } from 'vitest'
import { control } from '../../src/hatchery/control.js'
import { replayScope } from '../../src/pipeline/replay/replay.js'
import { listDecisions } from '../../src/scopes/decisions.js'
import type { ScopesDeps } from '../../src/scopes/deps.js'
import { attachDocument } from '../../src/scopes/documents/attach.js'
import { discardDocument } from '../../src/scopes/documents/discard.js'
import { listRevisions } from '../../src/scopes/documents/document-text.js'
import { eraseDocument } from '../../src/scopes/documents/erase.js'
import { createScope } from '../../src/scopes/lifecycle.js'
import { reviewDecision } from '../../src/scopes/review.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { nothingWaits, openWorld, type PipelineWorld, reportText, sampleText } from './support.js'

let world: PipelineWorld
let deps: ScopesDeps

beforeAll(async () => {
  world = await openWorld()
  deps = world.scopes
})

afterAll(async () => {
  await world.close()
})

const hold = `@outcome("hold") @reason("A person looks at every document.")
forbid(principal, action == Action::"document", resource);
permit(principal, action, resource);`

async function holdEverything(tenantId: string, policies = hold): Promise<void> {
  const { compilePolicySet } = await import('../../src/kernel/policy-text.js')
  const compiled = compilePolicySet(policies)
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
  await world.rows('insert into policy_sets (tenant_id, hash, policies) values ($1, $2, $3)', [
    tenantId,
    compiled.set.hash,
    compiled.set.text,
  ])
  await world.rows('insert into policy_assignments (tenant_id, scope_no, hash) values ($1, 0, $2)', [tenantId, compiled.set.hash])
}

const statuses = (tenantId: string) =>
  world.rows<{ document_id: string; status: string; claim_count: number }>(
    'select document_id, status, claim_count from documents where tenant_id = $1 and current order by document_id',
    [tenantId],
  )

test('a held document changes nothing until a person approves it, and is then reconciled with what is live', async () => {
  const tenantId = await world.newTenant()
  await createScope(deps, tenantId, { scope_id: 'case', mode: 'auto' })
  const worker = world.startWorker()
  const figures = (Revenue: string) => ({
    issuer: Revenue.includes('9') ? 'Keller & Partner' : 'Office 1',
    period: 'FY2020',
    figures: { Revenue },
  })
  await world.ingest([{ tenantId, scopeId: 'case', documentId: 'a', text: reportText(figures('EUR 42.2M')) }])
  await world.until(nothingWaits)
  await holdEverything(tenantId)
  await world.ingest([
    { tenantId, scopeId: 'case', documentId: 'b', text: reportText(figures('EUR 99.9M')) },
    { tenantId, scopeId: 'case', documentId: 'c', text: sampleText(3) },
  ])
  await world.until(nothingWaits)
  expect((await statuses(tenantId)).map(row => row.status)).toEqual(['indexed', 'held', 'held'])
  const claims = async () => (await world.rows('select from claims where tenant_id = $1', [tenantId])).length
  expect(await claims()).toBe(1)
  const pending = await world.rows<{ decision_id: string; document_id: string }>(
    `select decision_id, document_id from decisions where tenant_id = $1 and review = 'pending' order by seq`,
    [tenantId],
  )
  expect(pending.map(row => row.document_id)).toEqual(['b', 'c'])
  const review = (decisionId: string, verdict: 'approve' | 'reject') =>
    reviewDecision(deps, { tenantId, decisionId, verdict, reason: 'Checked.', by: 'Ada' })
  await review(pending[0]!.decision_id, 'approve')
  await world.until(nothingWaits)
  await review(pending[1]!.decision_id, 'reject')
  await worker.stop()
  expect((await statuses(tenantId)).map(row => row.status)).toEqual(['indexed', 'indexed', 'rejected'])
  expect(await claims()).toBe(2)
  expect(await world.rows('select from contradictions where tenant_id = $1', [tenantId])).toHaveLength(1)
  const rounds = await world.rows<{ kind: string }>('select kind from rounds where tenant_id = $1 order by round', [tenantId])
  expect(rounds.map(row => row.kind)).toEqual(['document', 'document', 'document', 'review', 'review'])
  const [state] = await world.rows<{ aggregates: Record<string, number> }>('select aggregates from scope_states where tenant_id = $1', [
    tenantId,
  ])
  expect(state?.aggregates).toMatchObject({ documentsIndexed: 2, claimsLive: 2 })
  const report = await replayScope(world.db, { tenantId, scopeId: 'case' })
  expect(report?.difference).toBeNull()
})

test('readers see that a document is held again where policy lets nobody approve it', async () => {
  const tenantId = await world.newTenant()
  const scope = { tenantId, scopeId: 'case' }
  await createScope(deps, tenantId, { scope_id: 'case', mode: 'auto' })
  await holdEverything(tenantId, `@id("nr") @reason("No reviews.") forbid(principal, action == Action::"review", resource);\n${hold}`)
  const worker = world.startWorker()
  await world.ingest([{ ...scope, documentId: 'a', text: sampleText(1) }])
  await world.until(nothingWaits)
  const [pending] = await world.rows<{ decision_id: string }>(
    `select decision_id from decisions where tenant_id = $1 and kind = 'document'`,
    [tenantId],
  )
  await reviewDecision(deps, { tenantId, decisionId: pending!.decision_id, verdict: 'approve', reason: 'Checked.', by: 'Ada' })
  await world.until(nothingWaits)
  await worker.stop()
  expect(await statuses(tenantId)).toMatchObject([{ status: 'held' }])
  const moves = await world.rows<{ type: string; reason: string | null }>(
    `select type, data::json->>'reason' as reason from events where tenant_id = $1 and type like 'document.%' order by seq`,
    [tenantId],
  )
  expect(moves.slice(-3)).toEqual([
    { type: 'document.requeued', reason: 'Approved by Ada.' },
    { type: 'document.processing', reason: null },
    { type: 'document.held', reason: 'No reviews.' },
  ])
  expect(await replayScope(world.db, scope)).toMatchObject({ ok: true })
})

test('a held revision that is replaced waits for nobody any more', async () => {
  const tenantId = await world.newTenant()
  await createScope(deps, tenantId, { scope_id: 'case', mode: 'auto' })
  await holdEverything(tenantId)
  const worker = world.startWorker()
  await world.ingest([{ tenantId, scopeId: 'case', documentId: 'a', text: sampleText(1) }])
  await world.until(nothingWaits)
  await world.rows('delete from policy_assignments where tenant_id = $1', [tenantId])
  // The same text: but the revision before it was never admitted, so it is read.
  await world.ingest([{ tenantId, scopeId: 'case', documentId: 'a', text: sampleText(1) }])
  await world.until(nothingWaits)
  await worker.stop()
  const reviews = await world.rows<{ review: string | null }>(
    `select review from decisions where tenant_id = $1 and kind = 'document' order by seq`,
    [tenantId],
  )
  expect(reviews.map(row => row.review)).toEqual(['obsolete', null])
  const [document] = await statuses(tenantId)
  expect(document?.status).toBe('indexed')
  expect(document?.claim_count).toBeGreaterThan(0)
  const revisions = (await listRevisions(deps, { tenantId, scopeId: 'case', documentId: 'a' })).items
  expect(revisions.map(({ status, reason }) => [status, reason])).toEqual([
    ['indexed', null],
    ['held', 'A later revision came before anybody reviewed this one.'],
  ])
})

test.each([
  ['another value', 'Share of Anton Velker: 20%\nNumber of vessels: 6\nThe fund is secured by a mortgage.', '1 changed and 0 withdrawn'],
  ['a denial', 'Share of Anton Velker: 75%\nNumber of vessels: 6\nThe fund is not secured by a mortgage.', '1 changed and 0 withdrawn'],
  ['nothing of it', 'Number of vessels: 6\nThe fund is secured by a mortgage.', '0 changed and 1 withdrawn'],
  [null, 'Number of vessels: 6\nShare of Anton Velker: 75%\nThe fund is secured by a mortgage.\nPort of registry: Valletta', null],
] as const)('where changes are reviewed, a revision that says %s waits for a person', async (_, lines, changes) => {
  const tenantId = await world.newTenant()
  await createScope(deps, tenantId, { scope_id: 'case', mode: 'review' })
  const worker = world.startWorker()
  for (const said of ['Share of Anton Velker: 75%\nNumber of vessels: 6\nThe fund is secured by a mortgage.', lines]) {
    const text = `Harrow Maritime Ltd\nDeclaration of the owners\n\n${said}`
    await world.ingest([{ tenantId, scopeId: 'case', documentId: 'owners', text }])
    await world.until(nothingWaits)
  }
  await worker.stop()
  const [revised] = (await listRevisions(deps, { tenantId, scopeId: 'case', documentId: 'owners' })).items
  expect([revised?.status, revised?.reason]).toEqual(
    changes === null ? ['indexed', null] : ['held', `Changes known facts: ${changes} statements wait for a person.`],
  )
})

test.each(['cancelled', 'erased', 'quarantined', 'discarded'])('a held revision waits for nobody once a later one is %s', async end => {
  const tenantId = await world.newTenant()
  const scope = { tenantId, scopeId: 'case' }
  await createScope(deps, tenantId, { scope_id: 'case', mode: 'auto' })
  await holdEverything(tenantId)
  const handIn = (text: string) => world.ingest([{ ...scope, documentId: 'a', text }])
  await handIn(sampleText(1))
  const worker = world.startWorker()
  await world.until(nothingWaits)
  await worker.stop()
  await handIn('poison:throw on purpose')
  const said = { by: 'Ada', reason: 'The wrong file.' }
  if (end === 'cancelled') await discardDocument(deps, { ...scope, documentId: 'a', from: 'queued', ...said })
  if (end === 'erased') await eraseDocument(deps, { ...scope, documentId: 'a' })
  if (end === 'quarantined' || end === 'discarded') {
    const poisoned = world.startWorker({ faults: 'poison' })
    await world.until(nothingWaits)
    await poisoned.stop()
  }
  if (end === 'discarded') await discardDocument(deps, { ...scope, documentId: 'a', from: 'quarantined', ...said })
  const reviews = await world.rows(`select revision, review from decisions where tenant_id = $1 and kind = 'document'`, [tenantId])
  expect(reviews).toEqual([{ revision: 1, review: 'obsolete' }])
})

test.each(['cancelled', 'erased', 'cancelled, then erased', 'put into quarantine and discarded'])(
  'an approval stands on record where its document is %s before a worker has it',
  async end => {
    const tenantId = await world.newTenant()
    const scope = { tenantId, scopeId: 'case' }
    await createScope(deps, tenantId, { scope_id: 'case', mode: 'auto' })
    await holdEverything(tenantId)
    await world.ingest([{ ...scope, documentId: 'a', text: 'poison:throw on purpose' }])
    const worker = world.startWorker()
    await world.until(nothingWaits)
    await worker.stop()
    const [held] = (await listDecisions(deps, { ...scope, review: 'pending' })).items
    await reviewDecision(deps, { tenantId, decisionId: held!.decision_id, verdict: 'approve', reason: 'The sums agree.', by: 'Ann' })
    if (end.startsWith('put')) {
      const poisoned = world.startWorker({ faults: 'poison' })
      await world.until(nothingWaits)
      await poisoned.stop()
    }
    const from = end.startsWith('put') ? 'quarantined' : 'queued'
    if (end !== 'erased') await discardDocument(deps, { ...scope, documentId: 'a', from, by: 'Bob', reason: 'The wrong file.' })
    if (end.endsWith('erased')) await eraseDocument(deps, { ...scope, documentId: 'a' })
    const decisions = (await listDecisions(deps, scope)).items.filter(({ kind }) => kind === 'document' || kind === 'review')
    const words = ['Approved: The sums agree.', 'Nothing came of it: the document was taken out first.']
    const [reason, reasons] = end.endsWith('erased') ? [null, []] : ['The sums agree.', expect.arrayContaining(words)]
    expect(decisions).toMatchObject([
      { decision_id: held!.decision_id, review: 'obsolete' },
      { kind: 'review', document_id: 'a', outcome: 'reject', reasons, said: { by: 'Ann', verdict: 'approve', reason } },
    ])
    const told = `select subject from events where tenant_id = $1 and type = 'decision.recorded' and data::json->>'kind' = 'review'`
    expect(await world.rows(told, [tenantId])).toEqual([{ subject: 'a' }])
    expect(await replayScope(world.db, scope)).toMatchObject({ ok: true })
  },
)

/** A case in which Ann approved the first revision of a document, whose text workers with faults cannot read. */
async function approved(text: string) {
  const tenantId = await world.newTenant()
  const scope = { tenantId, scopeId: 'case' }
  await createScope(deps, tenantId, { scope_id: 'case', mode: 'auto' })
  await holdEverything(tenantId)
  await world.ingest([{ ...scope, documentId: 'a', text }])
  const worker = world.startWorker()
  await world.until(nothingWaits)
  await worker.stop()
  const [held] = (await listDecisions(deps, { ...scope, review: 'pending' })).items
  await reviewDecision(deps, { tenantId, decisionId: held!.decision_id, verdict: 'approve', reason: 'The sums agree.', by: 'Ann' })
  return { ...scope, decisionId: held!.decision_id }
}

/** Recorded once, of the first revision, beside whatever became of later ones. */
async function expectOvertaken({ tenantId, scopeId, decisionId }: Awaited<ReturnType<typeof approved>>) {
  const decisions = (await listDecisions(deps, { tenantId, scopeId })).items
  expect(decisions.find(each => each.decision_id === decisionId)).toMatchObject({ kind: 'document', revision: 1, review: 'obsolete' })
  const words = ['Approved: The sums agree.', 'Nothing came of it: a later revision of the document came first.']
  const said = { by: 'Ann', verdict: 'approve', reason: 'The sums agree.' }
  expect(decisions.filter(({ kind }) => kind === 'review')).toMatchObject([
    { document_id: 'a', outcome: 'reject', reasons: expect.arrayContaining(words), said },
  ])
  const told = `select subject from events where tenant_id = $1 and type = 'decision.recorded' and data::json->>'kind' = 'review'`
  expect(await world.rows(told, [tenantId])).toEqual([{ subject: 'a' }])
  expect(await world.rows('select from documents where tenant_id = $1 and approval is not null', [tenantId])).toEqual([])
  expect(await replayScope(world.db, { tenantId, scopeId })).toMatchObject({ ok: true, difference: null })
  expect(await verifyDatabase(world.db)).toMatchObject({ broken: [] })
}

test.each(['admitted', 'held', 'rejected', 'put into quarantine', 'attached', 'admitted without a decision of its own'])(
  'an approval whose document is in quarantine stands on record once a later revision is %s',
  async end => {
    const scope = await approved('poison:throw on purpose')
    const { tenantId, scopeId } = scope
    const work = async (faults?: string) => {
      const worker = world.startWorker(faults === undefined ? {} : { faults })
      await world.until(nothingWaits)
      await worker.stop()
    }
    await work('poison')
    expect(await statuses(tenantId)).toMatchObject([{ status: 'quarantined' }])
    const allowing = 'permit(principal, action, resource);'
    if (end !== 'held') await world.rows('delete from policy_assignments where tenant_id = $1', [tenantId])
    if (end === 'rejected') await holdEverything(tenantId, `forbid(principal, action == Action::"document", resource);\n${allowing}`)
    const text = end === 'put into quarantine' ? 'poison:throw once more' : sampleText(2)
    if (end === 'attached') await attachDocument(deps, { tenantId, scopeId }, { name: 'a.txt', document_id: 'a', text })
    else await world.ingest([{ tenantId, scopeId, documentId: 'a', text }])
    // As what its mail carries no more: that follows from the mail, and no policy is asked about it.
    if (end === 'admitted without a decision of its own')
      await world.rows("update documents set part_of = 'm' where tenant_id = $1 and current", [tenantId])
    await work(end === 'put into quarantine' ? 'poison' : undefined)
    const statusOf =
      { admitted: 'indexed', 'admitted without a decision of its own': 'indexed', 'put into quarantine': 'quarantined' }[end] ?? end
    expect(await statuses(tenantId)).toMatchObject([{ status: statusOf }])
    await expectOvertaken(scope)
    // The next one does not record it again.
    if (end !== 'rejected' && end !== 'held') await world.rows('delete from policy_assignments where tenant_id = $1', [tenantId])
    await world.ingest([{ tenantId, scopeId, documentId: 'a', text: sampleText(3) }])
    await work()
    await expectOvertaken(scope)
  },
)

test('an approval whose document waits to be tried again stands on record when a later revision was read first', async () => {
  const scope = await approved('poison:exit on purpose')
  const { tenantId, scopeId } = scope
  await world.rows('delete from policy_assignments where tenant_id = $1', [tenantId])
  const failing = world.startWorker({ faults: 'poison', retryBaseMs: 3_600_000, random: () => 0.999 })
  await world.until('select count(*) = 1 from backlog where tenant_id = $1 and attempts = 1', [tenantId])
  await failing.stop()
  const worker = world.startWorker()
  await world.ingest([{ tenantId, scopeId, documentId: 'a', text: sampleText(2) }])
  await world.until(`select count(*) = 1 from documents where tenant_id = $1 and current and status = 'indexed'`, [tenantId])
  await control(world, 'restart', { level: 'scope', tenantId, scopeId })
  await world.until('select not has_backlog from scope_heads where tenant_id = $1', [tenantId])
  await worker.stop()
  const revisions = 'select revision, status, error_class from documents where tenant_id = $1 order by revision'
  expect(await world.rows(revisions, [tenantId])).toMatchObject([
    { status: 'quarantined', error_class: 'stale_revision' },
    { status: 'indexed' },
  ])
  await expectOvertaken(scope)
})

const roundsOf = async (tenantId: string) =>
  (await world.rows<{ kind: string }>('select kind from rounds where tenant_id = $1 order by round', [tenantId])).map(({ kind }) => kind)

test('what is held is no reason to settle a scope anew when another document ends in quarantine', async () => {
  const tenantId = await world.newTenant()
  const scope = { tenantId, scopeId: 'case' }
  await holdEverything(tenantId)
  const worker = world.startWorker({ faults: 'poison' })
  const handIn = async (documentId: string, text: string) => {
    await world.ingest([{ ...scope, documentId, text }])
    await world.until(nothingWaits)
  }
  const poison = 'poison:throw on purpose'
  await handIn('a', sampleText(1))
  await world.rows('delete from policy_assignments where tenant_id = $1', [tenantId])
  await handIn('b', sampleText(2))
  for (const documentId of ['c', 'd', 'e']) await handIn(documentId, poison)
  expect((await statuses(tenantId)).map(row => row.status)).toEqual(['held', 'indexed', 'quarantined', 'quarantined', 'quarantined'])
  expect(await roundsOf(tenantId)).toEqual(['document', 'document'])
  // The revision that was held is replaced: nothing waits any more, and that is news.
  await handIn('a', poison)
  await worker.stop()
  expect(await roundsOf(tenantId)).toEqual(['document', 'document', 'given_up'])
  const quiescent = `select g->>'ok' as ok from scope_states, json_array_elements(gates::json) g where tenant_id = $1 and g->>'gate' = 'quiescent'`
  expect(await world.rows(quiescent, [tenantId])).toEqual([{ ok: 'true' }])
  expect(await replayScope(world.db, scope)).toMatchObject({ ok: true })
})

test('a scope asks for the person its held document waits for once the last document behind it ends in quarantine', async () => {
  const tenantId = await world.newTenant()
  const scope = { tenantId, scopeId: 'case' }
  await holdEverything(tenantId)
  await world.ingest([
    { ...scope, documentId: 'a', text: sampleText(1) },
    { ...scope, documentId: 'b', text: 'poison:throw on purpose' },
  ])
  const worker = world.startWorker({ faults: 'poison', batch: 1 })
  await world.until(nothingWaits)
  await worker.stop()
  expect(await roundsOf(tenantId)).toEqual(['document', 'given_up'])
  expect(await world.rows('select finality from scope_states where tenant_id = $1', [tenantId])).toEqual([{ finality: 'review' }])
})
