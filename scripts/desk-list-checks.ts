/**
 * Every list at the desk says that it is being read, why it could not be, and that there is nothing; and never the last where one of the
 * first two holds. Answers are held back, refused and emptied on their way to the page.
 */

import { EventEmitter, once } from 'node:events'
import type { Page } from 'playwright-core'
import { answerOf, type DeskRun, goTo } from './desk-page.js'

interface List {
  hash: string
  /** The requests whose answers it shows. */
  asked: RegExp
  reading: string
  /** What it says where there is nothing; what is no list has no such state. */
  none?: { words: string; answer?: object }
  /** A part of the page that is opened first. */
  within?: string
}

const empty = { items: [], next: null }
const of = (noun: string) => new RegExp(`/api/scopes/[^/]+/${noun}(\\?|$)`)

export const listsOfCase = (scopeId: string): List[] => {
  const hash = `#/cases/${scopeId}`
  return [
    { hash: '#/cases', asked: /\/api\/scopes\?/, reading: 'the cases', none: { words: 'There is no case yet.' } },
    { hash, asked: of('overview'), reading: 'the overview' },
    {
      hash: `${hash}/contradictions`,
      asked: of('contradictions'),
      reading: 'the contradictions',
      none: { words: 'No contradiction is open.' },
    },
    {
      ...{ hash: `${hash}/contradictions`, asked: /\/comments\?/, reading: 'the comments', none: { words: 'None yet.' } },
      within: 'Who looks at it, and comments',
    },
    {
      ...{ hash: `${hash}/contradictions`, asked: of('claims'), reading: 'the statements', none: { words: 'Nothing else is said on it.' } },
      within: 'Everything the case says on this',
    },
    {
      ...{ hash: `${hash}/possible`, asked: of('possible-conflicts/by-fact'), reading: 'the possible conflicts' },
      none: { words: 'No possible conflict is undecided.' },
    },
    {
      hash: `${hash}/superseded`,
      asked: of('supersessions'),
      reading: 'what was replaced',
      none: { words: 'No statement was replaced by another.' },
    },
    { hash: `${hash}/documents`, asked: of('documents'), reading: 'the documents', none: { words: 'No document has come yet.' } },
    { hash: `${hash}/claims`, asked: of('claims'), reading: 'the statements', none: { words: 'There are none.' } },
    { hash: `${hash}/settled`, asked: of('sign-offs'), reading: 'the sign-offs', none: { words: 'Nobody has signed yet.' } },
    { hash: `${hash}/settled`, asked: of('certificates'), reading: 'the certificates' },
    { hash: `${hash}/as-it-was`, asked: of('as-of'), reading: 'the case as it was' },
    { hash: `${hash}/policy`, asked: of('policies'), reading: 'the policies' },
    {
      ...{ hash: `${hash}/convergence`, asked: of('convergence'), reading: 'the convergence' },
      none: { words: 'No step yet.', answer: { convergence: { dimensions: {} }, history: empty } },
    },
  ]
}

export const listsOfOperator: List[] = [
  { hash: '#/operations', asked: /\/kernel\/troubles/, reading: 'what is wrong', none: { words: 'Nothing.', answer: { items: [] } } },
  { hash: '#/operations', asked: /\/admin\/tenants\?/, reading: 'the tenants', none: { words: 'There is no tenant yet.' } },
  {
    hash: '#/operations',
    asked: /\/admin\/quarantine/,
    reading: 'what could not be read',
    none: { words: 'No document failed after all attempts.' },
  },
  {
    ...{ hash: '#/operations', asked: /\/sessions\?/, reading: 'the sessions', none: { words: 'Nobody is signed in.' } },
    within: 'Keys and limits',
  },
  { hash: '#/operations', asked: /\/admin\/audit/, reading: 'the audit', none: { words: 'No entry fits.' } },
]

const refusal = 'Refused on its way to the page.'

