/** Random stories of a case. Those of every day are the same each time; `npm run prove` plays others. */

import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Behaviour, completion } from '../models/model-server.js'
import { says } from '../models/scripted-model.js'
import { type ModelService, startModelService } from '../support/model-service.js'
import { startTestService, type TestService } from '../support/service.js'
import { History } from './history.js'
import { comparable, type Lists, linesThen, pageLines } from './moments.js'
import { type Act, disturbed, histories } from './random-acts.js'

let [service, elsewhere]: TestService[] = []
let withModel: ModelService | undefined

beforeAll(async () => {
  service = await startTestService()
  elsewhere = await startTestService()
  withModel = await startModelService()
  withModel.behave = inPart()
})
afterAll(async () => {
  await service?.stop()
  await elsewhere?.stop()
  await withModel?.stop()
})

const proof = process.env['PROVE'] === '1'
const [atOnce, each] = proof ? [5, 20] : [5, 2]
const seed = Number(process.env['SEED'] ?? 0) || (proof ? Math.floor(Date.now() / 1000) : 11)

/** Through no state in which two values of one fact count and nobody is told, nor one that does not follow from the facts. */
async function play(acts: readonly Act[], at = service!): Promise<History> {
  const history = new History(at, await at.createTenant(), 'case', elsewhere)
  for (const act of acts) {
    if (!(await history.act(act))) continue
    expect(await history.silent(), JSON.stringify(act)).toEqual([])
    expect(await history.unsettled(), JSON.stringify(act)).toEqual([])
  }
  return history
}

/** To what a fresh case with the same documents holds. */
async function playToTheEnd(acts: readonly Act[]): Promise<void> {
  const history = await play(acts)
  await history.settle()
  await history.withdrawAll()
  await history.readAgain()
  expect(await history.seen()).toEqual(await (await history.fresh('fresh')).seen())
}

const options = { timeout: proof ? 1_800_000 : 240_000, retry: 0 }
const assertEach = (stories: typeof histories, told: (acts: readonly Act[]) => Promise<unknown>, count: number) => {
  const run = (offset: number) =>
    fc.assert(
      fc.asyncProperty(stories, async acts => void (await told(acts))),
      { numRuns: count, seed: seed + offset, endOnFailure: !proof },
    )
  return Promise.all(Array.from({ length: atOnce }, (_, offset) => run(offset)))
}

it('passes through no silent conflict, and ends like a fresh case once every word is taken back', options, async () => {
  await assertEach(histories, playToTheEnd, each)
  process.stdout.write(`PROVE histories played=${atOnce * each} seed=${seed} unlike a fresh case=0 silent conflicts=0\n`)
})

/** Sure about some figures, not about others, and of every three questions it answers two. */
function inPart(): Behaviour {
  const values = [198, 205, 212]
  const pairs = values.flatMap(a => values.flatMap(b => (a === b ? [] : [{ a: `Revenue: EUR ${a}`, b: `Revenue: EUR ${b}` }])))
  const [answer, prose] = [says(...pairs), completion('I could not say.')]
  let questions = 0
  return (response, request) => (++questions % 3 === 0 ? prose : answer)(response, request)
}

it('passes through none where texts are lost, another version reads and a model answers in part, either', options, async () => {
  const count = proof ? 6 : 1
  await assertEach(disturbed, acts => play(acts, withModel?.service), count)
  expect(withModel?.model.requests.length).toBeGreaterThan(atOnce)
  process.stdout.write(`PROVE histories disturbed=${atOnce * count} seed=${seed} silent conflicts=0\n`)
})

/** One case, to which one thing happens after another; then every moment in between is asked about. */
it('says later of every moment what the lists answered then, but for what was erased since', options, async () => {
  const others = fc.sample(histories, { seed, numRuns: proof ? 40 : 6 }).flatMap(acts => acts.filter(({ kind }) => kind !== 'reset'))
  // Of what was before a reset nothing is left to ask about.
  const long: Act[] = [...others.slice(0, 3), { kind: 'reset' }, ...others.slice(0, proof ? 196 : 21)]
  const history = new History(service!, await service!.createTenant(), 'case', elsewhere)
  const moments: { at: string; after: number; act: Act; lists: Lists }[] = []
  for (const [after, act] of long.entries()) {
    await history.act(act)
    await history.settle()
    moments.push({ at: await nextMillisecond(), after, act, lists: await history.lists() })
    await nextMillisecond()
  }
  const reset = 3
  for (const { at, after, act, lists } of moments) {
    const page = await history.asOf(at)
    const erased = new Set(long.slice(after + 1).flatMap(each => (each.kind === 'erase' ? [each.document] : [])))
    const told = `after act ${after}, ${JSON.stringify(act)}`
    expect(page.before_reset, told).toBe(after < reset)
    if (after < reset) continue
    expect(pageLines(page, erased), told).toEqual(linesThen(lists, erased, page))
    expect(comparable(await history.lists(at), erased), told).toEqual(comparable(lists, erased))
  }
  process.stdout.write(`PROVE histories acts=${long.length} moments=${moments.length} seed=${seed} unlike the lists then=0\n`)
})

/** Instants are whole milliseconds: what was recorded is in this one or before, what follows is behind it. */
async function nextMillisecond(): Promise<string> {
  const now = Date.now()
  while (Date.now() === now) await wait(1)
  return new Date().toISOString()
}
