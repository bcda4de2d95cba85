/**
 * An upgrade as the runbook tells it (docs/operations.md, "Upgrade"), under load: to a made-up next version whose migration changes
 * `documents`, the table every request writes to, in steps. First a version whose migration fails, then the right one while somebody
 * reads that table for seconds; nodes of this version at work on the newer schema; one node replaced, and put back to this version;
 * and forward again, node by node. Only this rehearsal has the next versions: they are copies below its folder.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { knownMigrations } from '../../src/store/server/migrate.js'
import { processKeys } from '../support/concord-process.js'

export interface UpgradeWorld {
  folder: string
  /** In the order in which they are replaced, workers first. */
  nodes: readonly { name: string; restart(program?: string): Promise<void> }[]
  /** Of the API nodes, with the key of the tenant. */
  urls: readonly string[]
  tenantKey: string
  /** Settings by which a command of either version reaches the database as its owner. */
  settings: Record<string, string>
  /** A connection that sees every row. */
  connect(): Promise<pg.Client>
  /** Resolves when this many more documents have been acknowledged. */
  progress(more: number): Promise<void>
  log(line: string): void
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const nextVersion = '99.0.0'
const nextNumber = (knownMigrations().at(-1)?.number ?? 0) + 1
const nextName = `${String(nextNumber).padStart(4, '0')}_next_version`

const steps = `-- In steps: a column of the table that everything is written to, filled, checked and indexed while the service works.
-- Expands: versions that do not know the column write its default.
-- The rows of a table are hidden from its owner too, as long as its security is forced.
alter table documents no force row level security;
alter table documents add column if not exists rehearsed text;
alter table documents alter column rehearsed set default 'new';
-- repeat
update documents set rehearsed = 'filled' where ctid = any (array(select ctid from documents where rehearsed is null limit 500 for update skip locked));
alter table documents drop constraint if exists documents_rehearsed, add constraint documents_rehearsed check (rehearsed is not null) not valid;
alter table documents validate constraint documents_rehearsed;
create index concurrently if not exists documents_by_rehearsed on documents (tenant_id, rehearsed);
alter table documents force row level security;
`
const failing = "alter table documents add column half_done text;\nselect 'no number'::int;\n"

/** @returns everything that did not go as the runbook says */
export async function rehearseUpgrade(world: UpgradeWorld): Promise<string[]> {
  const broken: string[] = []
  const expect = (holds: boolean, otherwise: string) => {
    if (!holds) broken.push(`upgrade: ${otherwise}`)
  }
  const reads = startReads(world)
  const client = await world.connect()
  try {
    await migrationFails(world, client, expect)
    const next = programOf(world.folder, 'next', steps)
    await migrateBesideReader(world, client, next, expect)
    await oldNodesOnNewSchema(world, expect)
    await goBack(world, next, expect)
    await goForward(world, client, next, expect)
  } finally {
    await client.end()
    const { answered, refused } = await reads.stop()
    expect(answered > 0, 'nothing was read')
    expect(refused.length === 0, `${refused.length} reads were refused, the first with ${refused[0]}`)
    world.log(`upgrade: reads answered=${answered} refused=${refused.length}`)
  }
  return broken
}

type Expect = (holds: boolean, otherwise: string) => void

async function migrationFails(world: UpgradeWorld, client: pg.Client, expect: Expect): Promise<void> {
  const { code, said, ms } = await concord(programOf(world.folder, 'failing', failing), ['migrate'], world)
  expect(
    code === 1 && new RegExp(`^concord: Migration ${nextName} failed: .*no number.* \\(line 2\\)$`, 'm').test(said),
    `a failing migration ended with ${code}: ${said}`,
  )
  expect((await columnsNamed(client, 'half_done')) === 0, 'a migration that failed left something behind')
  await world.progress(50)
  world.log(`upgrade: a migration that fails ended after ${seconds(ms)}, and left the schema as it was`)
}

/** Somebody reads the table until the migration has given way to them. */
async function migrateBesideReader(world: UpgradeWorld, client: pg.Client, next: string, expect: Expect): Promise<void> {
  await client.query('begin')
  await client.query('select from documents limit 1')
  let reading: Promise<unknown> | undefined
  const { code, said, ms } = await concord(next, ['migrate'], world, line => {
    if (line.includes('migration waits for a table in use')) reading ??= client.query('commit')
  })
  expect(reading !== undefined, 'the migration did not make way for a reader')
  await (reading ?? client.query('commit'))
  expect(code === 0 && said.includes(`The schema is at ${nextNumber}.`), `the migration ended with ${code}: ${said}`)
  world.log(`upgrade: migrated in ${seconds(ms)}, having made way for a reader`)
}

