import { expect, it } from 'vitest'
import type { Operation } from '../contract/operation.js'
import { operations } from '../contract/operations.js'
import { rights, rightsOf } from '../contract/rights.js'
import type { Permission } from './auth.js'
import { createAnswerFilter, hasProvenance } from './permission.js'

const acts = Object.values(operations).filter(({ method, success }) => method !== 'GET' && hasProvenance(success.schema))
const answer = {
  status: 202,
  body: { document_id: 'scan', provenance: 'said', document: { provenance: 'said' }, items: [{ provenance: null }] },
}
const caller = (has: readonly string[]) => ({ permission: { rights: has } as Permission })

it('takes where a document comes from out of the answers of all acts to keys that may not read', () => {
  expect(acts.map(({ id }) => id)).toEqual(expect.arrayContaining(['attachDocument', 'createDocument', 'recogniseAgain', 'reviewDecision']))
  const hidden = { ...answer, body: { ...answer.body, provenance: null, document: { provenance: null } } }
  for (const operation of acts) {
    const filter = createAnswerFilter(operation)
    const needed = rightsOf(operation)
    expect(filter(caller(needed), answer), operation.id).toEqual(needed.includes('read') ? answer : hidden)
    expect(filter(caller(rights), answer), operation.id).toEqual(answer)
  }
})

it('leaves the answers of reading as they are', () => {
  for (const id of ['getDocument', 'getOriginal']) expect(createAnswerFilter(operations[id] as Operation)(caller([]), answer)).toBe(answer)
})
