/** What a mail no longer carries, where a later revision brought it again that policy or a person did not admit, or that was not read. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { mailOf } from '../support/mail.js'
import { headersOf, mailCase, rent, type Tenant } from '../support/mail-case.js'
import { startTestService, type TestService } from '../support/service.js'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const { get, send, say, settled, expectReplayed } = mailCase(() => service)

const policies = `@outcome("hold") forbid(principal, action == Action::"document", resource) when { context.document.source == "stranger" };
permit(principal, action, resource);`
const again = { ...rent, bytes: rent.bytes.replace('12,500', '12,900') }

const act = async (tenant: Tenant, verb: 'pause' | 'resume') =>
  expect((await service.admin('POST', `/admin/runtime/${verb}`, { scope_id: 'case' }, tenant.api_key)).status).toBe(200)
const post = (tenant: Tenant, path: string) =>
  service.call('POST', path, { headers: headersOf(tenant), body: { by: 'Ada', reason: 'Looked at.' } })
const put = async (tenant: Tenant, text: string) =>
  expect((await service.admin('PUT', '/admin/scopes/case/policies', { policies: text }, tenant.api_key)).status).toBe(200)
const rows = async (tenant: Tenant, text: string, ...values: unknown[]) =>
  (await service.database.owner.query(text, [tenant.tenant_id, ...values])).rows
const quotes = async (tenant: Tenant) =>
  (await get(tenant, '/api/scopes/case/claims')).items.flatMap(({ quote }: { quote: string }) => (/EUR|m²/.test(quote) ? quote : []))
const stateOf = async (tenant: Tenant, name: string, revision: number) =>
  (await rows(tenant, 'select status from documents where tenant_id = $1 and name = $2 and revision = $3', name, revision))[0]?.status

async function review(tenant: Tenant, name: string, verdict: 'approve' | 'reject'): Promise<string> {
  const [held] = await rows(
    tenant,
    `select decision_id, document_id from decisions join documents using (tenant_id, scope_no, generation, document_id, revision)
     where tenant_id = $1 and review = 'pending' and name = $2 order by revision desc limit 1`,
    name,
  )
  const body = { verdict, reason: 'Looked at.', by: 'Ada' }
  const answer = await service.call('POST', `/api/decisions/${held.decision_id}/review`, { headers: headersOf(tenant), body })
  expect(answer.status, answer.text).toBe(200)
  return held.document_id
}

const third = { bytes: mailOf('Third.', [again]), name: 'mail.eml' }
const delay = (tenant: Tenant, revision: number, interval: string) =>
  rows(
    tenant,
    'update backlog set not_before = clock_timestamp() + $3::interval where tenant_id = $1 and revision = $2',
    revision,
    interval,
  )

async function release(tenant: Tenant, revision: number): Promise<void> {
  await act(tenant, 'pause')
  await delay(tenant, revision, '0 hours')
  await act(tenant, 'resume')
}

async function admitSecond(tenant: Tenant): Promise<void> {
  await release(tenant, 2)
  await expect.poll(() => stateOf(tenant, 'mail', 2)).toBe('indexed')
}

/** The second revision, without it, waits until the third was read and is held, with what it brings. */
async function brought(tenant: Tenant, first: readonly { name: string; bytes: string | Buffer }[] = [rent]): Promise<() => Promise<void>> {
  await send(tenant, 'mail', { bytes: mailOf('First.', first), name: 'mail.eml' })
  await settled(tenant)
  await put(tenant, policies)
  await act(tenant, 'pause')
  await say(tenant, 'mail', 'The mail was taken back.')
  await delay(tenant, 2, '1 hour')
  await send(tenant, 'mail', third, 'stranger')
  await act(tenant, 'resume')
  await expect.poll(() => stateOf(tenant, 'mail.eml', 3)).toBe('held')
  await expect.poll(() => stateOf(tenant, 'rent.txt', 2)).toBe('held')
  return () => admitSecond(tenant)
}

const approve = async (tenant: Tenant, name: string) => {
  const documentId = await review(tenant, name, 'approve')
  await expect.poll(async () => (await settled(tenant)).find(each => each.name === name)?.status).toBe('indexed')
  return documentId
}

async function quarantine(tenant: Tenant, name: string): Promise<string> {
  await act(tenant, 'pause')
  const documentId = await review(tenant, name, 'approve')
  await rows(
    tenant,
    `update backlog set attempts = 100 where tenant_id = $1 and document_id = $2
       and coalesce(not_before < clock_timestamp() + interval '20 minutes', true)`,
    documentId,
  )
  await act(tenant, 'resume')
  await settled(tenant)
  return documentId
}

