/** A document with words that nothing else has is erased from a running service; a dump of the database must not hold them. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyChain } from '../../src/kernel/decision-record.js'
import { replayScope } from '../../src/pipeline/replay/replay.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import type { Database } from '../../src/store/server/database.js'
import { dumpDatabase, tablesWith } from '../support/dump-database.js'
import { startTestService, type TestService } from '../support/service.js'
import { watchStatements } from '../support/watched-statements.js'

let service: TestService
let tenant: { tenant_id: string; api_key: string }
let key: Record<string, string>
beforeAll(async () => {
  service = await startTestService({}, { wrapDatabase: afterListingParts })
  tenant = await service.createTenant()
  key = { 'x-tenant-id': tenant.tenant_id, 'x-tenant-api-key': tenant.api_key }
})
afterAll(() => service.stop())

/** What happens when the attachments of a mail have been listed and nothing is erased yet. */
let meanwhile: (() => Promise<unknown>) | undefined

function afterListingParts(db: Database): Database {
  return {
    ...db,
    inTenant: async (tenantId, work, options) => {
      let listed = false
      const watched = watchStatements(db, ({ text }) => {
        listed ||= text.startsWith('select distinct document_id from documents')
      })
      const answer = await watched.inTenant(tenantId, work, options)
      const happen = listed ? meanwhile : undefined
      if (happen !== undefined) meanwhile = undefined
      await happen?.()
      return answer
    },
  }
}

/** Beginnings of words, because endings are cut off when words are compared. */
const words = ['zorvath', 'quillonb', 'xenobal', 'wyndcast', 'brixham', 'plumquist', 'fjordbek', 'kestrelm']

const victim = `Zorvath Quillonby Ltd
Wyndcaster report, 2 February 2026

Zorvath Quillonby Ltd ("ZQ") is a customer. Xenobalt means the unit of Zorvath Quillonby Ltd in Brixhamton.

Revenue of Aurelia Holding for FY2025 was EUR 41.2 million.
The chairman of Zorvath Quillonby Ltd is Mr Plumquist.
The Fjordbekk plant was closed on 3 March 2025.
Goal: Mr Plumquist to sell the Fjordbekk plant by 30 June 2026.
Risk: high risk that the Xenobalt permit lapses.
`

const hold = `permit (principal, action, resource);
@id("look") @outcome("hold") @reason("A person looks at what {document.source} sends.")
forbid (principal, action == Action::"document", resource) when { context has document && context.document has source };`

async function handIn(scopeId: string, documentId: string, text: string, more: Record<string, unknown> = {}): Promise<string> {
  const body = { scope_id: scopeId, name: `Paper ${documentId}`, document_id: documentId, text, ...more }
  expect((await service.call('POST', '/api/ingest', { headers: key, body })).status).toBe(202)
  return (await service.call('GET', `/api/documents/${documentId}?scope_id=${scopeId}&wait=30`, { headers: key })).body.status
}

const erase = (scopeId: string, documentId: string) =>
  service.call('DELETE', `/api/documents/${documentId}?scope_id=${scopeId}`, { headers: key })
const found = async () => tablesWith(await dumpDatabase(service.database.owner), words)

