/**
 * What a document costs in a scope that holds a hundred thousand: short notes of one kind, so that every one of them is
 * reconciled with others that the scope holds.
 */

import type { Reader } from '../../src/pipeline/threads/reader.js'
import type { createCertify } from '../../src/scopes/certificates/certify.js'
import type { EmbeddedServer } from '../../src/store/server/embedded.js'
import { inOneScope } from './pipeline-world.js'

/** A meter is read again after five thousand notes, with another figure now and then. */
const noteOf = (n: number): string =>
  `Reading of 3 May 2025\n\nConsumption of meter M-${1000 + (n % 5000)}: ${40 + (n % 7)}.${n % 10} kWh\n`

interface Cost {
  ms: number
  /** Of the processor, threads included and PostgreSQL not. */
  spentMs: number
}

/** Cost of a document in a scope that holds a hundred thousand, as a multiple of its cost in one that holds a few thousand. */
export async function measureGrowth(
  server: EmbeddedServer,
  reader: Reader,
  certify: ReturnType<typeof createCertify>,
): Promise<Record<string, number>> {
  return inOneScope(server, { reader, certify, noteOf }, async ({ running, held, add }) => {
    const fill = async (to: number): Promise<Cost> => {
      const started = performance.now()
      const before = process.cpuUsage()
      const stages = totalsOf(running.workers)
      const added = to - held()
      while (held() < to) await add(Math.min(1000, to - held()))
      const { user, system } = process.cpuUsage(before)
      const cost = { ms: (performance.now() - started) / added, spentMs: (user + system) / 1000 / added }
      const spent = Object.entries(totalsOf(running.workers)).map(
        ([stage, ms]) => `${stage} ${((ms - (stages[stage] ?? 0)) / added).toFixed(2)}`,
      )
      console.log(`${to} documents: ${cost.ms.toFixed(1)} ms each, ${cost.spentMs.toFixed(1)} of the processor; ${spent.join(', ')}`)
      return cost
    }
    await fill(2000)
    const small = await fill(5000)
    for (let to = 10_000; to <= 100_000; to += 10_000) await fill(to)
    const large = await fill(103_000)
    return { cost_at_100k_of_1k: large.ms / small.ms, cost_at_100k_of_1k_by_processor: large.spentMs / small.spentMs }
  })
}

function totalsOf(workers: readonly { figures(): { stages: Record<string, { totalMs: number }> } }[]): Record<string, number> {
  const totals: Record<string, number> = {}
  for (const worker of workers)
    for (const [stage, { totalMs }] of Object.entries(worker.figures().stages)) totals[stage] = (totals[stage] ?? 0) + totalMs
  return totals
}
