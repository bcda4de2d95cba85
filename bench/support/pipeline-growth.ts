/**
 * What a document costs in a scope that holds a hundred thousand: short notes of one kind, so that every one of them is
 * reconciled with others that the scope holds.
 */

import type { Reader } from '../../src/pipeline/reader.js'
import type { createCertify } from '../../src/scopes/certify.js'
import type { EmbeddedServer } from '../../src/store/embedded.js'
import { ingest, inWorld, startWorkers, untilDone } from './pipeline-world.js'

/** A meter is read again after five thousand notes, with another figure now and then. */
const noteOf = (n: number): string =>
  `Reading of 3 May 2025\n\nConsumption of meter M-${1000 + (n % 5000)}: ${40 + (n % 7)}.${n % 10} kWh\n`

/** Cost of a document in a scope that holds a hundred thousand, as a multiple of its cost in one that holds a thousand. */
export async function measureGrowth(server: EmbeddedServer, reader: Reader, certify: ReturnType<typeof createCertify>): Promise<number> {
  return inWorld(server, async ({ db, tenantIds }) => {
    await db.engineQuery('bench-clear', 'delete from backlog')
    await db.engineQuery('bench-clear-heads', 'update scope_heads set has_backlog = false, queued = 0')
    const running = startWorkers(db, reader, certify, 1)
    const place = { tenantId: tenantIds[0]!, scopeId: 'large' }
    let held = 0
    const fill = async (to: number): Promise<number> => {
      const started = performance.now()
      const added = to - held
      for (; held < to; ) {
        const next = Math.min(to, held + 1000)
        await ingest(
          db,
          Array.from({ length: next - held }, (_, n) => ({ ...place, n: held + n, text: noteOf(held + n) })),
        )
        held = next
        running.hints.notify('backlog')
        await untilDone(db, held)
      }
      return (performance.now() - started) / added
    }
    await fill(1000)
    const small = await fill(3000)
    for (let to = 10_000; to <= 100_000; to += 10_000) console.log(`${to} documents: ${(await fill(to)).toFixed(1)} ms each`)
    const large = await fill(102_000)
    await running.stop()
    return large / small
  })
}
