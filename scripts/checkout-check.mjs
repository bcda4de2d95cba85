/**
 * Whether a fresh checkout is what the README says: its files without any that were made, with the packages of this one and an empty
 * home, are started with `npm start`; the first start is timed, a program in TypeScript is compiled against the client that
 * came with it, the command is run from elsewhere, and `kill` of npm ends everything. `npm run demo -- --keep` leaves a settled
 * case at the desk until Ctrl-C. `--strict` holds the start to five seconds, which is a promise about a quiet machine.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { endWithScript } from './end-with-script.mjs'
import { keptFiles } from './kept-files.mjs'
import { compileProgram, expect, run } from './outside-program.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'concord-checkout-')))
const checkout = join(folder, 'concord')
const home = join(folder, 'home')
const promisedSeconds = 5
const isStrict = process.argv.includes('--strict')

try {
  copyCheckout()
  const service = await start()
  console.log(`the first start took ${service.seconds.toFixed(1)} s`)
  console.log(`PROVE first-start seconds=${service.seconds.toFixed(1)} promised=${promisedSeconds}`)
  try {
    expect(!service.programs().some(line => line.includes('esbuild')), 'what translated the program runs on beside the service')
    expect(!isStrict || service.seconds <= promisedSeconds, `the first start took longer than ${promisedSeconds} s`)
    useFromElsewhere(service.url)
    await useClient()
  } finally {
    await service.kill()
  }
  expect(!existsSync(join(checkout, 'data', 'postgres', 'postmaster.pid')), 'PostgreSQL runs on after npm was killed')
  // There is no Ctrl-C to be sent to the programs of a Windows console.
  if (process.platform !== 'win32') await keepDemo()
  console.log('A fresh checkout starts, gives its client with types, ends with npm and keeps its demo.')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** What would be checked out, with the packages of this working copy. */
function copyCheckout() {
  for (const path of keptFiles(root)) {
    mkdirSync(dirname(join(checkout, path)), { recursive: true })
    copyFileSync(join(root, path), join(checkout, path))
  }
  symlinkSync(realpathSync(join(root, 'node_modules')), join(checkout, 'node_modules'), 'junction')
  mkdirSync(home)
}

async function start() {
  const startedAt = performance.now()
  const npm = spawn('npm', ['start'], {
    cwd: checkout,
    env: { ...environment(), PORT: String(await freePort()) },
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  })
  endWithScript(() => npm)
  const { said, ended } = await sayingOf(npm, /^Concord answers/)
  return {
    // Not necessarily the last of them: lines come several at a time.
    url: said.map(line => /^Concord answers at (\S+)/.exec(line)?.[1]).find(Boolean),
    seconds: (performance.now() - startedAt) / 1000,
    programs: () => programsBelow(npm.pid),
    kill: async () => {
      npm.kill('SIGTERM')
      await ended
    },
  }
}

/** Command lines of what a process started, and of what these did; nothing where the system does not tell. */
function programsBelow(pid) {
  const children = `/proc/${pid}/task/${pid}/children`
  if (!existsSync(children)) return []
  const below = readFileSync(children, 'utf8').split(' ').filter(Boolean)
  return below.flatMap(each => {
    try {
      return [readFileSync(`/proc/${each}/cmdline`, 'utf8').replaceAll('\0', ' '), ...programsBelow(each)]
    } catch {
      // It has ended meanwhile.
      return []
    }
  })
}

/** What npm's program says until it says this; all that it started has ended when `ended` is resolved. */
async function sayingOf(npm, last) {
  const ended = once(npm.stdout, 'close')
  const said = []
  await new Promise((resolve, reject) => {
    createInterface({ input: npm.stdout }).on('line', line => {
      said.push(line)
      if (last.test(line)) resolve()
    })
    ended.then(() => reject(new Error(`npm ended:\n${said.join('\n')}`)))
  })
  return { said: [...said], ended }
}

