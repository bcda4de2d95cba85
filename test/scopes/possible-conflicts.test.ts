/** What may be a conflict, for people to decide: what is shown of it, what decisions lead to, and what closes it and opens it again. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getCertificate } from '../../src/scopes/certificates/certificate-view.js'
import { payloadOf } from '../../src/scopes/certificates/certificates.js'
import { listDecisions } from '../../src/scopes/decisions.js'
import { eraseDocument } from '../../src/scopes/documents/erase.js'
import { listContradictions } from '../../src/scopes/findings/contradictions.js'
import { decidePossibleConflict, reopenPossibleConflict } from '../../src/scopes/findings/finding-act.js'
import { listPossibleConflicts } from '../../src/scopes/findings/possible-conflicts.js'
import { decidePossibleConflicts, listPossibleFacts } from '../../src/scopes/findings/possible-facts.js'
import { resolveContradiction } from '../../src/scopes/findings/resolution.js'
import { putScopePolicies } from '../../src/scopes/policies.js'
import { resetScope } from '../../src/scopes/reset.js'
import { reviewDecision } from '../../src/scopes/review.js'
import { patchScope } from '../../src/scopes/settings.js'
import { getSummary } from '../../src/scopes/summary.js'
import { expectTrueFigures, revenue, said, types } from './revenue-findings.js'
import { openWorld, readDocument, type World } from './support.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const evidence = {
  subject: 'Aurelia',
  shared: ['revenue'],
  differs: [{ a: '41.2', b: '33.9' }],
  times: { a: 'FY2025', b: null },
  issuers: { a: null, b: 'Brandt' },
}

/** Two documents that may disagree about the revenue. */
async function doubtful(scopeId: string) {
  const scope = await world.newScope(await world.newTenant(), scopeId)
  const one = await readDocument(world, scope, { documentId: 'report', claims: [revenue('41.2')] })
  const [a = ''] = one.claimIds
  const two = await readDocument(world, scope, {
    documentId: 'audit',
    claims: [revenue('33.9')],
    unsure: [{ a, b: 0, score: 0.7, evidence }],
  })
  return { scope, a, b: two.claimIds[0] ?? '', id: two.possibleIds[0] ?? '', tenantId: scope.tenantId }
}

