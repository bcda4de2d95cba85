import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { namedAs, ownCommand } from '../../src/cli/own-command.js'

describe('the command that hints name', () => {
  let folder: string
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'concord-command-')))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const put = (...path: string[]): string => {
    const file = join(folder, ...path)
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, '')
    chmodSync(file, 0o755)
    return file
  }
  const link = (target: string, ...path: string[]): string => {
    const place = join(folder, ...path)
    mkdirSync(join(place, '..'), { recursive: true })
    symlinkSync(target, place)
    return place
  }
  const standing = (program: string, cwd: string, path: string[]) => ownCommand({ program, cwd, path: path.join(delimiter) })

  it('is concord where the shell finds this program under that name', () => {
    const program = put('lib', 'bin', 'concord.mjs')
    link(program, 'usr', 'bin', 'concord')
    expect(standing(program, folder, [join(folder, 'usr', 'bin')])).toBe('concord')
  })

  it('is not concord where that is another program, or only npm put it on the path', () => {
    const program = put('project', 'node_modules', 'concord-server', 'bin', 'concord.mjs')
    put('usr', 'bin', 'concord')
    const bin = join(link(program, 'project', 'node_modules', '.bin', 'concord'), '..')
    const path = [bin, join(folder, 'usr', 'bin')]
    expect(standing(program, join(folder, 'project'), path)).toBe('npx concord')
    expect(standing(program, join(folder, 'project'), [])).toBe('npx concord')
    expect(standing(join(bin, 'concord'), join(folder, 'usr'), path)).toBe(
      `node ${join('..', 'project', 'node_modules', 'concord-server', 'bin', 'concord.mjs')}`,
    )
  })

  it('is the file in a working copy, and where npx unpacked it', () => {
    const copy = put('copy', 'bin', 'concord.mjs')
    expect(standing(copy, join(folder, 'copy'), [])).toBe(`node ${join('bin', 'concord.mjs')}`)
    const fetched = put('_npx', 'abc', 'node_modules', 'concord-server', 'bin', 'concord.mjs')
    expect(standing(fetched, folder, [])).toBe(`node ${join('_npx', 'abc', 'node_modules', 'concord-server', 'bin', 'concord.mjs')}`)
  })

  it('stands in for `concord` in a hint', () => {
    expect(namedAs('npx concord', 'run `concord init`; `concord scopes` lists them')).toBe(
      'run `npx concord init`; `npx concord scopes` lists them',
    )
    expect(namedAs('concord', 'run `concord init`')).toBe('run `concord init`')
  })
})
