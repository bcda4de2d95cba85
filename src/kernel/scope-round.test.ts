import { expect, test } from 'vitest'
import type { PlacedClaim, Reconciliation } from '../reading/types.js'
import { genesis, saltsFrom } from './decision-record.js'
import type { DocumentContent } from './document-content.js'
import { noParts } from './effect.js'
import { DEFAULT_POLICIES } from './policies/default.js'
import { compilePolicySet } from './policy-text.js'
import type { PolicySet } from './proposals.js'
import type { RoundDocument, RoundScope } from './round-types.js'
import { runRound } from './scope-round.js'
import { emptyAggregates } from './scores.js'
import { DEFAULT_SETTINGS } from './settings.js'
import type { Workload } from './types.js'

const quiet: Workload = { queued: 0, processing: 0, held: 0 }
const person = { kind: 'person' as const, id: 'Ada' }

function compiled(text: string): PolicySet {
  const compilation = compilePolicySet(text)
  if (!compilation.ok) throw new Error(JSON.stringify(compilation.errors))
  return compilation.set
}
const shipped = compiled(DEFAULT_POLICIES)
const holding = compiled('@outcome("hold") forbid(principal, action == Action::"document", resource); permit(principal, action, resource);')

function emptyScope(): RoundScope {
  return {
    tenantId: 'ten_x',
    scopeId: 'case',
    generation: 1,
    round: 0,
    mode: 'auto',
    settings: DEFAULT_SETTINGS,
    aggregates: emptyAggregates(),
    chain: genesis(),
    points: [],
    finality: 'active',
    drift: null,
    examination: { signers: 0, readByEye: 0, unexamined: 0 },
  }
}

const document: RoundDocument = {
  documentId: 'report',
  revision: 1,
  name: 'Report',
  type: 'txt',
  source: null,
  issuer: 'Office',
  textHash: '00',
  extractor: 'reader',
  unexamined: { admitted: true, refused: false },
}

function claim(claimId: string, slotKey: string): PlacedClaim {
  return {
    claimId,
    slotKey,
    lookupKeys: [],
    documentId: 'report',
    revision: 1,
    start: 0,
    end: 9,
    quote: 'secret words',
    subject: 'secret subject',
    subjectKey: 's',
    attribute: 'secret attribute',
    attributeKey: slotKey,
    role: 'actual',
    unit: null,
    period: null,
    polarity: 'affirmed',
    value: { type: 'boolean', value: true },
    valueText: 'yes',
    confidence: 0.9,
  }
}

const nothingMoves = { closes: [], reopens: [] }

function content(claims: PlacedClaim[], reconciliation: Partial<Reconciliation> = {}): DocumentContent {
  const relations = claims.map(each => ({ claimId: each.claimId, relation: 'new' as const }))
  const full = { supersessions: [], contradictions: [], supporters: [], unsure: [], relations, ...reconciliation }
  return {
    claims,
    reconciliation: full,
    contradictionIds: full.contradictions.map((_, index) => `ctr_${index}`),
    possibleIds: full.unsure.map((_, index) => `pcf_${index}`),
    supersessions: [],
    goals: [],
    risks: [],
    claimsDigest: 'd',
    slots: [],
    endable: new Map(),
    findings: [],
    possible: [],
    previous: null,
  }
}

const saltOf = saltsFrom('test')

test('an admitted document moves the numbers, the chain and the events of its scope', () => {
  const input = { kind: 'document' as const, document, content: content([claim('clm_1', 'a'), claim('clm_2', 'b')]) }
  const result = runRound(emptyScope(), input, { policySet: shipped, workload: quiet, saltOf })
  expect(result).toMatchObject({ round: 1, outcome: 'admit', applied: true })
  expect(result.scope.aggregates).toMatchObject({ documentsIndexed: 1, claimsLive: 2, slotsLive: 2, bestConfidenceMicros: 1_800_000 })
  expect(result.events.map(event => event.type)).toEqual(
    expect.arrayContaining(['document.indexed', 'decision.recorded', 'convergence.updated']),
  )
  expect(result.scope.chain).toEqual({ seq: result.decisions.length - 1, hash: result.decisions.at(-1)?.record.hash })
})

