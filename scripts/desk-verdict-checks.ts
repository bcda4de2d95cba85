/** Verdicts at the desk: each by its key, with its reason, and none by what is typed; the list of keys; both in every look. */

import type { Page } from 'playwright-core'
import { type Client, createClient } from '../src/client/index.js'
import { decideTogether } from './desk-alike-checks.js'
import { type DeskRun, goTo, look, lookAtEvery, open } from './desk-page.js'
import { outcomeOf } from './document-outcome.js'

const caseId = 'desk-verdicts'
/** Every letter that is a key somewhere on the page. */
const everyKey = 'abox dcn jkust /?'

export async function checkVerdicts(run: DeskRun, key: string): Promise<void> {
  const client = createClient({ url: run.url, tenantKey: key })
  const [disputed, slip, apart] = await handIn(client)
  await lookAtVerdicts(run, key, slip)
  await tellUnread(run, key, slip)
  const { context, page } = await open(run, key)
  await checkKeyList(run, page, disputed)
  await workTogether(run, page, client, disputed)
  await decideByKeys(run, page, client, disputed, 'd', 'disputed')
  await decideByKeys(run, page, client, apart, 'n', 'not_the_same')
  await offerAgain(page, slip)
  await askAuthor(run, page)
  await decideSlip(run, page, client, slip)
  await linkExactly(run, page, key)
  await readStory(run, page)
  await decideTogether(run, page, client)
  await context.close()
}

/** Three facts on which two papers differ. */
async function handIn(client: Client): Promise<[string, string, string]> {
  const texts = {
    report: 'Revenue for FY2025 was EUR 41.2M.\n\nThe headcount in 2025 was 312.\n\nNet debt for FY2025 was EUR 8.4M.',
    audit:
      'Issued by: Brandt Audit\n\nRevenue for FY2025 was EUR 33.9M.\n\nThe headcount in 2025 was 298.\n\nNet debt for FY2025 was EUR 9.9M.',
  }
  await client.createScope({ scope_id: caseId })
  for (const [document_id, text] of Object.entries(texts)) {
    await client.ingest({ scope_id: caseId, document_id, name: document_id, text })
    await outcomeOf(client, caseId, document_id)
  }
  const ids = (await client.contradictions(caseId).toArray(10)).map(each => each.contradiction_id)
  const [first, second, third] = ids
  if (first === undefined || second === undefined || third === undefined) throw new Error(`${ids.length} contradictions, not three`)
  return [first, second, third]
}

/** That a text is no longer kept is said where the service says so, and not where it could not be asked. */
async function tellUnread(run: DeskRun, key: string, id: string): Promise<void> {
  const { context, page } = await open(run, key)
  const refusal = { code: 'RIGHTS_INSUFFICIENT', status: 403, detail: 'Refused on its way to the page.' }
  const missing = { code: 'DOCUMENT_NOT_FOUND', status: 404, detail: 'No text of the document is kept.' }
  for (const problem of [refusal, missing]) {
    await page.route(/\/api\/documents\/[^/]+\/text\?/, route => route.fulfill({ status: problem.status, json: problem }))
    for (const [view, within, gone] of [
      [`contradictions/${id}`, page.getByRole('region', { name: 'Side B' }), 'The text is no longer kept; the quote is.'],
      ['documents/audit', page.locator('.text.tall'), 'Its text is not stored here.'],
    ] as const) {
      await goTo(page, `#/cases/${caseId}/${view}`)
      if (problem === missing) await within.getByText(gone, { exact: true }).waitFor()
      else await within.getByRole('alert').getByText(refusal.detail, { exact: true }).waitFor()
      if (problem === refusal && (await page.getByText(gone).count()) > 0) run.fault(`${view}: a text that was refused is said to be gone`)
    }
    await page.unrouteAll({ behavior: 'wait' })
  }
  await context.close()
}

async function show(page: Page, id: string): Promise<void> {
  await goTo(page, `#/cases/${caseId}/contradictions/${id}`)
  await page.locator(`.list a[aria-current=true][href$="${id}"]`).waitFor()
  await page.getByRole('form', { name: 'Decision' }).waitFor()
  // Nothing has the keyboard: the keys go to the page.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
}