it('leaves no word of a document that was read, disputed, decided upon and revised', async () => {
  await handIn(
    'case',
    'other',
    'Brandt Audit\n\nRevenue of Aurelia Holding for FY2025 was EUR 33.9 million.\nThe Fjordbekk plant was closed on 9 March 2025.',
  )
  // What the other document says itself stays its own.
  await erase('case', 'other')
  expect(await found()).toEqual([])

  await handIn('case', 'audit', 'Brandt Audit\n\nRevenue of Aurelia Holding for FY2025 was EUR 33.9 million.', { source: 'Brandt Audit' })
  expect(await handIn('case', 'victim', victim, { name: 'Wyndcaster.pdf', source: 'Zorvath Quillonby', idempotency_key: 'first' })).toBe(
    'indexed',
  )
  expect(await handIn('case', 'victim', `${victim}\nStaff of Zorvath Quillonby Ltd: 4,711.`, { name: 'Wyndcaster.pdf' })).toBe('indexed')
  await handIn('case', 'later', 'Bank Nord\n\nRevenue of Aurelia Holding for FY2025 was EUR 52.0 million.')
  const { body: open } = await service.call('GET', '/api/scopes/case/contradictions?status=open', { headers: key })
  const disputed = open.items.find((item: { a: { document_id: string }; b: { document_id: string } }) =>
    [item.a.document_id, item.b.document_id].includes('victim'),
  )
  expect(disputed).toBeDefined()
  const resolution = { verdict: 'both', reason: 'Plumquist explained it.', by: 'j.doe' }
  const decided = `/api/contradictions/${disputed.contradiction_id}/resolution`
  const { body: taken } = await service.call('POST', decided, { headers: key, body: resolution })
  // Taken back, its words are kept as what was known until then.
  const withdrawn = await service.call('DELETE', `${decided}?reason=Plumquist%20was%20wrong.&by=j.doe`, { headers: key })
  expect(withdrawn.status, withdrawn.text).toBe(200)
  expect(await found()).toContain('finding_history')
  await service.call('POST', decided, { headers: key, body: resolution })
  const reported = {
    scope_id: 'case',
    claim_a: 'Plumquist sold it.',
    claim_b: 'Plumquist kept it.',
    source_a: 'victim',
    source_b: 'press',
    severity: 'low',
  }
  const told = await service.call('POST', '/api/contradictions', { headers: { ...key, 'idempotency-key': 'told' }, body: reported })
  const settled = { verdict: 'both', reason: 'Brixhamton has two plants.', by: 'j.doe' }
  const path = `/api/contradictions/${told.body.contradiction_id}/resolution`
  expect((await service.call('POST', path, { headers: key, body: settled })).status).toBe(200)
  const before = await found()
  expect(before).toEqual(expect.arrayContaining(['claims', 'claim_terms', 'documents', 'contradictions', 'decisions', 'rounds']))
  expect(before).not.toContain('events')

  const erased = await erase('case', 'victim')
  expect(erased).toMatchObject({ status: 200, body: { name: null, source: null, erased_at: expect.any(String) } })
  expect(erased.body.claims_erased).toBeGreaterThan(4)
  expect(await found()).toEqual([])
  const { body: then } = await service.call('GET', `/api/scopes/case/contradictions?status=all&known_at=${taken.resolution.resolved_at}`, {
    headers: key,
  })
  expect(then.items.find((item: { contradiction_id: string }) => item.contradiction_id === disputed.contradiction_id)).toMatchObject({
    status: 'resolved',
    resolution: { verdict: 'both', by: 'j.doe', reason: 'Erased with a document.' },
  })

  const { body: decisions } = await service.call('GET', '/api/scopes/case/decisions?limit=200', { headers: key })
  expect(decisions.items.filter((item: { erased_at: string | null }) => item.erased_at !== null).length).toBeGreaterThanOrEqual(3)
  expect(verifyChain(decisions.items.map(recordOf))).toMatchObject({ ok: true })
  const replayed = await replayScope(service.database.db, { tenantId: tenant.tenant_id, scopeId: 'case' })
  expect(replayed).toMatchObject({ ok: true, decisionsErased: expect.any(Number), documents: { notRead: { erased: expect.any(Number) } } })
  expect(replayed?.decisionsErased).toBeGreaterThanOrEqual(3)
  expect((await verifyDatabase(service.database.db)).broken).toEqual([])
  for (const list of ['claims?state=all', 'contradictions?status=all', 'documents', 'summary']) {
    const { status, text } = await service.call('GET', `/api/scopes/case/${list}`, { headers: key })
    expect([list, status, words.filter(word => text.toLowerCase().includes(word))]).toEqual([list, 200, []])
  }
  // The scope goes on.
  expect(await handIn('case', 'next', 'Valuer Roth\n\nRevenue of Aurelia Holding for FY2025 was EUR 61.0 million.')).toBe('indexed')
})

it('leaves no reason about a report whose documents were erased before and after somebody decided it', async () => {
  for (const id of ['first', 'second']) await handIn('reports', id, `Notes of the ${id} meeting.`, { name: `Fjordbekk ${id}` })
  const report = { claim_a: 'Zorvath sold.', claim_b: 'Zorvath kept.', source_a: 'first', source_b: 'Fjordbekk second', severity: 'low' }
  const { body: told } = await service.call('POST', '/api/contradictions', {
    headers: { ...key, 'idempotency-key': 'report' },
    body: { scope_id: 'reports', ...report },
  })
  const path = `/api/contradictions/${told.contradiction_id}/resolution`
  const shown = async () => (await service.call('GET', '/api/scopes/reports/contradictions?status=all', { headers: key })).body.items
  const decide = async (verdict: string) =>
    expect((await service.call('POST', path, { headers: key, body: { verdict, reason: 'Plumquist decided.', by: 'j.doe' } })).status).toBe(
      200,
    )
  await decide('both')
  await erase('reports', 'first')
  // The name of the other document is its own.
  expect(await shown()).toMatchObject([{ a: { quote: '', source: 'first' }, b: { quote: '', source: 'Fjordbekk second' } }])
  await erase('reports', 'second')
  expect(await found()).toEqual([])
  // What was said of it stays on record, until it is taken back.
  expect(await shown()).toMatchObject([{ resolution: { verdict: 'both', effect: { state: 'on_record' } }, b: { source: 'second' } }])
  await service.call('DELETE', `${path}?by=j.doe&reason=Plumquist`, { headers: key })
  expect(await shown()).toMatchObject([{ resolution: { verdict: 'superseded', by: 'system' } }])
  expect(await found()).not.toEqual([])
  await erase('reports', 'first')
  expect(await found()).toEqual([])
  expect((await verifyDatabase(service.database.db)).broken).toEqual([])
})

