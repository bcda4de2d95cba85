/**
 * `npm run bench -- NAME [--full]`: runs a benchmark of bench/; its last line is `RESULT {json of ratios}`. Measured is `dist/`,
 * what is delivered: run from its sources through a loader, every function is given its name anew, which costs up to a half.
 */

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { refresh } from './build.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const fromDist = {
  name: 'from-dist',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.{1,2}\/.*\.js$/ }, ({ path: imported, resolveDir }) => {
      const inSource = relative(join(root, 'src'), resolve(resolveDir, imported))
      return inSource.startsWith('..') ? undefined : { path: join(root, 'dist', inSource), external: true }
    })
    // These find what they start by where they stand.
    onLoad({ filter: /[\\/](test|scripts)[\\/][^.]+\.m?[jt]s$/ }, ({ path: file }) => ({
      contents: readFileSync(file, 'utf8').replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href)),
      loader: 'ts',
    }))
  },
}

const [name, ...args] = process.argv.slice(2)
const path = `bench/${name}.ts`
if (name === undefined || !existsSync(path)) {
  const names = readdirSync('bench').flatMap(file => (file.endsWith('.ts') ? [file.slice(0, -3)] : []))
  console.error(`usage: npm run bench -- NAME [--full], NAME one of ${names.join(', ')}`)
  process.exit(2)
}
/** These are held against other queues, which nothing else installs, unless asked for something of the service alone. */
const comparing = { ingest: [], pipeline: ['--alone', '--cost', '--growth', '--settling', '--nodes', '--idle'] }
if (comparing[name]?.every(alone => !args.includes(alone)) && !hasQueues()) installQueues()
await refresh()
const { status } = spawnSync(process.execPath, [await translated(path), ...args], { stdio: 'inherit' })
process.exit(status ?? 1)

/** The benchmark as one file beside the packages it compares with; what it takes from `src/` it takes from `dist/`. */
async function translated(file) {
  const made = join(root, 'bench/made')
  rmSync(made, { recursive: true, force: true })
  await build({
    entryPoints: [file, 'bench/support/ingest-server.ts'],
    outdir: made,
    outbase: 'bench',
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    logLevel: 'warning',
    absWorkingDir: root,
    plugins: [fromDist],
  })
  return join(made, `${name}.js`)
}

function hasQueues() {
  const { dependencies } = JSON.parse(readFileSync('bench/package.json', 'utf8'))
  return Object.entries(dependencies).every(([queue, version]) => {
    const manifest = `bench/node_modules/${queue}/package.json`
    return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version
  })
}

function installQueues() {
  console.log('Installing the queues to compare with (npm ci in bench/) …')
  const install = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: 'bench',
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (install.status === 0) return
  console.error(`bench ${name} compares with other queues, which could not be installed. Try: npm ci --prefix bench`)
  process.exit(1)
}
