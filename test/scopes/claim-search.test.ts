/** Claims found by what they say, through the whole service: words of documents that were read, asked for as a person would. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestService, type TestService } from '../support/service.js'

let service: TestService
let tenant: Awaited<ReturnType<TestService['createTenant']>>
beforeAll(async () => {
  service = await startTestService()
  tenant = await service.createTenant()
  await handIn('survey', 'The surveyor counted 26 containers of squid on board. The hatch covers of MV Corvina were watertight in Cadiz.')
  await handIn('letter', 'Three containers sank off Cadiz. The crew of pump K-501A asked for EUR 12,500 in wages.')
  await handIn('minutes', 'The board thanked the crew. Dividends of Harbour Group rose by 4 percent in 2024.')
})
afterAll(() => service.stop())

const keyOf = (owner: typeof tenant) => ({ 'x-tenant-api-key': owner.api_key })

async function handIn(documentId: string, text: string, owner = tenant): Promise<void> {
  const body = { scope_id: 'voyage', document_id: documentId, name: documentId, text }
  const accepted = await service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': owner.tenant_id }, body })
  expect(accepted.status, accepted.text).toBe(202)
  await service.call('GET', `/api/documents/${documentId}?scope_id=voyage&wait=30`, { headers: keyOf(owner) })
}

async function search(q: string, more = '', owner = tenant) {
  const answer = await service.call('GET', `/api/scopes/voyage/claims?q=${encodeURIComponent(q)}${more}`, { headers: keyOf(owner) })
  expect(answer.status, answer.text).toBe(200)
  return answer.body as { items: { quote: string; document_id: string; claim_id: string }[]; next: string | null }
}

const quotes = async (q: string, more = '') => [...new Set((await search(q, more)).items.map(({ quote }) => quote))]

describe('searching claims', () => {
  it('finds a word in any of its forms, and the best answer first', async () => {
    expect(await quotes('container')).toEqual(
      expect.arrayContaining([expect.stringMatching(/26 containers/), expect.stringMatching(/^Three containers/)]),
    )
    expect((await quotes('sinking containers'))[0]).toMatch(/^Three containers sank/)
    expect((await quotes('containers of squid'))[0]).toMatch(/26 containers of squid/)
    expect(await quotes('corvina hatches')).toEqual([expect.stringMatching(/^The hatch covers/)])
  })

  it('finds codes, and figures as they are written', async () => {
    expect((await quotes('k-501a'))[0]).toMatch(/K-501A/)
    expect((await quotes('12,500'))[0]).toMatch(/EUR 12,500/)
    expect((await quotes('divid harb'))[0]).toMatch(/Dividends of Harbour Group/)
    expect(await quotes('zeppelin')).toEqual([])
  })

  it('keeps to the other filters', async () => {
    const inLetter = (await search('cadiz', '&document_id=letter')).items
    expect(inLetter.map(({ document_id }) => document_id)).toEqual(expect.arrayContaining(['letter']))
    expect(inLetter.every(({ document_id }) => document_id === 'letter')).toBe(true)
    expect((await search('cadiz', '&state=superseded')).items).toEqual([])
    expect((await search('cadiz', '&known_at=2020-01-01T00:00:00Z')).items).toEqual([])
  })

  it('goes on behind a cursor, of the same question alone', async () => {
    const whole = (await search('crew of Cadiz containers')).items.map(({ claim_id }) => claim_id)
    expect(whole.length).toBeGreaterThan(2)
    const paged: string[] = []
    let cursor = ''
    for (let more = true; more; ) {
      const { items, next } = await search('crew of Cadiz containers', `&limit=1${cursor}`)
      paged.push(...items.map(({ claim_id }) => claim_id))
      cursor = `&cursor=${next}`
      more = next !== null
    }
    expect(paged).toEqual(whole)
    const { next } = await search('crew of Cadiz containers', '&limit=1')
    const wrong = await service.call('GET', `/api/scopes/voyage/claims?q=crew&limit=1&cursor=${next}`, { headers: keyOf(tenant) })
    expect(wrong.body.code).toBe('CURSOR_INVALID')
  })

  it('finds nothing of another tenant, and nothing that was erased', async () => {
    const other = await service.createTenant()
    await handIn('secret', 'The containers of Quillonby were opened in Cadiz.', other)
    expect(await quotes('Quillonby')).toEqual([])
    expect((await search('Quillonby', '', other)).items.length).toBeGreaterThan(0)
    await service.call('DELETE', '/api/documents/secret?scope_id=voyage', { headers: keyOf(other) })
    expect((await search('Quillonby', '', other)).items).toEqual([])
  })
})