const ends = {
  'rejected by a person': (tenant: Tenant, name: string) => review(tenant, name, 'reject'),
  /** As if it had waited for its turn until now, and was never held. */
  async 'rejected by policy'(tenant: Tenant, name: string) {
    await act(tenant, 'pause')
    await put(tenant, policies.replace('hold', 'reject'))
    const [document] = await rows(
      tenant,
      `with again as (
         update documents set status = 'queued' where tenant_id = $1 and name = $2 and status = 'held' and current
         returning tenant_id, scope_no, seq, generation, document_id, revision),
       decided as (
         update decisions d set review = 'obsolete' from again a
         where d.tenant_id = $1 and d.document_id = a.document_id and d.revision = a.revision and review = 'pending'),
       head as (update scope_heads set has_backlog = true, queued = queued + 1, held = held - 1 where tenant_id = $1)
       insert into backlog (tenant_id, scope_no, seq, generation, document_id, revision) select * from again returning document_id`,
      name,
    )
    await act(tenant, 'resume')
    await settled(tenant)
    await put(tenant, policies)
    return document.document_id
  },
  async cancelled(tenant: Tenant, name: string) {
    await act(tenant, 'pause')
    const documentId = await review(tenant, name, 'approve')
    const answer = await post(tenant, `/api/documents/${documentId}/cancellation?scope_id=case`)
    expect(answer, answer.text).toMatchObject({ status: 200, body: { status: 'rejected' } })
    await act(tenant, 'resume')
    return documentId
  },
  async 'discarded from quarantine'(tenant: Tenant, name: string) {
    const before = await quotes(tenant)
    const documentId = await quarantine(tenant, name)
    expect(await quotes(tenant)).toEqual(before)
    const answer = await post(tenant, `/api/documents/${documentId}/discard?scope_id=case`)
    expect(answer, answer.text).toMatchObject({ status: 200, body: { status: 'rejected' } })
    return documentId
  },
}
type End = keyof typeof ends
const every = Object.keys(ends) as End[]
const orders = every.flatMap(end => [
  { before: 'mail.eml', last: 'rent.txt', end },
  { before: 'rent.txt', last: 'mail.eml', end },
])

it.each(orders)('ends with the last of both: $before, then $last $end', async ({ before, last, end }) => {
  const tenant = await service.createTenant()
  const admit = await brought(tenant)
  await admit()
  await ends[end](tenant, before)
  await settled(tenant)
  expect(await quotes(tenant)).toEqual([rent.bytes])
  const documentId = await ends[end](tenant, last)
  const former = async () => (await settled(tenant)).find(({ name }) => name === 'rent.txt')
  await expect
    .poll(former)
    .toMatchObject({ revision: 3, status: 'indexed', provenance: expect.stringMatching(/^No longer attached: revision 2/) })
  expect(await quotes(tenant)).toEqual([])
  // The round in which it was given up counts what comes.
  const counted = await rows(
    tenant,
    `select (input->'workload'->>'queued')::integer as queued, input->>'finality' as finality from rounds
     where tenant_id = $1 and document_id = $2 and revision = $3 order by round desc limit 1`,
    documentId,
    last === 'rent.txt' ? 2 : 3,
  )
  expect(counted).toEqual([{ queued: 1, finality: expect.not.stringMatching('resolved') }])
  expect((await verifyDatabase(service.database.db)).broken).toEqual([])
  await expectReplayed(tenant)
})

it('ends where the mail without it is admitted last', async () => {
  const tenant = await service.createTenant()
  const admit = await brought(tenant)
  await review(tenant, 'rent.txt', 'reject')
  await review(tenant, 'mail.eml', 'reject')
  await settled(tenant)
  expect(await quotes(tenant)).toEqual([rent.bytes])
  await admit()
  await expect.poll(() => stateOf(tenant, 'rent.txt', 3)).toBe('indexed')
  expect(await quotes(tenant)).toEqual([])
  await expectReplayed(tenant)
})

it('ends where the mail that brought it again is rejected in one go with the admission of the one without it', async () => {
  const tenant = await service.createTenant()
  await brought(tenant)
  await review(tenant, 'rent.txt', 'reject')
  await act(tenant, 'pause')
  await delay(tenant, 2, '0 hours')
  await ends['rejected by policy'](tenant, 'mail.eml')
  await expect.poll(() => stateOf(tenant, 'rent.txt', 3)).toBe('indexed')
  expect(await quotes(tenant)).toEqual([])
  const counted = `select revision, (input->'workload'->>'queued')::integer as queued from rounds where tenant_id = $1 and revision is not null order by round desc limit 3`
  expect(await rows(tenant, counted)).toEqual([
    { revision: 3, queued: 0 },
    { revision: 3, queued: 1 },
    { revision: 2, queued: 1 },
  ])
  await expectReplayed(tenant)
})

