/** What a model finds about passages that were said, decided or read before, and come to count again. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { status } from '../models/model-server.js'
import { says } from '../models/scripted-model.js'
import { cloneDatabase } from '../support/clone-database.js'
import { type ModelService, startModelService, untilReread } from '../support/model-service.js'
import { startTestService, type TestService } from '../support/service.js'

type Tenant = Awaited<ReturnType<TestService['createTenant']>>

let place: ModelService
let tenant: Tenant
beforeAll(async () => {
  place = await startModelService()
  tenant = await place.service.createTenant()
})
afterAll(() => place.stop())

const voyage = 'The vessel carried 26 containers of squid on the voyage.'
const diary = `Diary\n\nWhat a voyage!\n\n${voyage}`
const letter = 'Letter\n\nHow dull it was!'
const note = 'Note\n\nNever so bored!'
const ledger = 'Ledger\n\nThe crew of the vessel was paid EUR 4,200 in March.'
const about = { subject: 'it', attribute: 'voyage' }
const finds = (...pairs: [string, string][]) => says(...pairs.map(([a, b]) => ({ a, b, ...about })))

/** A case of the tenant, at a service. */
function caseOf(service: TestService, { tenant_id, api_key }: Tenant, scopeId: string) {
  const headers = { 'x-tenant-id': tenant_id, 'x-tenant-api-key': api_key }
  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, path, { headers, ...(body === undefined ? {} : { body }) })
  return {
    call,
    async handIn(document_id: string, text: string) {
      expect((await call('POST', '/api/ingest', { scope_id: scopeId, document_id, name: document_id, text })).status).toBe(202)
      expect((await call('GET', `/api/documents/${document_id}?scope_id=${scopeId}&wait=30`)).body.status).toBe('indexed')
    },
    async open() {
      return (await call('GET', `/api/scopes/${scopeId}/contradictions?status=open`)).body.items
    },
    async quotes(): Promise<string[]> {
      const { items } = (await call('GET', `/api/scopes/${scopeId}/contradictions?status=open`)).body
      // biome-ignore lint/suspicious/noExplicitAny: findings as they are answered
      return items.flatMap((each: any) => [each.a, each.b, ...each.supporters_a, ...each.supporters_b]).map(({ quote }: any) => quote)
    },
  }
}
type Case = ReturnType<typeof caseOf>

/** Decides for the letter what stands between it and the diary; gives the way to the word. */
async function decideForLetter({ call, open }: Case): Promise<string> {
  const [found] = await open()
  const path = `/api/contradictions/${found.contradiction_id}/resolution`
  const verdict = found.a.document_id === 'letter' ? 'a' : 'b'
  expect((await call('POST', path, { verdict, reason: 'I was there.', by: 'Ada' })).status).toBe(200)
  return `${path}?reason=No.&by=Ada`
}

/** Decides for the letter, and hands in what the model compares with neither; gives the way to the word. */
async function endDiary(model: Pick<ModelService, 'behave'>, scope: Case): Promise<string> {
  model.behave = says()
  await scope.handIn('diary', diary)
  model.behave = finds(['How dull it was!', 'What a voyage!'])
  await scope.handIn('letter', letter)
  const word = await decideForLetter(scope)
  model.behave = says()
  await scope.handIn('ledger', ledger)
  return word
}

