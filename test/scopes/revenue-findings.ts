/** What tests of findings about a revenue say, and what they ask of a case afterwards: its figures, and the kinds of its events. */

import { expect } from 'vitest'
import { countedFigures, eventsOf, type World } from './support.js'

export const revenue = (value: string) => ({ slot: 'revenue', value, quote: `Revenue was ${value}.` })
export const said = { reason: 'Looked at both.', by: 'ann' }

export async function expectTrueFigures(world: World, scope: { tenantId: string; scopeId: string }) {
  const figures = await countedFigures(world, scope)
  expect(figures).toMatchObject({
    kept_live: figures.live,
    kept_open: figures.open,
    kept_possible: figures.possible,
    kept_slots: figures.slots,
  })
  return figures
}

export const types = async (world: World, scope: { tenantId: string; scopeId: string }) =>
  (await eventsOf(world, scope)).map(event => event.type)
