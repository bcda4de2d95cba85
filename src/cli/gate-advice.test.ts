import { expect, it } from 'vitest'
import { adviceFor } from './gate-advice.js'

it('names a command where the service names a route', () => {
  const how = 'Decide the open contradictions (POST /api/contradictions/{contradictionId}/resolution) or add documents: 2 are open.'
  const gate = { gate: 'no_open_contradictions', ok: false, value: 2, needs: 'none open', how }
  expect(adviceFor(gate, 'case-1')).toBe('Decide the open contradictions or add documents: 2 are open. `concord contradictions case-1`')
  const unsigned = { ...gate, gate: 'examined', how: 'Sign off (POST /api/scopes/{scopeId}/sign-off): 0 of 1 have.' }
  expect(adviceFor(unsigned, 'case-1')).toBe('Sign off: 0 of 1 have. `concord sign-off case-1 --reason "…"`')
  expect(adviceFor({ ...gate, gate: 'monotone', how: 'Wait.' }, 'case-1')).toBe('Wait.')
})