test('the same input gives the same bytes', () => {
  const run = () =>
    runRound(
      emptyScope(),
      { kind: 'document', document, content: content([claim('clm_1', 'a')]) },
      { policySet: shipped, workload: quiet, saltOf },
    )
  expect(JSON.stringify(run())).toBe(JSON.stringify(run()))
})

test('events carry ids and figures, never words of the document', () => {
  const found = {
    slotKey: 'a',
    kind: 'numeric' as const,
    severity: 'high' as const,
    subject: 'secret subject',
    attribute: 'secret attribute',
    a: 'clm_0',
    b: 'clm_1',
    supportersA: [],
    supportersB: [],
    groupA: 'secret group',
    groupB: 'secret group',
    reason: 'secret reason',
  }
  const input = { kind: 'document' as const, document, content: content([claim('clm_1', 'a')], { contradictions: [found] }) }
  const { events } = runRound(emptyScope(), input, { policySet: shipped, workload: quiet, saltOf })
  expect(events.some(event => event.type === 'contradiction.detected')).toBe(true)
  expect(JSON.stringify(events)).not.toContain('secret')
})

test('what is held leaves the numbers as they were, and is a round all the same', () => {
  const scope = emptyScope()
  const held = runRound(
    scope,
    { kind: 'document', document, content: content([claim('clm_1', 'a')]) },
    { policySet: holding, workload: quiet, saltOf },
  )
  expect(held).toMatchObject({ round: 1, outcome: 'hold', applied: false })
  expect(held.scope.aggregates).toEqual(scope.aggregates)
  expect(held.events[0]?.type).toBe('document.held')
  const [decision] = held.decisions
  const review = {
    kind: 'review' as const,
    actor: person,
    decisionSeq: decision!.record.seq,
    decisionHash: decision!.record.hash,
    verdict: 'approve' as const,
    reason: 'Checked.',
    held: { kind: 'document' as const, document, content: content([claim('clm_1', 'a')]) },
  }
  const approved = runRound(held.scope, review, { policySet: holding, workload: quiet, saltOf })
  expect(approved).toMatchObject({ round: 2, outcome: 'admit', applied: true })
  expect(approved.scope.aggregates.claimsLive).toBe(1)
  const rejected = runRound(held.scope, { ...review, verdict: 'reject' }, { policySet: holding, workload: quiet, saltOf })
  expect(rejected).toMatchObject({ outcome: 'reject', applied: false })
  expect(rejected.events[0]?.type).toBe('document.rejected')
})

test('what an approval may not let in is held again in sight of readers, and what may not be rejected goes on being held', () => {
  const locked = compiled(
    '@reason("No reviews.") forbid(principal, action == Action::"review", resource); permit(principal, action, resource);',
  )
  const review = {
    kind: 'review' as const,
    actor: person,
    decisionSeq: 1,
    decisionHash: '00',
    reason: 'Checked.',
    held: { kind: 'document' as const, document, content: content([claim('clm_1', 'a')]) },
  }
  const told = (verdict: 'approve' | 'reject') => {
    const { outcome, events } = runRound(emptyScope(), { ...review, verdict }, { policySet: locked, workload: quiet, saltOf })
    return { outcome, moves: events.filter(event => event.type.startsWith('document.')) }
  }
  const held = { type: 'document.held', subject: 'report', data: { revision: 1, status: 'held', reason: 'No reviews.', claims: 1 } }
  expect(told('approve')).toMatchObject({ outcome: 'hold', moves: [held] })
  expect(told('reject')).toEqual({ outcome: 'hold', moves: [] })
})

