/**
 * How fast the kernel is on one core: decisions a second under the default policies (decide and chain a record, the work
 * of one round), the cost of one convergence point behind a history of twenty, and the summary of a scope with 100,000
 * claims against one with 1,000, on a real database. Prints a table, then one RESULT line.
 */
import { converge } from '../src/kernel/convergence.js'
import { appendRecord, genesis } from '../src/kernel/decision-record.js'
import { perDimension } from '../src/kernel/dimensions.js'
import { DEFAULT_POLICIES } from '../src/kernel/policies/default.js'
import { decide } from '../src/kernel/policy.js'
import { compilePolicySet } from '../src/kernel/policy-text.js'
import type { DocumentProposal, PolicySet, ScopeState } from '../src/kernel/proposals.js'
import { emptyAggregates } from '../src/kernel/scores.js'
import { DEFAULT_SETTINGS } from '../src/kernel/settings.js'
import type { ConvergencePoint, Mode } from '../src/kernel/types.js'

import { measureSummaries } from './support/large-scope.js'

const TRIALS = 7
const MODES: readonly Mode[] = ['auto', 'review', 'strict']

interface Measure {
  name: string
  unit: string
  median: number
  worst: number
  bound: string
  ok: boolean
}

async function main(): Promise<void> {
  const set = defaultSet()
  const next = distinctProposals()
  const distinct = perSecond(4000, index => decide(next(), state(index), set))
  let document = 0
  const decisions = perSecond(4000, () => decide(proposal(++document), state(document), set))
  const records = perSecond(4000, chained(set))
  const points = history(20)
  const convergence = perSecond(20_000, index =>
    converge(points, { round: 20, scores: scoresAt(index), opensSegment: false }, DEFAULT_SETTINGS),
  )
  const micros = convergence.map(each => 1e6 / each)
  const [small, large] = await measureSummaries(44, 100, 300)
  const rows: Measure[] = [
    row({ name: 'decisions, no two alike', unit: '/s', values: distinct, higher: true, bound: 800 }),
    row({ name: 'decisions, a usual mix', unit: '/s', values: decisions, higher: true, bound: 800 }),
    row({ name: 'the same with chained record', unit: '/s', values: records, higher: true, bound: 800 }),
    row({ name: 'convergence over 20 points', unit: 'µs', values: micros, higher: false, bound: 50 }),
    row({ name: `summary, ${large.claims} claims`, unit: 'ms', values: [large.medianMs], higher: false, bound: 50 }),
    row({ name: `against ${small.claims} claims`, unit: '×', values: [large.medianMs / small.medianMs], higher: false, bound: 1.5 }),
  ]
  for (const { name, median, worst, unit, bound, ok } of rows) {
    console.log(
      `${name.padEnd(32)} median ${median.toFixed(1).padStart(9)} ${unit.padEnd(3)} worst ${worst.toFixed(1).padStart(9)} ${bound.padEnd(10)} ${ok ? 'ok' : 'short'}`,
    )
  }
  console.log(`RESULT ${JSON.stringify(resultOf(rows))}`)
}

function resultOf([distinct, decisions, records, convergence, summary, growth]: Measure[]) {
  return {
    bench: 'kernel',
    decisions_per_second: Math.round(decisions!.median),
    distinct_decisions_per_second: Math.round(distinct!.median),
    recorded_decisions_per_second: Math.round(records!.median),
    convergence_us: Number(convergence!.median.toFixed(2)),
    summary_ms: Number(summary!.median.toFixed(2)),
    summary_growth: Number(growth!.median.toFixed(2)),
    ok: [distinct, decisions, records, convergence, summary, growth].every(measure => measure!.ok),
  }
}

function row({
  name,
  unit,
  values,
  higher,
  bound,
}: {
  name: string
  unit: string
  values: number[]
  higher: boolean
  bound: number
}): Measure {
  const sorted = [...values].sort((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)]!
  const worst = higher ? sorted[0]! : sorted.at(-1)!
  return { name, unit, median, worst, bound: `${higher ? '≥' : '<'} ${bound}`, ok: higher ? median >= bound : median < bound }
}

