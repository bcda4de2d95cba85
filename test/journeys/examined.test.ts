/** Nothing is certified that nobody examined: the gate, what ends a sign-off, and who is said to have compared, over HTTP. */

import { describe, expect, it } from 'vitest'
import { RULES_VERSION } from '../../src/reading/version.js'
import { startJourney } from '../support/journey.js'
import { addPossible } from '../support/possible-conflict.js'

const at = startJourney({ RETRY_MAX_ATTEMPTS: '1' })
const { call, get, handIn, openCase, quarantine, summary, gate, settings, sign, certificate, stands } = at

const crane = 'The crane of Harbour Tower stands on the north side.'
const holdsNotes = `
@id("all") permit (principal, action, resource);
@id("notes-wait") @outcome("hold") @reason("A person reads notes.")
forbid (principal, action == Action::"document", resource) when { context.document.id == "note" };
@id("no-spam") @reason("Spam.") forbid (principal, action == Action::"document", resource) when { context.document.id == "spam" };`

describe('a case nobody looked at', () => {
  it('needs a person, and is certified with who signed it off', async () => {
    await openCase('plain')
    const before = await summary('plain')
    expect(before.finality.status).toBe('review')
    expect(await gate('plain')).toMatchObject({ ok: false, value: 0 })
    expect((await call('GET', '/api/scopes/plain/certificate')).body.code).toBe('CERTIFICATE_NOT_FOUND')

    const signed = await sign('plain')
    expect(signed.status).toBe(201)
    expect(signed.body).toMatchObject({
      by: 'J. Doe',
      vouched: false,
      reason: 'I read every paper.',
      current: true,
      finality: 'resolved',
      unread: [],
      withdrawn: null,
      covers: {
        documents: {
          count: 2,
          hashes: [
            { document_id: 'contract', revision: 1 },
            { document_id: 'letter', revision: 1 },
          ],
        },
      },
    })
    const { version, examined, disputed } = await certificate('plain')
    expect(version).toBe(4)
    expect(disputed).toEqual({ count: 0, ids: [] })
    expect(examined).toMatchObject({
      setting: 'person',
      by_rules: [{ documents: 2 }],
      by_model: [],
      sign_offs: [{ sign_off_id: signed.body.sign_off_id, by: 'J. Doe', vouched: false, current: true }],
      not_read: { count: 0, listed: [] },
      cleared_by_model: { count: 0, ids: [] },
      possible_conflicts_left: 0,
    })
    expect(examined.words).toMatch(/^Compared by rules alone\. Signed off by J\. Doe on \d+ \w+ \d{4}\.$/)
    const { items } = await get('/api/scopes/plain/decisions?limit=50')
    expect(
      items.some(
        (each: { decision_id: string; outcome: string }) => each.decision_id === signed.body.decision_id && each.outcome === 'admit',
      ),
    ).toBe(true)
  })

  it('leaves `resolved` with the next paper, and the next sign-off covers the difference', async () => {
    await openCase('grows')
    await sign('grows')
    await handIn('grows', 'note', crane)
    const since = await summary('grows')
    expect(since.finality.status).toBe('review')
    expect(since.examined).toMatchObject({ setting: 'person', papers_since: 1, sign_offs: [{ by: 'J. Doe', current: false }] })
    expect(since.examined.words).toMatch(/^signed off by J\. Doe, current to \d+ \w+ \d{4}, 1 paper since$/)
    expect((await get('/api/documents/note?scope_id=grows')).compared_by.words).toBe('compared by rules alone')
    const [first] = (await get('/api/scopes/grows/sign-offs')).items
    expect(first).toMatchObject({ current: false, withdrawn: null, covers: { documents: { count: 2 } } })
    const second = await sign('grows', 'R. Roe')
    expect(second.body).toMatchObject({ finality: 'resolved', covers: { documents: { count: 3 } } })
    expect((await certificate('grows')).examined.sign_offs).toMatchObject([
      { by: 'R. Roe', current: true },
      { by: 'J. Doe', current: false },
    ])
    expect((await get('/api/scopes/grows/sign-offs')).items.map((each: { by: string }) => each.by)).toEqual(['R. Roe', 'J. Doe'])
  })

  it('leaves `resolved` the moment a paper comes, however long it waits to be read', async () => {
    await openCase('waits')
    await sign('waits')
    await at.runtime('pause', 'waits')
    const listed = async (finality: string) => (await get(`/api/scopes?q=waits&finality=${finality}`)).items
    const byFinality = async () =>
      (await at.admin('GET', `/internals/kernel/convergence?tenant_id=${at.tenant.tenant_id}`)).body.by_finality as Record<string, number>
    const before = await byFinality()
    expect(await listed('resolved')).toHaveLength(1)
    const paper = { scope_id: 'waits', name: 'note', document_id: 'note', text: crane }
    expect((await call('POST', '/api/ingest', paper)).status).toBe(202)
    const { finality, examined } = await summary('waits')
    expect(finality.status).toBe('active')
    expect(examined).toMatchObject({
      papers_since: 1,
      words: expect.stringMatching(/^signed off by J\. Doe, current to .*, 1 paper since$/),
    })
    expect(await gate('waits', 'quiescent')).toMatchObject({ ok: false, value: 1, how: expect.stringContaining('Wait for 1 queued') })
    expect(await gate('waits')).toMatchObject({ ok: false, how: expect.stringMatching(/Not examined: note \(queued\)\.$/) })
    expect(await listed('resolved')).toEqual([])
    expect(await listed('active')).toMatchObject([{ scope_id: 'waits', finality: 'active', examined: { papers_since: 1 } }])
    expect(await get('/api/scopes/waits/convergence')).toMatchObject({
      finality: 'active',
      gates: expect.arrayContaining([finality.gates[9]]),
    })
    const after = await byFinality()
    expect([after['resolved'], after['active']]).toEqual([Number(before['resolved']) - 1, Number(before['active']) + 1])
    expect(await get('/api/scopes/waits/certificate')).toMatchObject({
      ...{ status: 'superseded', superseded_at: expect.any(String), superseded_cause: 'document' },
    })
    const refused = await sign('waits')
    expect(refused).toMatchObject({ status: 409, body: { code: 'STATE_CONFLICT', errors: [{ pointer: '/gates/quiescent' }] } })
    await at.runtime('resume', 'waits')
    await at.settled('waits')
    expect((await summary('waits')).finality.status).toBe('review')
    expect((await sign('waits')).body.finality).toBe('resolved')
    expect((await get('/api/scopes/waits/certificate')).status).toBe('current')
  })

  it('leaves `resolved` when a paper changes, goes, is attached, registered or quarantined', async () => {
    const leaves: [string, (scope: string) => Promise<unknown>][] = [
      ['changed', scope => handIn(scope, 'letter', 'The site manager of Harbour Tower is Boris Adler.')],
      ['erased', scope => call('DELETE', `/api/documents/letter?scope_id=${scope}`)],
      ['attached', scope => at.admin('POST', `/admin/scopes/${scope}/documents`, { name: 'x', text: 'Nothing.', document_id: 'x' })],
      ['registered', scope => call('POST', '/api/documents', { scope_id: scope, name: 'elsewhere', type: 'pdf' })],
      ['quarantined', scope => quarantine(scope, 'scan')],
      [
        'held',
        async scope => {
          await at.admin('PUT', `/admin/scopes/${scope}/policies`, { policies: holdsNotes })
          await handIn(scope, 'note', crane, 'held')
        },
      ],
    ]
    for (const [scope, change] of leaves) {
      await openCase(scope)
      await settings(scope, { minimum_documents: 1, minimum_claims: 1 })
      expect((await sign(scope)).body.finality, scope).toBe('resolved')
      await change(scope)
      const { finality, examined } = await summary(scope)
      expect([scope, finality.status, examined.papers_since]).toEqual([scope, 'review', 1])
      expect(examined.words, scope).toMatch(/^signed off by J\. Doe, current to .*, 1 paper since$/)
    }
  })

  it('names in its gate what waits, is held or could not be read, and how many more', async () => {
    await openCase('named')
    await at.admin('PUT', '/admin/scopes/named/policies', { policies: holdsNotes })
    await sign('named')
    await handIn('named', 'note', crane, 'held')
    expect(await gate('named')).toMatchObject({ ok: false, how: expect.stringMatching(/Not examined: note \(held\)\.$/) })
    await quarantine('named', 'a-scan')
    await at.runtime('pause', 'named')
    const documents = Array.from({ length: 20 }, (_, n) => ({
      scope_id: 'named',
      name: `p-${n}`,
      document_id: `p-${n}`,
      text: `Pile ${n} is sound.`,
    }))
    await call('POST', '/api/ingest/batch', { documents })
    const { how } = await gate('named')
    expect(how).toMatch(/Not examined: a-scan\.pdf \(quarantined\), note \(held\), p-0 \(queued\), .* and 2 more\.$/)
    const { not_examined: named, not_examined_total: total } = (await summary('named')).examined
    expect([named.length, total]).toEqual([20, 22])
  })

  it('names what was registered as that, not as compared, and nothing of what policy rejected', async () => {
    await openCase('parts')
    await at.admin('PUT', '/admin/scopes/parts/policies', { policies: holdsNotes })
    const { document_id: deed } = (await call('POST', '/api/documents', { scope_id: 'parts', name: 'deed', type: 'pdf' })).body
    await handIn('parts', 'spam', 'Win a car.', 'rejected')
    expect((await summary('parts')).examined.not_examined).toEqual([])
    expect((await sign('parts')).body).toMatchObject({ finality: 'resolved', unread: [], covers: { documents: { count: 2 } } })
    const { examined } = await certificate('parts')
    expect(examined).toMatchObject({
      elsewhere: 1,
      not_read: { count: 1, listed: [{ document_id: deed, status: 'registered', how: null }] },
    })
    expect(examined.words).toMatch(/ 1 paper registered and not compared\.$/)
    expect((await get(`/api/documents/${deed}?scope_id=parts`)).compared_by.words).toBe('registered, not compared')
    expect(await at.replayed('parts')).toMatchObject({ ok: true, complete: true })
  })

  it('stays signed when the same text comes again, or it is read again without another finding', async () => {
    await openCase('again')
    await sign('again')
    await handIn('again', 'letter', 'The site manager of Harbour Tower is Anna Weber.')
    expect((await summary('again')).finality.status).toBe('resolved')
    await call('POST', '/api/scopes/again/reread', {})
    await expect.poll(async () => (await summary('again')).reading.waiting).toBe(0)
    expect((await summary('again')).finality.status).toBe('resolved')
    expect((await get('/api/scopes/again/sign-offs')).items[0].current).toBe(true)
  })

  it('names the latest of many who signed, and how many more did', async () => {
    await openCase('many')
    for (let n = 1; n <= 21; n++) await sign('many', `Person ${n}`)
    const { examined } = await summary('many')
    expect(examined.sign_offs).toHaveLength(5)
    expect(examined.words).toMatch(/^signed off by Person 21 and Person 20 and .* and Person 17 and 16 more, current to [^,]*$/)
    const certified = (await certificate('many')).examined
    expect([certified.sign_offs.length, certified.sign_offs_total]).toEqual([20, 21])
    expect(certified.words).toMatch(/ 1 more sign-off stands\.$/)
  })

  it('leaves `resolved` when the glossary or a setting changes, and not when it only asks for more signatures', async () => {
    await openCase('set')
    await sign('set')
    await settings('set', { signatures: 2 })
    expect(await gate('set')).toMatchObject({ ok: false, value: 1 })
    expect((await sign('set', 'J.  DOE')).body.finality).toBe('review')
    expect((await sign('set', 'R. Roe')).body.finality).toBe('resolved')
    await at.admin('PUT', '/admin/scopes/set/glossary', { terms: { 'contract sum': ['price'] } })
    expect((await summary('set')).finality.status).toBe('review')
    await sign('set')
    await sign('set', 'R. Roe')
    await settings('set', { veto_severity: 'high' })
    expect((await summary('set')).finality.status).toBe('review')
    // What another version stored and this one does not take is as if nobody had set it.
    await at.rows(`update scopes set settings = '{"finality":{"signatures":"many","examination":7}}' where scope_id = 'set'`)
    expect((await sign('set')).body.finality).toBe('resolved')
  })
})

