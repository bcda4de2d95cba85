/** What counts follows from what is said: stories over HTTP in which acts meet that used to undo each other. */

import { expect, it } from 'vitest'
import { contradictionLines } from '../../src/cli/finding-lines.js'
import { createOutput } from '../../src/cli/output.js'
import { runTextRetention } from '../../src/scopes/documents/text-retention.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { startJourney } from '../support/journey.js'

const at = startJourney({}, { examination: 'none' })
const { call, get, handIn, live, settled, runtime } = at

const paper = (issuer: string, date: string, revenue: string, rest = '') =>
  `${issuer}\nNote on Aurelia Holding\nIssued by: ${issuer}\nDate: ${date}\n\n## Key figures FY2025 of Aurelia Holding\n\nRevenue: EUR ${revenue}M\n${rest}`

const post = (path: string, body: unknown) => call('POST', path, body)
const found = async (scopeId: string) => (await get(`/api/scopes/${scopeId}/contradictions?status=all`)).items
const word = (verdict: string) => ({ verdict, reason: 'Looked at both papers.', by: 'j.doe' })

it('takes in a document that policy holds also in a settled case, which waits for a person then', async () => {
  await at.admin('POST', '/admin/scopes', { scope_id: 'settled', mode: 'review' })
  for (const [index, issuer] of [
    'Aurelia Holding',
    'Bank Nord',
    'Register Court',
    'Tax Office',
    'Valuer Roth',
    'Notary Keller',
  ].entries()) {
    await handIn('settled', `note-${index}`, paper(issuer, `2026-03-1${index}`, '33.9'))
  }
  const waiting = (await get('/api/scopes/settled/decisions?review=pending')).items
  for (const { decision_id: id } of waiting) await post(`/api/decisions/${id}/review`, { ...word('approve') })
  const status = async () => (await at.admin('GET', '/admin/scopes/settled/summary', undefined)).body.finality.status
  expect(await status()).toBe('resolved')
  await handIn('settled', 'dissent', paper('Brandt Audit', '2026-04-01', '55.0'), 'held')
  expect(await status()).toBe('review')
  expect((await get('/api/scopes/settled/certificate')).status).toBe('superseded')
})

it('calls nobody but itself system', async () => {
  await handIn('named', 'report', paper('Aurelia Holding', '2026-02-01', '41.2'))
  await handIn('named', 'audit', paper('Brandt Audit', '2026-03-01', '33.9'))
  const [finding] = await found('named')
  const path = `/api/contradictions/${finding.contradiction_id}/resolution`
  const refused = await post(path, { ...word('a'), by: 'system' })
  expect(refused.status).toBe(400)
  expect(refused.body.errors).toEqual([{ pointer: '/by', detail: expect.stringContaining('system') }])
  expect((await post(path, word('a'))).status).toBe(200)
})

const withdrawal = `reason=${encodeURIComponent('It was the wrong paper.')}&by=j.doe`
const withdraw = (path: string) => call('DELETE', `${path}?${withdrawal}`)
const resolutionOf = (finding: { contradiction_id: string }) => `/api/contradictions/${finding.contradiction_id}/resolution`

/** A report and an audit that contradict each other, decided for one of them. */
async function decided(scopeId: string, winner: 'report' | 'audit', verdict?: string) {
  await handIn(scopeId, 'report', paper('Aurelia Holding', '2026-02-01', '41.2'))
  await handIn(scopeId, 'audit', paper('Brandt Audit', '2026-03-01', '33.9'))
  const [finding] = await found(scopeId)
  const side = finding.a.document_id === winner ? 'a' : 'b'
  expect((await post(resolutionOf(finding), word(verdict ?? side))).status).toBe(200)
  return finding
}