describe('possible conflicts', () => {
  it('show both claims, why they may disagree, and how likely it is, best first', async () => {
    const { scope, a, b, id } = await doubtful('shown')
    await readDocument(world, scope, { documentId: 'note', claims: [revenue('30')], unsure: [{ a, b: 0, score: 0.9 }] })
    const { items } = await listPossibleConflicts(world.deps, scope)
    expect(items.map(item => item.score)).toEqual([0.9, 0.7])
    expect(items[1]).toMatchObject({
      possible_conflict_id: id,
      status: 'open',
      kind: 'numeric',
      severity: 'medium',
      subject: 'Aurelia',
      attribute: 'revenue',
      a: { claim_id: a, quote: 'Revenue was 41.2.' },
      b: { claim_id: b, quote: 'Revenue was 33.9.' },
      reason: 'The same thing, perhaps.',
      evidence,
      contradiction_id: null,
    })
    const first = await listPossibleConflicts(world.deps, { ...scope, limit: 1 })
    const second = await listPossibleConflicts(world.deps, { ...scope, limit: 1, cursor: first.next ?? '' })
    expect([...first.items, ...second.items]).toEqual(items)
    expect(second.next).toBeNull()
    expect(await types(world, scope)).toContain('possible_conflict.detected')
  })

  it('are shown by fact, ten of each document, and decided together', async () => {
    const scope = await world.newScope(await world.newTenant(), 'by-fact')
    const other = { slot: 'staff', value: '7', quote: 'Staff: 7.' }
    const one = await readDocument(world, scope, { documentId: 'report', claims: [revenue('41.2'), other] })
    const [a = '', staff = ''] = one.claimIds
    for (let at = 0; at < 12; at++) {
      const claims = [revenue(`${at}`), { ...other, value: `${at + 10}` }]
      const unsure = [{ a, b: 0, score: 0.5 + at / 100 }, ...(at < 2 ? [{ a: staff, b: 1, score: 0.9 }] : [])]
      await readDocument(world, scope, { documentId: `note-${at}`, claims, unsure })
    }
    const { items } = await listPossibleFacts(world.deps, scope)
    expect(items.map(({ attribute, count, items: shown }) => [attribute, count, shown.length])).toEqual([
      ['staff', 2, 2],
      ['revenue', 12, 12],
    ])
    const first = await listPossibleFacts(world.deps, { ...scope, limit: 1 })
    const second = await listPossibleFacts(world.deps, { ...scope, limit: 1, cursor: first.next ?? '' })
    expect([...first.items, ...second.items]).toEqual(items)
    expect(second.next).toBeNull()
    const ids = items.map(({ items: shown }) => shown.map(each => each.possible_conflict_id))
    const [ofStaff = [], ofRevenue = []] = ids
    // One of them alone, and what is not there says so.
    const [id = ''] = ofStaff
    const alone = await decidePossibleConflicts(world.deps, {
      ...scope,
      ...said,
      verdict: 'promote',
      possible_conflict_ids: [id, 'pcf_no'],
    })
    expect(alone).toMatchObject({ decided: [{ possible_conflict_id: id }], left: [{ possible_conflict_id: 'pcf_no' }], more: 0 })
    // All of a fact, whichever of it is named.
    const [named = ''] = ofRevenue
    const all = await decidePossibleConflicts(world.deps, {
      ...{ ...scope, ...said, verdict: 'dismiss', possible_conflict_ids: [named], whole_fact: true },
    })
    expect(all).toMatchObject({ left: [], more: 0 })
    expect(all.decided.map(each => each.possible_conflict_id).sort()).toEqual([...ofRevenue].sort())
    expect((await listPossibleFacts(world.deps, scope)).items).toMatchObject([{ attribute: 'staff', count: 1 }])
    // Each is a decision of its own, and is taken back alone.
    await reopenPossibleConflict(world.deps, { tenantId: scope.tenantId, findingId: named, decided: 'dismissed', ...said })
    expect((await listPossibleFacts(world.deps, scope)).items.map(each => each.count)).toEqual([1, 1])
    expect(await expectTrueFigures(world, scope)).toMatchObject({ open: 1, possible: 2 })
    const again = await decidePossibleConflicts(world.deps, { ...scope, ...said, verdict: 'dismiss', possible_conflict_ids: [id] })
    expect(again).toMatchObject({ decided: [], left: [{ possible_conflict_id: id }] })
  })

  it('enter no score, hold no document, and are counted as unsure', async () => {
    const { scope } = await doubtful('unsure')
    const summary = (await getSummary(world.deps, scope)).body
    expect(summary?.contradictions).toMatchObject({ open: 0, unsure: 1 })
    expect(summary?.convergence.dimensions.contradiction_resolution.score).toBe(1)
    for (const mode of ['review', 'strict'] as const) {
      const strict = await world.newScope(await world.newTenant(), mode, mode)
      const one = await readDocument(world, strict, { documentId: 'report', claims: [revenue('41.2')] })
      const two = await readDocument(world, strict, {
        documentId: 'audit',
        claims: [revenue('33')],
        unsure: [{ a: one.claimIds[0] ?? '', b: 0 }],
      })
      expect(two.result.outcome).toBe('admit')
    }
  })

  it('become open contradictions when a person says so', async () => {
    const { scope, tenantId, a, b, id } = await doubtful('promotion')
    const promoted = await decidePossibleConflict(world.deps, { tenantId, findingId: id, verdict: 'promote', ...said })
    expect(promoted).toMatchObject({ status: 'promoted', decision: { verdict: 'promote', ...said }, contradiction_id: expect.any(String) })
    const { items } = await listContradictions(world.deps, scope)
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({
      contradiction_id: promoted.contradiction_id,
      status: 'open',
      kind: 'numeric',
      a: { claim_id: a },
      b: { claim_id: b },
      evidence,
    })
    expect((await listPossibleConflicts(world.deps, scope)).items).toEqual([])
    expect((await listPossibleConflicts(world.deps, { ...scope, status: 'promoted' })).items).toHaveLength(1)
    expect(await expectTrueFigures(world, scope)).toMatchObject({ open: 1, possible: 0 })
    const decision = (await listDecisions(world.deps, { ...scope, limit: 200 })).items.find(
      each => each.decision_id === promoted.decision_id,
    )
    expect(decision).toMatchObject({ kind: 'resolution', outcome: 'admit' })
    expect((await types(world, scope)).slice(-5)).toEqual(
      expect.arrayContaining(['possible_conflict.promoted', 'contradiction.detected', 'decision.recorded']),
    )
  })

  it('are dismissed by a person, and undecided again when that is taken back', async () => {
    const { scope, tenantId, id } = await doubtful('dismissal')
    const act = { tenantId, findingId: id, ...said }
    expect(await decidePossibleConflict(world.deps, { ...act, verdict: 'dismiss' })).toMatchObject({
      status: 'dismissed',
      contradiction_id: null,
    })
    expect(await expectTrueFigures(world, scope)).toMatchObject({ open: 0, possible: 0 })
    await expect(decidePossibleConflict(world.deps, { ...act, verdict: 'promote' })).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    await expect(reopenPossibleConflict(world.deps, { ...act, decided: 'promoted' })).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    expect(await reopenPossibleConflict(world.deps, { ...act, decided: 'dismissed' })).toMatchObject({ status: 'open' })
    expect(await expectTrueFigures(world, scope)).toMatchObject({ possible: 1 })
    expect(await types(world, scope)).toEqual(expect.arrayContaining(['possible_conflict.dismissed', 'possible_conflict.reopened']))
  })

  it('take a promotion back only while its contradiction is undecided', async () => {
    const { scope, tenantId, id } = await doubtful('demotion')
    const act = { tenantId, findingId: id, ...said }
    await decidePossibleConflict(world.deps, { ...act, verdict: 'promote' })
    await reopenPossibleConflict(world.deps, { ...act, decided: 'promoted' })
    expect((await listContradictions(world.deps, { ...scope, status: 'dismissed' })).items).toHaveLength(1)
    expect(await expectTrueFigures(world, scope)).toMatchObject({ open: 0, possible: 1 })
    const again = await decidePossibleConflict(world.deps, { ...act, verdict: 'promote' })
    const contradictionId = again.contradiction_id ?? ''
    await resolveContradiction(world.deps, { tenantId, contradictionId, verdict: 'both', ...said })
    await expect(reopenPossibleConflict(world.deps, { ...act, decided: 'promoted' })).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    await expectTrueFigures(world, scope)
  })

  it('close when a claim of theirs ends, and open again when it counts again', async () => {
    const { scope, tenantId, a, id } = await doubtful('closing')
    const three = await readDocument(world, scope, { documentId: 'note', claims: [revenue('30')], contradictions: [{ a, b: 0 }] })
    const decide = (verdict: 'a' | 'b') => {
      return resolveContradiction(world.deps, { tenantId, contradictionId: three.contradictionIds[0] ?? '', verdict, ...said })
    }
    await decide('b')
    const [closed] = (await listPossibleConflicts(world.deps, { ...scope, status: 'dismissed' })).items
    expect(closed).toMatchObject({ possible_conflict_id: id, decision: { verdict: 'superseded', by: 'system' } })
    await expect(decidePossibleConflict(world.deps, { tenantId, findingId: id, verdict: 'promote', ...said })).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
    })
    expect(await expectTrueFigures(world, scope)).toMatchObject({ possible: 0 })
    await decide('a')
    expect((await listPossibleConflicts(world.deps, scope)).items).toHaveLength(1)
    expect(await expectTrueFigures(world, scope)).toMatchObject({ possible: 1 })
    await eraseDocument(world.deps, { ...scope, documentId: 'audit' })
    expect(await expectTrueFigures(world, scope)).toMatchObject({ possible: 0 })
    const [erased] = (await listPossibleConflicts(world.deps, { ...scope, status: 'all' })).items
    expect(erased).toMatchObject({ evidence: null, reason: 'A document of it was erased.', b: { quote: null } })
  })

  it('cannot be taken back where nobody decided them, and are closed again where another about the same two goes before', async () => {
    const scope = await world.newScope(await world.newTenant(), 'same-two')
    const one = await readDocument(world, scope, { documentId: 'report', claims: [revenue('41.2')] })
    const [a = ''] = one.claimIds
    const cleared = { by: 'model:reader-1', reason: 'Two years.' }
    const two = await readDocument(world, scope, {
      ...{ documentId: 'audit', claims: [revenue('33.9')] },
      unsure: [
        { a, b: 0 },
        { a, b: 0, cleared },
      ],
    })
    const [first = '', second = ''] = two.possibleIds
    const reopen = (findingId: string) =>
      reopenPossibleConflict(world.deps, { tenantId: scope.tenantId, findingId, decided: 'dismissed', ...said })
    expect(await reopen(second)).toMatchObject({ status: 'dismissed', decision: { verdict: 'superseded', by: 'system' } })
    expect(await expectTrueFigures(world, scope)).toMatchObject({ possible: 1 })
    await expect(reopen(second)).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    await decidePossibleConflict(world.deps, { tenantId: scope.tenantId, findingId: first, verdict: 'dismiss', ...said })
    expect(await expectTrueFigures(world, scope)).toMatchObject({ possible: 0 })
  })

  it('are closed when an acceptance is taken back after something else replaced the newer statement', async () => {
    const scope = await world.newScope(await world.newTenant(), 'undone')
    const one = await readDocument(world, scope, { documentId: 'lease', claims: [revenue('41.2')] })
    const [older = ''] = one.claimIds
    const two = await readDocument(world, scope, {
      ...{ documentId: 'letter', claims: [revenue('33.9')], unsure: [{ a: older, b: 0, proposes: 'replacement' }] },
    })
    const act = { tenantId: scope.tenantId, findingId: two.possibleIds[0] ?? '', ...said }
    await decidePossibleConflict(world.deps, { ...act, verdict: 'accept' })
    expect(await expectTrueFigures(world, scope)).toMatchObject({ live: 1, possible: 0 })
    const newer = two.claimIds[0] ?? ''
    await readDocument(world, scope, { documentId: 'final', claims: [revenue('30')], supersedes: [{ claimId: newer, by: 0 }] })
    const undone = await reopenPossibleConflict(world.deps, { ...act, decided: 'accepted' })
    expect(undone).toMatchObject({ status: 'dismissed', decision: { verdict: 'superseded', by: 'system' } })
    expect(await expectTrueFigures(world, scope)).toMatchObject({ live: 2, possible: 0 })
  })

  it('end in a document that replaces a claim of theirs', async () => {
    const { scope, a } = await doubtful('replaced-pair')
    await readDocument(world, scope, { documentId: 'final', claims: [revenue('40')], supersedes: [{ claimId: a, by: 0 }] })
    expect((await listPossibleConflicts(world.deps, scope)).items).toEqual([])
    expect(await expectTrueFigures(world, scope)).toMatchObject({ possible: 0 })
  })

  it('keep a scope from being resolved until somebody has decided them, unless its settings say report', async () => {
    const { scope, tenantId, id } = await doubtful('waiting')
    const gate = async () => {
      const { finality } = (await getSummary(world.deps, scope)).body ?? {}
      return finality?.gates.find(each => each.gate === 'possible_conflicts')
    }
    expect(await gate()).toMatchObject({ ok: false, value: 1 })
    await patchScope(world.deps, scope, { settings: { finality: { possible_conflicts: 'report' } } })
    expect(await gate()).toMatchObject({ ok: true, value: 1 })
    await patchScope(world.deps, scope, { settings: { finality: { possible_conflicts: null } } })
    await decidePossibleConflict(world.deps, { tenantId, findingId: id, verdict: 'dismiss', ...said })
    expect(await gate()).toMatchObject({ ok: true, value: 0 })
  })

  it('are held where policy wants two people, and happen once the second approves', async () => {
    const { scope, tenantId, id } = await doubtful('two-people')
    const policies = `permit (principal, action, resource);
      @outcome("hold") @reason("A second person looks at it.")
      forbid (principal, action == Action::"resolution", resource) when { context.verdict == "promote" };`
    await putScopePolicies(world.deps, scope, policies)
    const act = { tenantId, findingId: id, verdict: 'promote' as const, ...said }
    await expect(decidePossibleConflict(world.deps, act)).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    expect((await listContradictions(world.deps, scope)).items).toEqual([])
    const [held] = (await listDecisions(world.deps, { ...scope, review: 'pending' })).items
    await reviewDecision(world.deps, { tenantId, decisionId: held?.decision_id ?? '', verdict: 'approve', reason: 'Yes.', by: 'bob' })
    expect((await listContradictions(world.deps, scope)).items).toHaveLength(1)
    expect((await listPossibleConflicts(world.deps, { ...scope, status: 'promoted' })).items[0]).toMatchObject({ decision: { by: 'ann' } })
    await expectTrueFigures(world, scope)
  })

  it('keep a decision that somebody else made while taking back the one before was held', async () => {
    const { scope, tenantId, id } = await doubtful('other-decision')
    const act = { tenantId, findingId: id, ...said }
    const hold = `permit (principal, action, resource);
      @outcome("hold") @reason("A second person looks at it.")
      forbid (principal, action == Action::"resolution", resource) when { context.verdict == "withdraw" };`
    await decidePossibleConflict(world.deps, { ...act, verdict: 'promote' })
    await putScopePolicies(world.deps, scope, hold)
    await expect(reopenPossibleConflict(world.deps, { ...act, decided: 'promoted' })).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    const [held] = (await listDecisions(world.deps, { ...scope, review: 'pending' })).items
    await putScopePolicies(world.deps, scope, 'permit (principal, action, resource);')
    await reopenPossibleConflict(world.deps, { ...act, decided: 'promoted' })
    await decidePossibleConflict(world.deps, { ...act, verdict: 'dismiss' })
    const review = { tenantId, decisionId: held?.decision_id ?? '', reason: 'Yes.', by: 'bob' }
    await expect(reviewDecision(world.deps, { ...review, verdict: 'approve' })).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    expect((await listPossibleConflicts(world.deps, { ...scope, status: 'dismissed' })).items).toHaveLength(1)
  })

  it('are gone after a reset, and not there for another tenant', async () => {
    const { scope, tenantId, id } = await doubtful('gone')
    const other = await world.newScope(await world.newTenant(), 'gone')
    expect((await listPossibleConflicts(world.deps, { ...other, status: 'all' })).items).toEqual([])
    const foreign = decidePossibleConflict(world.deps, { tenantId: other.tenantId, findingId: id, verdict: 'dismiss', ...said })
    await expect(foreign).rejects.toMatchObject({ code: 'POSSIBLE_CONFLICT_NOT_FOUND' })
    await resetScope(world.deps, scope)
    expect((await listPossibleConflicts(world.deps, { ...scope, status: 'all' })).items).toEqual([])
    await expect(decidePossibleConflict(world.deps, { tenantId, findingId: id, verdict: 'dismiss', ...said })).rejects.toMatchObject({
      code: 'POSSIBLE_CONFLICT_NOT_FOUND',
    })
  })
})

