/**
 * What people do at the desk besides deciding: follow the list of cases, take documents out that wait or cannot be read,
 * look through certificates, delete a case. And what a key may not do is not offered.
 */

import { EventEmitter, once } from 'node:events'
import type { Page } from 'playwright-core'
import { type Client, createClient } from '../src/client/index.js'
import { answerOf, type DeskRun, goTo, look, lookAtEvery, open, pressFor, until, untilRead } from './desk-page.js'
import { outcomeOf } from './document-outcome.js'

const caseId = 'desk-acts'
const judgement = { reason: 'Handed in by mistake.', by: 'abby' }

export async function checkActs(run: DeskRun, tenant: { tenant_id: string; api_key: string }, adminKey: string): Promise<void> {
  const client = createClient({ url: run.url, tenantKey: tenant.api_key, adminKey })
  const { context, page } = await open(run, tenant.api_key)
  await beginWithFiles(run, page, client)
  await followCases(page, client)
  await fillCase(client)
  await lookAtQuestions(run, tenant.api_key)
  await decideFact(run, page, client)
  await judgeEach(run, page, client)
  await takeOut(page)
  await client.admin.runtime('resume', { level: 'scope', scopeId: caseId })
  await checkCertificates(run, page, client)
  await checkOneIsCurrent(run, tenant.api_key)
  await checkReader(run, client, tenant.tenant_id)
  await deleteCase(run, page, tenant.api_key)
  await context.close()
}

/**
 * A case that begins with its files has the name and the mode that were asked for. Files chosen while it is being made are each
 * told of; where there is a case of that id with another mode, none is sent.
 */
async function beginWithFiles({ fault }: DeskRun, page: Page, client: Client): Promise<void> {
  const scopeId = 'begun-with-files'
  const choose = (name: string, text: string) =>
    page.getByLabel('choose files').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
  await page.getByRole('link', { name: 'New case' }).click()
  await page.getByRole('textbox', { name: 'Case id' }).fill(scopeId)
  await page.getByRole('textbox', { name: 'Name' }).fill('Begun with files')
  await page.getByLabel('Mode').selectOption('strict')
  const held = new EventEmitter()
  const goOn = once(held, 'over')
  await page.route('**/api/scopes', route => goOn.then(() => route.continue()))
  await choose('empty.txt', '')
  await choose('blank.txt', '')
  held.emit('over')
  await page.getByText('2 of 2 files, 2 refused').waitFor()
  await page.unrouteAll({ behavior: 'wait' })
  await choose('note.txt', 'The office is in Kiel.')
  await page.getByRole('heading', { name: 'Begun with files' }).waitFor()
  const { mode } = await client.admin.scope(scopeId)
  if (mode !== 'strict') fault(`a case begun with its files is ${mode}, not strict`)
  await goTo(page, '#/new-case')
  await page.getByRole('textbox', { name: 'Case id' }).fill(scopeId)
  await choose('other.txt', 'The office is in Bonn.')
  await page.getByRole('alert').filter({ hasText: 'exists already, in mode strict' }).waitFor()
  const { documents } = await client.summary(scopeId)
  if (documents.total !== 1) fault(`a case of another mode got ${documents.total - 1} files`)
  await goTo(page, '#/cases')
}

/** What somebody else does appears without a reload. */
async function followCases(page: Page, client: Client): Promise<void> {
  await page.getByText('Live', { exact: true }).waitFor()
  await client.createScope({ scope_id: caseId })
  await page.getByRole('link', { name: caseId, exact: true }).waitFor()
}

/** One document that cannot be read, then one that waits. */
async function fillCase(client: Client): Promise<void> {
  await client.ingestFile(new Blob(['%PDF-1.7 nothing'], { type: 'application/pdf' }), {
    scope_id: caseId,
    document_id: 'broken',
    name: 'broken.pdf',
  })
  await outcomeOf(client, caseId, 'broken')
  await client.admin.runtime('pause', { level: 'scope', scopeId: caseId })
  await client.ingest({ scope_id: caseId, document_id: 'waiting', name: 'Draft of the memo', text: 'The office is in Kiel.' })
}