/** Two papers that the reader takes for a possible conflict, which is left open. */
async function keysCase(scope: string): Promise<void> {
  await handIn(scope, 'lease', 'Keys handed to the tenant: 3')
  await handIn(scope, 'protocol', 'Keys given to the tenant: 2')
  await settings(scope, { minimum_claims: 1, possible_conflicts: 'report' })
}

describe('a decision on a finding', () => {
  const spring = 'Harbour Tower is finished when the swallows return.'
  const winter = 'Nothing is finished before the first snow falls.'
  const whole = (document_id: string, text: string) => ({ document_id, revision: 1, start: 0, end: text.length })

  it('ends what was signed, as a report, a reopening and a reset of it do', async () => {
    await handIn('decided', 'spring', spring)
    await handIn('decided', 'winter', winter)
    await settings('decided', { minimum_claims: 1 })
    await sign('decided')
    expect((await summary('decided')).finality.status).toBe('resolved')
    const report = {
      scope_id: 'decided',
      a: whole('spring', spring),
      b: whole('winter', winter),
      severity: 'high',
      by: 'A. Weber',
      reason: 'Two dates.',
    }
    const { contradiction_id: id } = (await call('POST', '/api/contradictions', report)).body
    expect((await summary('decided')).examined).toMatchObject({ papers_since: 0, sign_offs: [{ current: false }] })
    expect((await summary('decided')).examined.words).toMatch(/^signed off by J\. Doe, current to .*, something else counts since$/)
    const path = `/api/contradictions/${id}/resolution`
    await call('POST', path, { verdict: 'both', by: 'A. Weber', reason: 'Two towers.' })
    expect((await sign('decided')).body.finality).toBe('resolved')
    await call('POST', path, { verdict: 'dismiss', by: 'A. Weber', reason: 'One tower.' })
    expect((await summary('decided')).examined.sign_offs[0].current).toBe(false)
    expect((await sign('decided')).body.finality).toBe('resolved')
    await call('DELETE', `${path}?by=A.%20Weber&reason=Again`)
    expect((await summary('decided')).finality.status).not.toBe('resolved')
  })

  it('ends it where somebody objects to a replacement', async () => {
    await handIn('objected', 'first', 'Orel Mills\nReport of 3 March 2021\nNet debt of Orel Mills was EUR 17.9 million at the end of 2020.')
    await handIn(
      'objected',
      'second',
      'Orel Mills\nCorrected report of 5 March 2021\nNet debt of Orel Mills was EUR 19.7 million at the end of 2020.',
    )
    await settings('objected', { minimum_claims: 1 })
    expect((await sign('objected')).body).toMatchObject({ finality: 'resolved' })
    const [replaced] = (await get('/api/scopes/objected/supersessions')).items
    const path = `/api/supersessions/${replaced.supersession_id}/objection`
    expect((await call('POST', path, { by: 'A. Weber', reason: 'The draft was right.' })).status).toBe(200)
    expect((await summary('objected')).finality.status).not.toBe('resolved')
    expect((await get('/api/scopes/objected/sign-offs')).items[0].current).toBe(false)

    // Signed with the objection, where the settings let it stand open, the case is not signed without it.
    const finality = { veto_severity: 'critical' }
    await at.admin('PATCH', '/admin/scopes/objected', { settings: { finality, thresholds: { contradiction_resolution: 0 } } })
    await at.settled('objected')
    expect((await sign('objected')).body).toMatchObject({ finality: 'resolved', covers: { left_open: { contradictions: 1 } } })
    await call('DELETE', `${path}?by=A.%20Weber&reason=It%20was%20not.`)
    expect(await stands('objected')).toEqual(['review', 0, false])
    expect((await sign('objected')).body.finality).toBe('resolved')
  })

  it('ends it where it is about a possible conflict, and again where it is taken back', async () => {
    await keysCase('keys')
    const [{ possible_conflict_id: id }] = (await get('/api/scopes/keys/possible-conflicts')).items
    const said = { by: 'A. Weber', reason: 'I counted them.' }
    const path = `/api/possible-conflicts/${id}`
    expect((await sign('keys')).body.finality).toBe('resolved')
    expect((await call('POST', `${path}/promotion`, said)).status).toBe(200)
    expect((await summary('keys')).finality.status).not.toBe('resolved')
    expect((await sign('keys')).status).toBe(409)
    await call('DELETE', `${path}/promotion?by=A.%20Weber&reason=Wrong`)
    // What stood open when somebody signed stands open again, and has to be signed again.
    expect(await stands('keys')).toEqual(['review', 0, false])
    expect((await sign('keys')).body.finality).toBe('resolved')
    await call('POST', `${path}/dismissal`, said)
    expect(await stands('keys')).toEqual(['review', 0, false])
    expect((await sign('keys')).body).toMatchObject({ finality: 'resolved', covers: { left_open: { possible_conflicts: 0 } } })
    await call('DELETE', `${path}/dismissal?by=A.%20Weber&reason=Wrong`)
    expect(await stands('keys')).toEqual(['review', 0, false])
  })
})

