/**
 * Packs the client alone, as `concord-client`: the compiled client with its types, its one dependency and its guide, and
 * nothing of the server. `node scripts/pack-client.mjs [folder]` puts the tarball there (default: here) and prints its name.
 */

import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from './build.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const clientName = 'concord-client'

/** Needs a build. @returns {string} path of the tarball */
export function packClient(destination) {
  const folder = mkdtempSync(join(tmpdir(), 'concord-client-'))
  try {
    const filter = path => !path.endsWith('.map')
    cpSync(join(root, 'dist', 'client'), join(folder, 'dist', 'client'), { recursive: true, filter })
    // Which files are taken is said in the contract, and which names are one person's in the platform, for the service and its clients alike.
    for (const name of ['contract/file-kinds', 'platform/person-name', 'platform/visible-text'])
      for (const end of ['.js', '.d.ts']) cpSync(join(root, 'dist', `${name}${end}`), join(folder, 'dist', `${name}${end}`))
    cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
    cpSync(join(root, 'docs', 'client.md'), join(folder, 'README.md'))
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
    const packed = spawnSync('npm', ['pack', '--json', '--pack-destination', resolve(destination)], {
      cwd: folder,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    })
    if (packed.status !== 0) throw new Error(packed.stderr)
    return join(resolve(destination), JSON.parse(packed.stdout)[0].filename)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function manifest() {
  const { version, license, type, engines, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return {
    name: clientName,
    version,
    description: 'The client of Concord for Node.js and browsers, with types.',
    license,
    type,
    engines,
    exports: { '.': { types: './dist/client/index.d.ts', import: './dist/client/index.js' }, './package.json': './package.json' },
    files: ['dist'],
    sideEffects: false,
    dependencies: { 'openapi-fetch': dependencies['openapi-fetch'] },
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const built = await build()
  if (built === 0) console.log(packClient(process.argv[2] ?? '.'))
  process.exitCode = built
}
