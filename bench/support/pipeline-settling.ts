/** What a commit costs that leaves its scope settled, and so signs a certificate, in a scope of few documents and in one of many. */

import type { Reader } from '../../src/pipeline/threads/reader.js'
import type { createCertify } from '../../src/scopes/certificates/certify.js'
import type { Database } from '../../src/store/server/database.js'
import type { EmbeddedServer } from '../../src/store/server/embedded.js'
import { inOneScope } from './pipeline-world.js'

/** No two are about the same meter, so nothing is left to decide. */
const noteOf = (n: number): string => `Reading of 3 May 2025\n\nConsumption of meter M-${1000 + n}: ${40 + (n % 7)}.${n % 10} kWh\n`

const sizes = [100, 1000, 5000]
const settled = 60

export async function measureSettling(
  server: EmbeddedServer,
  reader: Reader,
  certify: ReturnType<typeof createCertify>,
): Promise<Record<string, number>> {
  return inOneScope(server, { reader, certify, noteOf }, async ({ db, running, held, add }) => {
    const committed = () => running.workers.reduce((sum, worker) => sum + (worker.figures().stages['commit']?.totalMs ?? 0), 0)
    const figures: Record<string, number> = {}
    await add(1)
    // Nobody is there to sign it off.
    await db.engineQuery(`update scopes set settings = '{"finality": {"examination": "none"}}' where scope_id = 'one'`)
    for (const size of sizes) {
      while (held() < size) await add(Math.min(500, size - held()))
      // The first of them makes the sum of a long list.
      await add(1)
      const before = { ms: committed(), certificates: await countCertificates(db) }
      for (let n = 0; n < settled; n++) await add(1)
      figures[`commit_at_${size}_ms`] = (committed() - before.ms) / settled
      const issued = (await countCertificates(db)) - before.certificates
      if (issued !== settled) throw new Error(`${issued} of ${settled} commits left the scope settled`)
      console.log(`${size} documents: ${figures[`commit_at_${size}_ms`]?.toFixed(2)} ms for a commit with its certificate`)
    }
    return figures
  })
}

async function countCertificates(db: Database): Promise<number> {
  const { rows } = await db.engineQuery<{ certificates: number }>('select count(*) as certificates from certificates')
  return Number(rows[0]?.certificates)
}
