/** What people said of a case while a document was in it goes with the document, wherever it was kept. */

import { expect, it } from 'vitest'
import { operations } from '../../src/contract/operations.js'
import { DEFAULT_POLICIES } from '../../src/kernel/policies/default.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { dumpDatabase, tablesWith } from '../support/dump-database.js'
import { startJourney } from '../support/journey.js'

const at = startJourney({ RETRY_MAX_ATTEMPTS: '1' })
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
  const { body: seen } = await call('POST', '/api/contradictions', {
    scope_id: 'ended',
    a,
    b,
    severity: 'high',
    by: 'J. Doe',
    reason: 'Seen.',
  })
  const path = `/api/contradictions/${seen.contradiction_id}/resolution`
  const decided = await call('POST', path, { verdict: 'clerical_error', side: 'a', ...said('a slip') })
  expect(decided.body.claims_retired, decided.text).toHaveLength(2)
  expect((await call('DELETE', `${path}?by=j.doe&reason=No`)).status).toBe(200)
  expect(await found()).toContain('claim_retirements')
  await call('POST', path, { verdict: 'clerical_error', side: 'a', ...said('a slip') })
  await erase('ended', 'letter')
  await expectNothingLeft('ended')
})

const minutes = (head: string, date: string, length: number) => `Harbour board\n${head} of ${date}\nThe Corran pier is ${length} m long.\n`
/** The others stay: what is said of them as well goes with these. */
const erased = {
  contract: 'The contract sum of Harbour Tower is EUR 4.2M.',
  lease: 'Keys handed to the tenant: 198\n',
  minutes: minutes('Minutes', '4 May 2022', 198),
}
const others = {
  letter: 'The contract sum of Harbour Tower is EUR 5.1M.',
  protocol: 'Keys given to the tenant: 205\n',
  corrected: minutes('Corrected minutes', '7 June 2022', 205),
}

const holdTakingBack = `permit (principal, action, resource);
@id("second-look") @outcome("hold") @reason("Somebody else has to agree.")
forbid (principal, action == Action::"resolution", resource) when { context.verdict == "reopen" || context.verdict == "withdraw_sign_off" };`

/** Operations that take a reason and are not called here. */
const notCalled = {
  decidePossibleConflicts: 'each as dismissPossibleConflict',
  decideReplacements: 'each as acceptReplacement',
  acceptReplacement: 'of what a model proposed: test/pipeline/replacements.test.ts',
  withdrawAcceptance: 'of what a model proposed: test/pipeline/replacements.test.ts',
  correctWord: 'of scans: test/files',
  recogniseAgain: 'of scans: test/files',
  holdScope: 'of the case',
  liftScopeHold: 'of the case',
}

