/**
 * The record people are asked for, at the desk: a case and a document go on legal hold and off it again, the case is looked at as it
 * was, its papers are handed on, and who opened a finding is shown on it.
 */

import type { Page } from 'playwright-core'
import { type Client, createClient } from '../src/client/index.js'
import { type DeskRun, goTo, lookAtEvery, open, until } from './desk-page.js'
import { outcomeOf } from './document-outcome.js'

const caseId = 'desk-record'
const texts = {
  note: 'Vela Ltd: net debt at 31 March 2025 was EUR 17.5M.',
  letter: 'Vela Ltd: net debt at 31 March 2025 was EUR 12.0M.',
}

const remark = 'The treasurer was asked on Monday.'

export async function checkRecord(run: DeskRun, key: string): Promise<void> {
  const client = createClient({ url: run.url, tenantKey: key })
  for (const [id, text] of Object.entries(texts)) {
    await client.ingest({ scope_id: caseId, document_id: id, name: id, text })
    await outcomeOf(client, caseId, id)
  }
  const { context, page } = await open(run, key)
  await holdCase(run, page)
  await holdDocument(run, page, client)
  await lookBack(run, page, client)
  const finding = await handOn(run, page, client)
  const seen = await open(run, key)
  await seenBefore(seen.page, finding)
  await goTo(seen.page, `#/cases/${caseId}/as-it-was`)
  await seen.page.getByRole('heading', { name: 'What people had decided: 1' }).waitFor()
  await lookAtEvery(run, seen.page, 'as-it-was')
  await seen.context.close()
  await narrow(page, client)
  await afterErasing(run, page, client)
  await context.close()
}

async function answer(page: Page, question: string, reason: string): Promise<void> {
  const asked = page.getByRole('group', { name: question })
  await asked.getByRole('textbox', { name: 'Reason' }).fill(reason)
  await asked.getByRole('textbox', { name: 'Your name' }).fill('abby')
  await asked.getByRole('button', { name: 'Yes' }).click()
}

async function holdCase({ fault }: DeskRun, page: Page): Promise<void> {
  await goTo(page, `#/cases/${caseId}/documents`)
  await page.getByRole('button', { name: 'Put on legal hold' }).click()
  await answer(page, 'Put the case on legal hold? Nothing removes it until the hold is lifted.', 'Litigation is expected.')
  await page.getByText('set by abby: Litigation is expected.').waitFor()
  await page.getByText('on legal hold', { exact: true }).first().waitFor()
  for (const name of ['Delete case', 'Erase'])
    if ((await page.getByRole('button', { name }).count()) > 0) fault(`${name} is offered for a case on legal hold`)
  await goTo(page, `#/cases/${caseId}/documents/note`)
  await page.getByText('On legal hold with its case').waitFor()
  await page.getByRole('button', { name: 'Lift the legal hold' }).click()
  await answer(page, 'Lift the legal hold? The case can be removed then.', 'The matter was settled.')
  await page.getByRole('button', { name: 'Delete case' }).waitFor()
}

async function holdDocument({ fault }: DeskRun, page: Page, client: Client): Promise<void> {
  const ofDocument = page.locator('.page').getByRole('button', { name: 'Put on legal hold' })
  await ofDocument.click()
  await answer(page, 'Put the document on legal hold? Nothing removes it until the hold is lifted.', 'Evidence.')
  await page.getByText('set by abby: Evidence.').waitFor()
  if ((await page.getByRole('button', { name: 'Erase' }).count()) > 0) fault('erasing a document on legal hold is offered')
  await page.getByRole('button', { name: 'Delete case' }).click()
  const asked = page.getByRole('group', { name: 'Delete the case' })
  await asked.getByText(/^note, set by abby on .*: Evidence\.$/).waitFor()
  if ((await asked.getByRole('button', { name: 'Delete for good' }).count()) > 0)
    fault('deleting a case with a document on hold is offered')
  await asked.getByRole('button', { name: 'Keep it' }).click()
  await page.getByRole('button', { name: 'Lift the legal hold' }).click()
  await answer(page, 'Lift the legal hold? The document can be removed then.', 'Copied.')
  await page.getByRole('button', { name: 'Erase' }).waitFor()
  const holds = await client.holds(caseId).toArray()
  if (holds.length !== 2 || holds.some(each => each.lifted?.by !== 'abby')) fault(`holds on record: ${JSON.stringify(holds)}`)
}

async function lookBack({ fault }: DeskRun, page: Page, client: Client): Promise<void> {
  const [found] = await client.contradictions(caseId).toArray(1)
  await client.comment(found?.contradiction_id ?? '', { by: 'roe', text: remark })
  await page.getByRole('link', { name: 'As it was' }).click()
  await page.getByRole('heading', { name: 'Open contradictions: 1' }).waitFor()
  for (const text of Object.values(texts)) await page.getByText(text).first().waitFor()
  await page.getByText(remark).waitFor()
  await client.resolve(found?.contradiction_id ?? '', { verdict: 'both', by: 'abby', reason: 'Two dates of booking.' })
  const moment = page.getByLabel('Day and time')
  const now = await moment.inputValue()
  await moment.fill('2020-01-31T09:00')
  await page.getByText(/^The case was made on .* after this moment\.$/).waitFor()
  await moment.fill(now)
  await page.getByRole('heading', { name: /^(What people had decided: 1|Open contradictions: 1)$/ }).waitFor()
  await takes(fault, page, { 'Page to print': '.html', 'Signed document': '.jws' })
}

