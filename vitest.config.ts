/**
 * Two projects: tests beside the code do no I/O; tests below `test/` get a real PostgreSQL from `test/support`.
 * Two workers, because the server shares the machine with them.
 */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts'], pool: 'forks', isolate: false, testTimeout: 60_000 } },
      {
        test: {
          name: 'integration',
          include: ['test/**/*.test.ts'],
          pool: 'forks',
          globalSetup: ['test/support/postgres-setup.ts'],
          setupFiles: ['test/support/fail-on-warnings.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // Real processes, sockets and disks on a shared machine: a fault shows twice, a stolen second once.
          retry: 1,
        },
      },
    ],
  },
})
