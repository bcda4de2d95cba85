import { expect, test } from 'vitest'
import { greetingOf } from './greeting.js'

const start = { command: 'npx concord', url: () => 'http://127.0.0.1:3003', keys: undefined }

test('a start says to which model documents are sent, without what its address holds beside the host', () => {
  const config = { role: 'all', modelUrl: 'https://models.example/v1?key=secret', modelName: 'm-1' } as const
  expect(greetingOf({ ...start, config }).join('\n')).toMatch(
    /sent to the model m-1 at models\.example; `npx concord doctor --model` tries it/,
  )
  expect(greetingOf({ ...start, config }).join('\n')).not.toContain('secret')
  expect(greetingOf({ ...start, config: { ...config, modelUrl: undefined, modelName: undefined } }).join('\n')).not.toContain('model')
})

test('a worker says nothing of an address, and is not asked for one', () => {
  const url = () => {
    throw new Error('it does not listen')
  }
  expect(greetingOf({ ...start, url, config: { role: 'worker', modelUrl: undefined, modelName: undefined } })).toEqual([
    'Concord processes documents (role worker).',
  ])
})
