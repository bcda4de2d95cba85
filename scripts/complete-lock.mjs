/**
 * npm leaves optional packages of other platforms out of the lock file when the registry it asked does not carry them,
 * and `npm ci` then refuses that lock file everywhere. This names them: their version comes from whoever asks for them,
 * their platform from their name, and they are fetched only where they fit. With --check it only says what is missing.
 */

import { readFileSync, writeFileSync } from 'node:fs'

const path = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(path, 'utf8'))

const missing = Object.values(lock.packages).flatMap(parent =>
  Object.entries(parent.optionalDependencies ?? {})
    .filter(([name]) => lock.packages[`node_modules/${name}`] === undefined)
    .map(([name, range]) => ({ name, version: range.replace(/^[\^~]/, ''), dev: parent.dev })),
)

if (process.argv.includes('--check')) {
  if (missing.length > 0) {
    console.error(`package-lock.json lacks ${missing.map(each => each.name).join(', ')}: run node scripts/complete-lock.mjs`)
    process.exit(1)
  }
} else if (missing.length > 0) {
  for (const each of missing) lock.packages[`node_modules/${each.name}`] = entryOf(each)
  const { '': root, ...others } = lock.packages
  const ordered = Object.entries(others).sort(([a], [b]) => a.localeCompare(b, 'en'))
  writeFileSync(path, `${JSON.stringify({ ...lock, packages: { '': root, ...Object.fromEntries(ordered) } }, null, 2)}\n`)
}

function entryOf({ name, version, dev }) {
  const words = name.split('/').at(-1)
  const os = /android|darwin|freebsd|win32|linux|openharmony/.exec(words)?.[0]
  const cpu = /wasm32|arm64|x64|ia32|ppc64|riscv64|s390x|arm/.exec(words.replace('win32', ''))?.[0]
  const libc = os !== 'linux' ? undefined : words.includes('musl') ? 'musl' : words.includes('gnu') ? 'glibc' : undefined
  return {
    version,
    ...(cpu && { cpu: [cpu] }),
    ...(dev && { dev: true }),
    ...(libc && { libc: [libc] }),
    optional: true,
    ...(os && { os: [os] }),
  }
}
