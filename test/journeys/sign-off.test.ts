/** A sign-off over HTTP: what it is about, who may make it, what stands in its way, and what becomes of it. */

import { describe, expect, it } from 'vitest'
import { removeDeletedScopes, removeOldGenerations } from '../../src/store/scopes/reset-removal.js'
import { runConcord } from '../cli/run-concord.js'
import { startJourney } from '../support/journey.js'
import { addPossible } from '../support/possible-conflict.js'

const at = startJourney({ RETRY_MAX_ATTEMPTS: '1' })
const { call, get, handIn, openCase, quarantine, summary, sign, certificate, replayed } = at

describe('a sign-off', () => {
  it('is refused while another gate fails, with the list', async () => {
    await handIn('thin', 'only', 'The contract sum of Harbour Tower is EUR 4.2M.')
    const refused = await sign('thin')
    expect(refused).toMatchObject({ status: 409, body: { code: 'STATE_CONFLICT' } })
    expect(refused.body.errors.map((each: { pointer: string }) => each.pointer)).toEqual(['/gates/minimum_content'])
    expect(refused.body.errors[0].detail).toMatch(
      /^needs at least 2 documents that were read and 2 statements that count\. Add documents: 1 document and /,
    )
    expect((await get('/api/scopes/thin/sign-offs')).items).toEqual([])
  })

  it('says what was left open where the settings allow it, by digests of all it covers', async () => {
    await openCase('open')
    const possible = await addPossible(at.service, at.tenant.tenant_id, 'open')
    const words = { claim_a: 'The gate is red.', claim_b: 'The gate is blue.', source_a: 'x', source_b: 'y', severity: 'medium' }
    const { contradiction_id: id } = (await call('POST', '/api/contradictions', { scope_id: 'open', ...words })).body
    const refused = await sign('open')
    expect(refused.body.errors.map((each: { pointer: string }) => each.pointer)).toEqual([
      '/gates/contradiction_resolution',
      '/gates/no_open_contradictions',
      '/gates/possible_conflicts',
    ])
    for (const { detail } of refused.body.errors) expect(detail).toMatch(/^needs .+\. Decide .*: 1 /)
    const worse = { ...words, claim_a: 'The lock is open.', claim_b: 'The lock is shut.', severity: 'high' }
    const { contradiction_id: first } = (await call('POST', '/api/contradictions', { scope_id: 'open', ...worse })).body
    const finality = { possible_conflicts: 'report', veto_severity: 'critical' }
    await at.admin('PATCH', '/admin/scopes/open', { settings: { finality, thresholds: { contradiction_resolution: 0 } } })
    const { body } = await sign('open')
    expect(body).toMatchObject({
      finality: 'resolved',
      covers: {
        // The most serious first.
        left_open: { contradictions: 2, contradiction_ids: [first, id], possible_conflicts: 1, possible_conflict_ids: [possible] },
      },
    })
    const certified = await certificate('open')
    expect(certified).toMatchObject({
      examined: { possible_conflicts_left: 1 },
      possible_conflicts: { left_ids: [possible] },
      contradictions: { open: 2, open_ids: [first, id] },
    })
    expect(body.covers).toMatchObject({
      documents: certified.documents,
      claims: certified.claims,
      settings_digest: certified.settings_digest,
    })
    expect(body.covers.documents.digest).toMatch(/^[0-9a-f]{64}$/)
  })

  it('names every document that was not read, and says what was done about it', async () => {
    await openCase('scans')
    await quarantine('scans', 'photo')
    const unnamed = await sign('scans')
    expect(unnamed).toMatchObject({ status: 409, body: { code: 'STATE_CONFLICT', errors: [{ pointer: '/unread' }] } })
    expect(unnamed.body.errors[0].detail).toContain('photo')
    await at.admin('POST', '/admin/scopes/scans/documents', { name: 'plan', text: 'A plan.', document_id: 'plan' })
    expect((await sign('scans')).body.errors).toEqual([
      { pointer: '/unread', detail: 'photo (photo.pdf) is quarantined and not named' },
      { pointer: '/unread', detail: 'plan is attached and not named' },
    ])
    const entry = { document_id: 'photo', how: 'set_aside', reason: 'A picture of the gate.' }
    expect((await sign('scans', 'J. Doe', { unread: [{ ...entry, document_id: 'none' }] })).body.code).toBe('DOCUMENT_NOT_FOUND')
    expect((await sign('scans', 'J. Doe', { unread: [entry, entry] })).body.code).toBe('VALIDATION_FAILED')
    expect((await sign('scans', 'J. Doe', { unread: [entry, { ...entry, document_id: 'letter' }] })).body.code).toBe('STATE_CONFLICT')
    const unknown = Array.from({ length: 1001 }, (_, n) => ({ ...entry, document_id: `unknown-${n}` }))
    expect(await sign('scans', 'J. Doe', { unread: unknown })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/unread' }] },
    })
    expect(await sign('scans', 'J. Doe', { unread: unknown.slice(1) })).toMatchObject({ status: 404, body: { code: 'DOCUMENT_NOT_FOUND' } })
    const plan = { document_id: 'plan', how: 'read_by_eye', reason: 'It shows the gate.' }
    expect((await sign('scans', 'J. Doe', { unread: [entry] })).body.errors).toMatchObject([{ detail: 'plan is attached and not named' }])
    const signed = await sign('scans', 'J. Doe', { unread: [entry, plan] })
    expect(signed.body).toMatchObject({
      finality: 'resolved',
      unread: [
        { ...entry, revision: 1, status: 'quarantined' },
        { ...plan, revision: 1, status: 'attached' },
      ],
    })
    const { examined } = await certificate('scans')
    expect(examined.not_read.listed).toEqual([
      { document_id: 'photo', revision: 1, status: 'quarantined', how: 'set_aside' },
      { document_id: 'plan', revision: 1, status: 'attached', how: 'read_by_eye' },
    ])
    const { not_read: notRead } = await get('/api/scopes/scans/overview')
    expect([notRead.count, notRead.items]).toEqual([0, []])
    expect(notRead.set_aside).toContainEqual({
      ...{ document_id: 'photo', name: 'photo.pdf', how: 'set_aside', by: 'J. Doe', reason: 'A picture of the gate.' },
    })
    expect(examined.words).toContain('2 papers not read: 1 read by eye, 1 set aside.')
    expect(await replayed('scans')).toMatchObject({ ok: true, complete: true })
    expect((await summary('scans')).examined.not_examined).toEqual([])
  })

  it('lets a paper that a person read count as content', async () => {
    await handIn('eye', 'contract', 'The contract sum of Harbour Tower is EUR 4.2M.')
    await quarantine('eye', 'scan')
    const unread = [{ document_id: 'scan', how: 'read_by_eye', reason: 'It repeats the sum.' }]
    const gates: { gate: string; how: string }[] = (await summary('eye')).finality.gates
    expect(gates.find(({ gate }) => gate === 'minimum_content')?.how).toMatch(
      / (is|are) missing\. A paper that could not be read here counts once /,
    )
    expect((await sign('eye', 'J. Doe', { unread: [{ ...unread[0], how: 'set_aside' }] })).status).toBe(409)
    expect((await sign('eye', 'J. Doe', { unread })).body.finality).toBe('resolved')
    expect(await replayed('eye')).toMatchObject({ ok: true, complete: true })
  })

  it('is withdrawn once, on record, and the case needs another', async () => {
    await openCase('back')
    const { sign_off_id: id } = (await sign('back')).body
    const path = `/api/scopes/back/sign-offs/${id}?by=R.%20Roe&reason=Too%20early`
    const withdrawn = await call('DELETE', path)
    expect(withdrawn).toMatchObject({
      status: 200,
      body: { current: false, finality: 'review', withdrawn: { by: 'R. Roe', vouched: false, reason: 'Too early' } },
    })
    expect(await call('DELETE', path)).toMatchObject({ status: 409, body: { code: 'STATE_CONFLICT' } })
    expect((await call('DELETE', '/api/scopes/back/sign-offs/sgn_none?by=x&reason=x')).body.code).toBe('SIGN_OFF_NOT_FOUND')
    // Nor is one that another case has.
    expect((await call('DELETE', `/api/scopes/thin/sign-offs/${id}?by=x&reason=x`)).body.code).toBe('SIGN_OFF_NOT_FOUND')
    expect((await get('/api/scopes/back/sign-offs')).items).toHaveLength(1)
    const told = await at.eventsUntil('back', 'scope.sign_off_withdrawn')
    expect(told.filter(each => each.type.startsWith('scope.sign'))).toMatchObject([
      { type: 'scope.signed_off', data: { scope_id: 'back', sign_off_id: id, by: 'person' } },
      { type: 'scope.sign_off_withdrawn', data: { scope_id: 'back', sign_off_id: id, by: 'person' } },
    ])
  })

  it('is made once for one idempotency key', async () => {
    await openCase('twice')
    const once = { ...at.key, 'idempotency-key': 'sign-1' }
    const first = await sign('twice', 'J. Doe', {}, once)
    const again = await sign('twice', 'J. Doe', {}, once)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect((await sign('twice', 'R. Roe', {}, once)).status).toBe(422)
    expect((await get('/api/scopes/twice/sign-offs')).items).toHaveLength(1)
  })

  it('takes the right to decide, a case of one’s own, and a name', async () => {
    await openCase('rights')
    const other = await at.service.createTenant()
    const foreign = { 'x-tenant-api-key': other.api_key }
    expect((await sign('rights', 'J. Doe', {}, foreign)).body.code).toBe('SCOPE_NOT_FOUND')
    expect((await call('GET', '/api/scopes/rights/sign-offs', undefined, foreign)).body.code).toBe('SCOPE_NOT_FOUND')
    const { sign_off_id: id } = (await sign('rights')).body
    expect((await call('DELETE', `/api/scopes/rights/sign-offs/${id}?by=x&reason=x`, undefined, foreign)).body.code).toBe('SCOPE_NOT_FOUND')
    const made = async (body: object) => ({
      'x-tenant-api-key': (await at.service.admin('POST', `/admin/tenants/${at.tenant.tenant_id}/keys`, body)).body.api_key as string,
    })
    const reader = await made({ label: 'reader', rights: ['read', 'ingest'] })
    expect((await sign('rights', 'J. Doe', {}, reader)).body.code).toBe('RIGHTS_INSUFFICIENT')
    expect((await call('DELETE', `/api/scopes/rights/sign-offs/${id}?by=x&reason=x`, undefined, reader)).body.code).toBe(
      'RIGHTS_INSUFFICIENT',
    )
    const elsewhere = await made({ label: 'elsewhere', rights: ['read', 'decide'], scopes: ['plain'] })
    expect((await sign('rights', 'J. Doe', {}, elsewhere)).body.code).toBe('RIGHTS_INSUFFICIENT')
    const own = await made({ label: 'own', person: 'a.weber', rights: ['read', 'decide'], speak_for: false })
    expect((await sign('rights', 'J. Doe', {}, own)).body.code).toBe('RIGHTS_INSUFFICIENT')
    expect((await sign('rights', 'a.weber', {}, own)).body).toMatchObject({ by: 'a.weber', vouched: true })
    for (const nobody of ['system', ' System', 'sys\u00adtem', '   ', '\u2800', '\ufe0f'])
      expect((await sign('rights', nobody)).body, JSON.stringify(nobody)).toMatchObject({
        code: 'VALIDATION_FAILED',
        errors: [{ pointer: '/by', detail: expect.stringContaining('a name that can be seen, and not system') }],
      })
    const unsaid = (await sign('rights', 'J. Doe', { reason: ' \n\u200b' })).body
    expect([unsaid.code, unsaid.errors.map((each: { pointer: string }) => each.pointer)]).toEqual(['VALIDATION_FAILED', ['/reason']])
    const taking = await call('DELETE', `/api/scopes/rights/sign-offs/${id}?by=%20&reason=%20`)
    expect(taking.body.errors.map((each: { pointer: string }) => each.pointer).sort()).toEqual(['/query/by', '/query/reason'])
    expect((await call('POST', '/api/scopes/rights/sign-off', { by: 'x' })).body.code).toBe('VALIDATION_FAILED')
    expect((await certificate('rights')).examined.sign_offs[0]).toMatchObject({ by: 'a.weber', vouched: true })
  })

  it('is one person’s however the name is typed, where two have to sign', async () => {
    await openCase('both')
    await at.settings('both', { signatures: 2 })
    for (const name of ['Straße', 'STRASSE', 'S tra\u00adße', 'Stra\u034fsse\ufe0f', 'Ｓtraße\u2800'])
      expect([name, (await sign('both', name)).body.finality]).toEqual([name, 'review'])
    expect((await sign('both', 'Strasze')).body.finality).toBe('resolved')
  })

  it('answers a settlement that a policy holds for a person, where policy lets this person', async () => {
    await openCase('held')
    const hold = `
@id("all") permit (principal, action, resource);
@id("settlement-is-signed-off") @outcome("hold") @reason("A person settles it.")
forbid (principal, action == Action::"finality", resource) when { context.to == "resolved" };
@id("not-mallory") @outcome("hold") @reason("Somebody else.")
forbid (principal, action == Action::"review", resource) when { principal.name == "mallory" };`
    await at.admin('PUT', '/admin/scopes/held/policies', { policies: hold })
    expect((await sign('held', 'mallory')).body.finality).toBe('review')
    expect((await get('/api/scopes/held/decisions?review=pending')).items).toHaveLength(1)
    expect((await sign('held')).body.finality).toBe('resolved')
    expect((await get('/api/scopes/held/decisions?review=pending')).items).toEqual([])
    expect((await certificate('held')).examined.approvals).toMatchObject([{ actor: { id: 'J. Doe' } }])
    expect(await replayed('held')).toMatchObject({ ok: true, complete: true })
  })

  it('is erased with its case, and gone after a reset', async () => {
    for (const scope of ['reset-signed', 'deleted-signed']) {
      await openCase(scope)
      expect((await sign(scope, 'J. Doe', { reason: 'Zorvath told me.' })).body.finality).toBe('resolved')
    }
    await at.admin('POST', '/admin/scopes/reset-signed/reset', {})
    expect((await get('/api/scopes/reset-signed/sign-offs')).items).toEqual([])
    expect((await summary('reset-signed')).examined.words).toBe('not signed off')
    await call('DELETE', '/api/scopes/deleted-signed')
    const { db, owner } = at.service.database
    await expect
      .poll(async () => {
        await removeOldGenerations(db, { batchRows: 1000, batches: 1000 })
        await removeDeletedScopes(db, { batchRows: 1000, batches: 1000 })
        return (await owner.query("select count(*)::int as left from sign_offs where reason like 'Zorvath%'")).rows[0].left
      })
      .toBe(0)
  })

  it('is exported with its case', async () => {
    await openCase('exported')
    const { sign_off_id: id } = (await sign('exported')).body
    const env = {
      CONCORD_URL: at.service.url,
      CONCORD_TENANT_KEY: at.tenant.api_key,
      XDG_CONFIG_HOME: '/nonexistent',
      DATA_DIR: '/nonexistent',
    }
    const { out } = await runConcord(env, 'export', 'exported')
    const lines = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { kind: string; record: { sign_off_id?: string } })
    expect(lines.filter(each => each.kind === 'sign_off').map(each => each.record.sign_off_id)).toEqual([id])
  })

  it('is replayed, and its reasons go with an erased paper', async () => {
    await openCase('words')
    await quarantine('words', 'scan')
    const once = { ...at.key, 'idempotency-key': 'words-1' }
    const unread = [{ document_id: 'scan', how: 'set_aside', reason: 'Anna says that it is blank.' }]
    const said = { reason: 'I asked Anna Weber.', unread }
    const { sign_off_id: id } = (await sign('words', 'J. Doe', said, once)).body
    await call('DELETE', `/api/scopes/words/sign-offs/${id}?by=R.%20Roe&reason=Anna%20objects`)
    expect(await replayed('words')).toMatchObject({
      ok: true,
      complete: true,
    })
    await call('DELETE', '/api/documents/letter?scope_id=words')
    const [kept] = (await get('/api/scopes/words/sign-offs')).items
    const blank = { by: 'J. Doe', reason: '', unread: [{ document_id: 'scan', how: 'set_aside', reason: '' }] }
    expect(kept).toMatchObject({ ...blank, withdrawn: { by: 'R. Roe', reason: '' } })
    // The answer that is given again is blank too.
    expect((await sign('words', 'J. Doe', said, once)).body).toMatchObject(blank)
    expect(await replayed('words')).toMatchObject({ ok: true })
    for (const table of ['sign_offs', 'rounds', 'decisions', 'events', 'idempotency_keys']) {
      const { rows } = await at.service.database.owner.query(
        `select count(*)::int as left from ${table} t where t::text like '%Anna%' and tenant_id = $1 and scope_no = (select scope_no from scopes where scope_id = 'words')`,
        [at.tenant.tenant_id],
      )
      expect(rows[0].left, table).toBe(0)
    }
  })
})

