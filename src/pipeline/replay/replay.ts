/**
 * Runs a scope again from what was handed in, in its order since the last reset, and compares every decision and number
 * with what was recorded; stops at the first difference.
 *
 * Decisions, convergence and verdicts are always computed again from the recorded inputs, under the recorded policies.
 * Documents are also reconciled again from their stored claims, and read again from their text where that is kept and
 * the extractor and its version are today's; how many were not, and why, is part of the report. Once a document of the
 * scope was erased, read again or read by another version of the reader, it and what came after it cannot be reconciled again: of
 * these the kernel alone is checked, and the report is not `complete`.
 */

import { HISTORY_TAIL } from '../../kernel/convergence.js'
import { genesis } from '../../kernel/decision-record.js'
import { DEFAULT_POLICIES } from '../../kernel/policies/default.js'
import { compilePolicySet, policySetDigest } from '../../kernel/policy-text.js'
import type { PolicySet } from '../../kernel/proposals.js'
import { replayDecisions } from '../../kernel/replay.js'
import { concludeRound, noChange } from '../../kernel/round.js'
import { emptyAggregates } from '../../kernel/scores.js'
import { DEFAULT_SETTINGS, type ScopeSettings } from '../../kernel/settings.js'
import {
  findReplayedScope,
  type RecordedDecisionRow,
  type RecordedRoundRow,
  type ReplayedScope,
  readDecisions,
  readRounds,
} from '../../store/scopes/replay.js'
import type { Database, Transaction } from '../../store/server/database.js'
import { findPolicySet } from '../../store/tenants/policies.js'
import { ReplayedContent } from './replay-content.js'
import {
  type Difference,
  differs,
  type RecordedInput,
  type ReplayDifference,
  type ReplayReport,
  type ReplayState,
} from './replay-report.js'

const pageRounds = 200

/** Undefined when there is no such scope. */
export async function replayScope(db: Database, name: { tenantId: string; scopeId: string }): Promise<ReplayReport | undefined> {
  return db.inTenant(
    name.tenantId,
    async tx => {
      const scope = await findReplayedScope(tx, name.tenantId, name.scopeId)
      return scope === null ? undefined : new Replay(tx, scope).run()
    },
    { readOnly: true, snapshot: true },
  )
}

class Replay {
  private readonly tx: Transaction
  private readonly scope: ReplayedScope
  private readonly content: ReplayedContent
  private readonly policies = new Map<string, PolicySet | undefined>()
  private state: ReplayState
  private readonly report: ReplayReport

  constructor(tx: Transaction, scope: ReplayedScope) {
    this.tx = tx
    this.scope = scope
    this.state = {
      round: 0,
      mode: scope.mode,
      settings: DEFAULT_SETTINGS,
      aggregates: emptyAggregates(),
      chain: genesis(scope.chainHash ?? undefined),
      points: [],
      finality: 'active',
    }
    this.content = new ReplayedContent(tx, scope)
    this.report = {
      ok: true,
      scopeId: scope.scopeId,
      generation: scope.generation,
      rounds: 0,
      decisions: 0,
      decisionsErased: 0,
      documents: this.content.counts,
      complete: true,
      difference: null,
    }
  }

  async run(): Promise<ReplayReport> {
    for (;;) {
      const rounds = await readRounds(this.tx, this.scope, this.state.round, pageRounds)
      const [first, last] = [rounds[0], rounds.at(-1)]
      if (first === undefined || last === undefined) return this.finish()
      const decisions = await readDecisions(this.tx, this.scope, { first: first.round, last: last.round })
      const decided = await this.replayDecided(decisions)
      for (const round of rounds) {
        const own = decisions.filter(decision => decision.round === round.round)
        const difference = decided?.round === round.round ? decided.difference : await this.replayRound(round, own)
        if (difference !== null) return { ...this.report, ok: false, complete: false, difference: { ...placeOf(round), ...difference } }
      }
    }
  }

  private finish(): ReplayReport {
    const { erased, otherReader, readAgain, afterLoss } = this.report.documents.notRead
    if (this.state.round === this.scope.rounds) return { ...this.report, complete: erased + otherReader + readAgain + afterLoss === 0 }
    const difference = { member: 'rounds', recorded: String(this.scope.rounds), computed: String(this.state.round) }
    return {
      ...this.report,
      ok: false,
      complete: false,
      difference: { round: this.state.round, kind: 'scope', documentId: null, ...difference },
    }
  }

  private async replayRound(round: RecordedRoundRow, decisions: readonly RecordedDecisionRow[]): Promise<Difference | null> {
    const input = round.input as RecordedInput
    // The first round brings the settings the scope began with; a later one that changes them counts under the new ones.
    const settings = input.settings ?? this.state.settings
    const began = round.round === 1 && input.puts !== true
    if (began) this.state = { ...this.state, settings, mode: input.mode ?? this.state.mode }
    const kernel = this.replayFigures(round, input, settings)
    if (kernel !== null) return kernel
    const deep = await this.content.replay(round, input, this.state, decisions, this.policies.get(decisions[0]?.record.policy_hash ?? ''))
    if (deep !== null) return deep
    const last = decisions.at(-1)?.record
    this.state = {
      round: round.round,
      mode: input.mode ?? this.state.mode,
      settings,
      aggregates: input.aggregates,
      chain: last === undefined ? this.state.chain : { seq: last.seq, hash: last.hash },
      points: [...this.state.points, round.point].slice(-HISTORY_TAIL),
      finality: input.finality,
    }
    this.report.rounds++
    this.report.decisions += decisions.filter(decision => !decision.erased).length
    return null
  }

  /** The first decision of a page that comes out otherwise. */
  private async replayDecided(decisions: readonly RecordedDecisionRow[]): Promise<{ round: number; difference: Difference } | null> {
    for (const { record } of decisions) await this.keepPolicies(record.policy_hash)
    const result = replayDecisions(decisions, hash => this.policies.get(hash), this.state.chain)
    if (result.ok) {
      this.report.decisionsErased += result.erased
      return null
    }
    const { member, recorded, computed } = result
    return { round: decisions[result.index]?.round ?? 0, difference: { member: `decision.${member}`, recorded, computed } }
  }

  private replayFigures(round: RecordedRoundRow, input: RecordedInput, settings: ScopeSettings): Difference | null {
    const change = input.applied ? input.change : noChange()
    const { aggregates: before, points: tail } = this.state
    const { point, verdict } = concludeRound({
      round: this.state.round + 1,
      before,
      after: input.aggregates,
      change,
      tail,
      workload: input.workload,
      settings,
      examination: input.examination,
    })
    return differs('point', round.point, point) ?? differs('status', input.status, verdict.status)
  }

  /** Once for a replay, because compiling a policy set costs more than asking it. */
  private async keepPolicies(hash: string): Promise<void> {
    if (this.policies.has(hash)) return
    const shipped = policySetDigest(DEFAULT_POLICIES)
    const text = (await findPolicySet(this.tx, this.scope.tenantId, hash)) ?? (shipped.hash === hash ? shipped.text : null)
    const compiled = text === null ? null : compilePolicySet(text)
    this.policies.set(hash, compiled?.ok ? compiled.set : undefined)
  }
}

function placeOf(round: RecordedRoundRow): Pick<ReplayDifference, 'round' | 'kind' | 'documentId'> {
  return { round: round.round, kind: round.kind, documentId: round.document_id }
}
