/** `npm run test:python`: the tests of the Python client as it is installed, against a service of their own. */

import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '../src/client/index.js'
import { startThrowawayService } from './throwaway-service.js'

const source = fileURLToPath(new URL('../clients/python/', import.meta.url))
// The calls and types of the client are made, not kept.
execFileSync('node_modules/.bin/tsx', ['scripts/python-client.ts'], { cwd: fileURLToPath(new URL('..', import.meta.url)) })
const service = await startThrowawayService({ name: 'python', user: 'tester' })
try {
  const url = await service.url()
  const keys = JSON.parse(readFileSync(join(service.folder, 'data', 'keys.json'), 'utf8')) as { admin: string }
  const tenant = await createClient({ url, adminKey: keys.admin }).admin.createTenant({ name: 'Python' })
  const { status } = spawnSync('python3', ['-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests'], {
    cwd: source,
    stdio: 'inherit',
    env: {
      PATH: process.env['PATH'],
      PYTHONPATH: installClient(service.folder),
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

/**
 * Installs the client into an empty folder by its pyproject.toml, as pip does, and answers the folder. By setuptools alone:
 * pip would fetch it anew, and its older versions make no wheel by themselves.
 */
function installClient(folder: string): string {
  if (spawnSync('python3', ['-c', 'import setuptools']).status !== 0) {
    console.log('installing the Python client was not tried: this Python has no setuptools')
    return join(source, 'src')
  }
  const [copy, site] = [join(folder, 'python-client'), join(folder, 'site')]
  // Of a copy: what a build leaves beside its source would be in the next one.
  cpSync(source, copy, { recursive: true, filter: path => !/\/build$|\.egg-info$|__pycache__$/.test(path) })
  const setup = ['-W', 'ignore', '-c', 'import setuptools; setuptools.setup()', '-q', 'install', '--single-version-externally-managed']
  execFileSync('python3', [...setup, '--root', site, '--install-lib', '/lib'], { cwd: copy, stdio: ['ignore', 'ignore', 'inherit'] })
  const installed = join(site, 'lib')
  const asked = 'import concord_client as c, importlib.metadata as m; print(c.__file__, c.__version__, m.version("concord-client"))'
  const said = execFileSync('python3', ['-c', asked], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], PYTHONPATH: installed, PYTHONDONTWRITEBYTECODE: '1' },
  })
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
  const expected = `${join(installed, 'concord_client', '__init__.py')} ${version} ${version}`
  if (said.trim() !== expected) throw new Error(`the installed Python client says ${said.trim()}, not ${expected}`)
  if (!existsSync(join(installed, 'concord_client', 'py.typed')))
    throw new Error('the installed Python client has no types: py.typed is missing')
  return installed
}
