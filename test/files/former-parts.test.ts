/** What a mail no longer carries: where it is counted as waiting, and when it is queued. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documents } from '../pipeline/harbour.js'
import { mailCase, raised, rent } from '../support/mail-case.js'
import { startTestService, type TestService } from '../support/service.js'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const { get, query, send, sendMail, say, settled, settledAs, setPolicies, setRuntime, expectReplayed } = mailCase(() => service)

it('is counted once where a revision of it waits already', async () => {
  const tenant = await service.createTenant()
  await sendMail(tenant, 'First.', [rent])
  await settled(tenant)
  await setRuntime(tenant, 'pause')
  await sendMail(tenant, 'Second.', [raised])
  await say(tenant, 'mail', 'The mail was taken back.')
  await setRuntime(tenant, 'resume')
  await expect.poll(async () => (await settledAs(tenant, 'rent.txt'))?.provenance).toMatch(/^No longer attached: revision 3/)
  const counted = `select revision, input->'workload'->'queued' as queued from rounds where tenant_id = $1 and document_id = 'mail' order by round desc limit 1`
  expect(await query(tenant, counted)).toEqual([{ revision: 3, queued: 1 }])
  await expectReplayed(tenant)
})

it('is queued behind the round in which counts again what the mail had replaced, and counted by it', async () => {
  const tenant = await service.createTenant()
  await say(tenant, 'minutes', documents.minutes)
  await settled(tenant)
  await say(tenant, 'corrected', documents.corrected)
  await send(tenant, 'rent', rent)
  await settled(tenant)
  // As if it had come with that: mails are their sender's, and replace nothing of a board.
  await query(tenant, `update documents set part_of = 'corrected', part_depth = 1 where tenant_id = $1 and document_id = 'rent'`)
  expect((await get(tenant, '/api/scopes/case/supersessions')).items).toHaveLength(1)
  await say(tenant, 'corrected', 'Nothing is said here.\n')
  await settled(tenant)
  const rounds = `select round::integer, (input->'workload'->>'queued')::integer as queued from rounds where tenant_id = $1 and kind = 'settling'`
  expect(await query(tenant, rounds)).toEqual([{ round: expect.any(Number), queued: 2 }])
  const told = `select type from events where tenant_id = $1 and (type = 'supersession.withdrawn' or type like 'document.%queued' and subject <> 'corrected')
    order by seq desc limit 3`
  const types = (await query(tenant, told)).map(({ type }) => type)
  expect(types).toEqual(['document.queued', 'supersession.withdrawn', 'document.reread_queued'])
  await expectReplayed(tenant)
})

describe('follows from the mail, and no policy is asked about it', () => {
  const permit = 'permit(principal, action, resource);'
  const forbid = (outcome: string, when: string) =>
    `@outcome("${outcome}") forbid(principal, action == Action::"document", resource) when { ${when} };\n${permit}`

  it.each([
    ['one about its own source', forbid('reject', 'context.document.source == "clerk"')],
    ['one about what is said no more', forbid('hold', 'context.claims.dropped > 0')],
  ])('not even %s', async (_, policies) => {
    const tenant = await service.createTenant()
    await sendMail(tenant, 'First.', [rent])
    await settled(tenant)
    expect((await get(tenant, '/api/scopes/case/claims')).items).not.toEqual([])
    await setPolicies(tenant, policies)
    await sendMail(tenant, 'Second.', [], 'counsel')
    await expect.poll(() => settledAs(tenant, 'rent.txt')).toMatchObject({ revision: 2, status: 'indexed' })
    expect((await get(tenant, '/api/scopes/case/claims')).items).toEqual([])
    const decided = `select d.kind from decisions d join documents p using (tenant_id, scope_no, document_id, revision)
      where tenant_id = $1 and p.name = 'rent.txt' and revision = 2`
    expect(await query(tenant, decided)).toEqual([])
    // What comes behind it is held against what it left.
    await say(tenant, 'memo', raised.bytes)
    await settled(tenant)
    expect((await get(tenant, '/api/scopes/case/contradictions')).items).toEqual([])
    await expectReplayed(tenant)
  })
})
