import { expect, it } from 'vitest'
import type { EntityMention, ScopeMemory } from '../analysis/types.js'
import { forgetDocument, type KeptMemory, noteTeacher } from './scope-memory.js'

const entity = (key: string): EntityMention => ({ key, name: key.toUpperCase(), kind: 'organisation', aliases: [] })
const memory = (definitions: Record<string, string>, keys: string[]): ScopeMemory => ({
  definitions,
  entities: keys.map(entity),
  documents: {},
})

it('forgets what a document taught and keeps what others taught', () => {
  const first = noteTeacher(memory({}, []), memory({ AH: 'Aurelia Holding' }, ['aurelia']), 'one')
  const second = noteTeacher(first, memory({ AH: 'Aurelia Holding', BN: 'Bank Nord' }, ['aurelia', 'nord']), 'two')
  const left = forgetDocument(second, 'one')
  expect(left).toEqual({
    ...memory({ BN: 'Bank Nord' }, ['nord']),
    taughtBy: { definitions: { BN: 'two' }, entities: { nord: 'two' } },
  })
  expect(JSON.stringify(forgetDocument(left, 'two'))).not.toMatch(/nord/i)
})

it('forgets everything whose teacher nobody knows', () => {
  const old: KeptMemory = memory({ AH: 'Aurelia Holding' }, ['aurelia'])
  expect(forgetDocument(old, 'any')).toMatchObject(memory({}, []))
})