describe('a paper that comes to a signed case', () => {
  it('ends what was signed where a person approves it, and not where policy or a person rejects it', async () => {
    await openCase('comes')
    await at.admin('PUT', '/admin/scopes/comes/policies', { policies: holdsNotes })
    expect((await sign('comes')).body.finality).toBe('resolved')
    await handIn('comes', 'spam', 'Win a car.', 'rejected')
    expect(await stands('comes')).toEqual(['resolved', 0, true])
    await handIn('comes', 'note', crane, 'held')
    expect(await stands('comes')).toEqual(['review', 1, true])
    expect((await sign('comes')).body.errors).toMatchObject([{ pointer: '/gates/quiescent' }])
    const review = async (verdict: string) => {
      const [waiting] = (await get('/api/scopes/comes/decisions?review=pending')).items
      const said = { verdict, by: 'R. Roe', reason: 'I read it.' }
      expect((await call('POST', `/api/decisions/${waiting.decision_id}/review`, said)).status).toBe(200)
    }
    await review('reject')
    expect(await stands('comes')).toEqual(['resolved', 0, true])
    await handIn('comes', 'note', `${crane} It is yellow.`, 'held')
    await review('approve')
    expect(await stands('comes')).toEqual(['review', 1, false])
    expect((await sign('comes')).body).toMatchObject({ finality: 'resolved', covers: { documents: { count: 3 } } })
  })
})

