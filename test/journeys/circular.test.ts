/** Words of people that go round in a circle: one has no effect, and is kept all the same whatever becomes of the statements. */

import { expect, it } from 'vitest'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { startJourney } from '../support/journey.js'

const at = startJourney()
const { call, get, handIn } = at

const text = {
  a: 'The works shall be finished when the swallows return.',
  b: 'Nothing will be finished before the first snow falls.',
  c: 'All of it has been finished since the harvest.',
}
const passage = (id: keyof typeof text) => ({ document_id: id, revision: 1, start: 0, end: text[id].length })

it.each(['revised', 'erased'])('keeps a word without effect when its statement is %s', async scope => {
  for (const [id, said] of Object.entries(text)) await handIn(scope, id, said)
  const by = { by: 'J. Doe', reason: 'Looked at both.' }
  const paths: string[] = []
  for (const [one, other] of [
    ['a', 'b'],
    ['b', 'c'],
    ['c', 'a'],
  ] as const) {
    const report = { scope_id: scope, a: passage(one), b: passage(other), severity: 'high', ...by }
    const { body } = await call('POST', '/api/contradictions', report)
    paths.push(`/api/contradictions/${body.contradiction_id}`)
  }
  for (const verdict of ['both', 'a'])
    for (const path of paths) expect((await call('POST', `${path}/resolution`, { verdict, ...by })).status).toBe(200)
  const circular = paths[0] ?? ''
  expect(await get(circular)).toMatchObject({ status: 'open', resolution: { verdict: 'a', by: 'J. Doe' } })
  if (scope === 'revised') await handIn(scope, 'b', 'Nothing to add.')
  else await call('DELETE', `/api/documents/b?scope_id=${scope}`)
  const kept = { status: 'resolved', resolution: { verdict: 'a', by: 'J. Doe', effect: { state: 'on_record' } } }
  for (const path of paths.slice(0, 2)) expect(await get(path)).toMatchObject(kept)
  expect((await at.summary(scope)).contradictions.open).toBe(0)
  expect((await verifyDatabase(at.service.database.db)).broken).toEqual([])
  expect(await at.replayed(scope)).toMatchObject({ ok: true })
})

it('joins what is said again to a word without effect whose statement was revised away, in a replay too', async () => {
  const sum = (figure: string) => `The contract sum of Harbour Tower is EUR ${figure}M.`
  const by = { by: 'J. Doe', reason: 'Looked at both.' }
  const scope = 'said-again'
  for (const [id, figure] of Object.entries({ a: '4.2', b: '5.1', c: '6.3' })) await handIn(scope, id, sum(figure))
  const found = (await get(`/api/scopes/${scope}/contradictions`)).items as {
    contradiction_id: string
    a: { document_id: string }
    b: { document_id: string }
  }[]
  expect(found).toHaveLength(3)
  const between = (one: string, other: string) =>
    found.find(each => [each.a, each.b].every(({ document_id: id }) => [one, other].includes(id)))!
  const decide = async (winner: string, loser: string) => {
    const { contradiction_id: id, a } = between(winner, loser)
    const verdict = a.document_id === winner ? 'a' : 'b'
    expect((await call('POST', `/api/contradictions/${id}/resolution`, { verdict, ...by })).status).toBe(200)
  }
  for (const each of found)
    expect((await call('POST', `/api/contradictions/${each.contradiction_id}/resolution`, { verdict: 'both', ...by })).status).toBe(200)
  await decide('a', 'b')
  await decide('b', 'c')
  await decide('c', 'a')
  const circular = `/api/contradictions/${between('a', 'b').contradiction_id}`
  expect(await get(circular)).toMatchObject({ status: 'open', resolution: { by: 'J. Doe' } })
  await handIn(scope, 'b', 'Nothing to add.')
  const { contradiction_id: last } = between('c', 'a')
  expect((await call('DELETE', `/api/contradictions/${last}/resolution?by=j.doe&reason=No`)).status).toBe(200)
  await handIn(scope, 'd', sum('5.1'))
  expect((await get(`/api/scopes/${scope}/contradictions?status=all`)).items).toHaveLength(3)
  expect((await verifyDatabase(at.service.database.db)).broken).toEqual([])
  expect(await at.replayed(scope)).toMatchObject({ ok: true })
})

it.each(['at once', 'by a review'])('replays a word that is taken back %s when what it was about is said no more', async how => {
  const sum = (figure: string) => `The contract sum of Harbour Tower is EUR ${figure}M.`
  const by = { by: 'J. Doe', reason: 'Looked at both.' }
  const scope = how.replaceAll(' ', '-')
  for (const [id, figure] of Object.entries({ a: '4.2', b: '5.1' })) await handIn(scope, id, sum(figure))
  const [{ contradiction_id: id }] = (await get(`/api/scopes/${scope}/contradictions`)).items
  const path = `/api/contradictions/${id}/resolution`
  expect((await call('POST', path, { verdict: 'both', ...by })).status).toBe(200)
  const takeBack = async () => (await call('DELETE', `${path}?by=j.doe&reason=No`)).status
  if (how === 'at once') {
    await handIn(scope, 'b', 'Nothing to add.')
    expect(await takeBack()).toBe(200)
  } else {
    const holds = `permit (principal, action, resource); @id("look") @outcome("hold") @reason("Look.")
      forbid (principal, action == Action::"resolution", resource) when { context.verdict == "reopen" };`
    expect((await at.admin('PUT', `/admin/scopes/${scope}/policies`, { policies: holds })).status).toBe(200)
    expect(await takeBack()).toBe(409)
    const [{ decision_id: held }] = (await get(`/api/scopes/${scope}/decisions?review=pending`)).items
    expect((await call('POST', `/api/decisions/${held}/review`, { verdict: 'approve', ...by })).status).toBe(200)
    await handIn(scope, 'b', 'Nothing to add.')
  }
  expect(await get(`/api/contradictions/${id}`)).toMatchObject({ status: 'resolved', resolution: { by: 'system' } })
  await handIn(scope, 'd', sum('5.1'))
  // What closed by itself says nothing of who says it again.
  expect((await get(`/api/scopes/${scope}/contradictions?status=all`)).items).toHaveLength(2)
  expect((await verifyDatabase(at.service.database.db)).broken).toEqual([])
  expect(await at.replayed(scope)).toMatchObject({ ok: true })
})
