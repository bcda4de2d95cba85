import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { openFilesLimit } from '../../src/platform/open-files.js'

it('is what the shell says of processes it starts', () => {
  const said = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim()
  expect(openFilesLimit()).toBe(said === 'unlimited' ? undefined : Number(said))
})
