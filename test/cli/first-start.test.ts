/** What the first command in a fresh copy waits for: esbuild, not the compiler, which takes ten times as long. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const checkout = fileURLToPath(new URL('../..', import.meta.url))
let copy: string

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'concord-fresh-'))
  for (const name of ['bin', 'scripts', 'src', 'desk', 'package.json', 'tsconfig.json']) {
    cpSync(join(checkout, name), join(copy, name), { recursive: true })
  }
  const modules = realpathSync(join(checkout, 'node_modules'))
  mkdirSync(join(copy, 'node_modules'))
  for (const name of readdirSync(modules)) {
    if (name !== 'typescript') symlinkSync(join(modules, name), join(copy, 'node_modules', name), 'junction')
  }
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

describe('the first start in a fresh copy', () => {
  it('translates the program and bundles the desk without the compiler', () => {
    const run = () => spawnSync(process.execPath, [join('bin', 'concord.mjs'), 'config', '--list'], { cwd: copy, encoding: 'utf8' })
    const first = run()
    expect(first.stderr).toMatch(/^building \d+ files …\n$/)
    expect(first.stdout).toContain('DATA_DIR')
    expect(existsSync(join(copy, 'dist', 'desk', 'index.html'))).toBe(true)
    expect(run()).toMatchObject({ status: 0, stderr: '' })
  })
})