it('holds a verdict against a revision that says the losing figure again, and against others that say it', {
  timeout: 180_000,
}, async () => {
  const finding = await decided('revised', 'report')
  await handIn('revised', 'audit', paper('Brandt Audit', '2026-03-01', '33.9', 'Staff: 12\n'))
  await settled('revised')
  expect((await live('revised')).filter((id: string) => id === 'report')).toHaveLength(1)
  const statements = (await get('/api/scopes/revised/claims?state=live')).items.map((claim: { quote: string }) => claim.quote)
  expect(statements).not.toContain('Revenue: EUR 33.9M')
  await handIn('revised', 'bank', paper('Bank Nord', '2026-03-09', '33.9'))
  await settled('revised')
  expect(await live('revised')).not.toContain('bank')
  expect((await found('revised')).filter((each: { status: string }) => each.status === 'open')).toEqual([])
  expect((await withdraw(resolutionOf(finding))).body.claims_revived).toHaveLength(2)
  await settled('revised')
  expect(await live('revised')).toEqual(expect.arrayContaining(['audit', 'bank', 'report']))
  expect((await found('revised')).some((each: { status: string }) => each.status === 'open')).toBe(true)
})

it('gives a verdict effect while both sides are said, and lets it be taken back afterwards', async () => {
  const finding = await decided('erased', 'audit')
  expect(await live('erased')).toEqual(['audit'])
  expect((await call('DELETE', '/api/documents/audit?scope_id=erased')).status).toBe(200)
  await settled('erased')
  expect(await live('erased')).toEqual(['report'])
  expect((await get('/api/scopes/erased/contradictions?status=resolved')).items).toMatchObject([{ resolution: { by: 'j.doe' } }])
  const back = await withdraw(resolutionOf(finding))
  expect(back.status).toBe(200)
  expect(back.body).toMatchObject({ status: 'resolved', resolution: { by: 'system' } })
})

it('says that a decision of before applies again when the statement it is about is said again, and opens it for whoever objects', async () => {
  const { contradiction_id: id } = await decided('again', 'audit')
  const read = async () => get(`/api/contradictions/${id}`)
  expect((await read()).resolution).not.toHaveProperty('effect')
  await handIn('again', 'audit', paper('Brandt Audit', '2026-03-01', '41.2'))
  await settled('again')
  expect(await live('again')).toContain('report')
  expect(await read()).toMatchObject({ status: 'resolved', resolution: { by: 'j.doe', effect: { state: 'on_record' } } })
  await handIn('again', 'audit', paper('Brandt Audit', '2026-03-01', '33.9'))
  await settled('again')
  expect(await live('again')).toEqual(['audit'])
  const { resolution } = await read()
  expect(resolution).toMatchObject({ by: 'j.doe', effect: { state: 'again', since: expect.any(String), round: expect.any(Number) } })
  expect(resolution.effect.round).toBeGreaterThan(resolution.round)
  const [line] = contradictionLines(await read(), createOutput({ format: 'table', color: false, command: 'contradictions' }))
  expect(line).toContain('B is right, decided by j.doe · Decided earlier by j.doe: applies again, because it is said again')
  expect((await found('again')).filter((each: { status: string }) => each.status === 'open')).toEqual([])
  const back = await withdraw(`/api/contradictions/${id}/resolution`)
  expect(back.body).toMatchObject({ status: 'open' })
  expect(back.body).not.toHaveProperty('resolution')
  await settled('again')
  expect(await live('again')).toEqual(['audit', 'report'])
  // Decided anew, it simply holds.
  expect((await post(`/api/contradictions/${id}/resolution`, word('both'))).body.resolution).not.toHaveProperty('effect')
  await isSound()
})

