/**
 * The same documents in any order and any batches leave the same open findings: by document, place, verdict, severity and
 * sides. Through the service's own planner, with what it fetches from the database.
 */

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documents, findings } from './harbour.js'
import { nothingWaits, openWorld, type PipelineWorld } from './support.js'

let world: PipelineWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

async function read(order: readonly string[], batch: number): Promise<string[]> {
  const tenantId = await world.newTenant()
  await world.ingest(
    order.map(documentId => ({ tenantId, scopeId: 'case', documentId, text: documents[documentId as keyof typeof documents] })),
  )
  const worker = world.startWorker({ batch })
  await world.until(nothingWaits)
  await worker.stop()
  return findings(world, tenantId)
}

test('the order of arrival and the size of batches change no finding', async () => {
  const names = Object.keys(documents)
  const expected = await read(names, 1)
  expect(expected.filter(line => line.startsWith('contradiction')).length).toBeGreaterThan(1)
  expect(expected.some(line => line.startsWith('supersession'))).toBe(true)
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(names, { minLength: names.length }), fc.constantFrom(1, 2, 200), async (order, batch) => {
      expect(await read(order, batch)).toEqual(expected)
    }),
    { numRuns: process.env['PROVE'] === '1' ? 40 : 5, seed: 7 },
  )
})
