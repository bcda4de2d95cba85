/** What a mail no longer carries, where a later revision brought it again that policy or a person did not admit, or that was not read. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { type MailPart, mailOf } from '../support/mail.js'
import { mailCase, mailWith, raised, rent, type Tenant } from '../support/mail-case.js'
import { startTestService, type TestService } from '../support/service.js'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const { get, post, query, send, sendMail, say, settled, settledAs, setPolicies, setRuntime, expectReplayed } = mailCase(() => service)

const policies = `@outcome("hold") forbid(principal, action == Action::"document", resource) when { context.document.source == "stranger" };
permit(principal, action, resource);`
const seen = { by: 'Ada', reason: 'Looked at.' }

const areaMail = (text: string, area: number) => ({
  name: 'inner.eml',
  bytes: mailOf(text, [{ name: 'area.txt', bytes: `The area of the Hamburg office is ${area} m².` }]),
})

const quotes = async (tenant: Tenant) =>
  (await get(tenant, '/api/scopes/case/claims')).items.flatMap(({ quote }: { quote: string }) => (/EUR|m²/.test(quote) ? quote : []))

async function stateOf(tenant: Tenant, name: string, revision: number): Promise<string | undefined> {
  const text = 'select status from documents where tenant_id = $1 and name = $2 and revision = $3'
  return (await query(tenant, text, name, revision))[0]?.status
}

async function until(tenant: Tenant, status: string, name: string, revision: number): Promise<void> {
  await expect.poll(() => stateOf(tenant, name, revision)).toBe(status)
}

async function expectEnded(tenant: Tenant): Promise<void> {
  await until(tenant, 'indexed', 'rent.txt', 3)
  expect(await quotes(tenant)).toEqual([])
  await expectReplayed(tenant)
}

async function expectStillSaid(tenant: Tenant, { bytes } = rent): Promise<void> {
  await settled(tenant)
  expect(await quotes(tenant)).toEqual([bytes])
}

async function review(tenant: Tenant, name: string, verdict: 'approve' | 'reject'): Promise<string> {
  const [held] = await query(
    tenant,
    `select decision_id, document_id from decisions join documents using (tenant_id, scope_no, generation, document_id, revision)
     where tenant_id = $1 and review = 'pending' and name = $2 order by revision desc limit 1`,
    name,
  )
  const answer = await post(tenant, `/api/decisions/${held.decision_id}/review`, { ...seen, verdict })
  expect(answer.status, answer.text).toBe(200)
  return held.document_id
}

async function reject(tenant: Tenant, ...names: string[]): Promise<void> {
  for (const name of names) await review(tenant, name, 'reject')
}

async function approve(tenant: Tenant, name: string): Promise<void> {
  await review(tenant, name, 'approve')
  await expect.poll(async () => (await settledAs(tenant, name))?.status).toBe('indexed')
}

const delay = (tenant: Tenant, revision: number, interval: string) =>
  query(
    tenant,
    'update backlog set not_before = clock_timestamp() + $3::interval where tenant_id = $1 and revision = $2',
    revision,
    interval,
  )

async function release(tenant: Tenant, revision: number): Promise<void> {
  await setRuntime(tenant, 'pause')
  await delay(tenant, revision, '0 hours')
  await setRuntime(tenant, 'resume')
}

async function admitSecond(tenant: Tenant): Promise<void> {
  await release(tenant, 2)
  await until(tenant, 'indexed', 'mail', 2)
}

interface Mails {
  /** What the first brings. */
  first?: readonly MailPart[]
  again?: MailPart
  third?: ReturnType<typeof mailWith>
}

/** A case in which the second revision, without parts, waits until the third was read and is held, with what it brings again. */
async function openBroughtAgain({ first = [rent], again = raised, third = mailWith('Third.', [again]) }: Mails = {}): Promise<Tenant> {
  const tenant = await service.createTenant()
  await sendMail(tenant, 'First.', first)
  await settled(tenant)
  await setPolicies(tenant, policies)
  await setRuntime(tenant, 'pause')
  await say(tenant, 'mail', 'The mail was taken back.')
  await delay(tenant, 2, '1 hour')
  await send(tenant, 'mail', third, 'stranger')
  await setRuntime(tenant, 'resume')
  await until(tenant, 'held', 'mail.eml', 3)
  await until(tenant, 'held', again.name, 2)
  return tenant
}

async function quarantine(tenant: Tenant, name: string): Promise<string> {
  await setRuntime(tenant, 'pause')
  const documentId = await review(tenant, name, 'approve')
  await query(
    tenant,
    `update backlog set attempts = 100 where tenant_id = $1 and document_id = $2
       and coalesce(not_before < clock_timestamp() + interval '20 minutes', true)`,
    documentId,
  )
  await setRuntime(tenant, 'resume')
  await settled(tenant)
  return documentId
}

async function takeOut(tenant: Tenant, documentId: string, act: 'cancellation' | 'discard'): Promise<void> {
  const answer = await post(tenant, `/api/documents/${documentId}/${act}?scope_id=case`, seen)
  expect(answer, answer.text).toMatchObject({ status: 200, body: { status: 'rejected' } })
}

