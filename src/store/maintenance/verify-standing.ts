/**
 * What is kept of a case is what follows from its facts (`kernel/standing.ts`), asked of every scope: of the claims something was found
 * about, and of those that count although nobody says them or do not although somebody does. Some at a time, so that memory stays bounded.
 */

import { type Difference, differenceOf } from '../../kernel/standing-difference.js'
import { stillSaidSql } from '../claims/claim-ends.js'
import { readKeptCase } from '../findings/standing-facts.js'
import { inPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { Transaction } from '../server/database.js'
import type { BrokenInvariant } from './verify-invariants.js'

export const standingPromise = {
  name: 'standing',
  promise: 'What counts, is open and was replaced follows from what documents and people say.',
}

const claimsAtOnce = 1000
const scopesAtOnce = 1000

interface AskedScope extends ScopePlace {
  scopeId: string
}

export async function findUnsettled(tx: Transaction, most: number): Promise<BrokenInvariant[]> {
  const broken: BrokenInvariant[] = []
  for (let after = 0; broken.length < most; ) {
    const scopes = await tx.rows<AskedScope>(
      `select s.tenant_id as "tenantId", s.scope_no as "scopeNo", s.generation, s.scope_id as "scopeId"
       from scopes s join tenants t on t.tenant_id = s.tenant_id and t.deleted_at is null
       where s.scope_no > $1 order by s.scope_no limit $2`,
      [after, scopesAtOnce],
    )
    if (scopes.length === 0) break
    after = scopes.at(-1)!.scopeNo
    for (const { scopeId, ...place } of scopes) {
      const details = await unsettledIn(tx, place)
      broken.push(...details.map(detail => ({ invariant: standingPromise.name, tenantId: place.tenantId, scopeId, detail })))
    }
  }
  return broken.slice(0, most)
}

/** Where what is kept of one scope differs, in words. */
export async function unsettledIn(tx: Transaction, place: ScopePlace): Promise<string[]> {
  const details = new Set<string>()
  const reported = await tx.column<number>(
    `select contradiction_no from contradictions where ${ofPlace} and reported is not null`,
    placeOf(place),
  )
  for (let after = -1, contradictionNos = reported; ; contradictionNos = []) {
    const claimNos = await listAsked(tx, place, after)
    if (claimNos.length + contradictionNos.length === 0) return [...details]
    const difference = differenceOf(await readKeptCase(tx, place, { claimNos, contradictionNos }))
    for (const detail of inWords(difference)) details.add(detail)
    if (claimNos.length < claimsAtOnce) return [...details]
    after = claimNos.at(-1)!
  }
}

async function listAsked(tx: Transaction, place: ScopePlace, after: number): Promise<number[]> {
  const found = (table: string, column: string) => `exists (select from ${table} f where ${inPlace('f')} and f.${column} = c.claim_no)`
  return tx.column<number>(
    `select c.claim_no from claims c where ${inPlace('c')} and c.claim_no > $4 and (
       (c.superseded_at is null) <> ${stillSaidSql('c')}
       or ${found('contradiction_sides', 'claim_no')} or ${found('supersessions', 'claim_no')} or ${found('possible_conflicts', 'claim_a')})
     order by c.claim_no limit $5`,
    [...placeOf(place), after, claimsAtOnce],
  )
}

function inWords({ ended, revived, handed, closes, reopens, decides, words, possible, withdrawn }: Difference): string[] {
  return [
    ...ended.map(({ claim: { claimId } }) => `claim ${claimId} counts, and should not`),
    ...revived.map(({ claimId }) => `claim ${claimId} does not count, and should`),
    ...handed.map(({ claim: { claimId }, byClaimId }) => `claim ${claimId} is replaced by ${byClaimId}, and names another`),
    ...closes.map(({ id }) => `contradiction ${id} is kept as open or decided, and has no two sides that count`),
    ...reopens.map(({ id }) => `contradiction ${id} is kept as closed, and is open`),
    ...decides.map(({ id }) => `contradiction ${id} is kept as open, and is decided`),
    ...words.lapse.map(({ id }) => `what was decided of contradiction ${id} is kept as having effect, and a side is no longer said`),
    ...words.again.map(({ id }) => `what was decided of contradiction ${id} is kept as without effect, and both sides are said`),
    ...possible.closes.map(id => `possible conflict ${id} is kept as open, and has no two claims that count`),
    ...possible.reopens.map(id => `possible conflict ${id} is kept as closed, and is open`),
    ...withdrawn.map(({ id }) => `supersession ${id} is kept as standing, and what replaces is no longer said`),
  ]
}