it.each(['dismiss', 'not_the_same', 'both', 'disputed'])(
  'lets the word %s apply again when a paper that is new to the case says the side that was gone',
  async verdict => {
    const scopeId = `said-by-another-${verdict.replaceAll('_', '')}`
    const { contradiction_id: id } = await decided(scopeId, 'audit', verdict)
    await handIn(scopeId, 'audit', paper('Brandt Audit', '2026-03-01', '55.0'))
    await settled(scopeId)
    expect(await get(`/api/contradictions/${id}`)).toMatchObject({ resolution: { verdict, effect: { state: 'on_record' } } })
    await handIn(scopeId, 'bank', paper('Bank Nord', '2026-03-09', '33.9'))
    await settled(scopeId)
    expect(await get(`/api/contradictions/${id}`)).toMatchObject({ resolution: { verdict, effect: { state: 'again' } } })
    await isSound()
  },
)

const minutes = 'Harbour board\nMinutes of 4 May 2022\nThe Corran pier is 212 m long.\n'
const corrected = 'Harbour board\nCorrected minutes of 7 June 2022\nThe Corran pier is 205 m long.\n'

it('keeps an objection when the document that replaced is revised and says it again', async () => {
  await handIn('objected', 'minutes', minutes)
  await handIn('objected', 'corrected', corrected)
  const [replacement] = (await get('/api/scopes/objected/supersessions')).items
  expect(
    (await post(`/api/supersessions/${replacement.supersession_id}/objection`, { reason: 'It was measured twice.', by: 'j.doe' })).status,
  ).toBe(200)
  await settled('objected')
  await handIn('objected', 'corrected', `${corrected}The shed is red.\n`)
  await settled('objected')
  expect(await live('objected')).toEqual(expect.arrayContaining(['corrected', 'minutes']))
  const open = (await get('/api/scopes/objected/contradictions')).items
  expect(open).toMatchObject([{ status: 'open' }])
  expect((await get('/api/scopes/objected/supersessions?status=objected')).items).toMatchObject([
    { supersession_id: replacement.supersession_id },
  ])
})

it('lets an objection be taken back after both documents were revised and say the same', async () => {
  await handIn('taken-back', 'minutes', minutes)
  await handIn('taken-back', 'corrected', corrected)
  const [replacement] = (await get('/api/scopes/taken-back/supersessions')).items
  const path = `/api/supersessions/${replacement.supersession_id}/objection`
  expect((await post(path, { reason: 'It was measured twice.', by: 'j.doe' })).status).toBe(200)
  await settled('taken-back')
  await handIn('taken-back', 'minutes', `${minutes}The shed is red.\n`)
  await handIn('taken-back', 'corrected', `${corrected}The shed is red.\n`)
  await settled('taken-back')
  expect((await withdraw(path)).status).toBe(200)
  await settled('taken-back')
  const lengths = (await get('/api/scopes/taken-back/claims?state=live')).items.map((claim: { quote: string }) => claim.quote)
  expect(lengths).toContain('The Corran pier is 205 m long.')
  expect(lengths).not.toContain('The Corran pier is 212 m long.')
  expect((await get('/api/scopes/taken-back/contradictions')).items).toEqual([])
})

// Where texts are gone, or read by another version of the reader: nothing that was settled comes back, nothing is lost.

const survey = 'Harbour works at Corran\nIssuer: Lund Surveyors\nDate: 2022-05-09\n\nThe Corran pier is 198 m long.\n'

const items = async (scopeId: string, path: string) => (await get(`/api/scopes/${scopeId}/${path}`)).items
/** Changes rows of documents of a case, as time or another version of the service would. */
async function change(scopeId: string, documentIds: readonly string[], set: string): Promise<void> {
  const { rowCount } = await at.service.database.owner.query(
    `update documents set ${set} where tenant_id = $1 and document_id = any ($3)
       and scope_no = (select scope_no from scopes where tenant_id = $1 and scope_id = $2)`,
    [at.tenant.tenant_id, scopeId, documentIds],
  )
  expect(rowCount).toBeGreaterThanOrEqual(documentIds.length)
}

