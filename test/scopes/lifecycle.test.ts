import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getGlossary, putGlossary } from '../../src/scopes/glossary.js'
import { createScope, getScope, listScopes } from '../../src/scopes/lifecycle.js'
import { patchScope } from '../../src/scopes/settings.js'
import { eventsOf, openWorld, readDocument, type World } from './support.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

describe('making a scope', () => {
  it('answers the record and leaves the scope without events of its own', async () => {
    const tenantId = await world.newTenant()
    const scope = await createScope(world.deps, tenantId, { scope_id: 'case-1', display_name: 'A case', mode: 'review' })
    expect(scope).toMatchObject({
      scope_id: 'case-1',
      display_name: 'A case',
      mode: 'review',
      generation: 1,
      runtime: 'running',
      finality: 'active',
    })
    expect(scope.counts).toMatchObject({ documents: { total: 0, queued: 0 }, claims: 0, open_contradictions: 0 })
    expect(await eventsOf(world, { tenantId, scopeId: 'case-1' })).toEqual([])
    const { rows } = await world.owner.query(
      "select data->>'scope_id' as id from events where tenant_id = $1 and scope_no = 0 and type = 'scope.created'",
      [tenantId],
    )
    expect(rows).toEqual([{ id: 'case-1' }])
  })

  it('refuses a second scope of the same name, and lets another tenant have it', async () => {
    const [one, other] = [await world.newTenant(), await world.newTenant()]
    await createScope(world.deps, one, { scope_id: 'same' })
    await expect(createScope(world.deps, one, { scope_id: 'same' })).rejects.toMatchObject({ code: 'SCOPE_EXISTS' })
    await expect(createScope(world.deps, other, { scope_id: 'same' })).resolves.toMatchObject({ scope_id: 'same' })
  })

  it('makes one of two that arrive at once', async () => {
    const tenantId = await world.newTenant()
    const results = await Promise.allSettled([1, 2].map(() => createScope(world.deps, tenantId, { scope_id: 'race' })))
    expect(results.map(result => result.status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('is refused where the tenant was deleted since its key was checked', async () => {
    const tenantId = await world.newTenant()
    await world.owner.query('update tenants set deleted_at = clock_timestamp() where tenant_id = $1', [tenantId])
    await expect(createScope(world.deps, tenantId, { scope_id: 'late' })).rejects.toMatchObject({ code: 'TENANT_KEY_INVALID' })
  })

  it('keeps to the limit of the tenant', async () => {
    const tenantId = await world.newTenant()
    await world.owner.query(`update tenants set limits = '{"scopes": 1}' where tenant_id = $1`, [tenantId])
    await createScope(world.deps, tenantId, { scope_id: 'first' })
    await expect(createScope(world.deps, tenantId, { scope_id: 'second' })).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
  })
})

describe('listing scopes', () => {
  it('pages through all of a tenant and none of another', async () => {
    const [tenantId, other] = [await world.newTenant(), await world.newTenant()]
    for (const id of ['c', 'a', 'b']) await world.newScope(tenantId, id)
    await world.newScope(other, 'theirs')
    const first = await listScopes(world.deps, tenantId, { limit: 2 })
    expect(first.items.map(item => item.scope_id)).toEqual(['a', 'b'])
    const second = await listScopes(world.deps, tenantId, { limit: 2, cursor: first.next ?? undefined })
    expect(second.items.map(item => item.scope_id)).toEqual(['c'])
    expect(second.next).toBeNull()
  })

  it("refuses garbage and another tenant's cursor", async () => {
    const [tenantId, other] = [await world.newTenant(), await world.newTenant()]
    for (const id of ['a', 'b']) for (const tenant of [tenantId, other]) await world.newScope(tenant, id)
    const { next } = await listScopes(world.deps, other, { limit: 1 })
    for (const cursor of [next ?? '', 'garbage', '', 'WyJ4Il0', '\0']) {
      await expect(listScopes(world.deps, tenantId, { cursor })).rejects.toMatchObject({ code: 'CURSOR_INVALID' })
    }
  })
})

describe('settings', () => {
  it('are laid over the defaults, raise the version, and go back with null', async () => {
    const scope = await world.newScope(await world.newTenant(), 'set')
    const patched = await patchScope(world.deps, scope, { settings: { finality: { minimum_documents: 5 } }, mode: 'strict' })
    expect(patched).toMatchObject({ mode: 'strict', settings: { finality: { minimum_documents: 5 } } })
    expect(patched.effective_settings).toMatchObject({ finality: { minimum_documents: 5, minimum_claims: 2 } })
    expect(patched.version).toBeGreaterThan(0)
    const back = await patchScope(world.deps, scope, { settings: { finality: null } })
    expect(back.settings).toEqual({})
    expect(back.effective_settings).toMatchObject({ finality: { minimum_documents: 2 } })
    const types = (await eventsOf(world, scope)).map(event => event.type)
    expect(types.filter(type => type === 'scope.changed')).toHaveLength(2)
    expect(types).toContain('decision.recorded')
  })

  it('refuse what is out of bounds and change nothing', async () => {
    const scope = await world.newScope(await world.newTenant(), 'bad')
    const change = patchScope(world.deps, scope, { settings: { weights: { claim_confidence: 7 } } })
    await expect(change).rejects.toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ pointer: '/settings/weights/claim_confidence' }] })
    expect(await getScope(world.deps, scope)).toMatchObject({ version: 0, settings: {} })
  })

  it('rename a scope without a round', async () => {
    const scope = await world.newScope(await world.newTenant(), 'named')
    expect(await patchScope(world.deps, scope, { display_name: 'New name' })).toMatchObject({ display_name: 'New name' })
    expect((await eventsOf(world, scope)).map(event => event.type)).toEqual(['scope.changed'])
    expect(await patchScope(world.deps, scope, { display_name: null })).toMatchObject({ display_name: null })
  })

  it('are not there for another tenant, nor for a malformed name', async () => {
    const scope = await world.newScope(await world.newTenant(), 'mine')
    const other = { tenantId: await world.newTenant(), scopeId: 'mine' }
    for (const name of [other, { ...scope, scopeId: 'Not A Scope' }, { ...scope, scopeId: '\0' }, { ...scope, scopeId: 'x'.repeat(121) }]) {
      await expect(getScope(world.deps, name)).rejects.toMatchObject({ code: 'SCOPE_NOT_FOUND' })
      await expect(patchScope(world.deps, name, { mode: 'auto' })).rejects.toMatchObject({ code: 'SCOPE_NOT_FOUND' })
    }
  })

  it('keep a glossary that raises the version', async () => {
    const scope = await world.newScope(await world.newTenant(), 'words')
    expect(await getGlossary(world.deps, scope)).toEqual({ scope_id: 'words', terms: {}, entities: {}, version: 0 })
    const put = await putGlossary(world.deps, scope, { terms: { revenue: ['turnover'] } })
    expect(put).toMatchObject({ terms: { revenue: ['turnover'] }, entities: {} })
    expect(put.version).toBeGreaterThan(0)
    expect((await putGlossary(world.deps, scope, { terms: { revenue: ['turnover'] } })).version).toBe(put.version)
  })

  it('count in the next round that follows', async () => {
    const scope = await world.newScope(await world.newTenant(), 'rounds')
    await readDocument(world, scope, { documentId: 'one', claims: [{ slot: 'revenue', value: '41.2' }] })
    await patchScope(world.deps, scope, { settings: { targets: { claim_confidence: 0.5 } } })
    const { result } = await readDocument(world, scope, { documentId: 'two', claims: [{ slot: 'costs', value: '3.1' }] })
    expect(result.round).toBe(3)
    expect(result.scope.settings.targets.claim_confidence).toBe(0.5)
  })
})
