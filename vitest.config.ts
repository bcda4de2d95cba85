/**
 * Three projects. Tests beside the code do no I/O. Tests below `test/` get a real PostgreSQL from `test/support` and the
 * program as `npm start` runs it: they name `src/` and get `dist/`, which is brought up to date here first, because
 * loading 300 compiled files takes a quarter of the time that translating them does, and so do the threads in which
 * documents are read. Those that measure processes or take them to their limits run in a process of their own; the others
 * share one, which loads the program once. Three at a time on two cores, all in one queue: most of them often wait, the former
 * most of all, and they come first.
 */

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
// @ts-expect-error: a script without types
import { refresh } from './scripts/build.mjs'
import { LongFilesFirst } from './test/support/long-files-first.js'
import { memoryFolder } from './test/support/memory-folder.js'
import { RunReport } from './test/support/run-report.js'

await refresh()
const memory = memoryFolder()
if (memory !== undefined) process.env['TMPDIR'] ??= memory
const compiled = fileURLToPath(new URL('./dist/', import.meta.url))

const alone = [
  'test/{chaos,load,simulation,hostile}/**/*.test.ts',
  'test/events/{idle-readers,readers}.test.ts',
  'test/operations/logs.test.ts',
]

// What is waited for comes soon, or on a busy machine later; how soon it must come is said where that is promised. These end
// what hangs.
const testTimeout = 180_000
const expect = { poll: { timeout: 90_000, interval: 25 } }

const onDatabase = {
  pool: 'forks' as const,
  server: { deps: { external: [/\/dist\//] } },
  globalSetup: ['test/support/postgres-setup.ts'],
  setupFiles: ['test/support/fail-on-warnings.ts'],
  testTimeout,
  hookTimeout: 240_000,
  expect,
  // Real processes, sockets and disks on a shared machine: a fault shows twice, a stolen second once. What was tried again is
  // named at the end of the run.
  retry: 1,
}
const resolve = { alias: [{ find: /^(?:\.\.\/)+src\/(.*\.js)$/, replacement: `${compiled}$1` }] }

export default defineConfig({
  test: {
    maxWorkers: 3,
    reporters: ['default', new RunReport()],
    sequence: { sequencer: LongFilesFirst },
    projects: [
      { resolve, test: { ...onDatabase, name: 'alone', include: alone } },
      { test: { name: 'unit', include: ['{src,desk}/**/*.test.ts'], pool: 'forks', isolate: false, testTimeout, expect } },
      { resolve, test: { ...onDatabase, name: 'integration', include: ['test/**/*.test.ts'], exclude: alone, isolate: false } },
    ],
  },
})