describe('what a model finds about a passage', () => {
  test.each([true, false])('is found whatever an earlier revision said there (%s)', async earlier => {
    const { handIn, call, open } = caseOf(place.service, tenant, `earlier-${earlier}`)
    if (earlier) {
      place.behave = says()
      await handIn('letter', letter)
      place.behave = finds(['What a voyage!', 'How dull it was!'])
      await handIn('diary', diary)
      expect(await open()).toHaveLength(1)
      expect((await call('DELETE', `/api/documents/letter?scope_id=earlier-${earlier}`)).status).toBe(200)
    }
    place.behave = says()
    await handIn('diary', diary.replace('26', '27'))
    place.behave = finds(['Never so bored!', 'What a voyage!'])
    await handIn('note', note)
    expect((await open()).map((each: { a: { quote: string }; b: { quote: string } }) => [each.a.quote, each.b.quote])).toEqual([
      ['What a voyage!', 'Never so bored!'],
    ])
  })

  test.each([true, false])('that did not count then is found once it counts again (%s)', async decided => {
    const scope = caseOf(place.service, tenant, `undone-${decided}`)
    place.behave = says()
    await scope.handIn('diary', diary)
    place.behave = finds(['How dull it was!', 'What a voyage!'])
    await scope.handIn('letter', letter)
    const word = decided ? await decideForLetter(scope) : null
    place.behave = finds(['Never so bored!', 'What a voyage!'], ['What a voyage!', 'Never so bored!'])
    await scope.handIn('note', note)
    if (word !== null) {
      expect((await scope.call('DELETE', word)).status).toBe(200)
      await untilReread(place.service, `undone-${decided}`)
    }
    expect(await scope.quotes()).toContain('Never so bored!')
  })

  describe('is compared by a model still', () => {
    const switchOff = (path: string) => place.service.admin('PUT', `/admin/scopes/${path}/model`, { model: 'off' }, tenant.api_key)
    const settings = { settings: { model: { reading: 'off' } } }
    test.each<[string, (scopeId: string) => unknown]>([
      ['its document is kept from models', scopeId => switchOff(`${scopeId}/documents/diary`)],
      ['its case is', scopeId => place.service.admin('PATCH', `/admin/scopes/${scopeId}`, settings, tenant.api_key)],
      [
        'no question is answered',
        () => {
          place.behave = status(400)
        },
      ],
    ])('where it counts again and %s', async (how, withdraw) => {
      const scopeId = how.replaceAll(' ', '-')
      const scope = caseOf(place.service, tenant, scopeId)
      const diaryRow = async () => (await scope.call('GET', `/api/documents/diary?scope_id=${scopeId}`)).body
      const word = await endDiary(place, scope)
      const { model, compared_by } = await diaryRow()
      expect({ model, compared_by }).toMatchObject({ model: 'answered', compared_by: { model: { model: 'reader-1' } } })
      await withdraw(scopeId)
      expect((await scope.call('DELETE', word)).status).toBe(200)
      await untilReread(place.service, scopeId)
      expect(await diaryRow()).toMatchObject({ model, compared_by })
      const again =
        'select document_id from documents join scopes using (tenant_id, scope_no) where scope_id = $1 and reread_round is not null'
      expect((await place.service.database.owner.query(again, [scopeId])).rows).toEqual([{ document_id: 'diary' }])
      expect((await verifyDatabase(place.service.database.db)).broken).toEqual([])
    })
  })

  test('ends with the passage, although the text of its document came twice', async () => {
    const { handIn, open } = caseOf(place.service, tenant, 'twice')
    place.behave = says()
    for (let time = 0; time < 2; time++) await handIn('diary', diary)
    place.behave = finds(['How dull it was!', 'What a voyage!'])
    await handIn('letter', letter)
    expect(await open()).toHaveLength(1)
    place.behave = says()
    await handIn('diary', `Diary\n\n${voyage}`)
    expect(await open()).toEqual([])
    expect((await verifyDatabase(place.service.database.db)).broken).toEqual([])
  })
})

test('a node without a model keeps what one found, where one is to be asked again', async () => {
  const database = await cloneDatabase({ tenantPool: 6, enginePool: 8 })
  const asking = await startModelService({}, { database })
  const owner = await asking.service.createTenant()
  const { service } = asking
  const scope = caseOf(service, owner, 'moved')
  const word = await endDiary(asking, scope)
  await service.admin('POST', '/admin/runtime/pause', { scope_id: 'moved' }, owner.api_key)
  expect((await scope.call('DELETE', word)).status).toBe(200)
  const waiting = await database.owner.query(`select reread->>'model' as model from backlog where reread is not null`)
  expect(waiting.rows).toEqual([{ model: 'true' }])
  await asking.stop()
  const plain = await startTestService({}, { database })
  await plain.admin('POST', '/admin/runtime/resume', { scope_id: 'moved' }, owner.api_key)
  await untilReread(plain, 'moved')
  expect(await caseOf(plain, owner, 'moved').quotes()).toEqual(expect.arrayContaining(['How dull it was!', 'What a voyage!']))
  await plain.stop()
  await database.close()
})