it('closes a report in words with the first document of it that is erased', async () => {
  for (const id of ['one', 'two']) await handIn('told', id, `Notes of ${id}.`)
  const report = {
    scope_id: 'told',
    claim_a: 'It was sold.',
    claim_b: 'It was kept.',
    source_a: 'one',
    source_b: 'Paper two',
    severity: 'high',
  }
  const told = async () => (await service.call('POST', '/api/contradictions', { headers: key, body: report })).body.contradiction_id
  const open = async () => (await service.call('GET', '/api/scopes/told/summary', { headers: key })).body.contradictions.open
  const id = await told()
  expect(await open()).toBe(1)
  await erase('told', 'two')
  expect(await open()).toBe(0)
  expect((await service.call('GET', `/api/contradictions/${id}`, { headers: key })).body).toMatchObject({
    status: 'resolved',
    resolution: { verdict: 'superseded', by: 'system' },
  })
  // What is told afterwards is about what was said elsewhere.
  await told()
  expect(await open()).toBe(1)
  expect((await verifyDatabase(service.database.db)).broken).toEqual([])
  expect(await replayScope(service.database.db, { tenantId: tenant.tenant_id, scopeId: 'told' })).toMatchObject({ ok: true })
})

it('closes a report in words that came after its document was erased with the next erasure', async () => {
  await handIn('later', 'paper', 'Goal: sell two ships by June 2026.\nRisk: storms in spring.\nThe price is EUR 5M.')
  await handIn('later', 'other', 'Nothing at all.')
  await erase('later', 'paper')
  const report = { scope_id: 'later', claim_a: 'Plumquist sold.', claim_b: 'Kept.', source_a: 'paper', source_b: 'press', severity: 'high' }
  const { body: told } = await service.call('POST', '/api/contradictions', { headers: key, body: report })
  await erase('later', 'paper')
  expect((await service.call('GET', `/api/contradictions/${told.contradiction_id}`, { headers: key })).body).toMatchObject({
    status: 'resolved',
    a: { quote: '' },
  })
  const rounds = async () =>
    (await service.database.owner.query(`select count(*) from rounds join scopes using (tenant_id, scope_no) where scope_id = 'later'`))
      .rows
  const before = await rounds()
  await erase('later', 'paper')
  expect(await rounds()).toEqual(before)
  expect((await verifyDatabase(service.database.db)).broken).toEqual([])
  expect(await replayScope(service.database.db, { tenantId: tenant.tenant_id, scopeId: 'later' })).toMatchObject({ ok: true })
})

it('leaves no word of a document that is held for a reason that names it', async () => {
  await service.admin('POST', '/admin/scopes', { scope_id: 'held' }, tenant.api_key)
  const put = await service.admin('PUT', '/admin/scopes/held/policies', { policies: hold }, tenant.api_key)
  expect(put.status, put.text).toBe(200)
  expect(await handIn('held', 'waits', 'Revenue of Aurelia Holding for FY2025 was EUR 41.2M.', { source: 'Kestrelmere' })).toBe('held')
  expect(await found()).toEqual(expect.arrayContaining(['decisions', 'documents']))
  expect((await erase('held', 'waits')).body).toMatchObject({ status: 'rejected', reason: 'The document was erased.' })
  expect(await found()).toEqual([])
})

it('erases a document that waits in a paused scope, and what was attached or registered', async () => {
  await service.admin('POST', '/admin/scopes', { scope_id: 'paused' }, tenant.api_key)
  await service.admin('POST', '/admin/runtime/pause', { scope_id: 'paused' }, tenant.api_key)
  const queue = (document_id: string, name: string, text: string) =>
    service.call('POST', '/api/ingest', { headers: key, body: { scope_id: 'paused', name, document_id, text } })
  await queue('waits', 'Wyndcaster', victim)
  await queue('waits', 'Wyndcaster', `${victim} Again.`)
  await queue('stays', 'A paper', 'Revenue was EUR 5M.')
  const attach = { name: 'Wyndcaster', text: victim, document_id: 'attached', provenance: 'urn:xenobalt' }
  await service.call('POST', '/admin/scopes/paused/documents', {
    headers: { authorization: `Bearer ${service.adminKey}`, 'x-tenant-api-key': tenant.api_key, 'idempotency-key': 'attach-once' },
    body: attach,
  })
  expect(await found()).toEqual(['documents', 'idempotency_keys'])
  expect(await erase('paused', 'waits')).toMatchObject({ status: 200, body: { status: 'rejected' } })
  expect(await erase('paused', 'attached')).toMatchObject({ status: 200, body: { status: 'rejected' } })
  expect(await found()).toEqual([])
  expect((await verifyDatabase(service.database.db)).broken).toEqual([])
  await service.admin('POST', '/admin/runtime/resume', { scope_id: 'paused' }, tenant.api_key)
  const { body: rest } = await service.call('GET', '/api/documents/stays?scope_id=paused&wait=30', { headers: key })
  expect(rest.status).toBe('indexed')
})

