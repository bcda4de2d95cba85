/**
 * What is wrong with the service now, for the person who runs it: what, since when, for how many tenants, and what to do
 * next. Read from rows that all nodes share, so that any node can say it; of disks a node knows its own.
 */

import type { Static } from 'typebox'
import type { TroubleList as TroubleListSchema, Trouble as TroubleSchema } from '../contract/troubles.js'
import type { Clock } from '../platform/clock.js'
import { type AppError, isAppError } from '../platform/errors.js'
import { findHeldTenants, namedTenants, readTroubleFigures, type TroubleFigures } from '../store/runtime/trouble-figures.js'
import type { Database, EngineTransaction } from '../store/server/database.js'
import { diskStatus, queueCheck, spaceOf } from './health.js'
import { isAlive } from './node-report.js'
import { readStanding, type Standing } from './snapshot.js'

export type TroubleList = Static<typeof TroubleListSchema>
type Trouble = Static<typeof TroubleSchema>

export interface TroublesDeps {
  db: Database
  clock: Clock
  /** Folder of the embedded database; undefined when the database is elsewhere. */
  dataDir: string | undefined
  /** Free bytes, and their share of all. */
  freeSpace?: (folder: string) => Promise<{ bytes: number; ratio: number }>
}

const statementTimeoutMs = 5000
/** A busy node may miss some beats, which are a second apart. */
const goneMs = 10_000

export function createTroubles({ db, clock, dataDir, freeSpace = spaceOf }: TroublesDeps): () => Promise<TroubleList> {
  /** Nothing keeps a record of disks: it is low since this node saw it first. */
  let lowSince: string | null = null
  let knownTenants = 0
  const disk = async (): Promise<Trouble[]> => {
    if (dataDir === undefined) return []
    const { bytes, ratio } = await freeSpace(dataDir)
    const { status, detail = '' } = diskStatus(bytes, ratio)
    lowSince = status === 'ok' ? null : (lowSince ?? clock.now().toISOString())
    return status === 'ok'
      ? []
      : [diskTrouble({ what: `${detail} ${Math.floor(bytes / 1024 ** 2)} MiB are free.`, since: lowSince, tenants: knownTenants })]
  }
  return async () => {
    const answered = await db.engine(read, { readOnly: true, statementTimeoutMs }).catch(unanswered)
    if (isAppError(answered)) {
      // A full disk can end the database altogether: then that is what is wrong.
      const items = await disk()
      if (items.length === 0) throw answered
      return { checked_at: clock.now().toISOString(), items }
    }
    const { figures, standing, gone } = answered
    knownTenants = figures.tenants
    const items = [
      ...queueTroubles(standing, figures),
      ...failureTroubles(figures),
      ...modelTroubles(standing),
      ...webhookTroubles(figures),
      ...(await disk()),
      ...gone,
    ]
    return { checked_at: figures.now, items }
  }
}

function unanswered(error: unknown): AppError {
  if (isAppError(error, 'STORAGE_UNAVAILABLE')) return error
  throw error
}

async function read(tx: EngineTransaction): Promise<{ figures: TroubleFigures; standing: Standing; gone: Trouble[] }> {
  const standing = await readStanding(tx)
  const gone: Trouble[] = []
  for (const node of standing.nodes.filter(each => each.silent_ms >= goneMs)) {
    const workers = node.snapshot.workers ?? []
    gone.push({
      kind: 'node_gone',
      what: `Node ${node.node_id} (${node.role}) is gone without having been stopped.`,
      since: node.heartbeat_at,
      ...(await findHeldTenants(
        tx,
        workers.map(({ worker_id }) => worker_id),
      )),
      next: `Look at its log, and start it again: \`concord serve --role ${node.role}\`. Others take over its cases by themselves.`,
    })
  }
  return { figures: await readTroubleFigures(tx), standing, gone }
}

function queueTroubles(standing: Standing, { now, waiting_tenants: tenants, waiting_tenant_ids: tenant_ids }: TroubleFigures): Trouble[] {
  if (queueCheck(standing).status === 'ok') return []
  const { runnable, oldest_age_seconds: age, at_least: isMore } = standing.queue.figures
  const hasWorkers = standing.nodes.some(node => isAlive(node) && node.role !== 'api')
  return [
    {
      kind: 'queue_grows',
      what: `The queue grows: ${runnable}${isMore ? ' or more' : ''} documents wait, the oldest for ${Math.round(age)} s.`,
      since: new Date(Date.parse(now) - age * 1000).toISOString(),
      tenants,
      tenant_ids,
      next: hasWorkers
        ? 'Add a node, `concord serve --role worker`, or raise WORKERS; `concord status` says what workers do.'
        : 'No node reads documents: start one, `concord serve --role worker`.',
    },
  ]
}

function failureTroubles(figures: TroubleFigures): Trouble[] {
  const { quarantined, quarantined_tenants: tenants, quarantined_tenant_ids: tenant_ids, quarantined_since: since } = figures
  if (quarantined === 0) return []
  return [
    {
      kind: 'documents_fail',
      what: `Documents fail: ${quarantined} could not be read, and are compared with nothing.`,
      since,
      tenants,
      tenant_ids,
      next: 'See why with `concord quarantine list`; then `concord quarantine retry` or `discard`.',
    },
  ]
}

function modelTroubles({ nodes }: Standing): Trouble[] {
  const down = nodes.filter(isAlive).flatMap(({ snapshot }) => snapshot.model_down ?? [])
  if (down.length === 0) return []
  const ids = [...new Set(down.flatMap(({ tenants }) => tenants))].sort()
  return [
    {
      kind: 'model_down',
      what: 'The model does not answer: documents are read without it.',
      since: down.map(({ since }) => since).sort()[0] ?? null,
      tenants: ids.length,
      tenant_ids: ids.slice(0, namedTenants),
      next: 'Try it with `concord doctor`; once it answers, `concord reread <case> --model` asks it about what it missed.',
    },
  ]
}

function webhookTroubles(figures: TroubleFigures): Trouble[] {
  const { failing_webhooks: failing, given_up_webhooks: givenUp, failing_webhooks_since: since } = figures
  if (failing + givenUp === 0) return []
  const tried = failing === 0 ? '' : ` ${failing === 1 ? 'One is' : `${failing} are`} tried again for three days.`
  const left = givenUp === 0 ? '' : ` ${givenUp === 1 ? 'One was' : `${givenUp} were`} given up: nothing is sent until somebody enables it.`
  const enable = givenUp === 0 ? '' : ' Once it answers: `concord webhooks change <webhook> --enable`.'
  return [
    {
      kind: 'webhooks_down',
      what: `${failing + givenUp === 1 ? 'A webhook does' : `${failing + givenUp} webhooks do`} not take messages.${tried}${left}`,
      since,
      tenants: figures.failing_webhook_tenants,
      tenant_ids: figures.failing_webhook_tenant_ids,
      next: `With the key of the tenant: \`concord webhooks list\`, then \`concord webhooks deliveries <webhook>\` says what it answered.${enable}`,
    },
  ]
}

function diskTrouble(about: Pick<Trouble, 'what' | 'since' | 'tenants'>): Trouble {
  return {
    kind: 'disk_fills',
    ...about,
    tenant_ids: [],
    next: 'Make room, or move DATA_DIR to a larger disk (`concord backup`, `concord restore`); `concord doctor` says how much is left.',
  }
}
