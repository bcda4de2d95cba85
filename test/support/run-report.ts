/**
 * The last lines of a run: tests that passed only when they were tried again, and suites that took longer than theirs may. A test is
 * tried again because a shared machine steals seconds; what needed it is named, since a fault that shows now and then looks the same.
 * Where STRICT_TIMES is set (`npm run prove`, on a quiet machine) either fails the run; every day it is only said. TEST_NOTES names a
 * file that is given the same lines, for `.ci/run` to end with.
 */

import { appendFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'
// @ts-expect-error: a script without types
import { slownessOf } from '../../scripts/ci-times.mjs'

/** As CONTRIBUTING.md says, on two quiet cores. */
const suiteSeconds = 40

export interface RunSuite {
  file: string
  seconds: number
  /** Tests that passed when they were tried again, and why they failed before. */
  retried: readonly { name: string; fault: string }[]
}

/** One line each; none for a run as it should be. */
export function notesOf(suites: readonly RunSuite[], slowness: number): string[] {
  const retried = suites.flatMap(({ file, retried }) =>
    retried.map(({ name, fault }) => `RETRIED, and passed then: ${file} > ${name}: ${fault}`),
  )
  const slow = suites
    .filter(({ seconds }) => seconds > suiteSeconds * slowness)
    .map(
      ({ file, seconds }) => `SLOW: ${file} took ${Math.round(seconds)} s; a suite may take ${Math.round(suiteSeconds * slowness)} s here`,
    )
  return [...retried, ...slow]
}

export class RunReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const suites = modules.map(suiteOf)
    const isSuspect = notesOf(suites, 1).length > 0
    // How slow the machine is takes a second to find out.
    const notes = isSuspect ? notesOf(suites, slownessOf()) : []
    if (notes.length === 0) return
    console.log(`\n${notes.join('\n')}`)
    const file = process.env['TEST_NOTES']
    if (file !== undefined) appendFileSync(file, `${notes.join('\n')}\n`)
    if (process.env['STRICT_TIMES'] === '1') process.exitCode = 1
  }
}

function suiteOf(module: TestModule): RunSuite {
  const retried = [...module.children.allTests('passed')]
    .filter(test => test.diagnostic()?.flaky)
    .map(test => ({ name: test.fullName, fault: test.result().errors?.[0]?.message.split('\n', 1)[0] ?? 'no error' }))
  return { file: module.relativeModuleId, seconds: module.diagnostic().duration / 1000, retried }
}
