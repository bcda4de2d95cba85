/**
 * Two worker nodes against one, with a model that takes 200 ms for every answer (`--model-ms=2000`): documents a second from accepted to indexed,
 * on real processes (an API node and the workers), short notes in many scopes of several tenants. Waiting is what is shared
 * out; the notes are short so that the processors of one machine do not become the limit first.
 */

import type { EmbeddedServer } from '../../src/store/server/embedded.js'
import { completion, startModelServer } from '../../test/models/model-server.js'
import { type ConcordProcess, startConcord } from '../../test/support/concord-process.js'
import { type BenchWorld, clearBacklog, inWorld, untilDone } from './pipeline-world.js'
import { peakMib, processorUs } from './processor-time.js'

const given = (name: string, otherwise: number): number =>
  Number(process.argv.find(arg => arg.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise)
const modelMs = given('model-ms', 200)
const scopesEach = 4
/** Few enough that one machine has processors for two nodes. */
const askersEach = given('askers', 2)
const rounds = given('rounds', 3)
/** The first documents start workers, threads and plans, on every node: until a node has read some hundred, most of what one costs is compiling. */
const warmingEach = given('warming', 60)
const measured = given('documents', 240)

const noteOf = (n: number): string => `Reading of 3 May 2025\n\nConsumption of meter M-${1000 + n}: ${40 + (n % 7)}.${n % 10} kWh\n`
const nothing = completion(JSON.stringify({ pairs: [] }))

interface Figures {
  perSecond: number
  /** Of a document, all worker nodes together. */
  processorMs: number
  /** The most that a node ever had, API or worker. */
  peakMib: number
}

export async function measureNodes(server: EmbeddedServer): Promise<Record<string, number>> {
  const model = await startModelServer([(response, request) => setTimeout(() => nothing(response, request), modelMs)])
  try {
    const pairs: [Figures, Figures][] = []
    for (let round = 0; round < rounds; round++) {
      const pair: [Figures, Figures] = [await onNodes(server, model.url, 1), await onNodes(server, model.url, 2)]
      pairs.push(pair)
      const [one, two] = pair.map(
        ({ perSecond, processorMs }) => `${perSecond.toFixed(1)} (${processorMs.toFixed(0)} ms of the processor each)`,
      )
      console.log(`documents a second with a model of ${modelMs} ms: ${one} on one worker node, ${two} on two`)
    }
    const median = (of: (pair: [Figures, Figures]) => number) => pairs.map(of).sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN
    const limit = (askersEach * 1000) / modelMs
    return {
      node_peak_mib: Math.max(...pairs.flat().map(each => each.peakMib)),
      two_nodes_processor_of_one: median(([one, two]) => two.processorMs / one.processorMs),
      two_nodes_of_one: median(([one, two]) => two.perSecond / one.perSecond),
      one_node_of_model_limit: median(([one]) => one.perSecond / limit),
      two_nodes_of_model_limit: median(([, two]) => two.perSecond / (2 * limit)),
    }
  } finally {
    await model.close()
  }
}

async function onNodes(server: EmbeddedServer, modelUrl: string, nodes: number): Promise<Figures> {
  return inWorld(server, async world => {
    await clearBacklog(world.db)
    const env = { MODEL_URL: modelUrl, MODEL_NAME: 'stub', MODEL_PRESET: 'openai', MODEL_CONCURRENCY: String(askersEach) }
    const api = await startConcord({ address: world.address, role: 'api' })
    const workers: ConcordProcess[] = []
    const spentUs = () => workers.reduce((sum, { child }) => sum + processorUs(child.pid ?? 0), 0)
    try {
      for (let n = 0; n < nodes; n++) workers.push(await startConcord({ address: world.address, role: 'worker', env }))
      const warming = warmingEach * nodes
      await work(world, api, { from: 0, to: warming })
      const started = { ms: performance.now(), us: spentUs() }
      await work(world, api, { from: warming, to: warming + measured })
      const seconds = (performance.now() - started.ms) / 1000
      return { perSecond: measured / seconds, processorMs: (spentUs() - started.us) / 1000 / measured, peakMib: mostOf([api, ...workers]) }
    } finally {
      for (const node of [api, ...workers]) await node.end('SIGTERM')
    }
  })
}

function mostOf(nodes: readonly ConcordProcess[]): number {
  return Math.max(...nodes.map(({ child }) => peakMib(child.pid ?? 0)))
}

async function work({ db, tenantIds }: BenchWorld, api: ConcordProcess, { from, to }: { from: number; to: number }): Promise<void> {
  const hand = async (n: number): Promise<void> => {
    const place = Math.floor(n / tenantIds.length) % scopesEach
    const response = await fetch(`${api.url}/api/ingest`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-tenant-id': tenantIds[n % tenantIds.length]! },
      body: JSON.stringify({ scope_id: `meters-${place}`, document_id: `note-${n}`, name: `note ${n}`, text: noteOf(n) }),
    })
    if (response.status !== 202) throw new Error(`ingest answered ${response.status}: ${await response.text()}`)
  }
  await Promise.all(Array.from({ length: to - from }, (_, n) => hand(from + n)))
  await untilDone(db, to)
}
