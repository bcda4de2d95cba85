import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { QUIET, SIGNED, scopeWith, walk } from '../../test/kernel/builders.js'
import { evaluateFinality, settleFinality } from './finality.js'
import type { Decision } from './proposals.js'
import { emptyAggregates } from './scores.js'
import { DEFAULT_SETTINGS, parseSettings } from './settings.js'
import type { ScopeAggregates, Severity } from './types.js'

const failing = (aggregates: ScopeAggregates, workload = QUIET) =>
  walk([aggregates], { workload })[0]!
    .verdict.gates.filter(gate => !gate.ok)
    .map(gate => gate.gate)

describe('gates', () => {
  it('an empty scope has safe defaults and is active', () => {
    const { status, gates } = evaluateFinality({
      aggregates: emptyAggregates(),
      point: null,
      workload: QUIET,
      settings: DEFAULT_SETTINGS,
      examination: SIGNED,
    })
    expect(status).toBe('active')
    expect(gates.filter(gate => !gate.ok).map(gate => gate.gate)).toEqual(['evidence_present', 'minimum_content'])
    const [round] = walk([emptyAggregates()])
    expect(round!.point.scores).toEqual({ claim_confidence: 1, contradiction_resolution: 1, goal_completion: 1, risk_inverse: 1 })
    expect(round!.point).toMatchObject({ v: 0, rate: 0, estimatedRounds: 0, plateau: false, bottleneck: null })
    expect(round!.verdict.status).toBe('active')
  })

  it('documents that a model compared are content where the settings ask for a model, and nowhere else', () => {
    const aggregates = { ...emptyAggregates(), documentsIndexed: 2 }
    const failingWith = (setting: 'model' | 'person', unexamined: number) => {
      const settings = structuredClone(DEFAULT_SETTINGS)
      settings.finality.examination = setting
      const examination = { signers: 1, readByEye: 0, unexamined }
      const { gates } = evaluateFinality({ aggregates, point: null, workload: QUIET, settings, examination })
      return gates.filter(gate => !gate.ok).map(gate => gate.gate)
    }
    expect(failingWith('model', 0)).toEqual([])
    expect(failingWith('model', 1)).toEqual(['minimum_content'])
    expect(failingWith('model', 2)).toEqual(['evidence_present', 'minimum_content'])
    expect(failingWith('person', 0)).toEqual(['evidence_present', 'minimum_content'])
  })

  it('each threshold is its own gate', () => {
    expect(failing(scopeWith({ confidence: 0.49 }))).toEqual(['claim_confidence'])
    expect(failing(scopeWith({ risks: { critical: 2 } }))).toEqual(['risk_inverse'])
    expect(failing(scopeWith({ contradictions: { total: 10, open: { low: 1 } } }))).toEqual(['contradiction_resolution'])
    expect(failing(scopeWith({ possible: 1 }))).toEqual(['possible_conflicts'])
    const parsed = parseSettings({ thresholds: { goal_completion: 0.9 } })
    const settings = parsed.ok ? parsed.value : DEFAULT_SETTINGS
    const { gates } = walk([scopeWith({ goals: { total: 10, done: 8 } })], { settings })[0]!.verdict
    expect(gates.filter(gate => !gate.ok).map(gate => gate.gate)).toEqual(['goal_completion'])
  })

  it('an ordinary case passes: plainly read, goals open, a risk or two, nothing undecided', () => {
    expect(failing(scopeWith({ confidence: 0.63, goals: { total: 11, done: 0 }, risks: { medium: 8, high: 3, critical: 1 } }))).toEqual([])
  })

  it('possible conflicts are counted only where the settings ask for it', () => {
    const settings = structuredClone(DEFAULT_SETTINGS)
    settings.finality.possible_conflicts = 'report'
    const status = (aggregates: ScopeAggregates, of = settings) => walk([aggregates], { settings: of })[0]!.verdict.status
    expect(status(scopeWith({ possible: 3 }))).toBe('resolved')
    expect(status(scopeWith({ possible: 3 }), DEFAULT_SETTINGS)).toBe('review')
  })

  it('only low contradictions may stay open within the threshold', () => {
    const open = (severity: Severity) => failing(scopeWith({ contradictions: { total: 100, open: { [severity]: 1 } } }))
    expect(open('low')).toEqual([])
    for (const severity of ['medium', 'high', 'critical'] as const) expect(open(severity)).toEqual(['no_open_contradictions'])
  })

  it('nothing is said to be left to decide only where nothing is open', () => {
    const examination = { signers: 0, readByEye: 0, unexamined: 0 }
    const reasons = (aggregates: ScopeAggregates) =>
      evaluateFinality({ aggregates, point: null, workload: QUIET, settings: DEFAULT_SETTINGS, examination }).reasons
    expect(reasons(scopeWith())).toEqual(['Nothing is left to decide, and nobody has signed it off.'])
    expect(reasons(scopeWith({ contradictions: { total: 100, open: { low: 1 } } }))).toEqual([
      '1 open contradictions wait for a person.',
      'All other conditions hold, and nobody has signed it off.',
    ])
  })

  it('what waits keeps a scope from settling and is named', () => {
    expect(failing(scopeWith(), { queued: 1, processing: 0, held: 0 })).toEqual(['quiescent'])
    const { gates } = walk([scopeWith()], { workload: { queued: 2, processing: 1, held: 3 } })[0]!.verdict
    const gate = gates.find(each => each.gate === 'quiescent')!
    expect(gate.how).toContain('2 queued and 1 processing')
    expect(gate.how).toContain('3 held')
  })

  it('says of every gate what it needs and what would close it', () => {
    const bad = scopeWith({
      confidence: 0.2,
      contradictions: { total: 3, open: { critical: 3 } },
      goals: { total: 4, done: 1 },
      risks: { critical: 3 },
    })
    for (const gate of walk([bad])[0]!.verdict.gates) {
      expect(gate.needs).not.toBe('')
      expect(gate.how === 'Holds.').toBe(gate.ok)
    }
  })
})