export async function checkLists({ fault }: DeskRun, page: Page, lists: readonly List[]): Promise<void> {
  const started = Date.now()
  for (const list of lists) {
    const isSaidEmpty = async () => list.none !== undefined && (await page.getByText(list.none.words, { exact: true }).count()) > 0
    const held = new EventEmitter()
    const goOn = once(held, 'over')
    await page.route(list.asked, async route => {
      await goOn
      await route.fulfill({ status: 409, json: { code: 'STATE_CONFLICT', status: 409, detail: refusal } })
    })
    await show(page, list)
    await page
      .getByRole('status')
      .filter({ hasText: `Reading ${list.reading} …` })
      .first()
      .waitFor()
    if (await isSaidEmpty()) fault(`lists: ${list.reading}: said to be empty while it is being read`)
    held.emit('over')
    await page.getByRole('alert').filter({ hasText: refusal }).first().waitFor()
    if (await isSaidEmpty()) fault(`lists: ${list.reading}: said to be empty where it could not be read`)
    await page.unrouteAll({ behavior: 'wait' })
    if (list.none === undefined) continue
    const { words, answer = empty } = list.none
    await page.route(list.asked, route => route.fulfill({ json: answer }))
    await show(page, list)
    await page.getByText(words, { exact: true }).first().waitFor()
    await page.unrouteAll({ behavior: 'wait' })
  }
  console.log(`desk: ${lists.length} lists in each of their states in ${Date.now() - started} ms`)
}

/** Lists say where they stop, and are read on from there. What is there is given again and again, so that there is no end of it. */
export async function checkReadOn({ fault }: DeskRun, page: Page, scopeId: string): Promise<void> {
  const endless = [
    { hash: '#/cases', asked: /\/api\/scopes\?/, id: 'scope_id', atOnce: 400 },
    { hash: `#/cases/${scopeId}/claims`, asked: of('claims'), id: 'claim_id', atOnce: 200 },
    { hash: `#/cases/${scopeId}/documents`, asked: of('documents'), id: 'document_id', atOnce: 600 },
  ]
  for (const each of endless) {
    // What stands still once may be the machine; it says what it showed.
    const still = await readOn(fault, page, each).catch(async (error: unknown) => {
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      const said = await page.locator('.acts, [role="alert"], [role="status"]').allInnerTexts()
      console.log(`desk: ${each.hash} was not read on at ${page.url()}: ${JSON.stringify(said).slice(0, 600)}`)
      return error
    })
    if (still !== undefined) await readOn(fault, page, each)
  }
}

interface Endless {
  hash: string
  asked: RegExp
  id: string
  atOnce: number
}

async function readOn(fault: DeskRun['fault'], page: Page, { hash, asked, id, atOnce }: Endless): Promise<void> {
  let pages = 0
  let like: object | undefined
  await page.route(asked, async route => {
    if (like === undefined) {
      const answer = await answerOf<{ items: object[] }>(route)
      if (answer === undefined) return
      like = answer.body.items[0]
    }
    pages++
    const again = Array.from({ length: 200 }, (_, n) => ({ ...like, [id]: `again-${pages}-${n}` }))
    await route.fulfill({ json: { items: again, next: 'more' } })
  })
  await show(page, { hash, asked, reading: '' })
  for (const shown of [atOnce, 2 * atOnce]) {
    const says = page.locator('.acts').filter({ hasText: `The first ${shown.toLocaleString('en')} are shown` })
    await says.waitFor({ timeout: 60_000 })
    await says.getByRole('button', { name: 'Read more' }).click()
  }
  if (pages < (3 * atOnce) / 200) fault(`lists: ${hash} was read on in ${pages} pages only`)
  await page.unrouteAll({ behavior: 'wait' })
}

/** A day of a year that no calendar has is said to be none, and the page goes on. */
export async function checkDays(page: Page, scopeId: string): Promise<void> {
  for (const [view, label] of [
    ['documents', 'Handed in since'],
    ['claims', 'As known on'],
  ] as const) {
    await goTo(page, `#/cases/${scopeId}/${view}`)
    const day = page.getByLabel(label)
    await day.fill('12026-05-04')
    await page.getByRole('alert').filter({ hasText: 'There is no such day' }).waitFor()
    await day.fill('')
    await page.locator('.rows .row').first().waitFor()
  }
}

/** From elsewhere, so that it is read anew. */
async function show(page: Page, { hash, within }: List): Promise<void> {
  await goTo(page, '#/new-case')
  await page.getByRole('heading', { name: 'New case' }).waitFor()
  await goTo(page, hash)
  if (within !== undefined) await page.locator('summary, button').filter({ hasText: within }).first().click()
}