/** Removes texts by age; answers whether this one is still there. */
async function expire(scopeId: string, documentId: string): Promise<'gone' | 'kept'> {
  await change(scopeId, [documentId], "received_at = received_at - interval '10 days'")
  await runTextRetention({ db: at.service.database.db, config: { textRetentionDays: 7 } })
  const text = `select text from documents d join scopes s using (tenant_id, scope_no)
    where s.tenant_id = $1 and s.scope_id = $2 and d.document_id = $3`
  const { rows } = await at.service.database.owner.query(text, [at.tenant.tenant_id, scopeId, documentId])
  return rows[0]?.text === null ? 'gone' : 'kept'
}

/** As a version that places statements otherwise leaves it: what is read now does not meet it. */
async function forgetPlace(scopeId: string, documentId: string): Promise<void> {
  const own = `d.tenant_id = $1 and d.document_id = $3 and d.scope_no = (select scope_no from scopes where tenant_id = $1 and scope_id = $2)`
  const values = [at.tenant.tenant_id, scopeId, documentId]
  const terms = `delete from claim_terms t using documents d
    where ${own} and t.tenant_id = d.tenant_id and t.scope_no = d.scope_no and t.first_claim_no = d.first_claim_no`
  expect((await at.service.database.owner.query(terms, values)).rowCount).toBeGreaterThan(0)
  const place = `update claims d set slot_hash = 1, body = jsonb_set(d.body::jsonb, '{slotKey}', '"elsewhere"')::json where ${own}`
  await at.service.database.owner.query(place, values)
}

const isSound = async () => expect((await verifyDatabase(at.service.database.db)).broken).toEqual([])

it('leaves a statement corrected when another version reads it again and the correction has no text any more', {
  timeout: 180_000,
}, async () => {
  await handIn('upgraded', 'minutes', minutes)
  await handIn('upgraded', 'corrected', corrected)
  expect(await expire('upgraded', 'corrected')).toBe('gone')
  await change('upgraded', ['minutes', 'corrected'], `extractor_version = 'before', profile = profile || '{"reader": "before"}'`)
  await forgetPlace('upgraded', 'corrected')
  expect((await call('POST', '/api/scopes/upgraded/reread', {})).body).toMatchObject({ queued: 1 })
  await settled('upgraded')
  expect(await live('upgraded')).toEqual(['corrected'])
  expect(await items('upgraded', 'supersessions?status=standing')).toMatchObject([{ claim: { document_id: 'minutes' } }])
  await isSound()
})

it('lets a statement count again whose correction is revised away, also without its text', async () => {
  await handIn('released', 'minutes', minutes)
  await handIn('released', 'corrected', corrected)
  expect(await expire('released', 'minutes')).toBe('gone')
  await handIn('released', 'corrected', 'Harbour board\nCorrected minutes of 7 June 2022\nThe shed is red.\n')
  await settled('released')
  expect(await live('released')).toContain('minutes')
  await isSound()
})

it('keeps the text of what waits to be read again, however old', async () => {
  await handIn('waiting', 'minutes', minutes)
  await runtime('pause', 'waiting')
  expect((await call('POST', '/api/scopes/waiting/reread', {})).body).toMatchObject({ queued: 1 })
  expect(await expire('waiting', 'minutes')).toBe('kept')
  await runtime('resume', 'waiting')
  await settled('waiting')
  expect(await live('waiting')).toEqual(['minutes'])
  expect(await expire('waiting', 'minutes')).toBe('gone')
})