const ends = {
  'rejected by a person': (tenant: Tenant, name: string) => review(tenant, name, 'reject'),
  /** As if it had waited for its turn until now, and was never held. */
  async 'rejected by policy'(tenant: Tenant, name: string) {
    await setRuntime(tenant, 'pause')
    await setPolicies(tenant, policies.replace('hold', 'reject'))
    const [document] = await query(
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
    await setRuntime(tenant, 'resume')
    await settled(tenant)
    await setPolicies(tenant, policies)
    return document.document_id
  },
  async cancelled(tenant: Tenant, name: string) {
    await setRuntime(tenant, 'pause')
    const documentId = await review(tenant, name, 'approve')
    await takeOut(tenant, documentId, 'cancellation')
    await setRuntime(tenant, 'resume')
    return documentId
  },
  async 'discarded from quarantine'(tenant: Tenant, name: string) {
    const before = await quotes(tenant)
    const documentId = await quarantine(tenant, name)
    expect(await quotes(tenant)).toEqual(before)
    await takeOut(tenant, documentId, 'discard')
    return documentId
  },
}
type End = keyof typeof ends
const orders = (Object.keys(ends) as End[]).flatMap(end => [
  { before: 'mail.eml', last: 'rent.txt', end },
  { before: 'rent.txt', last: 'mail.eml', end },
])

it.each(orders)('ends with the last of both: $before, then $last $end', async ({ before, last, end }) => {
  const tenant = await openBroughtAgain()
  await admitSecond(tenant)
  await ends[end](tenant, before)
  await expectStillSaid(tenant)
  const documentId = await ends[end](tenant, last)
  await expect
    .poll(() => settledAs(tenant, 'rent.txt'))
    .toMatchObject({ revision: 3, status: 'indexed', provenance: expect.stringMatching(/^No longer attached: revision 2/) })
  // The round in which it was given up counts what comes.
  const counted = await query(
    tenant,
    `select (input->'workload'->>'queued')::integer as queued, input->>'finality' as finality from rounds
     where tenant_id = $1 and document_id = $2 and revision = $3 order by round desc limit 1`,
    documentId,
    last === 'rent.txt' ? 2 : 3,
  )
  expect(counted).toEqual([{ queued: 1, finality: expect.not.stringMatching('resolved') }])
  expect((await verifyDatabase(service.database.db)).broken).toEqual([])
  await expectEnded(tenant)
})

it('ends where the mail without it is admitted last', async () => {
  const tenant = await openBroughtAgain()
  await reject(tenant, 'rent.txt', 'mail.eml')
  await expectStillSaid(tenant)
  await admitSecond(tenant)
  await expectEnded(tenant)
})

it('ends where the mail that brought it again is rejected in one go with the admission of the one without it', async () => {
  const tenant = await openBroughtAgain()
  await reject(tenant, 'rent.txt')
  await setRuntime(tenant, 'pause')
  await delay(tenant, 2, '0 hours')
  await ends['rejected by policy'](tenant, 'mail.eml')
  await expectEnded(tenant)
  const counted = `select revision, (input->'workload'->>'queued')::integer as queued from rounds where tenant_id = $1 and revision is not null order by round desc limit 3`
  expect(await query(tenant, counted)).toEqual([
    { revision: 3, queued: 0 },
    { revision: 3, queued: 1 },
    { revision: 2, queued: 1 },
  ])
})

it.each(['behind the mail', 'before the mail', 'before the mail without it'])('stands for itself where it was admitted %s', async order => {
  const tenant = await openBroughtAgain()
  if (order !== 'before the mail without it') await admitSecond(tenant)
  if (order !== 'behind the mail') await approve(tenant, 'rent.txt')
  await reject(tenant, 'mail.eml')
  await settled(tenant)
  if (order === 'behind the mail') await approve(tenant, 'rent.txt')
  if (order === 'before the mail without it') await admitSecond(tenant)
  await expectStillSaid(tenant, raised)
  expect(await settledAs(tenant, 'rent.txt')).toMatchObject({ revision: 2, status: 'indexed' })
  // What comes again after that and is given up takes nothing back either.
  await sendMail(tenant, 'Fourth.', [{ ...rent, bytes: 'The rent is EUR 9 a month.' }], 'stranger')
  await until(tenant, 'held', 'rent.txt', 3)
  await reject(tenant, 'mail.eml', 'rent.txt')
  expect(await settledAs(tenant, 'rent.txt')).toMatchObject({ revision: 3, status: 'rejected' })
  await expectStillSaid(tenant, raised)
  await expectReplayed(tenant)
})

it('ends with what it carried itself, and nothing ends that never counted or has ended', async () => {
  const tenant = await openBroughtAgain({ first: [rent, areaMail('See below.', 420)] })
  await admitSecond(tenant)
  await until(tenant, 'indexed', 'area.txt', 2)
  await reject(tenant, 'mail.eml', 'rent.txt')
  await until(tenant, 'indexed', 'rent.txt', 3)
  const staff = { name: 'staff.txt', bytes: 'The headcount of Alder Works in 2025 was 312.' }
  await sendMail(tenant, 'Fourth.', [rent, staff], 'stranger')
  await until(tenant, 'held', 'rent.txt', 4)
  await until(tenant, 'held', 'staff.txt', 1)
  await reject(tenant, 'rent.txt', 'staff.txt', 'mail.eml')
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
  const tenant = await openBroughtAgain()
  await reject(tenant, 'rent.txt')
  await quarantine(tenant, 'mail.eml')
  await admitSecond(tenant)
  await expectStillSaid(tenant)
  await expectReplayed(tenant)
  const answer = await post(tenant, '/api/documents/mail/retry?scope_id=case', seen)
  expect(answer.status, answer.text).toBe(200)
  await until(tenant, 'indexed', 'mail.eml', 3)
  // The mail brings it, and of what it says the last that was admitted counts.
  expect(await quotes(tenant)).toEqual([rent.bytes])
  expect(await stateOf(tenant, 'rent.txt', 2)).toBe('rejected')
  expect((await verifyDatabase(service.database.db)).broken).toEqual([])
  await expectReplayed(tenant)
})

it.each(['before', 'behind'])('leaves what came within it and was admitted for itself %s it', async order => {
  const tenant = await openBroughtAgain({ first: [areaMail('It is 420.', 420)], again: areaMail('It is 430.', 430) })
  await until(tenant, 'held', 'area.txt', 2)
  await admitSecond(tenant)
  if (order === 'before') await approve(tenant, 'area.txt')
  await reject(tenant, 'inner.eml', 'mail.eml')
  await until(tenant, 'indexed', 'inner.eml', 3)
  await settled(tenant)
  if (order === 'behind') await approve(tenant, 'area.txt')
  expect((await quotes(tenant)).join()).toMatch(/^The area .* 430 m²\.$/)
  await expectReplayed(tenant)
})

it('leaves what somebody handed in by itself', async () => {
  const tenant = await openBroughtAgain()
  await reject(tenant, 'rent.txt')
  const [{ document_id: id }] = await query(tenant, `select document_id from documents where tenant_id = $1 and name = 'rent.txt' limit 1`)
  await say(tenant, id, raised.bytes)
  await settled(tenant)
  await reject(tenant, 'mail.eml')
  await admitSecond(tenant)
  await expectStillSaid(tenant, raised)
  await expectReplayed(tenant)
})

it('comes again with the same mail, handed in once more and admitted', async () => {
  const third = mailWith('Third.', [raised])
  const tenant = await openBroughtAgain({ third })
  await admitSecond(tenant)
  await reject(tenant, 'rent.txt', 'mail.eml')
  await until(tenant, 'indexed', 'rent.txt', 3)
  await send(tenant, 'mail', third)
  await until(tenant, 'indexed', 'rent.txt', 4)
  expect(await quotes(tenant)).toEqual([raised.bytes])
  expect(await stateOf(tenant, 'mail.eml', 4)).toBe('indexed')
  await expectReplayed(tenant)
})

it('ends with the revision behind that is given up, where that one can be approved no more', async () => {
  const tenant = await openBroughtAgain()
  await admitSecond(tenant)
  await reject(tenant, 'rent.txt')
  await sendMail(tenant, 'Fourth.', [], 'stranger')
  await until(tenant, 'held', 'mail.eml', 4)
  expect(await quotes(tenant)).toEqual([rent.bytes])
  await reject(tenant, 'mail.eml')
  await expectEnded(tenant)
})

it('ends also where all three came before the first was read', async () => {
  const tenant = await service.createTenant()
  await say(tenant, 'minutes', 'Nothing yet.')
  await settled(tenant)
  await setPolicies(tenant, policies)
  await setRuntime(tenant, 'pause')
  await sendMail(tenant, 'First.', [rent])
  await say(tenant, 'mail', 'The mail was taken back.')
  await sendMail(tenant, 'Third.', [raised], 'stranger')
  for (const revision of [2, 3]) await delay(tenant, revision, '1 hour')
  await setRuntime(tenant, 'resume')
  await until(tenant, 'indexed', 'rent.txt', 1)
  await release(tenant, 3)
  await until(tenant, 'held', 'rent.txt', 2)
  await until(tenant, 'held', 'mail.eml', 3)
  await admitSecond(tenant)
  await reject(tenant, 'mail.eml')
  await expectStillSaid(tenant)
  await reject(tenant, 'rent.txt')
  await expectEnded(tenant)
})

it('ends with the same mail handed in once more, which brings nothing a second time', async () => {
  const third = mailWith('Third.', [raised])
  const tenant = await openBroughtAgain({ third })
  await reject(tenant, 'rent.txt', 'mail.eml')
  await send(tenant, 'mail', third, 'stranger')
  await until(tenant, 'held', 'mail.eml', 4)
  await admitSecond(tenant)
  await expectStillSaid(tenant)
  await reject(tenant, 'mail.eml')
  await expectEnded(tenant)
})