async function keepDemo() {
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  const npm = spawn('npm', ['run', 'demo', '--', '--keep'], {
    cwd: checkout,
    env: environment({ TMPDIR: temporary }),
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own, which Ctrl-C reaches as a whole.
    detached: true,
  })
  endWithScript(() => npm)
  const { said, ended } = await sayingOf(npm, /^Ctrl-C ends/)
  const [demo] = readdirSync(temporary).filter(name => name.startsWith('concord-demo'))
  const postmaster = Number(readFileSync(join(temporary, demo, 'data', 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
  try {
    const [key, desk] = [/^ {2}(cnk_\w+)$/, /^(http\S+\/desk#\/cases\/brightwater)$/].map(form =>
      said.map(line => form.exec(line)?.[1]).find(Boolean),
    )
    expect(key !== undefined && desk !== undefined, `the demo names no key or no case at the desk:\n${said.join('\n')}`)
    const page = await fetch(desk)
    expect(page.ok && (await page.text()).includes('desk.js'), 'the demo leaves no desk')
    const summary = await fetch(new URL('/api/scopes/brightwater/summary', desk), { headers: { 'x-tenant-api-key': key } })
    expect((await summary.json()).finality?.status === 'resolved', 'the case of the demo is not settled')
  } finally {
    process.kill(-npm.pid, 'SIGINT')
    await ended
  }
  expect(
    readdirSync(temporary).every(name => !name.startsWith('concord-demo')),
    'the demo leaves its data behind',
  )
  expect(await isOver(postmaster), 'the demo leaves its PostgreSQL running')
}

/** A server takes its file away a moment before it ends, and one that has ended is listed until somebody asks how. */
async function isOver(pid) {
  const deadline = performance.now() + 60_000
  while (isAlive(pid)) {
    if (performance.now() > deadline) return false
    await delay(50)
  }
  return true
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch (error) {
    // A system without such files says it by the signal alone.
    return error.code === 'ENOENT' && process.platform !== 'linux'
  }
}

/** As docs/cli.md says, from a folder that is not the checkout. */
function useFromElsewhere(url) {
  const concord = (...args) =>
    run(process.execPath, [join(checkout, 'bin', 'concord.mjs'), ...args], folder, { env: environment({ CONCORD_URL: url }) })
  concord('init', '--data-dir', join(checkout, 'data'))
  writeFileSync(join(folder, 'note.txt'), 'The rent is EUR 4,000 a month.')
  expect(
    concord('ingest', join(folder, 'note.txt'), '--scope', 'case-1').includes('1 accepted'),
    'the command does not work from elsewhere',
  )
}

/** As docs/client.md says, with the checkout linked into a project of its own. */
async function useClient() {
  const declarations = join(checkout, 'dist', 'client', 'index.d.ts')
  await appearance(declarations)
  const project = join(folder, 'project')
  mkdirSync(join(project, 'node_modules'), { recursive: true })
  symlinkSync(checkout, join(project, 'node_modules', 'concord-server'), 'junction')
  writeFileSync(
    join(project, 'program.ts'),
    "import { createClient } from 'concord-server/client'\nconst answer = await createClient({ url: '' }).summary('case-1')\nexport const open: number = answer.contradictions.open\n",
  )
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  compileProgram(project, ['program.ts'], { noEmit: true })
}

/** Resolves when the file is there: it is made beside the first start, by a compiler that has its time on a busy machine. */
async function appearance(file) {
  const deadline = performance.now() + 180_000
  while (!existsSync(file)) {
    expect(performance.now() < deadline, `${file} was not made within three minutes`)
    await delay(200)
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}

function environment(more = {}) {
  const { PATH, TMPDIR, SystemRoot } = process.env
  return { PATH, ...(TMPDIR && { TMPDIR }), ...(SystemRoot && { SystemRoot }), HOME: home, USERPROFILE: home, ...more }
}