it.each(['behind the mail', 'before the mail', 'before the mail without it'])('stands for itself where it was admitted %s', async order => {
  const tenant = await service.createTenant()
  const admit = await brought(tenant)
  if (order !== 'before the mail without it') await admit()
  if (order !== 'behind the mail') await approve(tenant, 'rent.txt')
  await review(tenant, 'mail.eml', 'reject')
  await settled(tenant)
  if (order === 'behind the mail') await approve(tenant, 'rent.txt')
  if (order === 'before the mail without it') await admit()
  await settled(tenant)
  expect(await quotes(tenant)).toEqual([again.bytes])
  expect((await settled(tenant)).find(({ name }) => name === 'rent.txt')).toMatchObject({ revision: 2, status: 'indexed' })
  // What comes again after that and is given up takes nothing back either.
  await send(tenant, 'mail', { bytes: mailOf('Fourth.', [{ ...rent, bytes: 'The rent is EUR 9 a month.' }]), name: 'mail.eml' }, 'stranger')
  await expect.poll(() => stateOf(tenant, 'rent.txt', 3)).toBe('held')
  await review(tenant, 'mail.eml', 'reject')
  await review(tenant, 'rent.txt', 'reject')
  expect((await settled(tenant)).find(({ name }) => name === 'rent.txt')).toMatchObject({ revision: 3, status: 'rejected' })
  expect(await quotes(tenant)).toEqual([again.bytes])
  await expectReplayed(tenant)
})

it('ends with what it carried itself, and nothing ends that never counted or has ended', async () => {
  const tenant = await service.createTenant()
  const inner = {
    name: 'inner.eml',
    bytes: mailOf('See below.', [{ name: 'area.txt', bytes: 'The area of the Hamburg office is 420 m².' }]),
  }
  const admit = await brought(tenant, [rent, inner])
  await admit()
  await expect.poll(() => stateOf(tenant, 'area.txt', 2)).toBe('indexed')
  await review(tenant, 'mail.eml', 'reject')
  await review(tenant, 'rent.txt', 'reject')
  await expect.poll(() => stateOf(tenant, 'rent.txt', 3)).toBe('indexed')
  const staff = { name: 'staff.txt', bytes: 'The headcount of Alder Works in 2025 was 312.' }
  await send(tenant, 'mail', { bytes: mailOf('Fourth.', [rent, staff]), name: 'mail.eml' }, 'stranger')
  await expect.poll(() => stateOf(tenant, 'rent.txt', 4)).toBe('held')
  await expect.poll(() => stateOf(tenant, 'staff.txt', 1)).toBe('held')
  for (const name of ['rent.txt', 'staff.txt', 'mail.eml']) await review(tenant, name, 'reject')
  const states = (await settled(tenant)).map(({ name, revision, status }) => [name, revision, status].join(' '))
  expect(states.sort()).toEqual([
    'area.txt 2 indexed',
    'inner.eml 2 indexed',
    'mail.eml 4 rejected',
    'rent.txt 4 rejected',
    'staff.txt 1 rejected',
  ])
  expect(await quotes(tenant)).toEqual([])
  await expectReplayed(tenant)
})

it('waits for the mail in quarantine, which may be tried again', async () => {
  const tenant = await service.createTenant()
  const admit = await brought(tenant)
  await review(tenant, 'rent.txt', 'reject')
  await quarantine(tenant, 'mail.eml')
  await admit()
  await settled(tenant)
  expect(await quotes(tenant)).toEqual([rent.bytes])
  await expectReplayed(tenant)
  const answer = await post(tenant, '/api/documents/mail/retry?scope_id=case')
  expect(answer.status, answer.text).toBe(200)
  await expect.poll(() => stateOf(tenant, 'mail.eml', 3)).toBe('indexed')
  // The mail brings it, and of what it says the last that was admitted counts.
  expect(await quotes(tenant)).toEqual([rent.bytes])
  expect(await stateOf(tenant, 'rent.txt', 2)).toBe('rejected')
  expect((await verifyDatabase(service.database.db)).broken).toEqual([])
  await expectReplayed(tenant)
})

it.each(['before', 'behind'])('leaves what came within it and was admitted for itself %s it', async order => {
  const tenant = await service.createTenant()
  const inner = (area: number) => ({
    name: 'inner.eml',
    bytes: mailOf(`It is ${area}.`, [{ name: 'area.txt', bytes: `The area of the Hamburg office is ${area} m².` }]),
  })
  await send(tenant, 'mail', { bytes: mailOf('First.', [inner(420)]), name: 'mail.eml' })
  await settled(tenant)
  await put(tenant, policies)
  await act(tenant, 'pause')
  await say(tenant, 'mail', 'The mail was taken back.')
  await delay(tenant, 2, '1 hour')
  await send(tenant, 'mail', { bytes: mailOf('Third.', [inner(430)]), name: 'mail.eml' }, 'stranger')
  await act(tenant, 'resume')
  for (const name of ['inner.eml', 'area.txt']) await expect.poll(() => stateOf(tenant, name, 2)).toBe('held')
  await admitSecond(tenant)
  if (order === 'before') await approve(tenant, 'area.txt')
  await review(tenant, 'inner.eml', 'reject')
  await review(tenant, 'mail.eml', 'reject')
  await expect.poll(() => stateOf(tenant, 'inner.eml', 3)).toBe('indexed')
  await settled(tenant)
  if (order === 'behind') await approve(tenant, 'area.txt')
  expect((await quotes(tenant)).join()).toMatch(/^The area .* 430 m²\.$/)
  await expectReplayed(tenant)
})

