/** `npm run bench -- NAME [--full]`: runs a benchmark of bench/; its last line is `RESULT {json of ratios}`. */

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

const [name, ...args] = process.argv.slice(2)
const path = `bench/${name}.ts`
if (name === undefined || !existsSync(path)) {
  const names = readdirSync('bench').flatMap(file => (file.endsWith('.ts') ? [file.slice(0, -3)] : []))
  console.error(`usage: npm run bench -- NAME [--full], NAME one of ${names.join(', ')}`)
  process.exit(2)
}
/** These are held against other queues, which nothing else installs, unless asked for something of the service alone. */
const comparing = { ingest: [], pipeline: ['--alone', '--cost', '--growth', '--settling', '--nodes'] }
if (comparing[name]?.every(alone => !args.includes(alone)) && !hasQueues()) installQueues()
const { status } = spawnSync('node_modules/.bin/tsx', [path, ...args], { stdio: 'inherit' })
process.exit(status ?? 1)

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
