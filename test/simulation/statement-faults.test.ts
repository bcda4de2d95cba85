/**
 * An error of the server at every statement of a worker, one at a time, with what was sent beside it refused as a server
 * does: no document may be lost, kept waiting, quarantined or counted wrong for it. Each statement with one error of the
 * list; PROVE=1 takes each with all of them.
 */

import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findingsSql } from '../../src/store/findings/claims-findings.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import type { Database } from '../../src/store/server/database.js'
import { openWorld, type PipelineWorld, type TestDocument } from '../pipeline/support.js'
import { withFailingStatements } from '../support/failing-statements.js'
import { withHiddenReasons, withOverrunsAsAbsence } from '../support/sabotaged-database.js'
import { waitingForNothing, wrongRevisions } from './scope-checks.js'

/** A full disk, a time limit, a deadlock; then a lost server, too many connections, a read-only one, a lock, an I/O error. */
const prove = process.env['PROVE'] === '1'
const states = ['53100', '57014', '40P01', ...(prove ? ['57P01', '53300', '25006', '55P03', '58030', '08006'] : [])]

let world: PipelineWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

interface Case {
  tenantId: string
  statement: string
  state: string
  /** How often the error happens; it has happened. */
  times: number
  happened: number
}

const issuers: Record<string, string> = { 41: 'Aurelia Works', 52: 'Brandt Audit', 43: 'Keller & Partner' }
const figures = (revenue: string) =>
  `Annual report of Meridian Foods\n\nIssuer: ${issuers[revenue]}\nDate: 1 March 2026\n\nRevenue for FY2025: EUR ${revenue}M\n`
const plan = 'Goal: open the new plant by 1 May 2026 (owner: Ada).\n\nRisk: high, the supplier may fail to deliver.\n'

/** Documents that disagree, revise, repeat, plan and warn, so that a worker has all its statements to send. */
const documents = (tenantId: string): TestDocument[] =>
  [
    ['a', figures('41')],
    ['b', figures('52')],
    ['a', figures('43')],
    ['c', plan],
    ['c', `${plan}\n`],
    ['a', figures('43')],
  ].map(([documentId, text]) => ({ tenantId, scopeId: 'case', documentId: documentId as string, text: text as string }))

/** Statements of transactions inside a tenant, seen in a run without errors. */
async function recordStatements(): Promise<string[]> {
  const seen = new Set<string>()
  const recording = withFailingStatements(world.db, ({ text, prepared, tenantId }) => {
    if (prepared && tenantId !== undefined) seen.add(text)
    return null
  })
  const tenantId = await world.newTenant()
  for (const document of documents(tenantId)) {
    await world.ingest([document])
    const worker = world.startWorker({ db: recording })
    await world.until(`select count(*) = 0 from backlog where tenant_id = $1`, [tenantId])
    await worker.stop()
  }
  return [...seen]
}

/** Works the cases off, each a tenant of its own; gives what went wrong. */
async function runCases(cases: readonly Case[], options: { sabotage?: (db: Database) => Database; withinMs: number }): Promise<string[]> {
  const byTenant = new Map(cases.map(each => [each.tenantId, each]))
  const failing = withFailingStatements(world.db, ({ text, tenantId }) => {
    const found = tenantId === undefined ? undefined : byTenant.get(tenantId)
    if (found === undefined || !text.includes(found.statement) || found.happened >= found.times) return null
    found.happened++
    return found.state
  })
  const db = options.sabotage?.(failing) ?? failing
  const tenantIds = cases.map(each => each.tenantId)
  const rounds = documents('').length
  const worker = world.startWorker({ db, retryMaxAttempts: 3, retryBaseMs: 1, random: () => 0 })
  const problems: string[] = []
  // Alone and in order first, then what is left of each case together.
  for (const some of [[0], [1], [2, 3], [4, 5]]) {
    await world.ingest(tenantIds.flatMap(tenantId => some.map(n => documents(tenantId)[n] as TestDocument)))
    if (!(await settles(tenantIds, options.withinMs))) return ['the backlog was never worked off']
  }
  await worker.stop()
  const rows = await world.rows<{ tenant_id: string; status: string; attempts: number; revisions: number }>(
    `select tenant_id, status, max(attempts) as attempts, count(*)::int as revisions from documents where tenant_id = any ($1) group by 1, 2`,
    [tenantIds],
  )
  for (const { tenant_id: tenantId, status, attempts, revisions } of rows) {
    const { statement, state } = byTenant.get(tenantId) as Case
    const most = state === '57014' ? 1 : 0
    if (status !== 'indexed' || revisions !== rounds || attempts > most)
      problems.push(`${state} at ${statement}: ${revisions} ${status} after ${attempts} failed attempts`)
  }
  return [...problems, ...(await wrongRevisions(world.db)), ...(await waitingForNothing(world.db))]
}

async function settles(tenantIds: readonly string[], withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs
  while (performance.now() < end) {
    const [row] = await world.rows<{ done: boolean }>('select count(*) = 0 as done from backlog where tenant_id = any ($1)', [tenantIds])
    if (row?.done) return true
    await wait(20)
  }
  return false
}

const caseOf = async (statement: string, state: string, times = 1): Promise<Case> => ({
  tenantId: await world.newTenant(),
  statement,
  state,
  times,
  happened: 0,
})

describe('an error of the server at one statement of a worker', () => {
  it('costs no document anything, whichever statement and error it is', async () => {
    const statements = await recordStatements()
    for (const part of [
      'select concord_guard',
      'insert into claims (',
      'update claims c set superseded_at',
      'insert into rounds (',
      findingsSql,
    ]) {
      expect(statements).toContainEqual(expect.stringContaining(part))
    }
    const cases: Case[] = []
    for (const [n, statement] of statements.entries())
      for (const state of prove ? states : [states[n % states.length] as string]) cases.push(await caseOf(statement, state))
    const problems = await runCases(cases, { withinMs: 300_000 })
    console.log(
      `PROVE statement-faults statements=${statements.length} states=${states.length} cases=${cases.length} failed=${problems.length}`,
    )
    expect(problems).toEqual([])
    expect(cases.filter(each => each.happened === 0).map(each => each.statement)).toEqual([])
    expect(await verifyDatabase(world.db)).toMatchObject({ broken: [] })
  }, 600_000)
})

describe('the same, when a mistake is brought back', () => {
  it('finds errors whose reason is hidden by those behind them', async () => {
    const cases = [await caseOf('insert into claims (', '53100', 6)]
    const problems = await runCases(cases, { sabotage: withHiddenReasons, withinMs: 60_000 })
    expect(problems.join()).toContain('quarantined')
  }, 120_000)

  it('finds a document that is tried for ever', async () => {
    const cases = [await caseOf('with reported as', '57014', Number.POSITIVE_INFINITY)]
    expect(await runCases(cases, { sabotage: withOverrunsAsAbsence, withinMs: 2000 })).toEqual(['the backlog was never worked off'])
  }, 120_000)
})