describe('the certificate of a case that was signed off', () => {
  it('says what ended it: no document has to have come', async () => {
    const newest = async () => (await get('/api/scopes/ended/certificate')) as { status: string; superseded_cause: string | null }
    await openCase('ended')
    const { sign_off_id: id } = (await sign('ended')).body
    expect(await newest()).toMatchObject({ status: 'current', superseded_cause: null })
    await call('DELETE', `/api/scopes/ended/sign-offs/${id}?by=R.%20Roe&reason=Too%20early.`)
    expect(await newest()).toMatchObject({ status: 'superseded', superseded_cause: 'sign_off' })
    await sign('ended')
    await at.admin('PATCH', '/admin/scopes/ended', { settings: { thresholds: { claim_confidence: 0.99 } } })
    expect(await newest()).toMatchObject({ status: 'superseded', superseded_cause: 'settings' })
    await at.admin('PATCH', '/admin/scopes/ended', { settings: { thresholds: null } })
    await sign('ended')
    expect(await newest()).toMatchObject({ status: 'current' })
    const [document] = (await get('/api/scopes/ended/documents')).items
    await call('DELETE', `/api/documents/${document.document_id}?scope_id=ended`)
    await expect.poll(newest).toMatchObject({ status: 'superseded', superseded_cause: 'erasure' })
  })

  const pdf = () => new Blob([Buffer.from('%PDF-1.4\nnothing of a file')], { type: 'application/pdf' })
  /** Of its first certificate, once these papers came one after the other and wait. */
  async function supersededBy(scope: string, papers: readonly string[]): Promise<() => Promise<unknown>> {
    await openCase(scope)
    await sign(scope)
    await at.runtime('pause', scope)
    const first = async () => (await get(`/api/scopes/${scope}/certificates`)).items[0].superseded_at
    expect(await first()).toBeNull()
    for (const id of papers) {
      const form = new FormData()
      form.set('scope_id', scope)
      form.set('document_id', id)
      form.set('file', id === 'scan' ? pdf() : new Blob([`The ${id} of Harbour Tower is green.`], { type: 'text/plain' }), `${id}.pdf`)
      const answer = await fetch(`${at.service.url}/api/files`, { method: 'POST', headers: at.key, body: form })
      expect(answer.status, await answer.text()).toBe(202)
    }
    return first
  }
  const cancel = (scope: string, id: string) =>
    call('POST', `/api/documents/${id}/cancellation?scope_id=${scope}`, { by: 'J. Doe', reason: 'Not ours.' })

  it.each([
    ['read', ['gate'], []],
    ['read with another', ['gate', 'door'], []],
    ['found unreadable', ['scan'], []],
    ['cancelled', ['gate'], ['gate']],
    ['left waiting while a later one is cancelled', ['gate', 'door'], ['door']],
    ['cancelled before a later one', ['gate', 'door'], ['gate']],
  ])('was good until the first paper came, also once that is %s', async (how, papers, cancelled) => {
    const scope = `good-${how.replaceAll(' ', '-')}`
    const first = await supersededBy(scope, papers)
    const moment = await first()
    expect(moment).toEqual(expect.any(String))
    for (const id of cancelled) {
      expect((await cancel(scope, id)).status).toBe(200)
      expect(await first()).toBe(moment)
    }
    await at.runtime('resume', scope)
    await at.settled(scope)
    expect(await first()).toBe(moment)
    await sign(scope)
    expect(await first()).toBe(moment)
  })
})

describe('a sign-off that was taken back', () => {
  it('loses why when a paper is erased that came between', async () => {
    await openCase('between')
    const { sign_off_id: id } = (await sign('between', 'J. Doe', { reason: 'I read both.' })).body
    await handIn('between', 'note', 'The gardener is Anna Weber.')
    await call('DELETE', `/api/scopes/between/sign-offs/${id}?by=R.%20Roe&reason=Anna%20objects`)
    await call('DELETE', '/api/documents/note?scope_id=between')
    const [kept] = (await get('/api/scopes/between/sign-offs')).items
    expect(kept).toMatchObject({ reason: 'I read both.', withdrawn: { by: 'R. Roe', reason: '' } })
  })
})
