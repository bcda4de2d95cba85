import {
  chownSync,
  lstatSync,
  mkdtempSync,
  promises,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { writeLines } from './json-lines.js'
import { createOutput, wantsColor } from './output.js'
import { wholeFile } from './whole-file.js'

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

describe('a file that a command writes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'concord-whole-'))
  const place = (name: string) => join(folder, name)
  const put = (file: string, text: string) => wholeFile(file, draft => writeFile(draft, text))
  afterEach(() => {
    for (const name of readdirSync(folder)) rmSync(place(name))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('is for those alone who could read the one before', async () => {
    const file = place('report.html')
    writeFileSync(file, 'before', { mode: 0o600 })
    // Who may give files away can try that whose it is stays too.
    if (process.getuid?.() === 0) chownSync(file, 65534, 65534)
    const { mode, uid, gid } = statSync(file)
    let whileWritten: number | undefined
    await wholeFile(file, draft => {
      whileWritten = statSync(draft).mode
      return writeFile(draft, 'now')
    })
    expect([readFileSync(file, 'utf8'), whileWritten, statSync(file)]).toEqual(['now', mode, expect.objectContaining({ mode, uid, gid })])
  })

  it('is whole when two runs write it at once, and takes nothing of others with it', async () => {
    const file = place('lines.jsonl')
    writeFileSync(`${file}.part`, 'of somebody else')
    const values = async function* () {
      yield 1
      expect(await writeLines(others(), file)).toBe(1)
      yield 2
    }
    const others = async function* () {
      yield 'other'
    }
    expect(await writeLines(values(), file)).toBe(2)
    expect(readFileSync(file, 'utf8')).toBe('1\n2\n')
    expect([readdirSync(folder), readFileSync(`${file}.part`, 'utf8')]).toEqual([['lines.jsonl', 'lines.jsonl.part'], 'of somebody else'])
  })

  it('is made where a link leads that leads to nothing yet', async () => {
    symlinkSync('newest.html', place('link.html'))
    symlinkSync('today.html', place('newest.html'))
    await put(place('link.html'), 'now')
    expect([lstatSync(place('link.html')).isSymbolicLink(), lstatSync(place('newest.html')).isSymbolicLink()]).toEqual([true, true])
    expect([lstatSync(place('today.html')).isFile(), readFileSync(place('link.html'), 'utf8')]).toEqual([true, 'now'])
  })

  it('is written into where nothing can be made beside it or put in its place', async () => {
    const long = place('l'.repeat(255))
    await put(long, 'a name that leaves no room for another')
    expect(readFileSync(long, 'utf8')).toBe('a name that leaves no room for another')
    const mounted = place('mounted.html')
    writeFileSync(mounted, 'before, and longer')
    const { ino } = statSync(mounted)
    const rename = vi.spyOn(promises, 'rename').mockRejectedValueOnce(Object.assign(new Error('busy'), { code: 'EBUSY' }))
    try {
      syncBuiltinESMExports()
      await put(mounted, 'now')
    } finally {
      rename.mockRestore()
      syncBuiltinESMExports()
    }
    expect([readFileSync(mounted, 'utf8'), statSync(mounted).ino]).toEqual(['now', ino])
    expect(readdirSync(folder).filter(name => name.endsWith('.part'))).toEqual([])
  })
})
