import { expect, it } from 'vitest'
import { explainFailure } from './explain-failure.js'

it('says what to do about a port that is taken, in one line', () => {
  const taken = Object.assign(new Error('listen EADDRINUSE: address already in use 127.0.0.1:3003'), { code: 'EADDRINUSE' })
  expect(explainFailure(taken)).toEqual({
    line: 'listen EADDRINUSE: address already in use 127.0.0.1:3003: stop the program that has it, or set PORT to another one',
    exitCode: 1,
  })
})