it('leaves nothing that anybody wrote about a document, whatever operation took it', async () => {
  const used = new Set<string>()
  const say = async (method: string, path: string, more: object = {}) => {
    const { pathname } = new URL(path, at.service.url)
    const own = Object.values(operations).find(
      each => each.method === method && new RegExp(`^${each.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
    )
    used.add(own?.id ?? path)
    const reason = { by: 'J. Doe', reason: `Zorvathword by ${own?.id}.` }
    return method === 'DELETE'
      ? call(method, `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(reason)}`)
      : call(method, path, { ...reason, ...more })
  }
  const done = async (...act: Parameters<typeof say>) => {
    const answer = await say(...act)
    expect([act[1], answer.status, answer.text]).toEqual([act[1], expect.toSatisfy(status => status < 300), answer.text])
    return answer.body
  }
  const first = async (list: string) => (await get(`/api/scopes/all/${list}`)).items[0]
  const review = async (verdict: string) =>
    done('POST', `/api/decisions/${(await first('decisions?review=pending')).decision_id}/review`, { verdict })

  for (const [documentId, text] of Object.entries({ ...erased, ...others })) {
    const body = { scope_id: 'all', document_id: documentId, text, name: documentId in erased ? `Zorvathword ${documentId}` : documentId }
    await call('POST', '/api/ingest', {
      ...body,
      ...(documentId === 'lease' ? { source: 'Zorvathword Ltd', idempotency_key: documentId } : {}),
    })
    await at.settled('all')
  }
  const opened = (await get('/api/scopes/all/contradictions')).items[0]
  const contradiction = `/api/contradictions/${opened.contradiction_id}`
  for (const verdict of ['b', 'a', 'disputed']) await done('POST', `${contradiction}/resolution`, { verdict })
  await done('DELETE', `${contradiction}/resolution`)
  await call('POST', `${contradiction}/comments`, { by: 'J. Doe', text: 'Zorvathword.' })
  await done('POST', `${contradiction}/resolution`, { verdict: 'clerical_error', side: opened.a.document_id === 'letter' ? 'b' : 'a' })
  const possible = `/api/possible-conflicts/${(await first('possible-conflicts')).possible_conflict_id}`
  for (const [act, taken] of [
    ['dismissal', true],
    ['promotion', true],
    ['dismissal', false],
  ] as const) {
    await done('POST', `${possible}/${act}`)
    if (taken) await done('DELETE', `${possible}/${act}`)
  }
  const supersession = `/api/supersessions/${(await first('supersessions')).supersession_id}`
  await done('POST', `${supersession}/objection`)
  await done('DELETE', `${supersession}/objection`)
  const inWords = {
    scope_id: 'all',
    claim_a: 'Zorvathword sold.',
    claim_b: 'Kept.',
    source_a: 'Zorvathword lease',
    source_b: 'press',
    severity: 'low',
  }
  const told = await done('POST', '/api/contradictions', inWords)
  await done('POST', `/api/contradictions/${told.contradiction_id}/resolution`, { verdict: 'both' })
  await done('POST', '/api/documents/minutes/hold?scope_id=all')
  await done('DELETE', '/api/documents/minutes/hold?scope_id=all')
  await done('POST', '/api/scopes/all/reread')
  await at.settled('all')
  const { sign_off_id: signed } = await done('POST', '/api/scopes/all/sign-off')
  expect((await at.admin('PUT', '/admin/scopes/all/policies', { policies: holdTakingBack })).status).toBe(200)
  for (const verdict of ['reject', 'approve']) {
    for (const held of [`/api/scopes/all/sign-offs/${signed}`, `${contradiction}/resolution`]) {
      expect((await say('DELETE', held)).body.code).toBe('STATE_CONFLICT')
      await review(verdict)
    }
  }
  await at.quarantine('all', 'broken')
  await done('POST', '/api/documents/broken/discard?scope_id=all')
  await at.runtime('pause', 'all')
  await call('POST', '/api/ingest', { scope_id: 'all', document_id: 'queued', text: 'Zorvathword.', name: 'Zorvathword' })
  await done('POST', '/api/documents/queued/cancellation?scope_id=all')
  await done('POST', '/api/scopes/all/reread')

  const takesReason = ({ body, query }: (typeof operations)[string]) =>
    'reason' in ((body?.schema as unknown as { properties?: object })?.properties ?? {}) || 'reason' in (query?.properties ?? {})
  const wanted = Object.values(operations)
    .filter(takesReason)
    .map(each => each.id)
  expect([...used, ...Object.keys(notCalled)]).toEqual(expect.arrayContaining(wanted))
  expect(await found()).toEqual(
    expect.arrayContaining([
      'backlog',
      'claims',
      'comments',
      'contradictions',
      'decisions',
      'finding_history',
      'legal_holds',
      'possible_conflicts',
      'rounds',
      'sign_offs',
    ]),
  )
  for (const documentId of [...Object.keys(erased), 'queued', 'broken']) await erase('all', documentId)
  expect(await found()).toEqual([])
  await at.runtime('resume', 'all')
  await at.settled('all')
  await expectNothingLeft('all')
})