/**
 * Operations per second of processor time in each trial, after one trial to warm up. The question is what one core can
 * do; on a machine shared with others the clock on the wall would measure the neighbours.
 */
function perSecond(operations: number, operate: (index: number) => unknown): number[] {
  const trials = Array.from({ length: TRIALS + 1 }, () => {
    const start = process.cpuUsage()
    for (let index = 0; index < operations; index++) operate(index)
    const { user, system } = process.cpuUsage(start)
    return (operations * 1e6) / (user + system)
  })
  return trials.slice(1)
}

function chained(set: PolicySet): () => void {
  let head = genesis()
  return () => {
    const round = head.seq + 1
    const [proposed, scope] = [proposal(round), state(round)]
    const record = appendRecord(head, {
      proposal: proposed,
      state: scope,
      policyHash: set.hash,
      decision: decide(proposed, scope, set),
      salt: `${round}`,
    })
    head = { seq: record.seq, hash: record.hash }
  }
}

function defaultSet(): PolicySet {
  const compiled = compilePolicySet(DEFAULT_POLICIES)
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
  return compiled.set
}

function state(index: number): ScopeState {
  const aggregates = {
    ...emptyAggregates(),
    documentsIndexed: index,
    claimsLive: 80 * index,
    slotsLive: 40 * index,
    contradictionsTotal: index % 7,
  }
  return { tenantId: 'ten_bench', scopeId: `case-${index % 50}`, generation: 0, mode: MODES[index % 3]!, finality: 'active', aggregates }
}

/** A document as a scope meets them: mostly new and repeated facts, a change in two of five, a contradiction in one of six. */
function proposal(index: number): DocumentProposal {
  const pick = (salt: number, sides: number) => scatter(index * 16 + salt) % sides
  const found = pick(1, 6) === 0 ? 1 + pick(2, 3) : 0
  const changed = pick(3, 5) < 2 ? 1 + pick(4, 4) : 0
  return {
    kind: 'document',
    actor: { kind: 'system', id: 'pipeline' },
    round: index,
    document: {
      documentId: `document-${index}`,
      revision: 0,
      type: 'txt',
      source: 'annual report',
      issuer: null,
      textHash: 'a'.repeat(64),
      claimsDigest: 'b'.repeat(64),
      extractor: 'rules/1',
    },
    claims: {
      total: 80,
      new: 60 - changed,
      repeated: 20 - found,
      changed,
      contradicting: found,
      unsure: pick(5, 10) === 0 ? 1 : 0,
      dropped: 0,
      minConfidence: 0.55 + pick(6, 30) / 100,
      meanConfidence: 0.85 + pick(7, 12) / 100,
    },
    contradictions: { low: 0, medium: found > 1 ? 1 : 0, high: found > 0 ? 1 : 0, critical: found > 2 ? 1 : 0 },
    closes: 0,
    goals: 1,
    risks: { low: 1, medium: 0, high: 0, critical: pick(8, 20) === 0 ? 1 : 0 },
    drift: { factual: 0.1, contradiction: 0.02, goal: 0, entropy: 0, value: 0.1, level: found > 1 ? 'medium' : 'low' },
  }
}

/** Neighbouring numbers, far apart and always the same: a die without randomness. */
function scatter(number: number): number {
  const mixed = Math.imul(number ^ (number >>> 16), 0x45d9f3b)
  return Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b) >>> 4
}

/** The policies read more than one of these figures in every mode, and no two calls give the same: no answer is asked for twice. */
function distinctProposals(): () => DocumentProposal {
  let count = 0
  return () => {
    count += 1
    const base = proposal(count)
    const contradictions = { ...base.contradictions, high: count }
    return { ...base, claims: { ...base.claims, changed: count }, contradictions }
  }
}

function history(length: number): ConvergencePoint[] {
  return Array.from({ length }).reduce<ConvergencePoint[]>((points, _, round) => {
    points.push(converge(points, { round, scores: scoresAt(round), opensSegment: false }, DEFAULT_SETTINGS))
    return points
  }, [])
}

function scoresAt(round: number) {
  return perDimension(dimension => 1 - 0.9 ** ((round % 20) + dimension.length / 10))
}

await main()