/** Each button gives a file with its ending. */
async function takes(fault: DeskRun['fault'], page: Page, files: Record<string, string>): Promise<void> {
  for (const [button, ending] of Object.entries(files)) {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: button, exact: true }).click()
    if (!(await download).suggestedFilename().endsWith(ending)) fault(`${button} gives no ${ending}`)
  }
}

/** The finding that is open on the page then. */
async function handOn({ fault }: DeskRun, page: Page, client: Client): Promise<string> {
  const [found] = await client.contradictions(caseId, { status: 'all' }).toArray(1)
  const finding = `#/cases/${caseId}/contradictions/${found?.contradiction_id}`
  await goTo(page, finding)
  await takes(fault, page, { Word: '.docx', Excel: '.xlsx', Bundle: '.zip' })
  await handedOnRefused(page)
  await narrowed(fault, page)
  // An address leads to its finding, whatever the list beside it leaves out.
  await page.getByLabel('Found by').selectOption('person')
  await page.getByText('None fits.').or(page.getByText('No contradiction is open.')).waitFor()
  await page.locator('#about').waitFor()
  await page.getByLabel('Found by').selectOption({ index: 0 })
  return finding
}

/** Why a paper cannot be had is said in the words of the service, without its code. */
async function handedOnRefused(page: Page): Promise<void> {
  const detail = 'It is being made for others just now.'
  await page.route(/\/schedule\?/, route => route.fulfill({ status: 409, json: { code: 'STATE_CONFLICT', status: 409, detail } }))
  await page.getByRole('button', { name: 'Excel', exact: true }).click()
  await page.getByRole('group', { name: 'Hand on' }).getByRole('alert').getByText(detail, { exact: true }).waitFor()
  await page.unrouteAll({ behavior: 'wait' })
}

/** The schedule has what the list beside it shows, and no more. */
async function narrowed(fault: DeskRun['fault'], page: Page): Promise<void> {
  const wanted = { status: 'decided', severity: 'low', found_by: 'rules', q: 'net debt' }
  const labels = { Status: wanted.status, Severity: wanted.severity, 'Found by': wanted.found_by }
  for (const [label, value] of Object.entries(labels)) await page.getByLabel(label).selectOption(value)
  await page.getByLabel('Search').fill(wanted.q)
  const asked = page.waitForRequest(request => request.url().includes('/schedule?'))
  await takes(fault, page, { Word: '.docx' })
  const given = new URL((await asked).url()).searchParams
  for (const [name, value] of Object.entries(wanted))
    if (given.get(name) !== value) fault(`the schedule was asked for without ${name} ${value}: ${given}`)
  for (const label of Object.keys(labels)) await page.getByLabel(label).selectOption({ index: 0 })
  await page.getByLabel('Search').fill('')
}

/** By another session than that which opened it first. */
async function seenBefore(page: Page, finding: string): Promise<void> {
  await goTo(page, finding)
  await page.getByText('Opened before by').waitFor()
}

/** Lists go on beyond their first page, and what is about somebody alone is shown alone. */
async function narrow(page: Page, client: Client): Promise<void> {
  const reported = { scope_id: caseId, severity: 'low', source_a: 'a call', source_b: 'a mail' } as const
  for (let number = 1; number <= 51; number++)
    await client.reportContradiction({ ...reported, claim_a: `Call ${number} was answered.`, claim_b: `Call ${number} was not.` })
  await goTo(page, `#/cases/${caseId}/as-it-was`)
  await page.getByRole('heading', { name: 'Open contradictions: more than 50' }).waitFor()
  await page.getByRole('button', { name: 'Show more', exact: true }).click()
  await page.getByRole('heading', { name: 'Open contradictions: 51' }).waitFor()
  // Drawn as it is scrolled to.
  await until('the last contradiction is drawn', async () => {
    await page
      .getByRole('button', { name: /^Show more of/ })
      .first()
      .scrollIntoViewIfNeeded({ timeout: 1000 })
      .catch(() => undefined)
    return (await page.getByText('Call 51 was not.').count()) > 0
  })
  await page.getByLabel('About').fill('Vela Ltd')
  await page.getByRole('heading', { name: 'Open contradictions: 0' }).waitFor()
  await page.getByRole('heading', { name: 'Statements that counted: 2' }).waitFor()
}

/** What was erased since is named as erased, without its words. */
async function afterErasing({ fault }: DeskRun, page: Page, client: Client): Promise<void> {
  await client.eraseDocument(caseId, 'note')
  await page.getByLabel('About').fill('')
  await page.getByRole('heading', { name: 'Open contradictions: more than 50' }).waitFor()
  if ((await page.getByText(texts.note).count()) > 0) fault('words that were erased are shown of the past')
  await page.getByText(texts.letter).first().waitFor()
}
