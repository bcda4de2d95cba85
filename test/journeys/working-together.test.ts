/** What people do about a contradiction before they decide it: give it to somebody, and say something of it to each other. */

import { beforeAll, describe, expect, it } from 'vitest'
import { runConcord } from '../cli/run-concord.js'
import { dumpDatabase, tablesWith } from '../support/dump-database.js'
import { startJourney } from '../support/journey.js'
import { reporting } from './reported-passages.js'

const at = startJourney()
const { call, get } = at
const { openCase, report } = reporting(at)

describe('working on a contradiction together', () => {
  const people = { to: 'R. Roe', due: '2026-03-31', by: 'J. Doe' }
  let id: string
  let path: string
  beforeAll(async () => {
    await openCase('together')
    id = (await report('together')).body.contradiction_id
    path = `/api/contradictions/${id}`
  })
  const events = async () =>
    (
      await at.service.database.owner.query(
        `select type from events where type in ('contradiction.assigned', 'contradiction.unassigned', 'contradiction.commented')
           and data->>'contradiction_id' = $1 order by seq`,
        [id],
      )
    ).rows.map(row => row.type)

  it('is given to a person, passed on and taken back, each once and on record', async () => {
    const before = new Date().toISOString()
    expect((await call('PUT', `${path}/assignment`, people)).body).toMatchObject({
      scope_id: 'together',
      assignment: { to: 'R. Roe', due: '2026-03-31', by: 'J. Doe', vouched: false },
      changed: true,
    })
    expect((await call('PUT', `${path}/assignment`, people)).body.changed).toBe(false)
    const { assignment } = await get(path)
    expect(assignment.assigned_at >= before).toBe(true)
    const mine = async (who: string, more = '') =>
      (await get(`/api/scopes/together/contradictions?assigned_to=${encodeURIComponent(who)}${more}`)).items.length
    expect([await mine('R. Roe'), await mine('J. Doe')]).toEqual([1, 0])
    expect((await call('PUT', `${path}/assignment`, { to: 'S. Poe' })).body.assignment).toMatchObject({ to: 'S. Poe', due: null, by: null })
    const passedOn = (await get(path)).assignment.assigned_at
    expect([await mine('R. Roe'), await mine('S. Poe')]).toEqual([0, 1])
    // As it was known then it was still the first person's.
    expect(await mine('R. Roe', `&known_at=${assignment.assigned_at}`)).toBe(1)
    expect((await call('DELETE', `${path}/assignment?by=J.%20Doe`)).body).toMatchObject({ assignment: null, changed: true })
    expect((await call('DELETE', `${path}/assignment`)).body.changed).toBe(false)
    expect((await get(path)).assignment).toBeUndefined()
    expect((await get(`/api/scopes/together/as-of?at=${passedOn}`)).contradictions.items[0].assignment.to).toBe('S. Poe')
    expect(await events()).toEqual(['contradiction.assigned', 'contradiction.assigned', 'contradiction.unassigned'])
  })

  it('takes comments once each, lists them in order, and blanks them with a document of the contradiction', async () => {
    const headers = { ...at.key, 'idempotency-key': 'said-once' }
    const first = await call('POST', `${path}/comments`, { by: 'J. Doe', text: 'Quillonby was asked.' }, headers)
    expect(first).toMatchObject({ status: 201, body: { by: 'J. Doe', text: 'Quillonby was asked.', contradiction_id: id, vouched: false } })
    const again = await call('POST', `${path}/comments`, { by: 'J. Doe', text: 'Quillonby was asked.' }, headers)
    expect(again.body.comment_id).toBe(first.body.comment_id)
    expect((await call('POST', `${path}/comments`, { by: 'J. Doe', text: 'Else.' }, headers)).body.code).toBe('IDEMPOTENCY_KEY_REUSED')
    await call('POST', `${path}/comments`, { by: 'R. Roe', text: 'They answered.' })
    const own = await call('POST', `${path}/comments`, { by: 'system', text: 'It was me.' })
    expect(own.body.errors).toEqual([{ pointer: '/by', detail: expect.stringContaining('system') }])
    const page = await get(`${path}/comments?limit=1`)
    expect(page.items).toMatchObject([{ text: 'Quillonby was asked.' }])
    const rest = await get(`${path}/comments?limit=1&cursor=${encodeURIComponent(page.next)}`)
    expect([rest.items[0].by, rest.next]).toEqual(['R. Roe', null])
    expect((await get(`${path}/comments?known_at=${first.body.said_at}`)).items).toHaveLength(1)
    expect((await get(path)).comments).toBe(2)
    const then = await get(`/api/scopes/together/as-of?at=${first.body.said_at}`)
    expect(then.contradictions.items[0].discussion).toMatchObject([{ by: 'J. Doe', text: 'Quillonby was asked.' }])
    const toPrint = async () => (await call('GET', `/api/scopes/together/as-of/page?at=${first.body.said_at}`)).text
    expect(await toPrint()).toMatch(/J\. Doe, [^<]*: Quillonby was asked\.<\/td>/)
    await call('DELETE', '/api/documents/letter?scope_id=together')
    expect((await get(`${path}/comments`)).items).toMatchObject([
      { by: 'J. Doe', text: null },
      { by: 'R. Roe', text: null },
    ])
    expect(await toPrint()).toMatch(/J\. Doe, [^<]*: \(erased\)<\/td>/)
    const repeated = await call('POST', `${path}/comments`, { by: 'J. Doe', text: 'Quillonby was asked.' }, headers)
    expect(repeated.body).toMatchObject({ comment_id: first.body.comment_id, text: null })
    expect(tablesWith(await dumpDatabase(at.service.database.owner), ['quillonby was asked'])).toEqual([])
  })

  it('is refused without the right, with bad input, and to others; and each act is in the audit log', async () => {
    const { tenant_id: tenantId } = await get('/api/me')
    const made = await at.service.admin('POST', `/admin/tenants/${tenantId}/keys`, { label: 'reader', rights: ['read'] })
    const reader = { 'x-tenant-api-key': made.body.api_key }
    expect((await call('PUT', `${path}/assignment`, people, reader)).body.code).toBe('RIGHTS_INSUFFICIENT')
    expect((await call('POST', `${path}/comments`, { by: 'x', text: 'y' }, reader)).body.code).toBe('RIGHTS_INSUFFICIENT')
    expect((await call('GET', `${path}/comments`, undefined, reader)).status).toBe(200)
    for (const bad of [{}, { to: '' }, { to: 'x', due: 'soon' }, { to: 'a\u202eb' }, { to: ' ' }, { to: 'x', more: 1 }])
      expect((await call('PUT', `${path}/assignment`, bad)).body.code, JSON.stringify(bad)).toBe('VALIDATION_FAILED')
    for (const bad of [{ by: 'x' }, { by: 'x', text: '' }, { by: 'x', text: 'y'.repeat(2001) }])
      expect((await call('POST', `${path}/comments`, bad)).body.code).toBe('VALIDATION_FAILED')
    const other = { 'x-tenant-api-key': (await at.service.createTenant()).api_key }
    for (const [method, where, body] of [
      ['PUT', 'assignment', people],
      ['DELETE', 'assignment', undefined],
      ['GET', 'comments', undefined],
      ['POST', 'comments', { by: 'x', text: 'y' }],
    ] as const)
      expect((await call(method, `${path}/${where}`, body, other)).body.code).toBe('CONTRADICTION_NOT_FOUND')
    const logged = `select distinct action from audit_log where tenant_id = $1 and outcome = 'allowed' and detail->>'contradiction_id' = $2 order by 1`
    const { rows } = await at.service.database.owner.query(logged, [tenantId, id])
    expect(rows.map(row => row.action)).toEqual(['addComment', 'assignContradiction', 'unassignContradiction'])
  })

  it('works from the command line, and decisions say who, what about and why', async () => {
    await openCase('together-cli')
    const { contradiction_id: named } = (await report('together-cli')).body
    const env = { CONCORD_URL: at.service.url, CONCORD_TENANT_KEY: at.key['x-tenant-api-key'] ?? '' }
    const concord = async (...args: string[]) => (await runConcord(env, ...args)).out
    expect(await concord('assign', named, 'R. Roe', '--due', '2026-03-31')).toContain('for R. Roe, due 2026-03-31')
    await concord('comment', named, 'Asked.', '--by', 'J. Doe')
    expect(await concord('comments', named)).toMatch(/J\. Doe +Asked\./)
    expect(await concord('contradictions', 'together-cli', '--assigned-to', 'R. Roe')).toContain('for R. Roe, due 2026-03-31 · 1 comment')
    const past = await concord('as-of', 'together-cli', '--at', new Date().toISOString(), '--list', 'contradictions')
    expect(past).toMatch(/\n {2}ctr_.*\n {4}R\. Roe was to look at it\n {4}[-\d]+ J\. Doe: Asked\.\n/)
    expect(await concord('unassign', named)).toContain('nobody’s now')
    expect(await concord('contradictions', 'together-cli', '--assigned-to', 'R. Roe')).toContain('No open contradictions.')
    await concord('resolve', named, 'both', '--reason', 'Two seasons.', '--by', 'J. Doe')
    const { items } = await get('/api/scopes/together-cli/decisions?by=person')
    expect(items.map((each: { said: unknown }) => each.said)).toEqual([
      { by: 'J. Doe', vouched: false, verdict: 'both', finding_id: named, reason: 'Two seasons.' },
    ])
    const { items: chain } = await get('/api/scopes/together-cli/decisions')
    expect(chain.length).toBeGreaterThan(1)
    const newest = await get('/api/scopes/together-cli/decisions?order=newest&limit=1')
    expect(newest.items).toEqual([chain.at(-1)])
    const before = await get(`/api/scopes/together-cli/decisions?order=newest&cursor=${newest.next}`)
    expect(before.items).toEqual(chain.slice(0, -1).reverse())
  })
})
