import { describe, expect, it } from 'vitest'
import { runtimeOperations, transition } from './transitions.js'

const at = (state: 'running' | 'paused' | 'stopped', operation: (typeof runtimeOperations)[number]) =>
  transition({ state, run: 3 }, operation)

describe('runtime transitions', () => {
  it('moves as the table says and refuses to pause or resume what is stopped', () => {
    const table = (['running', 'paused', 'stopped'] as const).map(state =>
      runtimeOperations.map(operation => at(state, operation)?.row.state),
    )
    expect(table).toEqual([
      ['running', 'paused', 'running', 'stopped', 'running'],
      ['running', 'paused', 'running', 'stopped', 'running'],
      ['running', undefined, undefined, 'stopped', 'running'],
    ])
  })

  it('calls a repetition unchanged, and takes nothing back for it', () => {
    for (const [state, operation] of [
      ['running', 'start'],
      ['running', 'resume'],
      ['paused', 'pause'],
      ['stopped', 'stop'],
    ] as const) {
      expect(at(state, operation)).toEqual({ row: { state, run: 3 }, changed: false, takesBack: false, clearsRetries: false })
    }
  })

  it('gives every restart a new run, takes work back and clears retries', () => {
    for (const state of ['running', 'paused', 'stopped'] as const) {
      expect(at(state, 'restart')).toEqual({ row: { state: 'running', run: 4 }, changed: true, takesBack: true, clearsRetries: true })
    }
  })
})
