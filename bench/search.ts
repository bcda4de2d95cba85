/**
 * What finding claims by their words costs in a large scope against a small one, as the tenant's role and on word frequencies of
 * natural text: the search of a person, and the statements laid beside a document for a model. Both are bounded by what is asked
 * and not by the scope.
 *
 *   npm run bench -- search           200,000 claims against 10,000
 *   npm run bench -- search --full    1,000,000 against 10,000
 */

import { newTenantId } from '../src/platform/ids.js'
import { searchClaims } from '../src/scopes/claim-search.js'
import { findSimilarPassages } from '../src/store/documents/passages.js'
import { listClaimRows } from '../src/store/findings/findings.js'
import { claimsPerDocument, fillZipfScopes, type ZipfScope, zipfPlace, zipfWord } from '../test/support/zipf-scope.js'
import { openOwnDatabase } from './support/own-database.js'

const full = process.argv.includes('--full')
const rounds = 60
const filter = { state: 'live', documentId: null, subject: null, attribute: null, asOf: null, knownAt: null } as const
const options = { readOnly: true, snapshot: true, indexOrder: true }

const tenantId = newTenantId()
const small: ZipfScope = { tenantId, scopeNo: 1, documents: 10_000 / claimsPerDocument, seed: 0.1 }
const large: ZipfScope = { tenantId, scopeNo: 2, documents: (full ? 1_000_000 : 200_000) / claimsPerDocument, seed: 0.2 }

const { db, owner, close } = await openOwnDatabase({ enginePool: 2, statementTimeoutMs: 1_200_000 })
try {
  await fillZipfScopes(owner, [small, large])
  const ways = { search, statements }
  const ratios: Record<string, number> = {}
  for (const [name, ask] of Object.entries(ways)) {
    const took = { small: [] as number[], large: [] as number[] }
    for (let round = 0; round < 2 * rounds; round++)
      for (const [size, scope] of [
        ['small', small],
        ['large', large],
      ] as const) {
        const started = performance.now()
        await ask(scope, round % rounds)
        // The first time round warms pages and plans up.
        if (round >= rounds) took[size].push(performance.now() - started)
      }
    const [before, after] = [mean(took.small), mean(took.large)]
    ratios[`${name}_ratio`] = Number((after / before).toFixed(2))
    console.log(
      `${name}: ${before.toFixed(1)} ms in ${small.documents * claimsPerDocument} claims, ${after.toFixed(1)} ms in ${large.documents * claimsPerDocument}: ${(after / before).toFixed(2)} times (${rounds} questions)`,
    )
  }
  console.log(`RESULT ${JSON.stringify(ratios)}`)
} finally {
  await close()
}

/** The first page of a search, as the route gives it. */
function search(scope: ZipfScope, round: number): Promise<unknown> {
  const place = zipfPlace(scope)
  return db.inTenant(
    tenantId,
    async tx => {
      const found = await searchClaims(tx, place, draw(round, 1 + (round % 4)).join(' '), filter)
      return listClaimRows(tx, place, { ...filter, claimNos: found.slice(0, 50).map(({ claimNo }) => claimNo), after: -1, limit: 50 })
    },
    options,
  )
}

/** What is laid beside a document of twenty statements: found by their words. */
async function statements(scope: ZipfScope, round: number): Promise<unknown> {
  return db.inTenant(tenantId, tx => findSimilarPassages(tx, zipfPlace(scope), draw(round, 8 * claimsPerDocument), ''), options)
}

/** So many different words, as often as text has them; the same ones for both scopes. */
function draw(round: number, count: number): string[] {
  const words = new Set<string>()
  for (let n = 0; words.size < count; n++) words.add(zipfWord(((round * 7919 + n * 104_729 + 13) * 0.618_033_988_7) % 1))
  return [...words]
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
