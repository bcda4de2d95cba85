/**
 * Cases made to be slow: one whose documents share all their words, one with a word that every document has, a tenant of as many
 * cases as documents. What a document costs of the processor, PostgreSQL included, when few came before it and when many did.
 */

import { createReader } from '../../src/pipeline/threads/reader.js'
import { generateSigningKey } from '../../src/scopes/certificates/certificates.js'
import { createCertify } from '../../src/scopes/certificates/certify.js'
import type { EmbeddedServer } from '../../src/store/server/embedded.js'
import { connectAsOwner } from '../../src/store/server/migrate.js'
import { clearBacklog, ingest, inWorld, prepareTemplate, startWorkers, untilDone } from './pipeline-world.js'
import { processorUs } from './processor-time.js'
import { repeatRows, repeatScopes } from './repeat-rows.js'

interface AdverseCase {
  scopeOf: (n: number) => string
  /** What is repeated to make it large. */
  fill: 'rows of the case' | 'cases'
  textOf: (n: number) => string
}

const adverse: Record<string, AdverseCase> = {
  all_words_shared: {
    scopeOf: () => 'one',
    fill: 'rows of the case',
    textOf: n =>
      `Pressure log\n\nThe pressure of the main line was ${20 + (n % 9)} bar on 3 May 2025.\nThe valve of the main line was open.\n`,
  },
  one_word_in_all: {
    scopeOf: () => 'one',
    fill: 'rows of the case',
    textOf: n => `Note\n\nThe Kestrel ${wordOf(n)} of ${wordOf(n + 7)} holds ${10 + (n % 80)} units of ${wordOf(n + 31)}.\n`,
  },
  one_case_each: {
    scopeOf: n => `case-${n}`,
    fill: 'cases',
    textOf: n => `Note\n\nThe stock of depot ${n % 90} was ${10 + (n % 80)} tons in May 2025.\n`,
  },
}

const few = 100
/** Documents that are measured at each size; `--measured=30` on a busy machine. */
const measured = Number(process.argv.find(arg => arg.startsWith('--measured='))?.slice(11) ?? 100)

/** Of one case alone where it is named. */
export async function measureAdverse(server: EmbeddedServer, many: number, only?: string): Promise<Record<string, number>> {
  const reader = createReader({ timeoutMs: 60_000 })
  const key = await generateSigningKey()
  const certify = createCertify({ issuer: 'bench', signingKey: () => key })
  try {
    await prepareTemplate(server, () => [])
    const figures: Record<string, number> = {}
    for (const [name, { scopeOf, textOf, fill }] of Object.entries(adverse).filter(([each]) => only === undefined || each === only))
      await inWorld(server, async ({ db, address, tenantIds }) => {
        await clearBacklog(db)
        const running = startWorkers(db, reader, certify, 1)
        let held = 0
        const add = async (count: number, tenantId: string): Promise<void> => {
          const rows = Array.from({ length: count }, (_, at) => ({
            tenantId,
            n: held + at,
            scopeId: tenantId === tenantIds[0] ? scopeOf(held + at) : `warm-${scopeOf(held + at)}`,
            text: textOf(held + at),
          }))
          await ingest(db, rows)
          held += count
          running.hints.notify('backlog')
          await untilDone(db, held)
        }
        const cost = async (): Promise<number> => {
          const before = spentUs(server)
          await add(measured, tenantIds[0]!)
          return (spentUs(server) - before) / 1000 / measured
        }
        // Another tenant's, so that what is measured first does not pay for what the engine compiles.
        for (let warmed = 0; warmed < 3; warmed++) await add(measured, tenantIds[1]!)
        const warm = held
        await add(few, tenantIds[0]!)
        const early = await cost()
        // What was read is repeated: read one by one, ten thousand would take the time of an hour of a busy machine.
        const times = Math.ceil(many / (held - warm))
        const owner = await connectAsOwner(address, { connectTimeoutMs: 20_000, statementTimeoutMs: 600_000 })
        if (fill === 'cases') await repeatScopes(owner, tenantIds[0]!, times)
        else await repeatRows(owner, 'one', times)
        await owner.end()
        held = warm + (held - warm) * times
        // And again, so that neither the plans of before nor pages that are not in memory are measured.
        await add(measured, tenantIds[0]!)
        const late = await cost()
        console.log(
          `${name}: ${early.toFixed(2)} ms of the processor behind ${few} documents, ${late.toFixed(2)} behind ${held - warm - measured}`,
        )
        figures[`${name}_times`] = late / early
        await running.stop()
      })
    return figures
  } finally {
    await reader.close()
  }
}

function spentUs(server: EmbeddedServer): number {
  const { user, system } = process.cpuUsage()
  return user + system + processorUs(server.pid())
}

/** Pronounceable, and another for each number. */
function wordOf(n: number): string {
  const syllables = ['ba', 'ce', 'di', 'fo', 'gu', 'ka', 'le', 'mi', 'no', 'pu', 'ra', 'se', 'ti', 'vo', 'zu']
  let word = ''
  for (let left = n + 1; left > 0; left = Math.floor(left / syllables.length)) word += syllables[left % syllables.length]
  return `${word}ron`
}
