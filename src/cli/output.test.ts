import { afterEach, describe, expect, it } from 'vitest'
import { writeLines } from './json-lines.js'
import { createOutput, wantsColor } from './output.js'

const wasTerminal = process.stdout.isTTY
const setTerminal = (isTerminal: true | undefined) =>
  Object.defineProperty(process.stdout, 'isTTY', { value: isTerminal, configurable: true, writable: true })
afterEach(() => void setTerminal(wasTerminal || undefined))

describe('colours', () => {
  it('are for terminals; what is piped or kept by a build server has none', () => {
    setTerminal(undefined)
    expect(wantsColor({ CI: 'true' })).toBe(false)
    expect(createOutput({ format: 'table', color: wantsColor({ CI: 'true' }), command: 'concord' }).colors.bold('2')).toBe('2')
    setTerminal(true)
    expect(wantsColor({})).toBe(true)
    expect(wantsColor({ TERM: 'dumb' })).toBe(false)
  })

  it('are forced by FORCE_COLOR, and forbidden by NO_COLOR before that', () => {
    setTerminal(undefined)
    expect(wantsColor({ FORCE_COLOR: '1' })).toBe(true)
    expect(wantsColor({ FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(false)
    setTerminal(true)
    expect(wantsColor({ FORCE_COLOR: '0' })).toBe(false)
  })
})

describe('lines of JSON', () => {
  it('that cannot be written are a failure the command can tell of, also before the first of them', async () => {
    const values = async function* () {
      await new Promise(resolve => setTimeout(resolve, 50))
      yield 1
    }
    await expect(writeLines(values(), '/nowhere/lines.jsonl')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