it('leaves what somebody handed in by itself', async () => {
  const tenant = await service.createTenant()
  const admit = await brought(tenant)
  await review(tenant, 'rent.txt', 'reject')
  const [{ document_id: id }] = await rows(tenant, `select document_id from documents where tenant_id = $1 and name = 'rent.txt' limit 1`)
  await say(tenant, id, again.bytes)
  await settled(tenant)
  await review(tenant, 'mail.eml', 'reject')
  await admit()
  await settled(tenant)
  expect(await quotes(tenant)).toEqual([again.bytes])
  await expectReplayed(tenant)
})

it('comes again with the same mail, handed in once more and admitted', async () => {
  const tenant = await service.createTenant()
  const admit = await brought(tenant)
  await admit()
  await review(tenant, 'rent.txt', 'reject')
  await review(tenant, 'mail.eml', 'reject')
  await expect.poll(() => stateOf(tenant, 'rent.txt', 3)).toBe('indexed')
  await send(tenant, 'mail', third)
  await expect.poll(() => stateOf(tenant, 'rent.txt', 4)).toBe('indexed')
  expect(await quotes(tenant)).toEqual([again.bytes])
  expect(await stateOf(tenant, 'mail.eml', 4)).toBe('indexed')
  await expectReplayed(tenant)
})

it('ends with the revision behind that is given up, where that one can be approved no more', async () => {
  const tenant = await service.createTenant()
  const admit = await brought(tenant)
  await admit()
  await review(tenant, 'rent.txt', 'reject')
  await send(tenant, 'mail', { bytes: mailOf('Fourth.'), name: 'mail.eml' }, 'stranger')
  await expect.poll(() => stateOf(tenant, 'mail.eml', 4)).toBe('held')
  expect(await quotes(tenant)).toEqual([rent.bytes])
  await review(tenant, 'mail.eml', 'reject')
  await expect.poll(() => stateOf(tenant, 'rent.txt', 3)).toBe('indexed')
  expect(await quotes(tenant)).toEqual([])
  await expectReplayed(tenant)
})

it('ends also where all three came before the first was read', async () => {
  const tenant = await service.createTenant()
  await say(tenant, 'minutes', 'Nothing yet.')
  await settled(tenant)
  await put(tenant, policies)
  await act(tenant, 'pause')
  await send(tenant, 'mail', { bytes: mailOf('First.', [rent]), name: 'mail.eml' })
  await say(tenant, 'mail', 'The mail was taken back.')
  await send(tenant, 'mail', third, 'stranger')
  for (const revision of [2, 3]) await delay(tenant, revision, '1 hour')
  await act(tenant, 'resume')
  await expect.poll(() => stateOf(tenant, 'rent.txt', 1)).toBe('indexed')
  await release(tenant, 3)
  await expect.poll(() => stateOf(tenant, 'rent.txt', 2)).toBe('held')
  await expect.poll(() => stateOf(tenant, 'mail.eml', 3)).toBe('held')
  await admitSecond(tenant)
  await review(tenant, 'mail.eml', 'reject')
  await settled(tenant)
  expect(await quotes(tenant)).toEqual([rent.bytes])
  await review(tenant, 'rent.txt', 'reject')
  await expect.poll(() => stateOf(tenant, 'rent.txt', 3)).toBe('indexed')
  expect(await quotes(tenant)).toEqual([])
  await expectReplayed(tenant)
})

it('ends with the same mail handed in once more, which brings nothing a second time', async () => {
  const tenant = await service.createTenant()
  const admit = await brought(tenant)
  await review(tenant, 'rent.txt', 'reject')
  await review(tenant, 'mail.eml', 'reject')
  await send(tenant, 'mail', third, 'stranger')
  await expect.poll(() => stateOf(tenant, 'mail.eml', 4)).toBe('held')
  await admit()
  await settled(tenant)
  expect(await quotes(tenant)).toEqual([rent.bytes])
  await review(tenant, 'mail.eml', 'reject')
  await expect.poll(() => stateOf(tenant, 'rent.txt', 3)).toBe('indexed')
  expect(await quotes(tenant)).toEqual([])
  await expectReplayed(tenant)
})
