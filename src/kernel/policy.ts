/**
 * Policy sets and the decisions they make. A set is Cedar text, validated strictly against the schema before it can be used
 * and named by the hash of its canonical text.
 *
 * The rule: a policy that errs is never an allow, so any evaluation error means at least hold; allow without errors is
 * admit; a denial by policies that all carry `@outcome("hold")` is hold; every other denial is reject. The one exception
 * is the replacement of the set itself, see `replaced`.
 */
import { type Answer, ask } from './policy-ask.js'
import { neverAdmits } from './policy-reach.js'
import { type PolicyContext, requestFor } from './policy-request.js'
import type { Decision, PolicyInfo, PolicySet, Proposal, ReviewProposal, ScopeState } from './proposals.js'
import type { Outcome } from './types.js'

export function decide(proposal: Proposal, state: ScopeState, set: PolicySet): Decision {
  const request = requestFor(proposal, state)
  const answer = ask(request, set)
  const infos = new Map(set.policies.map(policy => [policy.id, policy]))
  const determining = answer.determining.flatMap(id => infos.get(id) ?? [])
  const outcome = outcomeOf(answer, determining)
  const erring = answer.erring.map(id => `Policy ${id} could not be evaluated, so nothing is allowed by it.`)
  const decision: Decision = {
    outcome,
    policies: [...answer.determining, ...answer.erring],
    reasons: [...determining.map(policy => reasonOf(policy, request.context)), ...erring, ...silence(answer)],
    obligations: [...new Set(determining.flatMap(policy => policy.obligations))].sort(),
  }
  if (proposal.kind === 'settings' && proposal.replaces) return replaced(decision, set)
  return proposal.kind === 'review' ? reviewed(decision, proposal) : decision
}

function outcomeOf({ allowed, erring, malformed }: Answer, determining: PolicyInfo[]): Outcome {
  if (malformed) return 'hold'
  if (allowed) return erring.length > 0 ? 'hold' : 'admit'
  return determining.length > 0 && determining.every(policy => policy.outcome === 'hold') ? 'hold' : 'reject'
}

/** A review's outcome is what becomes of the held thing: it stays held when policy does not let this actor review, and what was taken out or overtaken is gone. */
function reviewed(decision: Decision, { verdict, reason, overtaken }: ReviewProposal): Decision {
  const words = `${verdict === 'approve' ? 'Approved' : 'Rejected'}: ${reason}`
  if (overtaken !== undefined) {
    const first = overtaken === 'revision' ? 'a later revision of the document came first' : 'the document was taken out first'
    return { ...decision, outcome: 'reject', reasons: [...decision.reasons, words, `Nothing came of it: ${first}.`] }
  }
  if (decision.outcome !== 'admit') return { ...decision, outcome: 'hold' }
  return { ...decision, outcome: verdict === 'approve' ? 'admit' : 'reject', reasons: [...decision.reasons, words] }
}

/** A set may have its replacement wait for somebody. Refused, it would stay for good, and with it all that it refuses. */
function replaced(decision: Decision, set: PolicySet): Decision {
  const waits = decision.outcome === 'hold' && !neverAdmits(set, 'review')
  if (decision.outcome === 'admit' || waits) return decision
  const words = 'A set cannot refuse its own replacement: nobody could ever lift that.'
  return { ...decision, outcome: 'admit', reasons: [...decision.reasons, words] }
}

function silence({ allowed, determining, erring, malformed }: Answer): string[] {
  if (malformed) return ['The policies could not be asked, so a person must look at it.']
  return !allowed && determining.length + erring.length === 0 ? ['No policy permits this.'] : []
}

function reasonOf(policy: PolicyInfo, context: PolicyContext): string {
  if (policy.reason === null) return `Policy ${policy.id} ${policy.effect}s this.`
  return policy.reason.replace(/\{([a-z_.]+)\}/g, (whole, path: string) => figure(context, path) ?? whole)
}

function figure(context: PolicyContext, path: string): string | null {
  const found = path.split('.').reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), context)
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean' ? String(found) : null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
