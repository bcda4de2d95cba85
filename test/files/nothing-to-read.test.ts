/** Papers in which nothing can be read: whichever way they come in, they are set aside with the reason and stand in the way of a certificate. */

import { describe, expect, it } from 'vitest'
import { sampleText } from '../pipeline/support.js'
import { keyOf, startFileService, type Tenant } from './sent-files.js'

const at = startFileService()
const { get, settled, upload } = at

const unreadable = [
  ['blank text', 'txt', ' \n\t\u00a0\n'],
  ['characters that cannot be seen', 'txt', '\u200b\u200b\ufeff\u2060\u202e'],
  ['strokes and points', 'txt', '-----\n. . .\n'],
  ['HTML without text', 'html', '<html><body><p></p><img src="scan.png"><script>let a = 1</script></body></html>'],
  ['CSV of nothing but commas', 'csv', ',,,\n,,,\n'],
  ['JSON that says nothing', 'json', '{}'],
  ['JSON that is none', 'json', '{[[{'],
] as const

const setAside = {
  status: 'quarantined',
  attempts: 1,
  failure: { stage: 'extract', error_class: 'NO_TEXT' },
  reason: expect.stringContaining('no text'),
}

const send = (tenant: Tenant, path: string, body: object, status: number) =>
  at.service.call('POST', path, { headers: keyOf(tenant), body }).then(answer => {
    expect(answer.status, answer.text).toBe(status)
    return answer.body
  })

describe('a paper in which nothing can be read', () => {
  it.each(unreadable)('is set aside with the reason as a text and as a file: %s', async (_what, type, text) => {
    const tenant = await at.service.createTenant()
    expect(await upload(tenant, 'file', text, `paper.${type}`)).toMatchObject(setAside)
    await send(tenant, '/api/ingest', { scope_id: 'case', name: 'paper', document_id: 'text', type, text }, 202)
    expect(await settled(tenant, 'text')).toMatchObject(setAside)
  })

  it('is set aside out of a batch and when it was attached, and nothing else is touched', async () => {
    const tenant = await at.service.createTenant()
    const blank = { name: 'paper', text: '\u200b' }
    const fine = { scope_id: 'case', name: 'note', document_id: 'fine', text: 'The roof is red.' }
    await send(tenant, '/api/ingest/batch', { documents: [{ ...blank, scope_id: 'case', document_id: 'batch' }, fine] }, 200)
    await at.service.admin('POST', '/admin/scopes/case/documents', { ...blank, document_id: 'attached' }, tenant.api_key)
    await at.service.admin('POST', '/admin/scopes/case/ingest', {}, tenant.api_key)
    expect(await settled(tenant, 'batch')).toMatchObject(setAside)
    expect(await settled(tenant, 'attached')).toMatchObject(setAside)
    expect((await settled(tenant, 'fine')).status).toBe('indexed')
  })

  it('keeps a case from being certified until a person says what was done about it', async () => {
    const tenant = await at.service.createTenant()
    await send(tenant, '/api/ingest', { scope_id: 'case', name: 'paper', document_id: 'blank', text: ' ' }, 202)
    expect((await settled(tenant, 'blank')).status).toBe('quarantined')
    for (const n of [1, 2]) {
      await send(tenant, '/api/ingest', { scope_id: 'case', name: 'note', document_id: `note-${n}`, text: sampleText(n) }, 202)
      expect((await settled(tenant, `note-${n}`)).status).toBe('indexed')
    }
    const signOff = (unread: object[]) => ({ by: 'j.doe', reason: 'All papers were read side by side.', unread })
    expect(await send(tenant, '/api/scopes/case/sign-off', signOff([]), 409)).toMatchObject({ detail: expect.stringContaining('blank') })
    const said = [{ document_id: 'blank', how: 'set_aside', reason: 'An empty page.' }]
    await send(tenant, '/api/scopes/case/sign-off', signOff(said), 201)
    expect((await get(tenant, '/api/scopes/case/certificate')).status).toBe(200)
  })

  it('leaves what counted before as it is when it comes as a revision, and sent again is not taken for read', async () => {
    const tenant = await at.service.createTenant()
    const revise = (text: string) => send(tenant, '/api/ingest', { scope_id: 'case', name: 'note', document_id: 'note', text }, 202)
    await revise('The rent of unit 4 is EUR 900.')
    expect((await settled(tenant, 'note')).status).toBe('indexed')
    for (const revision of [2, 3]) {
      await revise('\u00a0')
      expect(await settled(tenant, 'note')).toMatchObject({ ...setAside, revision })
    }
    expect((await get(tenant, '/api/scopes/case/claims')).body.items).toMatchObject([{ revision: 1 }])
  })
})

describe('a paper of which little can be read', () => {
  it.each([
    ['a word that says nothing', 'txt', 'Hello'],
    ['a number', 'txt', '7'],
    ['a sign', 'txt', '✓'],
    ['Braille', 'txt', '⠓⠊'],
    ['letters of other scripts', 'txt', '承認'],
    ['a title', 'html', '<title>Scan</title>'],
    ['JSON that was cut off, as text', 'json', '{"roof": "red",'],
  ])('is read: %s', async (_what, type, text) => {
    const tenant = await at.service.createTenant()
    await send(tenant, '/api/ingest', { scope_id: 'case', name: 'paper', document_id: 'paper', type, text }, 202)
    expect(await settled(tenant, 'paper')).toMatchObject({ status: 'indexed', reason: null })
  })
})
