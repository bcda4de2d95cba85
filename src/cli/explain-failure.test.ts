import { expect, it } from 'vitest'
import { ProblemError } from '../client/problem-error.js'
import { explainFailure } from './explain-failure.js'

it('says what to do about a port that is taken, in one line', () => {
  const taken = Object.assign(new Error('listen EADDRINUSE: address already in use 127.0.0.1:3003'), { code: 'EADDRINUSE' })
  expect(explainFailure(taken)).toEqual({
    line: 'listen EADDRINUSE: address already in use 127.0.0.1:3003: stop the program that has it, or set PORT to another one',
    exitCode: 1,
  })
})

const refused = (code: string, errors: { pointer: string; detail: string }[], detail = 'No.') =>
  explainFailure(new ProblemError({ type: '', title: '', status: 400, code, detail, request_id: 'req_1', errors } as never)).line

it('says in words what a program is told by a pattern or a format', () => {
  const told = (pointer: string, detail: string) => refused('VALIDATION_FAILED', [{ pointer, detail }])
  expect(told('/scope_id', 'must match pattern "^[a-z0-9][a-z0-9-]*$"')).toMatch(
    /^\/scope_id: the id of a case has small letters .* like case-1 /,
  )
  expect(told('/by', 'must match pattern "^[^\\u0000]*$"')).toContain('characters that cannot be seen')
  expect(told('/query/at', 'must match format "date-time"')).toBe('/at: must be a moment, like 2026-01-31T09:00:00Z [VALIDATION_FAILED]')
  expect(told('/due', 'must match format "date"')).toContain('must be a day, like 2026-03-31')
  expect(told('/url', 'must begin with https://')).toBe('/url: must begin with https:// [VALIDATION_FAILED]')
})

it('names commands and no routes where a case cannot be signed off', () => {
  const how = 'Decide the open contradictions (POST /api/contradictions/{contradictionId}/resolution): 1 is open.'
  const errors = ['contradiction_resolution', 'no_open_contradictions'].map(gate => ({
    pointer: `/gates/${gate}`,
    detail: `needs at least 0.95. ${how}`,
  }))
  expect(refused('STATE_CONFLICT', errors, 'Nothing can be signed off while these conditions fail: x.')).toBe(
    'Nothing can be signed off while these conditions fail: x. Decide the open contradictions: 1 is open [STATE_CONFLICT]: `concord summary <case>` says which command helps',
  )
})

it('says where a document or a webhook is to be found that was named wrongly', () => {
  expect(refused('DOCUMENT_NOT_FOUND', [])).toContain('`concord documents <case>` lists them')
  expect(refused('WEBHOOK_NOT_FOUND', [])).toContain('`concord webhooks list` lists them')
})
