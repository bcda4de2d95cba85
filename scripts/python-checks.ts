/** `npm run test:python`: the tests of the Python client, against a service of their own. */

import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '../src/client/index.js'
import { startThrowawayService } from './throwaway-service.js'

// The calls and types of the client are made, not kept.
execFileSync('node_modules/.bin/tsx', ['scripts/python-client.ts'], { cwd: fileURLToPath(new URL('..', import.meta.url)) })
const service = await startThrowawayService({ name: 'python', user: 'tester' })
try {
  const url = await service.url()
  const keys = JSON.parse(readFileSync(join(service.folder, 'data', 'keys.json'), 'utf8')) as { admin: string }
  const tenant = await createClient({ url, adminKey: keys.admin }).admin.createTenant({ name: 'Python' })
  const { status } = spawnSync('python3', ['-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests'], {
    cwd: fileURLToPath(new URL('../clients/python/', import.meta.url)),
    stdio: 'inherit',
    env: {
      PATH: process.env['PATH'],
      PYTHONPATH: 'src',
      PYTHONDONTWRITEBYTECODE: '1',
      CONCORD_URL: url,
      CONCORD_TENANT_KEY: tenant.api_key,
      CONCORD_TENANT_ID: tenant.tenant_id,
    },
  })
  process.exitCode = status ?? 1
} finally {
  await service.stop()
}
