/** The built program is the command too, for whoever starts it without what looks for newer sources. */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { packageVersion } from '../../src/cli/package-version.js'

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'concord-program-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const node = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  return { status, said: stdout.trim(), complaint: stderr }
}

it('runs as the command, under another name too, and says when it is used wrongly', () => {
  const link = join(folder, 'link.js')
  symlinkSync(program, link)
  for (const started of [program, link]) expect(node(started, '--version')).toMatchObject({ status: 0, said: packageVersion() })
  expect(node(program)).toMatchObject({ status: 2, complaint: expect.stringContaining('Usage: node ') })
  expect(node(program, 'no-such-command')).toMatchObject({ status: 2 })
})

it('does nothing where it is only imported', () => {
  const script = `console.log(Object.keys(await import(${JSON.stringify(program)})).join())`
  expect(node('--input-type=module', '-e', script, 'a-word')).toEqual({ status: 0, said: 'main', complaint: '' })
})