describe('lists and events', () => {
  it('say who compared, who signed and what came since', async () => {
    await openCase('listed')
    const listed = async () => (await get('/api/scopes?q=listed')).items[0].examined
    expect(await listed()).toEqual({ words: 'not signed off', papers_since: 0, compared: 'compared by rules alone' })
    await quarantine('listed', 'scan')
    const unread = [{ document_id: 'scan', how: 'read_by_eye', reason: 'It repeats the sum.' }]
    const { sign_off_id: id } = (await sign('listed', 'J. Doe', { unread })).body
    const documents = (await get('/api/scopes/listed/documents')).items as { document_id: string; compared_by: object }[]
    const by = (documentId: string) => documents.find(each => each.document_id === documentId)?.compared_by
    expect(by('contract')).toMatchObject({
      rules: { version: RULES_VERSION },
      words: 'compared by rules and J. Doe',
      person: { by: 'J. Doe', vouched: false, sign_off_id: id, how: null },
    })
    expect(by('scan')).toMatchObject({ words: 'read by J. Doe', rules: null, person: { how: 'read_by_eye' } })
    expect((await listed()).words).toMatch(/^signed off by J\. Doe, current to \d+ \w+ \d{4}$/)
    await handIn('listed', 'note', crane)
    expect(await listed()).toMatchObject({ words: expect.stringMatching(/, 1 paper since$/), papers_since: 1 })
    expect((await get('/api/documents/note?scope_id=listed')).compared_by).toMatchObject({ words: 'compared by rules alone', person: null })
    expect((await summary('listed')).examined).toMatchObject({ compared: 'compared by rules alone', papers_since: 1 })
    await call('DELETE', `/api/scopes/listed/sign-offs/${id}?by=x&reason=x`)
    expect((await get('/api/documents/contract?scope_id=listed')).compared_by.person).toBeNull()
    expect((await listed()).words).toBe('not signed off')
    const internals = await at.service.call('GET', `/internals/kernel/convergence?tenant_id=${at.tenant.tenant_id}&scope_id=listed`, {
      headers: { authorization: `Bearer ${at.service.internalsKey}` },
    })
    expect(internals.body.items[0]).toMatchObject({ examined: 'not signed off', possible_conflicts: 0 })
  })

  it('tell of possible conflicts beside contradictions', async () => {
    await openCase('told')
    await addPossible(at.service, at.tenant.tenant_id, 'told')
    await handIn('told', 'note', crane)
    await settings('told', { possible_conflicts: 'report' })
    await sign('told')
    expect((await get('/api/scopes?q=told')).items[0].counts).toMatchObject({ open_contradictions: 0, possible_conflicts: 1 })
    const told = async (scope: string, changes: number) =>
      (await at.eventsUntil(scope, 'finality.changed', changes))
        .filter(({ type }) => ['document.indexed', 'finality.changed'].includes(type))
        .map(({ type, data }) => [type, data['possible_conflicts']])
    // The reader found none in the papers; the case has one.
    expect(await told('told', 2)).toEqual([
      ['document.indexed', 0],
      ['document.indexed', 0],
      ['finality.changed', 0],
      ['document.indexed', 0],
      ['finality.changed', 1],
    ])
    await keysCase('found')
    await sign('found')
    expect((await told('found', 1)).slice(0, 2)).toEqual([
      ['document.indexed', 0],
      ['document.indexed', 1],
    ])
  })
})
