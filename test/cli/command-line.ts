/** One service for all stories of a file, and a command line that has made a tenant there and keeps its key in a profile of its own. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect } from 'vitest'
import { startTestService, type TestService } from '../support/service.js'
import { runConcord } from './run-concord.js'

export const demoPapers = fileURLToPath(new URL('../../samples/demo', import.meta.url))

export function startCommandLine() {
  const folder = mkdtempSync(join(tmpdir(), 'concord-cli-'))
  let service: TestService
  let env: Record<string, string>
  const concord = (...args: string[]) => runConcord(env, ...args)

  beforeAll(async () => {
    service = await startTestService()
    env = {
      XDG_CONFIG_HOME: join(folder, 'config'),
      DATA_DIR: join(folder, 'data'),
      USER: 'tester',
      CONCORD_URL: service.url,
      CONCORD_ADMIN_KEY: service.adminKey,
      CONCORD_INTERNALS_KEY: service.internalsKey,
    }
    const { code } = await concord('init', '--name', 'Command line')
    expect(code).toBe(0)
  })
  afterAll(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  return {
    get service() {
      return service
    },
    get env() {
      return env
    },
    /** For what it writes. */
    folder,
    concord,
  }
}
