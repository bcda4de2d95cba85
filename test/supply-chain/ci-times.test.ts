/** What `npm test` and `.ci/run` say at their end about tests that were tried again and the time it all took. */

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
// @ts-expect-error: a script without types
import { slownessOf, timeTable } from '../../scripts/ci-times.mjs'
import { notesOf } from '../support/run-report.js'

it('judges times by their aims, stretched on a slow machine', () => {
  const lines = ['check and packages 90', 'npm test 301', 'everything 600']
  expect(timeTable(lines, 1)).toEqual({
    said: [
      '  check and packages           90 s',
      '  npm test                    301 s  aim 300 s: MISSED',
      '  everything                  600 s  aim 600 s: kept',
    ],
    missed: ['npm test'],
  })
  expect(timeTable(lines, 1.5)).toMatchObject({
    said: [expect.anything(), expect.stringMatching(/aim 300 s, here 450 s: kept$/), expect.anything()],
    missed: [],
  })
})

it('takes a machine that once was quick enough for a quick one', () => {
  const times = [900, 500, 10, 700, 800]
  expect(slownessOf(() => times.pop())).toBe(1)
  expect(slownessOf(() => 10_000)).toBeGreaterThan(10)
})

it('is told what every part took, the whole included', () => {
  const run = readFileSync(new URL('../../.ci/run', import.meta.url), 'utf8')
  for (const part of ["took 'npm test'", 'echo "everything $SECONDS"', 'node scripts/ci-times.mjs "$logs/times"'])
    expect(run).toContain(part)
  for (const part of ['TEST_NOTES="$logs/notes" npm test', 'cat "$logs/notes"']) expect(run).toContain(part)
})

it('names what passed only when it was tried again, and suites that took longer than they may', () => {
  const suites = [
    { file: 'test/a.test.ts', seconds: 39, retried: [] },
    { file: 'test/b.test.ts', seconds: 61, retried: [{ name: 'keeps its promise', fault: 'too late' }] },
  ]
  expect(notesOf(suites, 1)).toEqual([
    'RETRIED, and passed then: test/b.test.ts > keeps its promise: too late',
    'SLOW: test/b.test.ts took 61 s; a suite may take 40 s here',
  ])
  expect(notesOf(suites, 2)).toEqual(['RETRIED, and passed then: test/b.test.ts > keeps its promise: too late'])
  expect(notesOf(suites.slice(0, 1), 1)).toEqual([])
})

it('docs/performance.md names the versions compared with, and what was refused', () => {
  const table = readFileSync(new URL('../../docs/performance.md', import.meta.url), 'utf8').split('## Pipeline')[0] as string
  expect(table).toMatch(/^\| behind the route +\| connections \| accepted\/s \| refused \|/m)
  const { dependencies } = JSON.parse(readFileSync(new URL('../../bench/package.json', import.meta.url), 'utf8')) as {
    dependencies: Record<string, string>
  }
  for (const name of ['graphile-worker', 'pg-boss'])
    expect(table).toMatch(new RegExp(`^\\| ${name} ${dependencies[name]} +\\| 64 \\| \\d+ \\| 0 \\|`, 'm'))
  // A rate with refusals in it compares nothing.
  const refused = [...table.matchAll(/^\| [^|]+ \| (?:64|256) \| \d+ \| (\d+) \|/gm)].map(([, count]) => count)
  expect(refused.length).toBeGreaterThan(0)
  expect(new Set(refused)).toEqual(new Set(['0']))
})
