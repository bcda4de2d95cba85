/** What people said of a case while a document was in it goes with the document, wherever it was kept. */

import { expect, it } from 'vitest'
import { DEFAULT_POLICIES } from '../../src/kernel/policies/default.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { dumpDatabase, tablesWith } from '../support/dump-database.js'
import { startJourney } from '../support/journey.js'

const at = startJourney()
const { call, get, openCase, sign } = at

const word = 'zorvath'
const said = (about: string) => ({ by: 'J. Doe', reason: `Zorvathword of ${about}.` })
const found = async () => tablesWith(await dumpDatabase(at.service.database.owner), [word])

const erase = async (scopeId: string, documentId: string) =>
  expect((await call('DELETE', `/api/documents/${documentId}?scope_id=${scopeId}`)).status).toBe(200)

async function expectNothingLeft(scopeId: string): Promise<void> {
  expect(await found()).toEqual([])
  expect(await at.replayed(scopeId)).toMatchObject({ ok: true })
  expect((await verifyDatabase(at.service.database.db)).broken).toEqual([])
}

const settlementIsSignedOff = `${DEFAULT_POLICIES}
@id("settlement-is-signed-off") @outcome("hold") @reason("A person signs off the settlement.")
forbid (principal, action == Action::"finality", resource) when { context.to == "resolved" };`

const holdSettlement = async (scopeId: string) =>
  expect((await at.admin('PUT', `/admin/scopes/${scopeId}/policies`, { policies: settlementIsSignedOff })).status).toBe(200)

it('takes along what was said with a sign-off that answered a held settlement', async () => {
  await openCase('signed')
  await holdSettlement('signed')
  expect((await sign('signed', 'J. Doe', said('signing'))).body.finality).toBe('resolved')
  expect(await found()).toContain('decisions')
  await erase('signed', 'letter')
  await expectNothingLeft('signed')
})

it('takes along why somebody approved a held settlement', async () => {
  await openCase('approved')
  await holdSettlement('approved')
  expect((await at.settings('approved', { examination: 'none' })).status).toBe(200)
  const [{ decision_id: id }] = (await get('/api/scopes/approved/decisions?review=pending')).items
  expect((await call('POST', `/api/decisions/${id}/review`, { verdict: 'approve', ...said('approving') })).status).toBe(200)
  expect((await at.summary('approved')).finality.status).toBe('resolved')
  expect(await found()).toEqual(['decisions', 'rounds'])
  await erase('approved', 'letter')
  await expectNothingLeft('approved')
})

it('takes along why a verdict ended every claim of a statement, also after it was taken back', async () => {
  await openCase('ended')
  // What is read there stands on no side of it.
  const [a, b] = await Promise.all(
    ['contract', 'letter'].map(async id => {
      const [{ start, end }] = (await get(`/api/scopes/ended/claims?document_id=${id}`)).items
      return { document_id: id, revision: 1, start, end }
    }),
  )
  const { body: seen } = await call('POST', '/api/contradictions', { scope_id: 'ended', a, b, severity: 'high', by: 'J. Doe', reason: 'Seen.' })
  const path = `/api/contradictions/${seen.contradiction_id}/resolution`
  const decided = await call('POST', path, { verdict: 'clerical_error', side: 'a', ...said('a slip') })
  expect(decided.body.claims_retired, decided.text).toHaveLength(2)
  expect((await call('DELETE', `${path}?by=j.doe&reason=No`)).status).toBe(200)
  expect(await found()).toContain('claim_retirements')
  await call('POST', path, { verdict: 'clerical_error', side: 'a', ...said('a slip') })
  await erase('ended', 'letter')
  await expectNothingLeft('ended')
})