it('opens again what a correction had closed when that is read otherwise, and has what counts again read again', {
  timeout: 180_000,
}, async () => {
  await handIn('reread', 'minutes', minutes)
  await handIn('reread', 'survey', survey)
  const [{ contradiction_id: id }] = await items('reread', 'contradictions')
  await handIn('reread', 'corrected', corrected)
  await settled('reread')
  const findOld = async () =>
    (await items('reread', 'contradictions?status=all')).find((each: { contradiction_id: string }) => each.contradiction_id === id)
  expect(await findOld()).toMatchObject({ status: 'resolved', resolution: { by: 'system' } })
  await runtime('pause', 'reread')
  // As another reader may read it; nothing else is read again.
  await change('reread', ['corrected'], "text = 'Nothing is said here.'")
  await change('reread', ['minutes', 'survey'], 'text = null')
  expect((await call('POST', '/api/scopes/reread/reread', {})).body).toMatchObject({ queued: 1 })
  await change('reread', ['minutes'], `text = '${minutes}'`)
  await runtime('resume', 'reread')
  await settled('reread')
  expect(await live('reread')).toEqual(expect.arrayContaining(['minutes', 'survey']))
  expect(await findOld()).toMatchObject({ status: 'open' })
  const queued = `select subject from events e join scopes s using (tenant_id, scope_no)
    where s.tenant_id = $1 and s.scope_id = 'reread' and e.type = 'document.reread_queued' order by e.seq`
  const { rows } = await at.service.database.owner.query(queued, [at.tenant.tenant_id])
  expect(rows.map(each => each.subject)).toEqual(['corrected', 'minutes'])
  await isSound()
})

// What a comparison did not cover stays as it was found.

const quotesThatCount = async (scopeId: string) =>
  (await items(scopeId, 'claims?state=live')).map((claim: { quote: string }) => claim.quote)

it('keeps what was found between two documents when one is revised and the other waits for a newer reader', async () => {
  await handIn('half-read', 'report', paper('Aurelia Holding', '2026-02-01', '41.2'))
  await handIn('half-read', 'audit', paper('Brandt Audit', '2026-03-01', '33.9'))
  await handIn('half-read', 'minutes', minutes)
  await handIn('half-read', 'corrected', corrected)
  const [{ contradiction_id: id }] = await items('half-read', 'contradictions')
  await change('half-read', ['audit', 'minutes'], `extractor_version = 'before', profile = profile || '{"reader": "before"}'`)
  await handIn('half-read', 'report', paper('Aurelia Holding', '2026-02-01', '41.2', 'Staff: 12\n'))
  await handIn('half-read', 'corrected', `${corrected}The shed is red.\n`)
  await settled('half-read')
  expect(await items('half-read', 'contradictions')).toMatchObject([{ contradiction_id: id, status: 'open' }])
  expect(await quotesThatCount('half-read')).not.toContain('The Corran pier is 212 m long.')
  await isSound()
})

// Whatever counts again is compared with everything that counts, with a text or without.

const before = `extractor_version = 'before', profile = profile || '{"reader": "before"}'`
/** Values between which a contradiction is open. */
const contested = async (scopeId: string) =>
  (await items(scopeId, 'contradictions')).map(({ a, b }: { a: { quote: string }; b: { quote: string } }) =>
    [a.quote, b.quote].sort().join(' / '),
  )

it('compares what counts again with what came meanwhile from what was read of it, where its text is gone', async () => {
  await decided('textless', 'report')
  await change('textless', ['report', 'audit'], 'text = null')
  await handIn('textless', 'report', paper('Aurelia Holding', '2026-02-01', '50.0'))
  await settled('textless')
  expect(await live('textless')).toEqual(['audit', 'report'])
  expect(await contested('textless')).toEqual(['Revenue: EUR 33.9M / Revenue: EUR 50.0M'])
  expect(await at.replayed('textless')).toMatchObject({ ok: true })
  await isSound()
})

it('does so where the text came twice, and the reading is that of a revision before', async () => {
  await decided('twice', 'report')
  await handIn('twice', 'audit', paper('Brandt Audit', '2026-03-01', '33.9'))
  await change('twice', ['report', 'audit'], 'text = null')
  await handIn('twice', 'report', paper('Aurelia Holding', '2026-02-01', '50.0'))
  await settled('twice')
  expect(await contested('twice')).toEqual(['Revenue: EUR 33.9M / Revenue: EUR 50.0M'])
  await isSound()
})

