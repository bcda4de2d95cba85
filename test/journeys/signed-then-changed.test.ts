/** What a certificate says of sign-offs where several rounds are committed with the one that settles the case. */

import { expect, it } from 'vitest'
import { startJourney } from '../support/journey.js'

const at = startJourney()

it('a sign-off is not current behind a paper that came with one that says nothing new', async () => {
  await at.admin('POST', '/admin/scopes', { scope_id: 'signed' })
  await at.settings('signed', { examination: 'none' })
  await at.openCase('signed')
  expect((await at.sign('signed')).status).toBe(201)
  const first = await at.certificate('signed')
  expect(first.examined.sign_offs).toMatchObject([{ by: 'J. Doe', current: true }])

  await at.runtime('pause', 'signed')
  const ingest = (document_id: string, text: string) =>
    at.call('POST', '/api/ingest', { scope_id: 'signed', name: document_id, document_id, text })
  expect((await ingest('bond', 'The surety of Harbour Tower is Nordbank.')).status).toBe(202)
  expect((await ingest('letter', 'The site manager of Harbour Tower is Anna Weber.')).status).toBe(202)
  await at.runtime('resume', 'signed')
  expect(await at.stands('signed')).toEqual(['resolved', expect.any(Number), false])
  const changes = `select (r.input->>'changes')::boolean as changes from rounds r where r.tenant_id = $1 and r.scope_no =
    (select scope_no from scopes where tenant_id = $1 and scope_id = 'signed') order by r.round desc limit 2`
  expect(await at.rows(changes, [at.tenant.tenant_id])).toEqual([{ changes: null }, { changes: true }])
  const certified = await at.certificate('signed')
  expect(certified.documents).toMatchObject({ count: 3 })
  expect(certified.examined.sign_offs).toMatchObject([{ by: 'J. Doe', current: false }])
})
