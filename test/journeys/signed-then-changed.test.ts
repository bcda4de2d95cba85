/** What a certificate says of sign-offs where several rounds are committed with the one that settles the case. */

import { expect, it } from 'vitest'
import { startJourney } from '../support/journey.js'

const at = startJourney()

const paper = (issuer: string, date: string, revenue: string, rest: string) =>
  `${issuer}\nNote on Aurelia Holding\nIssued by: ${issuer}\nDate: ${date}\n\n## Key figures FY2025 of Aurelia Holding\n\nRevenue: EUR ${revenue}M\n${rest}\n`

const holdSettling = `
@id("all") permit (principal, action, resource);
@id("settlement-is-signed-off") @outcome("hold") @reason("A person settles it.")
forbid (principal, action == Action::"finality", resource) when { context.to == "resolved" };`

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

it('a case that settles anew names nobody who approved the settlement before', async () => {
  const scope = 'anew'
  const word = { reason: 'Looked at both papers.', by: 'Alice' }
  await at.admin('POST', '/admin/scopes', { scope_id: scope })
  await at.settings(scope, { examination: 'none' })
  await at.admin('PUT', `/admin/scopes/${scope}/policies`, { policies: holdSettling })
  await at.handIn(scope, 'report', paper('Aurelia Holding', '2026-02-01', '41.2', 'Staff: 12'))
  await at.handIn(scope, 'audit', paper('Brandt Audit', '2026-03-01', '33.9', 'Offices: 4'))
  const [finding] = (await at.get(`/api/scopes/${scope}/contradictions`)).items
  const verdict = finding.a.document_id === 'report' ? 'a' : 'b'
  expect((await at.call('POST', `/api/contradictions/${finding.contradiction_id}/resolution`, { verdict, ...word })).status).toBe(200)
  const [waiting] = (await at.get(`/api/scopes/${scope}/decisions?review=pending`)).items
  expect((await at.call('POST', `/api/decisions/${waiting.decision_id}/review`, { verdict: 'approve', ...word })).status).toBe(200)
  expect((await at.certificate(scope)).examined.approvals).toMatchObject([{ actor: { id: 'Alice' } }])

  await at.settings(scope, { minimum_documents: 3 })
  expect((await at.summary(scope)).finality.status).toBe('active')
  await at.admin('PUT', `/admin/scopes/${scope}/policies`, { policies: '@id("all") permit (principal, action, resource);' })
  // It says the losing figure again: the round of the paper settles the case, and one behind it makes the verdict hold against it.
  await at.handIn(scope, 'bank', paper('Bank Nord', '2026-03-09', '33.9', 'Branches: 9'))
  await at.settled(scope)
  const kinds = `select r.kind, r.input->>'finality' as finality from rounds r where r.tenant_id = $1 and r.scope_no =
    (select scope_no from scopes where tenant_id = $1 and scope_id = $2) order by r.round desc limit 2`
  expect(await at.rows(kinds, [at.tenant.tenant_id, scope])).toEqual([
    { kind: 'settling', finality: 'resolved' },
    { kind: 'document', finality: 'resolved' },
  ])
  const certified = await at.certificate(scope)
  expect(certified.documents.count).toBe(3)
  expect(certified.examined.approvals).toEqual([])
})
