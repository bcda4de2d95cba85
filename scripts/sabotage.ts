/**
 * Brings each mended fault back (`test/sabotage/mends.ts`) in a copy of the project and sees the test that guards it fail.
 * `--only <words>` takes the faults whose description has them. Two at a time, each in a copy of its own, since a test waits for
 * its services more than it works. Exits 1 when one of them goes unnoticed.
 */

import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Mend } from '../test/sabotage/mend.js'
import { mends } from '../test/sabotage/mends.js'

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
// Packages too: the processes that read files may read what is below their own folder, wherever a link leads.
const copied = [
  'node_modules',
  'src',
  'test',
  'migrations',
  'scripts',
  'samples',
  'desk',
  'bin',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
]
const chosen = mends.filter(({ fault }) => fault.includes(values.only))

/** Longer than any of these tests takes on a machine that does much else. */
const longestMs = 120_000

const waiting = [...chosen]
const unnoticed: Mend[] = []
await Promise.all([lane(), lane()])
console.log(`PROVE sabotage faults=${chosen.length} unnoticed=${unnoticed.length}`)
process.exitCode = unnoticed.length === 0 ? 0 : 1

async function lane(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'concord-sabotage-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const name of copied) cpSync(name, join(folder, name), { recursive: true, verbatimSymlinks: true })
  for (let mend = waiting.shift(); mend !== undefined; mend = waiting.shift()) if (!(await isNoticed(mend, folder))) unnoticed.push(mend)
}

/** The test passes as the project is and fails with the fault, so that a test which fails anyway proves nothing. */
async function isNoticed(mend: Mend, folder: string): Promise<boolean> {
  const first = await runTest(mend, folder)
  // One that fails for a machine that stands still tells nothing of the fault either.
  const before = first.failed === 0 ? first : await runTest(mend, folder)
  const path = join(folder, mend.file)
  const mended = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    mend.changes.reduce((text, [now, then]) => text.replace(now, () => then), mended),
  )
  const after = await runTest(mend, folder)
  writeFileSync(path, mended)
  const noticed = before.passed > 0 && before.failed === 0 && after.failed > 0
  console.log(`${noticed ? 'noticed  ' : 'UNNOTICED'} ${mend.fault} (${mend.test})`)
  if (!noticed) console.log(before.passed > 0 && before.failed === 0 ? after.output : before.output)
  return noticed
}

function runTest({ test, name }: Mend, folder: string): Promise<{ passed: number; failed: number; output: string }> {
  const pattern = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const options = { cwd: folder, encoding: 'utf8', timeout: longestMs, maxBuffer: 64 * 1024 * 1024 } as const
  return new Promise(resolve => {
    execFile(
      'node_modules/.bin/vitest',
      ['run', test, '-t', pattern, '--retry', '0', '--reporter', 'json'],
      options,
      (error, stdout, stderr) => {
        const report = /^\{.*"numTotalTests".*$/m.exec(stdout)?.[0]
        const { numPassedTests = 0, numFailedTests = 0 } = report === undefined ? {} : JSON.parse(report)
        // A fault that lets the test stand still for good, its own time limit with it, is noticed like one that lets it fail.
        const failed = error?.killed === true ? Math.max(1, numFailedTests) : numFailedTests
        resolve({ passed: numPassedTests, failed, output: `${stdout}${stderr}` })
      },
    )
  })
}
