/**
 * What is wrong with the service now, for the person who runs it: what, since when, for how many tenants, and what to do
 * next. Read from rows that all nodes share, so that any node can say it; of disks a node knows its own.
 */

import { statfs } from 'node:fs/promises'
import type { Static } from 'typebox'
import type { TroubleList as TroubleListSchema, Trouble as TroubleSchema } from '../contract/troubles.js'
import type { Clock } from '../platform/clock.js'
import { countHeldTenants, readTroubleFigures, type TroubleFigures } from '../store/runtime/trouble-figures.js'
import type { Database, EngineTransaction } from '../store/server/database.js'
import { diskStatus, queueCheck } from './health.js'
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
  const disk = async (tenants: number): Promise<Trouble[]> => {
    if (dataDir === undefined) return []
    const { bytes, ratio } = await freeSpace(dataDir)
    const { status, detail = '' } = diskStatus(bytes, ratio)
    lowSince = status === 'ok' ? null : (lowSince ?? clock.now().toISOString())
    return status === 'ok'
      ? []
      : [diskTrouble({ what: `${detail} ${Math.floor(bytes / 1024 ** 2)} MiB are free.`, since: lowSince, tenants })]
  }
  return async () => {
    const { figures, standing, gone } = await db.engine(read, { readOnly: true, statementTimeoutMs })
    const items = [
      ...queueTroubles(standing, figures),
      ...failureTroubles(figures),
      ...modelTroubles(standing),
      ...webhookTroubles(figures),
      ...(await disk(figures.tenants)),
      ...gone,
    ]
    return { checked_at: figures.now, items }
  }
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
      tenants: await countHeldTenants(
        tx,
        workers.map(({ worker_id }) => worker_id),
      ),
      next: `Look at its log, and start it again: \`concord serve --role ${node.role}\`. Others take over its cases by themselves.`,
    })
  }
  return { figures: await readTroubleFigures(tx), standing, gone }
}

function queueTroubles(standing: Standing, { now, waiting_tenants: tenants }: TroubleFigures): Trouble[] {
  if (queueCheck(standing).status === 'ok') return []
  const { runnable, oldest_age_seconds: age, at_least: isMore } = standing.queue.figures
  const hasWorkers = standing.nodes.some(node => isAlive(node) && node.role !== 'api')
  return [
    {
      kind: 'queue_grows',
      what: `The queue grows: ${runnable}${isMore ? ' or more' : ''} documents wait, the oldest for ${Math.round(age)} s.`,
      since: new Date(Date.parse(now) - age * 1000).toISOString(),
      tenants,
      next: hasWorkers
        ? 'Add a node, `concord serve --role worker`, or raise WORKERS; `concord status` says what workers do.'
        : 'No node reads documents: start one, `concord serve --role worker`.',
    },
  ]
}

function failureTroubles({ quarantined, quarantined_tenants: tenants, quarantined_since: since }: TroubleFigures): Trouble[] {
  if (quarantined === 0) return []
  return [
    {
      kind: 'documents_fail',
      what: `Documents fail: ${quarantined} in quarantine, and compared with nothing.`,
      since,
      tenants,
      next: 'See why with `concord quarantine list`; then `concord quarantine retry` or `discard`.',
    },
  ]
}

function modelTroubles({ nodes }: Standing): Trouble[] {
  const down = nodes.filter(isAlive).flatMap(({ snapshot }) => snapshot.model_down ?? [])
  if (down.length === 0) return []
  return [
    {
      kind: 'model_down',
      what: 'The model does not answer: documents are read without it.',
      since: down.map(({ since }) => since).sort()[0] ?? null,
      tenants: new Set(down.flatMap(({ tenants }) => tenants)).size,
      next: 'Try it with `concord doctor`; once it answers, `concord reread <scope> --model` asks it about what it missed.',
    },
  ]
}

function webhookTroubles(figures: TroubleFigures): Trouble[] {
  const { failing_webhooks: failing, given_up_webhooks: givenUp, failing_webhook_tenants: tenants, failing_webhooks_since: since } = figures
  if (failing + givenUp === 0) return []
  const tried = failing === 0 ? '' : ` ${failing === 1 ? 'One is' : `${failing} are`} tried again for three days.`
  const left = givenUp === 0 ? '' : ` ${givenUp === 1 ? 'One was' : `${givenUp} were`} given up: nothing is sent until somebody enables it.`
  const enable = givenUp === 0 ? '' : ' Once it answers: `concord webhooks change <webhook> --enable`.'
  return [
    {
      kind: 'webhooks_down',
      what: `${failing + givenUp === 1 ? 'A webhook does' : `${failing + givenUp} webhooks do`} not take messages.${tried}${left}`,
      since,
      tenants,
      next: `With the key of the tenant: \`concord webhooks list\`, then \`concord webhooks deliveries <webhook>\` says what it answered.${enable}`,
    },
  ]
}

function diskTrouble(about: Pick<Trouble, 'what' | 'since' | 'tenants'>): Trouble {
  return {
    kind: 'disk_fills',
    ...about,
    next: 'Make room, or move DATA_DIR to a larger disk (`concord backup`, `concord restore`); `concord doctor` says how much is left.',
  }
}

async function spaceOf(folder: string): Promise<{ bytes: number; ratio: number }> {
  const { bavail, bsize, blocks } = await statfs(folder)
  return { bytes: bavail * bsize, ratio: blocks === 0 ? 1 : bavail / blocks }
}