async function decideByKeys(run: DeskRun, page: Page, client: Client, id: string, key: string, verdict: string): Promise<void> {
  await show(page, id)
  await page.keyboard.press(key)
  await page.locator(`[data-verdict=${verdict}][aria-pressed=true]`).waitFor()
  await page.getByText('Both count.').waitFor()
  await reasonHasFocus(page)
  await page.keyboard.type(everyKey)
  if ((await page.getByRole('textbox', { name: 'Reason' }).inputValue()) !== everyKey) run.fault(`${verdict}: what is typed acts`)
  if ((await page.locator(`[data-verdict=${verdict}][aria-pressed=true]`).count()) === 0) run.fault(`${verdict}: typing chose another`)
  await finish(page)
  const { resolution } = await client.contradiction(id)
  if (resolution?.verdict !== verdict || resolution.reason !== everyKey) run.fault(`${verdict} became ${JSON.stringify(resolution)}`)
}

/** It cannot be decided before a side is named; the key of a side names it then, and chooses no verdict. */
async function decideSlip(run: DeskRun, page: Page, client: Client, id: string): Promise<void> {
  await show(page, id)
  await page.getByRole('textbox', { name: 'Reason' }).fill('See page 3.')
  await page.getByRole('button', { name: 'Clerical error' }).click()
  const sides = page.getByRole('group', { name: 'Which side has the slip?' })
  await sides.getByRole('button', { name: 'A has it' }).and(page.locator(':focus')).waitFor()
  if (await page.getByRole('button', { name: 'Decide', exact: true }).isEnabled()) run.fault('a slip of no side can be decided')
  await page.keyboard.press('b')
  await sides.locator('[data-side=b][aria-pressed=true]').waitFor()
  await page.locator('[data-verdict=clerical_error][aria-pressed=true]').waitFor()
  await page.getByText('What B says stops counting, and nothing takes its place.').waitFor()
  await reasonHasFocus(page)
  await page.getByRole('group', { name: 'Usual reasons' }).getByRole('button', { name: 'A digit is wrong.' }).click()
  await reasonHasFocus(page)
  await finish(page)
  await page.locator('.decided').getByText('B is a slip of the pen').waitFor()
  const { resolution } = await client.contradiction(id)
  if (resolution?.verdict !== 'clerical_error' || resolution.side !== 'b' || resolution.reason !== 'See page 3. A digit is wrong.')
    run.fault(`a slip of B became ${JSON.stringify(resolution)}`)
}

/** Given to a person with a day, talked about, and found again under mine. */
async function workTogether(run: DeskRun, page: Page, client: Client, id: string): Promise<void> {
  await show(page, id)
  await page.getByText('Who looks at it, and comments').click()
  await page.getByRole('textbox', { name: 'Person' }).fill('abby')
  await page.getByLabel('Due').fill('2031-03-31')
  await page.getByRole('button', { name: 'Assign', exact: true }).click()
  await page.locator('.finding-head').getByText('for abby').waitFor()
  const talk = page.locator('.comments')
  await talk.getByRole('textbox', { name: 'Comment' }).fill('<b>Asked</b> the auditor.')
  await talk.getByRole('textbox', { name: 'Your name' }).fill('abby')
  await talk.getByRole('button', { name: 'Write' }).click()
  await talk.getByText('<b>Asked</b> the auditor.').waitFor()
  const { assignment, comments } = await client.contradiction(id)
  if (assignment?.to !== 'abby' || assignment.due !== '2031-03-31' || comments !== 1) run.fault(`assigned: ${JSON.stringify(assignment)}`)
  await look(run, page, 'desk-together')
  await page.getByLabel('Assigned to').selectOption('me')
  await page.locator('.list .items li').nth(1).waitFor({ state: 'detached' })
  await page.locator('.list .items li').first().waitFor()
  if ((await page.locator('.list .items li').count()) !== 1) run.fault('mine lists what is not mine')
  await page.getByLabel('Assigned to').selectOption('anybody')
  await page.locator('.list .items li').nth(2).waitFor()
  await page.getByText('Who looks at it, and comments').click()
}

/** Each act with its finding, who did it and why. */
async function readStory(run: DeskRun, page: Page): Promise<void> {
  await goTo(page, `#/cases/${caseId}/story`)
  await page.getByRole('heading', { name: 'Story' }).waitFor()
  await page.locator('.story').getByText('See page 3. A digit is wrong.').first().waitFor()
  const told = await page.locator('.story').innerText()
  for (const words of [
    /FY2025: .* or .*\? was decided: Stays disputed/,
    /by abby: abox dcn/,
    /was commented on, by abby: <b>Asked/,
    /no longer counts/,
  ])
    if (!words.test(told)) run.fault(`the story does not tell ${words}`)
}

/** What was said of an alike pair is offered, and can still be another verdict. */
async function offerAgain(page: Page, id: string): Promise<void> {
  await show(page, id)
  await page.keyboard.press('n')
  await page.getByRole('group', { name: 'Usual reasons' }).getByRole('button', { name: everyKey }).waitFor()
}