test('a reported contradiction and an erasure ask no policy', () => {
  const reported = runRound(
    emptyScope(),
    { kind: 'report', actor: person, contradictionId: 'ctr_1', severity: 'critical' },
    { policySet: holding, workload: quiet, saltOf },
  )
  expect(reported.decisions.filter(each => each.proposal.kind !== 'finality')).toHaveLength(0)
  expect(reported.scope.aggregates).toMatchObject({ contradictionsTotal: 1, contradictionsOpen: { critical: 1 } })
  const erased = runRound(
    reported.scope,
    {
      kind: 'erasure',
      actor: person,
      document,
      parts: { ...noParts(), closed: ['critical'] },
      closes: ['ctr_1'],
      possible: nothingMoves,
      withdrawn: [],
      leaves: { counted: true, unexamined: 0 },
    },
    { policySet: holding, workload: quiet, saltOf },
  )
  expect(erased.scope.aggregates.contradictionsOpen.critical).toBe(0)
  expect(erased.events.map(event => event.type)).toEqual(expect.arrayContaining(['document.erased', 'contradiction.resolved']))
})

test('approvals that a later revision overtook are recorded behind its own decision, and change nothing of it', () => {
  const context = { policySet: shipped, workload: quiet, saltOf }
  const input = { kind: 'document' as const, document: { ...document, revision: 2 }, content: content([claim('clm_1', 'a')]) }
  const approval = { actor: person, reason: 'Checked.', decisionSeq: 0, decisionHash: 'held' }
  const alone = runRound(emptyScope(), input, context)
  const both = runRound(emptyScope(), { ...input, overtaken: [approval] }, context)
  expect(both.decisions.map(({ proposal, record }) => [proposal.kind, record.seq, record.outcome])).toEqual([
    ['document', 0, 'admit'],
    ['review', 1, 'reject'],
    ...alone.decisions.slice(1).map(({ proposal, record }) => [proposal.kind, record.seq + 1, record.outcome]),
  ])
  expect(both.decisions[1]?.proposal).toMatchObject({ ...approval, verdict: 'approve', overtaken: 'revision' })
  expect(both.decisions[1]?.record.reasons.at(-1)).toBe('Nothing came of it: a later revision of the document came first.')
  expect(both).toMatchObject({ outcome: 'admit', applied: true, point: alone.point, scope: { aggregates: alone.scope.aggregates } })
})

test('changed settings open a new segment under the new weights', () => {
  const first = runRound(
    emptyScope(),
    { kind: 'document', document, content: content([claim('clm_1', 'a')]) },
    { policySet: shipped, workload: quiet, saltOf },
  )
  const settings = { ...DEFAULT_SETTINGS, targets: { ...DEFAULT_SETTINGS.targets, claim_confidence: 0.5 } }
  const digests = { from: 'a', to: 'b' }
  const changed = runRound(
    first.scope,
    {
      kind: 'settings',
      actor: { kind: 'admin', id: 'key' },
      mode: 'strict',
      settings,
      settingsDigest: digests,
      policyHash: { from: 'x', to: 'x' },
      glossaryDigest: { from: 'g', to: 'g' },
    },
    { policySet: shipped, workload: quiet, saltOf },
  )
  expect(changed.applied).toBe(true)
  expect(changed.scope).toMatchObject({ mode: 'strict', settings })
  expect(changed.point.segment).toBe(first.point.segment + 1)
})

test('a change of mode or thresholds alone leaves the segment as it is', () => {
  const context = { policySet: shipped, workload: quiet, saltOf }
  const first = runRound(emptyScope(), { kind: 'document', document, content: content([claim('clm_1', 'a')]) }, context)
  const settings = { ...DEFAULT_SETTINGS, thresholds: { ...DEFAULT_SETTINGS.thresholds, claim_confidence: 0.5 } }
  const digests = { from: 'a', to: 'b' }
  const actor = { kind: 'admin' as const, id: 'key' }
  const input = {
    kind: 'settings' as const,
    actor,
    mode: 'strict' as const,
    settings,
    settingsDigest: digests,
    policyHash: digests,
    glossaryDigest: digests,
  }
  const changed = runRound(first.scope, input, context)
  expect(changed).toMatchObject({ applied: true, puts: true, change: { settingsChanged: false } })
  expect(changed.scope).toMatchObject({ mode: 'strict', settings })
  expect(changed.point.segment).toBe(first.point.segment)
})
