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
