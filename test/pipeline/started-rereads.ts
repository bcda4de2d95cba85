/** One world for all cases of a file that are read again: papers of a harbour, what people decide of them, and what is asked afterwards. */

import { afterAll, beforeAll, expect } from 'vitest'
import type { ScopesDeps } from '../../src/scopes/deps.js'
import { decidePossibleConflict } from '../../src/scopes/findings/finding-act.js'
import { resolveContradiction } from '../../src/scopes/findings/resolution.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { documents } from './harbour.js'
import { openWorld, type PipelineWorld } from './support.js'

export const said = { reason: 'I was there.', by: 'Ada' }
export const idle = `select queued + processing + rereads = 0 from scope_heads where tenant_id = $1`

export function startRereads() {
  let world: PipelineWorld
  let deps: ScopesDeps

  beforeAll(async () => {
    world = await openWorld()
    deps = world.scopes
  })
  afterAll(async () => {
    // Once, of all that the tests left.
    expect(await verifyDatabase(world.db)).toMatchObject({ broken: [] })
    await world.close()
  })

  async function newCase(names: readonly string[] = Object.keys(documents)) {
    const tenantId = await world.newTenant()
    const scope = { tenantId, scopeId: 'case' }
    await world.ingest(names.map(documentId => ({ ...scope, documentId, text: documents[documentId as keyof typeof documents] })))
    await work(tenantId)
    return scope
  }

  async function work(tenantId: string, options: Parameters<PipelineWorld['startWorker']>[0] = {}): Promise<void> {
    const worker = world.startWorker(options)
    await world.until(idle, [tenantId])
    await worker.stop()
  }

  /** Nothing that earlier tests queued is left for whoever asks for a lease. */
  async function workOffEverything(): Promise<void> {
    const worker = world.startWorker()
    await world.until('select sum(queued + processing + rereads) = 0 from scope_heads')
    await worker.stop()
  }

  /** As if a version of the reader before had read everything. */
  async function readBefore({ tenantId }: { tenantId: string }): Promise<void> {
    await world.rows(`update documents set extractor_version = '0', profile = profile || '{"reader": "0"}' where tenant_id = $1`, [
      tenantId,
    ])
    await world.rows(
      `update scope_states set readers = json_build_object('0', (select count(*) from documents where tenant_id = $1)) where tenant_id = $1`,
      [tenantId],
    )
  }

  const figures = (tenantId: string) => world.rows('select aggregates, readers from scope_states where tenant_id = $1', [tenantId])
  const states = (tenantId: string) =>
    world.rows(
      `select contradiction_id as id, status from contradictions where tenant_id = $1
       union all select possible_conflict_id, status from possible_conflicts where tenant_id = $1
       union all select supersession_id, status from supersessions where tenant_id = $1 order by 1`,
      [tenantId],
    )
  const rereads = (tenantId: string) =>
    world.rows<{ data: Record<string, unknown> }>(
      `select data from events where tenant_id = $1 and type = 'document.reread' order by seq`,
      [tenantId],
    )

  async function decideAll(scope: { tenantId: string }) {
    const { tenantId } = scope
    const ids = async (sql: string) => (await world.rows<{ id: string }>(sql, [tenantId])).map(row => row.id)
    const [first, second] = await ids(
      `select contradiction_id as id from contradictions where tenant_id = $1 and status = 'open' order by contradiction_no`,
    )
    const [possible] = await ids(`select possible_conflict_id as id from possible_conflicts where tenant_id = $1 and status = 'open'`)
    if (first === undefined || second === undefined) throw new Error('nothing to decide')
    await resolveContradiction(deps, { tenantId, contradictionId: first, verdict: 'a', ...said })
    await resolveContradiction(deps, { tenantId, contradictionId: second, verdict: 'dismiss', ...said })
    if (possible !== undefined) await decidePossibleConflict(deps, { tenantId, findingId: possible, verdict: 'dismiss', ...said })
    return { resolved: first }
  }

  return {
    get world() {
      return world
    },
    get deps() {
      return deps
    },
    newCase,
    work,
    workOffEverything,
    readBefore,
    figures,
    states,
    rereads,
    decideAll,
  }
}
