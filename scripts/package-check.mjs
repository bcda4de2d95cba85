/**
 * Whether what would be published works where nothing of the working copy is: both packages are made, installed into
 * empty folders without development dependencies, the service is started from one, and a client program is type-checked
 * and run against it from each. The hints that the program prints are tried as well. Everything is removed at the end.
 * `--pack <folder>` only makes the packages, which builds anew; `--try <folder>` only tries those made there.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compileProgram, expect, run } from './outside-program.mjs'
import { packClient } from './pack-client.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const windows = process.platform === 'win32'
const folder = mkdtempSync(join(tmpdir(), 'concord-package-'))
const shipped = /^(bin|dist|migrations|samples\/demo|docs\/.*\.md$|package\.json|README\.md|CHANGELOG\.md|LICENSE)/
const largestServerBytes = 4_000_000
const largestClientBytes = 100_000

const program = name => `
import { createClient, ProblemError } from '${name}'

const url = process.argv[2] ?? ''
const admin = createClient({ url, adminKey: process.argv[3] ?? '' })
const tenant = await admin.admin.createTenant({ name: 'package' })
const client = createClient({ url, tenantId: tenant.tenant_id, tenantKey: tenant.api_key })
const texts = ['- Revenue for FY2025: EUR 7.1 million', '- Revenue for FY2025: EUR 7.9 million']
for (const [number, text] of texts.entries()) {
  const answer: { document_id: string | null } = await client.ingest({ scope_id: 'case', name: \`Report \${number}\`, text })
  if (answer.document_id === null) throw new Error('no document id')
}
let indexed = 0
for await (const event of client.events('case', { after: -1 })) {
  if (event.type === 'document.indexed' && ++indexed === texts.length) break
}
const status: number = await client.summary('nowhere').then(() => 200, (error: unknown) => (error instanceof ProblemError ? error.status : 0))
if (status !== 404) throw new Error(\`expected 404, got \${status}\`)
console.log(\`\${indexed} indexed\`)
`

const { values: only } = parseArgs({ options: { pack: { type: 'string' }, try: { type: 'string' } } })
try {
  if (only.try === undefined) pack(only.pack ?? folder)
  if (only.pack === undefined) await tryPackages(resolve(only.try ?? folder))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function tryPackages(made) {
  const [client, server] = ['concord-client-', 'concord-server-'].map(name => {
    const tarball = readdirSync(made).find(file => file.startsWith(name) && file.endsWith('.tgz'))
    return join(made, tarball)
  })
  const serverFolder = install('server', server)
  const clientFolder = install('client', client)
  expect(
    packagesIn(clientFolder).join() === 'concord-client,openapi-fetch,openapi-typescript-helpers',
    'the client brings more than it needs',
  )
  for (const [where, name] of [
    [serverFolder, 'concord-server/client'],
    [clientFolder, 'concord-client'],
  ]) {
    writeFileSync(join(where, 'program.ts'), program(name))
    writeFileSync(join(where, 'process.d.ts'), 'declare const process: { argv: string[] }\n')
    compileProgram(where, ['program.ts', 'process.d.ts'])
  }
  const service = await start(serverFolder)
  try {
    for (const where of [serverFolder, clientFolder]) {
      const output = run(process.execPath, ['program.js', service.url, service.adminKey], where)
      expect(output.trim() === '2 indexed', `the client program printed ${output}`)
    }
    const desk = await fetch(`${service.url}/desk/desk.js`)
    expect(desk.ok && (await desk.text()).length > 10_000, 'the package brings no desk')
    expect(service.hint !== undefined, 'the service prints no hint')
    run(service.hint, [], serverFolder, { shell: true })
  } finally {
    await service.stop()
  }
  console.log('Both packages install, start, type-check and run.')
}

/** `npm pack` builds first, as it will when the package is published. */
function pack(into) {
  mkdirSync(into, { recursive: true })
  const [packed] = JSON.parse(npm(['pack', '--json', '--pack-destination', into], root))
  const strange = packed.files.map(({ path }) => path).filter(path => !shipped.test(path))
  expect(strange.length === 0, `the package holds ${strange.slice(0, 5).join(', ')}`)
  expect(packed.size < largestServerBytes, `the package takes ${packed.size} bytes`)
  const client = packClient(into)
  expect(statSync(client).size < largestClientBytes, `the client takes ${statSync(client).size} bytes`)
  console.log(`server: ${packed.files.length} files, ${packed.size} bytes; client: ${statSync(client).size} bytes`)
}

function install(name, tarball) {
  const where = join(folder, name)
  mkdirSync(where)
  writeFileSync(join(where, 'package.json'), JSON.stringify({ name: `uses-${name}`, private: true, type: 'module' }))
  npm(['install', '--omit=dev', '--prefer-offline', '--fetch-retries=5', '--no-audit', '--no-fund', tarball], where)
  return where
}

function packagesIn(where) {
  return readdirSync(join(where, 'node_modules')).filter(name => !name.startsWith('.'))
}

async function start(where) {
  const command = join(where, 'node_modules', 'concord-server', 'bin', 'concord.mjs')
  expect(existsSync(join(where, 'node_modules', '.bin', windows ? 'concord.cmd' : 'concord')), 'there is no command concord')
  const child = spawn(process.execPath, [command, 'serve', '--port', '0', '--data-dir', 'data'], {
    cwd: where,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const said = []
  const up = new Promise(resolve => {
    createInterface({ input: child.stdout }).on('line', line => {
      said.push(line)
      if (line.endsWith('--help')) resolve()
    })
  })
  await Promise.race([up, ended.then(() => Promise.reject(new Error(`the service ended:\n${said.join('\n')}`)))])
  return {
    url: /https?:\/\/\S+/.exec(said.find(line => line.startsWith('Concord answers')) ?? '')?.[0],
    adminKey: JSON.parse(readFileSync(join(where, 'data', 'keys.json'), 'utf8')).admin,
    hint: said.at(-1)?.trim(),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

function npm(args, cwd) {
  return run('npm', args, cwd, { shell: windows })
}