it('does so when a decision is taken back, and when somebody objects to a replacement', async () => {
  const finding = await decided('taken', 'report')
  await handIn('taken', 'minutes', minutes)
  await handIn('taken', 'corrected', corrected)
  await change('taken', ['minutes'], 'text = null')
  // It is compared, not read: whatever has become of the text.
  await change('taken', ['audit'], "text = 'Nothing is said here.'")
  await handIn('taken', 'loan', paper('Lender South', '2026-04-01', '50.0'))
  await handIn('taken', 'survey', survey)
  await settled('taken')
  const [{ supersession_id: id }] = await items('taken', 'supersessions')
  expect((await withdraw(resolutionOf(finding))).status).toBe(200)
  expect((await post(`/api/supersessions/${id}/objection`, { reason: 'It was measured twice.', by: 'j.doe' })).status).toBe(200)
  await settled('taken')
  expect(await contested('taken')).toEqual(
    expect.arrayContaining(['Revenue: EUR 33.9M / Revenue: EUR 50.0M', 'The Corran pier is 198 m long. / The Corran pier is 212 m long.']),
  )
  await isSound()
})

it('does so between documents of a reader before, and leaves them its', async () => {
  await decided('of-before', 'report')
  await handIn('of-before', 'loan', paper('Lender South', '2026-04-01', '50.0'))
  await change('of-before', ['audit', 'loan'], `${before}, text = null`)
  expect((await call('DELETE', '/api/documents/report?scope_id=of-before')).status).toBe(200)
  await settled('of-before')
  expect(await live('of-before')).toEqual(['audit', 'loan'])
  expect(await contested('of-before')).toEqual(['Revenue: EUR 33.9M / Revenue: EUR 50.0M'])
  const { body } = await at.admin('GET', '/admin/scopes/of-before/summary', undefined)
  expect(body.reading).toMatchObject({ needs_reread: true })
})

it('does not ask again about a possible conflict that a person dismissed when one of its documents is revised', async () => {
  await handIn('asked', 'lease', 'Keys handed to the tenant: 3')
  await handIn('asked', 'protocol', 'Keys given to the tenant: 2')
  const [{ possible_conflict_id: id }] = await items('asked', 'possible-conflicts')
  const path = `/api/possible-conflicts/${id}/dismissal`
  expect((await post(path, { reason: 'Two doors.', by: 'j.doe' })).status).toBe(200)
  await handIn('asked', 'protocol', 'Keys given to the tenant: 2\nThe hall is grey.\n')
  await settled('asked')
  expect(await items('asked', 'possible-conflicts')).toEqual([])
  expect((await withdraw(path)).status).toBe(200)
  expect(await items('asked', 'possible-conflicts')).toMatchObject([{ possible_conflict_id: id, b: { revision: 2 } }])
  await isSound()
})

it('lets nobody take back what closed by itself, and counts as open what is', async () => {
  await handIn('itself', 'lease', 'Keys handed to the tenant: 198\n')
  await handIn('itself', 'protocol', 'Keys given to the tenant: 205\n')
  const [{ possible_conflict_id: before }] = await items('itself', 'possible-conflicts')
  await handIn('itself', 'lease', 'Keys handed to the tenant: 198\nThe hall is grey.\n')
  await settled('itself')
  const [{ possible_conflict_id: now }] = await items('itself', 'possible-conflicts')
  expect(now).not.toBe(before)
  const left = async () => (await at.summary('itself')).contradictions.unsure
  expect(await withdraw(`/api/possible-conflicts/${before}/dismissal`)).toMatchObject({ status: 409, body: { code: 'STATE_CONFLICT' } })
  expect(await left()).toBe(1)
  expect((await post(`/api/possible-conflicts/${now}/dismissal`, { reason: 'Two doors.', by: 'j.doe' })).status).toBe(200)
  expect(await left()).toBe(0)
  expect((await at.sign('itself')).body.finality).toBe('resolved')
  await isSound()
})