describe('a possible conflict that a model cleared', () => {
  it('asks nobody, is listed with its reason, and opens again when somebody takes that back', async () => {
    const scope = await world.newScope(await world.newTenant(), 'cleared')
    const one = await readDocument(world, scope, { documentId: 'report', claims: [revenue('41.2')] })
    const cleared = { by: 'model:reader-1', reason: 'Two years.' }
    const two = await readDocument(world, scope, {
      documentId: 'audit',
      claims: [revenue('33.9')],
      unsure: [{ a: one.claimIds[0] ?? '', b: 0, score: 0.7, evidence, cleared }],
    })
    const id = two.possibleIds[0] ?? ''
    expect((await listPossibleConflicts(world.deps, { ...scope })).items).toEqual([])
    await expectTrueFigures(world, scope)
    const [item] = (await listPossibleConflicts(world.deps, { ...scope, status: 'cleared' })).items
    expect(item).toMatchObject({ status: 'cleared', proposes: null, decision: { verdict: 'clear', ...cleared } })
    // What is certified says what was cleared, by name.
    const { certificate } = await getCertificate(world.deps, scope)
    expect(payloadOf(certificate)).toMatchObject({ examined: { cleared_by_model: { count: 1, ids: [id] } } })
    await reopenPossibleConflict(world.deps, { tenantId: scope.tenantId, findingId: id, decided: 'dismissed', ...said })
    expect((await listPossibleConflicts(world.deps, { ...scope })).items).toMatchObject([{ status: 'open', possible_conflict_id: id }])
    await expectTrueFigures(world, scope)
  })
})