describe('statuses', () => {
  it('a compensation attack never resolves: perfect scores elsewhere do not buy open contradictions', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5000 }),
        fc.constantFrom('medium', 'high', 'critical'),
        fc.integer({ min: 1, max: 50 }),
        (closed, severity, open) => {
          const attack = scopeWith({
            slots: 5000,
            goals: { total: 9, done: 9 },
            contradictions: { total: closed + open, open: { [severity]: open } },
          })
          for (const { verdict } of walk(Array(5).fill(attack))) expect(verdict.status).not.toBe('resolved')
        },
      ),
      { numRuns: 50 },
    )
  })

  it('no settings let a scope with an open critical contradiction be resolved', () => {
    const lax = parseSettings({
      thresholds: { claim_confidence: 0, contradiction_resolution: 0, goal_completion: 0, risk_inverse: 0 },
      finality: { minimum_quality: 0, minimum_documents: 1, minimum_claims: 1, veto_severity: 'critical', escalation_critical: 1000 },
    })
    if (!lax.ok) throw new Error(JSON.stringify(lax.errors))
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 900 }),
        fc.integer({ min: 0, max: 10_000 }),
        fc.integer({ min: 0, max: 5 }),
        (critical, closed, rounds) => {
          const scope = scopeWith({ contradictions: { total: closed + critical, open: { critical } } })
          for (const settings of [lax.value, DEFAULT_SETTINGS]) {
            for (const { verdict } of walk(Array(rounds + 1).fill(scope), { settings })) expect(verdict.status).not.toBe('resolved')
          }
        },
      ),
    )
    expect(walk([scopeWith({ contradictions: { total: 3, open: { high: 3 } } })], { settings: lax.value })[0]!.verdict.status).toBe(
      'resolved',
    )
  })

  it('escalates on risk and on three critical contradictions, before blocked and review', () => {
    const status = (scope: ScopeAggregates) => walk(Array(6).fill(scope)).at(-1)!.verdict.status
    expect(status(scopeWith({ risks: { critical: 2 } }))).toBe('escalated')
    expect(status(scopeWith({ risks: { critical: 1 } }))).not.toBe('escalated')
    expect(status(scopeWith({ contradictions: { total: 9, open: { critical: 3 } } }))).toBe('escalated')
    expect(status(scopeWith({ contradictions: { total: 9, open: { critical: 2 } } }))).toBe('blocked')
  })

  it('is blocked when nothing moves for three rounds and contradictions stay open, review before that', () => {
    const scope = scopeWith({ contradictions: { total: 1, open: { high: 1 } } })
    const statuses = walk(Array(4).fill(scope)).map(({ verdict }) => verdict.status)
    expect(statuses).toEqual(['review', 'review', 'review', 'blocked'])
    expect(walk(Array(4).fill(scope), { workload: { queued: 1, processing: 0, held: 0 } }).at(-1)!.verdict.status).not.toBe('blocked')
  })

  it('goes to review when only a person can move it, and is active while work is queued', () => {
    const held = { queued: 0, processing: 0, held: 1 }
    expect(walk([scopeWith()], { workload: held })[0]!.verdict.status).toBe('review')
    expect(walk([emptyAggregates()], { workload: held })[0]!.verdict.status).toBe('review')
    expect(walk([scopeWith()], { workload: { ...held, queued: 1 } })[0]!.verdict.status).toBe('active')
  })

  it('new evidence reopens a resolved scope', () => {
    const rounds = walk([scopeWith(), scopeWith({ contradictions: { total: 1, open: { high: 1 } } })])
    expect(rounds.map(({ verdict }) => verdict.status)).toEqual(['resolved', 'review'])
  })
})

describe('what policy makes of a verdict', () => {
  const decision = (outcome: Decision['outcome']): Decision => ({ outcome, policies: ['p'], reasons: ['because'], obligations: [] })
  const resolved = walk([scopeWith()])[0]!.verdict

  it('is resolved when policy admits it, review when it holds, and what the numbers give otherwise when it rejects', () => {
    expect(settleFinality(resolved, decision('admit')).status).toBe('resolved')
    expect(settleFinality(resolved, decision('hold'))).toEqual({ status: 'review', reasons: ['because'] })
    expect(settleFinality(resolved, decision('reject')).status).toBe('active')
  })

  it('cannot talk an alarm away', () => {
    const escalated = walk([scopeWith({ risks: { critical: 3 } })])[0]!.verdict
    for (const outcome of ['admit', 'hold', 'reject'] as const)
      expect(settleFinality(escalated, decision(outcome)).status).toBe('escalated')
  })
})
