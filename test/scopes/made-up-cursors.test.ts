/** Cursors are readable and can be made up: whatever place they name, a list answers with a page or refuses the cursor. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { isAppError } from '../../src/platform/errors.js'
import { listCertificates } from '../../src/scopes/certificates/certificate-view.js'
import { listClaims } from '../../src/scopes/claims.js'
import { type ListIdentity, type PageRequest, type Place, writeCursor } from '../../src/scopes/cursors.js'
import { listDecisions } from '../../src/scopes/decisions.js'
import { listRevisions } from '../../src/scopes/documents/document-text.js'
import { listDocuments } from '../../src/scopes/documents/documents.js'
import { listQuarantine } from '../../src/scopes/documents/quarantine.js'
import { listWords } from '../../src/scopes/documents/recognised-words.js'
import { listContradictions } from '../../src/scopes/findings/contradictions.js'
import { listPossibleConflicts } from '../../src/scopes/findings/possible-conflicts.js'
import { listPossibleFacts } from '../../src/scopes/findings/possible-facts.js'
import { listSupersessions } from '../../src/scopes/findings/supersessions.js'
import { convergencePayload, scopeConvergence } from '../../src/scopes/kernel-convergence.js'
import { listScopes } from '../../src/scopes/lifecycle.js'
import { openWorld, readDocument, type World } from './support.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

interface List {
  identity: ListIdentity
  /** A place that could be in it. */
  place: Place
  read: (page: PageRequest) => Promise<unknown>
}

const scopeId = 'case'
const documentId = 'note'

function listsOf({ deps }: World, tenantId: string): List[] {
  const scope = { tenantId, scopeId }
  const inScope = (name: string, ...filters: ListIdentity) => [name, tenantId, scopeId, 1, ...filters]
  const none = undefined
  const claims = [none, none, none, none, none]
  return [
    { identity: ['scopes', tenantId, none, none], place: ['a'], read: page => listScopes(deps, tenantId, page) },
    { identity: ['certificates', tenantId, scopeId], place: [1, 1], read: page => listCertificates(deps, { ...scope, ...page }) },
    { identity: inScope('claims', 'live', ...claims), place: [1], read: page => listClaims(deps, { ...scope, ...page }) },
    {
      identity: inScope('claims', 'live', ...claims, 'pier'),
      place: [0.5, 1],
      read: page => listClaims(deps, { ...scope, q: 'pier', ...page }),
    },
    { identity: inScope('documents', none, none, none, false), place: ['a'], read: page => listDocuments(deps, { ...scope, ...page }) },
    { identity: inScope('revisions', documentId), place: [1], read: page => listRevisions(deps, { ...scope, documentId, ...page }) },
    {
      identity: inScope('words', documentId, none, null, null),
      place: [1],
      read: page => listWords(deps, { ...scope, documentId, ...page }),
    },
    { identity: inScope('decisions', none), place: [1], read: page => listDecisions(deps, { ...scope, ...page }) },
    {
      identity: inScope('contradictions', 'open', none, none, none),
      place: [1],
      read: page => listContradictions(deps, { ...scope, ...page }),
    },
    { identity: inScope('possible-conflicts', 'open'), place: [1, 1], read: page => listPossibleConflicts(deps, { ...scope, ...page }) },
    { identity: inScope('possible-facts'), place: [1, 1], read: page => listPossibleFacts(deps, { ...scope, ...page }) },
    { identity: inScope('supersessions', 'all'), place: [1], read: page => listSupersessions(deps, { ...scope, ...page }) },
    { identity: inScope('convergence-history'), place: [1], read: page => scopeConvergence(deps, { ...scope, ...page }) },
    { identity: ['convergence', none, none, none], place: [0.5, tenantId, 1], read: page => convergencePayload(deps, page) },
    { identity: ['quarantine', tenantId, none], place: [tenantId, 1, 'a'], read: page => listQuarantine(deps, { tenantId, ...page }) },
  ]
}

const madeUp = [2 ** 53 - 1, -(2 ** 53 - 1), 2 ** 31, 2 ** 31 - 1, -(2 ** 31), -1, 0.5, 1e308, 'text', '', 'a\0', null, true]

it('are refused, or lead to a page', async () => {
  const tenantId = await world.newTenant()
  await world.newScope(tenantId, scopeId)
  await readDocument(world, { tenantId, scopeId }, { documentId, claims: [{ slot: 'pier|length', value: '40 m' }] })
  for (const { identity, place, read } of listsOf(world, tenantId)) {
    await expect(read({ cursor: writeCursor(identity, place) }), String(identity)).resolves.toBeDefined()
    for (const part of place.keys()) {
      for (const value of madeUp) {
        const cursor = writeCursor(identity, place.with(part, value as string))
        const failure = await read({ cursor }).then(
          () => null,
          error => error,
        )
        const expected = failure === null || isAppError(failure, 'CURSOR_INVALID')
        expect(expected, `${identity} at ${part}: ${value}, ${failure}`).toBe(true)
      }
    }
  }
})
