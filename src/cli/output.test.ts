import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

  it('replace a file once all of them are there, wherever its name leads, and nothing else', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'concord-lines-'))
    const [file, link] = [join(folder, 'lines.jsonl'), join(folder, 'newest.jsonl')]
    const values = async function* (last?: Error) {
      yield 1
      if (last !== undefined) throw last
      yield 2
    }
    try {
      writeFileSync(file, 'those of yesterday', { mode: 0o644 })
      symlinkSync(file, link)
      await expect(writeLines(values(new Error('the line was lost')), link)).rejects.toThrow('the line was lost')
      expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['those of yesterday', ['lines.jsonl', 'newest.jsonl']])
      expect(await writeLines(values(), link)).toBe(2)
      expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['1\n2\n', 0o600])
      expect([lstatSync(link).isSymbolicLink(), readdirSync(folder)]).toEqual([true, ['lines.jsonl', 'newest.jsonl']])
      // What is no file is written to or refused, never replaced.
      await expect(writeLines(values(), folder)).rejects.toMatchObject({ code: 'EISDIR', syscall: 'open' })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