it('counts a document once that is erased, handed in again and erased before that was read', async () => {
  expect(await handIn('again', 'back', 'Revenue was EUR 5M.')).toBe('indexed')
  expect(await erase('again', 'back')).toMatchObject({ status: 200 })
  await service.admin('POST', '/admin/runtime/pause', { scope_id: 'again' }, tenant.api_key)
  const body = { scope_id: 'again', name: 'Paper back', document_id: 'back', text: 'Revenue was EUR 6M.' }
  expect((await service.call('POST', '/api/ingest', { headers: key, body })).status).toBe(202)
  expect(await erase('again', 'back')).toMatchObject({ status: 200, body: { status: 'rejected' } })
  expect((await verifyDatabase(service.database.db)).broken).toEqual([])
  await service.admin('POST', '/admin/runtime/resume', { scope_id: 'again' }, tenant.api_key)
})

it('counts what was erased as erased, and as read neither in figures nor for the conditions', async () => {
  const read = (issuer: string, value: string) => `${issuer}\n\nRevenue of Aurelia Holding for FY2025 was EUR ${value} million.`
  for (const [id, value] of Object.entries({ one: '41', two: '42', three: '43' })) await handIn('counted', id, read(`Bank ${id}`, value))
  const listing = { scope_id: 'counted', name: 'Elsewhere', type: 'pdf' }
  const elsewhere = await service.call('POST', '/api/documents', { headers: key, body: listing })
  expect(elsewhere.status, elsewhere.text).toBe(201)
  const usage = async () => (await service.call('GET', '/api/me', { headers: key })).body.usage.documents
  const used = await usage()
  for (const id of ['one', 'two', elsewhere.body.document_id]) expect(await erase('counted', id)).toMatchObject({ status: 200 })
  const { body: summary } = await service.admin('GET', '/admin/scopes/counted/summary', undefined, tenant.api_key)
  expect(summary.documents).toMatchObject({ total: 4, indexed: 1, registered: 0, rejected: 0, erased: 3 })
  const content = summary.finality.gates.find((each: { gate: string }) => each.gate === 'minimum_content')
  expect(content.value).toContain(`${summary.documents.indexed} documents`)
  const { body: list } = await service.call('GET', '/api/scopes?limit=100', { headers: key })
  const listed = list.items.find((each: { scope_id: string }) => each.scope_id === 'counted')
  expect(listed.counts.documents).toEqual(summary.documents)
  const { body: page } = await service.call('GET', '/api/scopes/counted/overview', { headers: key })
  expect(page.papers).toMatchObject({ total: 1, drawn: 1 })
  // Their record stays, and with it what a tenant uses.
  expect(await usage()).toBe(used)
  // Handed in again it is read as any other.
  await handIn('counted', 'one', read('Bank one', '44'))
  const { body: again } = await service.admin('GET', '/admin/scopes/counted/summary', undefined, tenant.api_key)
  expect(again.documents).toMatchObject({ total: 4, indexed: 2, erased: 2 })
})

function recordOf(item: Record<string, never>) {
  const {
    seq,
    proposal_digest,
    state_digest,
    policy_hash,
    outcome,
    policies,
    reasons,
    reasons_digest,
    salt,
    obligations,
    prev_hash,
    hash,
  } = item
  return { seq, proposal_digest, state_digest, policy_hash, outcome, policies, reasons, reasons_digest, salt, obligations, prev_hash, hash }
}

it('takes attachments along that a worker has found meanwhile', async () => {
  for (const documentId of ['mail', 'attached']) await handIn('mails', documentId, `The ${documentId} is here.`)
  meanwhile = () =>
    service.database.owner.query(
      "update documents set part_of = 'mail', part_depth = 1 where tenant_id = $1 and document_id = 'attached'",
      [tenant.tenant_id],
    )
  expect((await erase('mails', 'mail')).status).toBe(200)
  const { rows } = await service.database.owner.query(
    "select document_id from documents where tenant_id = $1 and document_id in ('mail', 'attached') and erased_at is null",
    [tenant.tenant_id],
  )
  expect(rows).toEqual([])
})
