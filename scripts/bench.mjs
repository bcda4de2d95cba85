/** `npm run bench -- NAME [--full]`: runs a benchmark of bench/; its last line is `RESULT {json of ratios}`. */

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'

const [name, ...args] = process.argv.slice(2)
const path = `bench/${name}.ts`
if (name === undefined || !existsSync(path)) {
  const names = readdirSync('bench').flatMap(file => (file.endsWith('.ts') ? [file.slice(0, -3)] : []))
  console.error(`usage: npm run bench -- NAME [--full], NAME one of ${names.join(', ')}`)
  process.exit(2)
}
const { status } = spawnSync('node_modules/.bin/tsx', [path, ...args], { stdio: 'inherit' })
process.exit(status ?? 1)