async function oldNodesOnNewSchema(world: UpgradeWorld, expect: Expect): Promise<void> {
  await world.progress(50)
  const isTold = ({ status, said }: Health) => status === 200 && said.includes('The database schema is newer than this process.')
  let answers = await healthOf(world)
  // A check that takes too long on a busy machine is a finding of its own.
  for (let tries = 0; tries < 60 && !answers.every(isTold); tries++) {
    await wait(1000)
    answers = await healthOf(world)
  }
  for (const answer of answers) expect(isTold(answer), `an old node answers ${answer.status} ${answer.said}`)
}

/** The new version turns out not to work: the node that has it gets this one again, which starts on the newer schema. */
async function goBack(world: UpgradeWorld, next: string, expect: Expect): Promise<void> {
  const node = world.nodes.at(-1) as UpgradeWorld['nodes'][number]
  await node.restart(next)
  await world.progress(50)
  const started = performance.now()
  await node.restart()
  world.log(`upgrade: ${node.name} back on the old version after ${seconds(performance.now() - started)}`)
  await world.progress(50)
  await oldNodesOnNewSchema(world, expect)
}

async function goForward(world: UpgradeWorld, client: pg.Client, next: string, expect: Expect): Promise<void> {
  for (const node of world.nodes) {
    const started = performance.now()
    await node.restart(next)
    world.log(`upgrade: ${node.name} replaced in ${seconds(performance.now() - started)}`)
    await world.progress(50)
  }
  for (const { said } of await healthOf(world)) expect(said.includes(`"version":"${nextVersion}"`), `a new node answers ${said}`)
  const { rows } = await client.query<{ unfilled: number; filled: number; valid: boolean; forced: boolean }>(
    `select count(*) filter (where rehearsed is null)::int as unfilled, count(*) filter (where rehearsed = 'filled')::int as filled,
       (select indisvalid from pg_index where indexrelid = 'documents_by_rehearsed'::regclass) as valid,
       (select relforcerowsecurity from pg_class where oid = 'documents'::regclass) as forced from documents`,
  )
  const after = rows[0]
  expect(after?.unfilled === 0 && after.filled > 0 && after.valid && after.forced, `after the migration: ${JSON.stringify(after)}`)
}

interface Health {
  status: number
  said: string
}

async function healthOf({ urls }: UpgradeWorld): Promise<Health[]> {
  const ask = async (url: string) => {
    const response = await fetch(`${url}/internals/kernel/control-plane/health`, {
      headers: { authorization: `Bearer ${processKeys.internals}` },
    })
    return { status: response.status, said: await response.text() }
  }
  return Promise.all(urls.map(ask))
}

async function columnsNamed(client: pg.Client, name: string): Promise<number> {
  const { rowCount } = await client.query('select from pg_attribute where attname = $1', [name])
  return rowCount ?? 0
}

/** The program with another number and one more migration, in a folder of its own. */
function programOf(folder: string, name: string, migration: string): string {
  const made = join(folder, name)
  mkdirSync(made)
  for (const part of ['bin', 'dist', 'migrations', 'package.json', 'openapi.json'])
    cpSync(join(root, part), join(made, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(made, 'node_modules'))
  writeFileSync(join(made, 'migrations', `${nextName}.sql`), migration)
  const assembled = join(made, 'dist/assemble.js')
  const text = readFileSync(assembled, 'utf8')
  const renamed = text.replace(/\bversion = (['"]).*?\1/, `version = '${nextVersion}'`)
  if (renamed === text) throw new Error('dist/assemble.js does not say its version')
  writeFileSync(assembled, renamed)
  return join(made, 'bin/concord.mjs')
}

interface Ended {
  code: number
  said: string
  ms: number
}

async function concord(program: string, args: string[], { settings }: UpgradeWorld, onSaid?: (text: string) => void): Promise<Ended> {
  const started = performance.now()
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: process.env['TMPDIR'], LOG_LEVEL: 'info', ...settings },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', chunk => {
      said += chunk
      onSaid?.(said)
    })
  }
  const [code] = (await once(child, 'close')) as [number]
  return { code, said, ms: performance.now() - started }
}

/** Summaries and lists, of every node and without pause. Where a node is being replaced there is nobody to answer, and a reader comes again. */
function startReads({ urls, tenantKey }: UpgradeWorld) {
  const found = { answered: 0, refused: [] as string[] }
  let stopped = false
  const paths = ['/api/scopes/case-0/summary', '/api/scopes/case-0/documents', '/api/scopes/case-0/contradictions']
  const read = async (url: string) => {
    for (let turn = 0; !stopped; turn++) {
      const path = paths[turn % paths.length] as string
      const answer = await fetch(`${url}${path}`, { headers: { 'x-tenant-api-key': tenantKey } }).catch(() => undefined)
      const body = await answer?.text().catch(() => undefined)
      if (answer?.status === 200) found.answered++
      else if (answer !== undefined) found.refused.push(`${answer.status} ${path} ${body?.slice(0, 200)}`)
      await wait(50)
    }
  }
  const running = urls.map(read)
  return {
    async stop() {
      stopped = true
      await Promise.all(running)
      return found
    },
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
