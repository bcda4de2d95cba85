/** What a policy set can never admit, read off the policies without asking them. */
import type { PolicyInfo, PolicySet, Proposal } from './proposals.js'

export const proposalKinds = ['document', 'resolution', 'review', 'finality', 'settings'] as const satisfies readonly Proposal['kind'][]

/** Kinds of proposals that no policy permits: all of them would be rejected, whoever makes them. */
export function unpermittedKinds(policies: readonly PolicyInfo[]): Proposal['kind'][] {
  return proposalKinds.filter(kind => !policies.some(({ effect, actions }) => effect === 'permit' && actions.includes(kind)))
}

/** Nothing permits it, or something forbids it under no condition. */
export function neverAdmits({ policies }: PolicySet, kind: Proposal['kind']): boolean {
  const forbidsAlways = ({ effect, actions, always }: PolicyInfo) => effect === 'forbid' && always && actions.includes(kind)
  return unpermittedKinds(policies).includes(kind) || policies.some(forbidsAlways)
}