async function lookAtQuestions(run: DeskRun, key: string): Promise<void> {
  const { context, page } = await open(run, key)
  await goTo(page, `#/cases/${caseId}/documents`)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Delete case' }).click()
  await lookAtEvery(run, page, 'desk-questions')
  await context.close()
}

async function takeOut(page: Page): Promise<void> {
  await goTo(page, `#/cases/${caseId}/documents`)
  for (const [name, act, outcome] of [
    ['Draft of the memo', 'Cancel', 'Cancelled by abby: Handed in by mistake.'],
    ['broken.pdf', 'Discard', 'Discarded by abby: Handed in by mistake.'],
  ] as const) {
    const row = page.getByRole('listitem').filter({ has: page.getByRole('link', { name }) })
    await row.getByRole('button', { name: act }).click()
    await row.getByRole('button', { name: 'No' }).click()
    // Back at the button it came from: Enter asks again.
    await row.getByRole('button', { name: act }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await row.getByRole('textbox', { name: 'Reason' }).fill(judgement.reason)
    await row.getByRole('textbox', { name: 'Your name' }).fill(judgement.by)
    await row.getByRole('button', { name: 'Yes' }).click()
    await row.getByText(outcome).waitFor()
    await row.locator('.badge.rejected').waitFor()
  }
}

/** Three papers in nearly the same words: what may differ is one fact, with one decision for all of it. */
async function decideFact(run: DeskRun, page: Page, client: Client): Promise<void> {
  const scopeId = 'desk-facts'
  const texts = [
    'Visitors pay 4 euros for the guided tour of the mill on weekdays.',
    'The mill tour with a guide costs visitors 6 euros on weekdays.',
    'A tour of the mill with guide: visitors pay 7 euros.',
  ]
  for (const [index, text] of texts.entries()) {
    await client.ingest({ scope_id: scopeId, document_id: `paper-${index}`, name: `Paper ${index}`, text })
    await outcomeOf(client, scopeId, `paper-${index}`)
  }
  const [fact] = await client.possibleFacts(scopeId).toArray(1)
  if (fact === undefined || fact.count < 2) return run.fault('no two possible conflicts of one fact are shown together')
  await goTo(page, `#/cases/${scopeId}/possible`)
  await page.getByRole('checkbox', { name: `All ${fact.count} possible conflicts about` }).check()
  await page.getByText(`${fact.count} possible conflicts chosen`).waitFor()
  await look(run, page, 'desk-facts')
  const chosen = page.getByRole('group', { name: 'What is chosen' })
  await chosen.getByRole('textbox', { name: 'Reason' }).fill(judgement.reason)
  await chosen.getByRole('textbox', { name: 'Your name' }).fill(judgement.by)
  await chosen.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByText('No possible conflict is undecided.').waitFor()
  const dismissed = await client.possibleConflicts(scopeId, { status: 'dismissed' }).toArray(10)
  if (dismissed.length !== fact.count) run.fault(`one word for a fact dismissed ${dismissed.length} of ${fact.count}`)
  await beginAnew(run, page)
}

/** What was said of some goes on record for no others: not of those that are chosen next, nor of another list. */
async function beginAnew({ fault }: DeskRun, page: Page): Promise<void> {
  const chosen = page.getByRole('group', { name: 'What is chosen' })
  const reason = chosen.getByRole('textbox', { name: 'Reason' })
  const status = page.getByLabel('Status')
  const boxes = page.locator('article').getByRole('checkbox')
  await status.selectOption('dismissed')
  await boxes.nth(1).check()
  await reason.fill('Asked again.')
  await status.selectOption('promoted')
  await page.getByText('None.', { exact: true }).waitFor()
  await status.selectOption('dismissed')
  await reason.waitFor()
  if ((await reason.inputValue()) !== '') fault('possible: a reason stays when another list is shown')
  await reason.fill('Asked again.')
  await chosen.getByRole('button', { name: 'Take it back' }).click()
  await chosen.waitFor({ state: 'detached' })
  await boxes.first().check()
  if ((await reason.inputValue()) !== '') fault('possible: a reason stays for what is chosen next')
}

/** Papers that wait for a person are approved one by one, each for a reason of its own; so are replacements, of which the service proposes none without a model. */
async function judgeEach({ fault }: DeskRun, page: Page, client: Client): Promise<void> {
  const scopeId = 'desk-held'
  await client.createScope({ scope_id: scopeId, mode: 'review' })
  for (const [issuer, amount] of [
    ['Aurelia', '41.2'],
    ['Brandt', '33.9'],
    ['Cole', '35.5'],
  ] as const)
    await client.ingest({
      scope_id: scopeId,
      document_id: issuer,
      name: issuer,
      text: `Issued by: ${issuer}\n\nRevenue for FY2025 was EUR ${amount}M.`,
    })
  await until('two papers are held', async () => (await client.summary(scopeId)).documents.held === 2)
  await goTo(page, `#/cases/${scopeId}/documents`)
  const held = page.getByRole('region', { name: 'Held until a person has looked' })
  const approve = held.getByRole('button', { name: 'Approve' })
  await approve.nth(1).waitFor()
  await held.getByRole('textbox', { name: 'Reason' }).fill(judgement.reason)
  await held.getByRole('textbox', { name: 'Your name' }).fill(judgement.by)
  await approve.first().click()
  await approve.nth(1).waitFor({ state: 'detached' })
  if ((await held.getByRole('textbox', { name: 'Reason' }).inputValue()) !== '') fault('held: a reason stays for the next paper')
  const items = await client.possibleConflicts('desk-facts', { status: 'all', limit: 2 }).toArray(2)
  const accepting = { retires: 1, closes: [], closes_possible: 0 }
  const group = { scope_id: 'desk-facts', document_id: 'paper-0', by_document_id: 'paper-1', count: 2, items, accepting }
  await page.route(/\/replacements/, route =>
    route.fulfill({ json: route.request().method() === 'GET' ? { items: [group], next: null } : { decided: [], left: [], more: 0 } }),
  )
  await goTo(page, '#/cases/desk-facts/possible')
  const replacements = page.getByRole('group', { name: 'The replacements' })
  await replacements.getByRole('textbox', { name: 'Reason' }).fill(judgement.reason)
  await replacements.getByRole('button', { name: 'Accept 2 replacements' }).click()
  await until(
    'the reason of the replacements is empty',
    async () => (await replacements.getByRole('textbox', { name: 'Reason' }).inputValue()) === '',
  )
  await page.unrouteAll({ behavior: 'wait' })
}

/** A certificate, a reset that withdraws it, and another one. */
async function checkCertificates(run: DeskRun, page: Page, client: Client): Promise<void> {
  await settle(client)
  await client.admin.reset(caseId)
  await settle(client)
  await goTo(page, `#/cases/${caseId}/settled`)
  await page.getByRole('region', { name: 'Certificate', exact: true }).getByText('current', { exact: true }).waitFor()
  const all = page.getByRole('region', { name: 'Earlier certificates' })
  const withdrawn = all.getByRole('listitem').filter({ hasText: 'The case was reset' }).first()
  await withdrawn.waitFor()
  await pressFor(all.getByText('each certificate names the one before it.'), all.getByRole('button', { name: 'Check all' }))
  await pressFor(withdrawn.getByText('The signature is right'), withdrawn.getByRole('button', { name: 'Check the signature' }))
  await expectDownload(run, page, () => withdrawn.getByRole('button', { name: 'Download' }).click())
  await all.getByRole('button', { name: 'Which are withdrawn?' }).click()
  const list = page.getByRole('group', { name: 'Withdrawn certificates' })
  await pressFor(list.getByText('The signature is right'), list.getByRole('button', { name: 'Check the signature' }))
  await expectDownload(run, page, () => list.getByRole('button', { name: 'Download' }).click())
  await lookAtEvery(run, page, 'desk-certificates')
}

/** List and newest are asked for apart: the list can hold one that was issued in between. */
async function checkOneIsCurrent(run: DeskRun, key: string): Promise<void> {
  const { context, page } = await open(run, key)
  await page.route(/\/certificates\?/, async route => {
    const answer = await answerOf<{ items: object[] }>(route)
    if (answer === undefined) return
    const { response, body: list } = answer
    list.items.push({ ...list.items.at(-1), certificate_id: 'issued-in-between', status: 'current' })
    await route.fulfill({ response, json: list })
  })
  await goTo(page, `#/cases/${caseId}/settled`)
  await page.getByRole('region', { name: 'Earlier certificates' }).waitFor()
  const shown = await page.getByText('current', { exact: true }).count()
  if (shown !== 1) run.fault(`${shown} certificates are shown as current`)
  await page.unrouteAll({ behavior: 'wait' })
  await context.close()
}

async function expectDownload({ fault }: DeskRun, page: Page, act: () => Promise<void>): Promise<void> {
  const download = page.waitForEvent('download')
  await act()
  if (!(await download).suggestedFilename().endsWith('.jws')) fault('a certificate is not downloaded')
}

async function settle(client: Client): Promise<void> {
  const texts = {
    report: 'Revenue for FY2025 was EUR 41.2M.\n\nThe head office moved to Kiel in May 2025.',
    audit: 'Issued by: Brandt Audit\n\nRevenue for FY2025 was EUR 33.9M.',
  }
  for (const [document_id, text] of Object.entries(texts)) {
    await client.ingest({ scope_id: caseId, document_id, name: document_id, text })
    await outcomeOf(client, caseId, document_id)
  }
  for await (const { contradiction_id: id } of client.contradictions(caseId)) await client.resolve(id, { verdict: 'b', ...judgement })
  await client.signOff(caseId, judgement)
  await until('the case has a certificate', async () => (await client.summary(caseId)).certificate?.status === 'current')
}

/** A key that may read sees everything and is offered nothing. */
async function checkReader(run: DeskRun, client: Client, tenantId: string): Promise<void> {
  const { api_key: key } = await client.admin.createKey(tenantId, { label: 'reader', rights: ['read'] })
  const { context, page } = await open(run, key)
  await page.getByText('Live', { exact: true }).waitFor()
  for (const [view, heading] of [
    ['', 'Cases'],
    [`/${caseId}/documents`, 'Documents'],
    [`/${caseId}/settled`, 'Review complete?'],
  ] as const) {
    await goTo(page, `#/cases${view}`)
    await page.getByRole('heading', { name: heading }).waitFor()
    await untilRead(page)
    for (const act of ['Create case', 'Delete case', 'Cancel', 'Discard', 'Retry', 'Erase', 'Approve']) {
      if ((await page.getByRole('button', { name: act, exact: true }).count()) > 0) run.fault(`a reader is offered ${act}`)
    }
    if ((await page.getByRole('link', { name: 'New case' }).count()) > 0) run.fault('a reader is offered a new case')
  }
  await context.close()
}

async function deleteCase(run: DeskRun, page: Page, key: string): Promise<void> {
  const other = await open(run, key)
  await goTo(other.page, `#/cases/${caseId}/documents`)
  await other.page.getByRole('link', { name: 'report' }).waitFor()
  await page.getByRole('button', { name: 'Delete case' }).click()
  const sure = page.getByRole('button', { name: 'Delete for good' })
  if (await sure.isEnabled()) run.fault('a case can be deleted without typing its id')
  await page.getByRole('textbox', { name: `Type ${caseId} to confirm` }).fill(caseId)
  await sure.click()
  await page.getByRole('heading', { name: 'Cases' }).waitFor()
  await page.getByRole('link', { name: caseId, exact: true }).waitFor({ state: 'detached' })
  await other.page.getByText('Not live').waitFor()
  await other.context.close()
}