async function askAuthor(run: DeskRun, page: Page): Promise<void> {
  await page.getByText('Ask the author').click()
  const question = page.getByRole('textbox', { name: 'Question' })
  await page.getByRole('button', { name: 'Of B' }).click()
  const drafted = await question.inputValue()
  for (const quote of ['The headcount in 2025 was 312', 'The headcount in 2025 was 298'])
    if (!drafted.includes(`“${quote}`)) run.fault(`the question to the author has no ${quote}: ${drafted}`)
}

/** A statement chosen in its paper: the case is searched for it, and its link leads exactly there, through signing in and a reload. */
async function linkExactly(run: DeskRun, page: Page, key: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await goTo(page, `#/cases/${caseId}/documents/audit`)
  await page.locator('.aside .items button').filter({ hasText: 'EUR 9.9M' }).click()
  await page.getByRole('button', { name: 'Copy a link to it' }).click()
  await page.getByText('Copied.').waitFor()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  // Of another one that is not said.
  await page.locator('.aside .items button').filter({ hasText: 'EUR 33.9M' }).click()
  await page.getByText('Copied.').waitFor({ state: 'detached' })
  await page.locator('.aside .items button').filter({ hasText: 'EUR 9.9M' }).click()
  await page.getByRole('link', { name: 'Search the case for it' }).click()
  await page.getByRole('heading', { name: 'Statements' }).waitFor()
  await page.getByText('EUR 8.4M').first().waitFor()
  await page.context().clearCookies()
  await page.goto('about:blank')
  await page.goto(link)
  await page.getByRole('textbox', { name: 'Key' }).fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  const mark = page.locator('mark.main')
  await mark.first().waitFor()
  await page.reload()
  await mark.first().waitFor()
  const marked = (await mark.allInnerTexts()).join('')
  if (marked !== 'Net debt for FY2025 was EUR 9.9M.') run.fault(`the link ${link} leads to ${marked}`)
}

async function reasonHasFocus(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Reason' }).and(page.locator(':focus')).waitFor()
}

async function finish(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Your name' }).fill('abby')
  await page.getByRole('button', { name: 'Decide', exact: true }).click()
  await page.locator('.decided').getByText('decided by').waitFor()
}

/** Opened by key and by button; what is pressed over the page does nothing on it; Escape leads back to where one was. */
async function checkKeyList({ fault }: DeskRun, page: Page, id: string): Promise<void> {
  await show(page, id)
  const dialog = page.getByRole('dialog', { name: 'Keys' })
  const neither = page.getByRole('button', { name: 'Neither' })
  await neither.focus()
  await page.keyboard.press('?')
  await dialog.waitFor()
  await page.keyboard.press('d')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await neither.and(page.locator(':focus')).waitFor()
  if ((await page.locator('[data-verdict][aria-pressed=true]').count()) > 0) fault('a key pressed in the list of keys chose a verdict')
  const button = page.getByRole('button', { name: 'Keys' })
  await button.click()
  await dialog.getByRole('checkbox', { name: 'Keyboard shortcuts' }).uncheck()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await button.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('d')
  if ((await page.locator('[data-verdict][aria-pressed=true]').count()) > 0) fault('a key acts though keys are off')
  await button.click()
  await dialog.getByRole('checkbox', { name: 'Keyboard shortcuts' }).check()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
}

async function lookAtVerdicts(run: DeskRun, key: string, id: string): Promise<void> {
  const { context, page } = await open(run, key)
  await show(page, id)
  await page.keyboard.press('c')
  await lookAtEvery(run, page, 'desk-which-side')
  await page.keyboard.press('a')
  await page.getByRole('group', { name: 'Usual reasons' }).waitFor()
  await lookAtEvery(run, page, 'desk-slip', width => checkWithin(run, page, `${width} px`))
  await page.getByRole('heading', { level: 3 }).first().click()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await lookAtEvery(run, page, 'desk-keys')
  await context.close()
}

/** Everything needed to decide is on the screen, with room left for the papers. */
async function checkWithin({ fault }: DeskRun, page: Page, name: string): Promise<void> {
  const box = await page.getByRole('form', { name: 'Decision' }).boundingBox()
  const size = page.viewportSize()
  if (box === null || size === null) throw new Error('the decision is not shown')
  if (box.y < size.height / 3 || box.y + box.height > size.height + 1 || box.x < 0 || box.x + box.width > size.width)
    fault(`${name}: the decision is not within the screen, or fills it: ${JSON.stringify(box)}`)
}
