import { preparsePolicySet, statefulIsAuthorized } from '@cedar-policy/cedar-wasm/nodejs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calmClaims, compiled, documentProposal, scopeState } from '../../test/kernel/builders.js'
import { decide } from './policy.js'
import { needsOf } from './policy-needs.js'
import { requestFor } from './policy-request.js'
import { splitPolicies } from './policy-text.js'
import type { Mode } from './types.js'

/** Conditions in many shapes: modes first, last and negated, whole records, detours, errors. */
const CONDITIONS = [
  'resource.mode == "auto"',
  'resource.mode != "auto" && context.claims.changed > 0',
  'context.claims.changed > 0 && resource.mode == "strict"',
  'resource.mode == "strict" && context.claims.total + 9223372036854775807 > 0',
  'context.claims.total + 9223372036854775807 > 0 && resource.mode == "strict"',
  '(resource.mode == "review" && context.claims.unsure > 0) && context.goals == 0',
  'resource.mode != "review" || context.claims.changed > 0',
  '(if context.claims.changed > 0 then context.contradictions else context.risks).total == 0',
  'context.claims has total && context.claims.total > 3',
  '"strict" == resource.mode',
  '["auto", "review"].contains(resource.mode)',
  'principal.name like "p*" && resource.name == "case-1"',
  'resource.mode == "auto" && resource in Tenant::"ten_a"',
]
const clause = fc.record({
  effect: fc.constantFrom('permit', 'forbid'),
  word: fc.constantFrom('when', 'unless'),
  condition: fc.constantFrom(...CONDITIONS),
  second: fc.option(fc.constantFrom(...CONDITIONS)),
})

describe('asking only what policies read', () => {
  it('gives the answer of asking with everything, for policies of any shape', () => {
    const policies = fc.array(clause, { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(policies, fc.constantFrom<Mode>('auto', 'review', 'strict'), fc.nat(1), fc.nat(1), (clauses, mode, changed, unsure) => {
        const parts = clauses.map(({ effect, word, condition, second }) => {
          const more = second === null ? '' : ` when { ${second} }`
          return `${effect} (principal, action == Action::"document", resource) ${word} { ${condition} }${more};`
        })
        const set = compiled(`permit (principal, action, resource);\n${parts.join('\n')}`)
        const proposal = documentProposal({ claims: calmClaims({ changed, unsure }) })
        const state = scopeState({ mode })
        preparsePolicySet('everything', { staticPolicies: set.text })
        const full = statefulIsAuthorized({ ...requestFor(proposal, state), preparsedPolicySetId: 'everything' })
        if (full.type === 'failure') throw new Error(JSON.stringify(full.errors))
        const { reason, errors } = full.response.diagnostics
        const decision = decide(proposal, state, set)
        expect(decision.policies).toEqual([...[...reason].sort(), ...errors.map(error => error.policyId).sort()])
        expect(decision.outcome === 'admit').toBe(full.response.decision === 'allow' && errors.length === 0)
      }),
      { numRuns: process.env['PROVE'] === '1' ? 150 : 20 },
    )
  })

  it('hands over the members a policy names, everything below a record it takes whole, and nothing else', () => {
    const needs = (condition: string) => {
      const split = splitPolicies(`permit (principal, action == Action::"document", resource) when { ${condition} };\n`)
      if (!split.ok) throw new Error(JSON.stringify(split.errors))
      return needsOf(split.policies.map(({ json }) => json))
    }
    expect(needs('context.claims.total > 1 && context.claims.new > 1 && resource.mode == "auto"')).toEqual({
      principal: {},
      resource: { mode: true },
      context: { claims: { total: true, new: true } },
      tenant: false,
    })
    expect(needs('context.risks == context.contradictions').context).toEqual({ risks: true, contradictions: true })
    expect(needs('context.claims.total > 1 && context has claims').context).toEqual({ claims: true })
    expect(needs('principal == Actor::"person:Ada"')).toMatchObject({ principal: true })
  })
})
