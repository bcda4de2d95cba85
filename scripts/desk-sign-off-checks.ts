/**
 * Nothing is signed that nobody examined, at the desk: a person reports two passages that contradict each other, decides that, says
 * what was done about a paper that could not be read, signs the case off, and takes it back.
 */

import { EventEmitter, once } from 'node:events'
import type { Page } from 'playwright-core'
import { type Client, createClient } from '../src/client/index.js'
import type { Schema } from '../src/contract/types.js'
import { answerOf, type DeskRun, goTo, look, lookAtEvery, open, pressFor, untilRead } from './desk-page.js'
import { outcomeOf } from './document-outcome.js'

const caseId = 'desk-sign-off'
const texts = {
  contract: 'Harbour Tower 🏗\n\nThe contract sum of Harbour Tower is EUR 4.2M. All works end when the swallows return.',
  letter: 'To the owner\n\nThe site manager of Harbour Tower is Anna Weber. No work ends before the first snow.',
}
const passages = { contract: 'end when the swallows return', letter: 'before the first snow' }

export async function checkSignOff(run: DeskRun, key: string): Promise<void> {
  const client = createClient({ url: run.url, tenantKey: key })
  await client.createScope({ scope_id: caseId })
  for (const [id, text] of Object.entries(texts)) {
    await client.ingest({ scope_id: caseId, document_id: id, name: id, text })
    await outcomeOf(client, caseId, id)
  }
  await client.ingestFile(new Blob(['%PDF-1.7 nothing'], { type: 'application/pdf' }), {
    scope_id: caseId,
    document_id: 'scan',
    name: 'scan.pdf',
  })
  await outcomeOf(client, caseId, 'scan')
  const { context, page } = await open(run, key)
  await report(run, page, client)
  await sign(run, page, client)
  await lookAtIt(run, key)
  await adviseWithoutRoutes(page)
  await withdraw(page)
  await checkedOnce(run, page, client)
  await context.close()
}

async function report({ fault }: DeskRun, page: Page, client: Client): Promise<void> {
  await selectBeforeTheClaimsCome(page)
  await page.getByRole('button', { name: 'Contradicts…' }).click()
  await goTo(page, `#/cases/${caseId}/documents/letter`)
  await page.getByText('select the other passage').waitFor()
  await select(page, passages.letter)
  await page.getByRole('button', { name: 'It is contradicted by this passage' }).click()
  const panel = page.getByRole('region', { name: 'Report a contradiction' })
  await panel.getByRole('textbox', { name: 'Reason' }).fill('Spring and winter.')
  await panel.getByRole('textbox', { name: 'Your name' }).fill('abby')
  await panel.getByLabel('Severity').selectOption('high')
  await panel.getByRole('button', { name: 'Report the contradiction' }).click()
  await page.getByRole('button', { name: 'A is right' }).waitFor()
  const found = await client.contradictions(caseId).toArray(10)
  const said = found.map(({ a, b, found_by: by, severity }) => [a.quote, b.quote, by, severity])
  const expected = [[passages.contract, passages.letter, 'person:abby', 'high']]
  if (JSON.stringify(said) !== JSON.stringify(expected)) fault(`what was reported is ${JSON.stringify(said)}`)
  await client.resolve(found[0]?.contradiction_id ?? '', { verdict: 'a', by: 'abby', reason: 'The contract holds.' })
}

/** The statements marked in a text come after it and cut it anew: what somebody selected meanwhile stays chosen. */
async function selectBeforeTheClaimsCome(page: Page): Promise<void> {
  const held = new EventEmitter()
  const goOn = once(held, 'over')
  await page.route(/\/claims\?/, route => goOn.then(() => route.continue()))
  await goTo(page, `#/cases/${caseId}/documents/contract`)
  await page.getByText('compared by rules alone').first().waitFor()
  await page.locator('.text.raw').getByText(passages.contract).first().waitFor()
  await drag(page, passages.contract)
  const button = page.getByRole('button', { name: 'Contradicts…' })
  await button.waitFor()
  held.emit('over')
  await page.unrouteAll({ behavior: 'wait' })
  await page.locator('.text.raw mark').first().waitFor()
  await button.waitFor()
}

async function select(page: Page, words: string): Promise<void> {
  await page.locator('.text.raw').getByText(words).first().waitFor()
  await untilRead(page)
  await drag(page, words)
}

/** As a person does with the mouse: from the first letter of these words to behind the last. */
async function drag(page: Page, words: string): Promise<void> {
  await page.locator('.text.raw').evaluate((element, wanted) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const nodes: Text[] = []
    while (walker.nextNode()) nodes.push(walker.currentNode as Text)
    const from = nodes
      .map(node => node.data)
      .join('')
      .indexOf(wanted)
    const range = document.createRange()
    let at = 0
    // No function within it has a name: what the page is given stands alone.
    for (const node of nodes) {
      const end = at + node.data.length
      if (from >= at && from < end) range.setStart(node, from - at)
      if (from + wanted.length > at && from + wanted.length <= end) range.setEnd(node, from + wanted.length - at)
      at = end
    }
    const selection = document.getSelection()
    selection?.removeAllRanges()
    selection?.addRange(range)
  }, words)
}

async function sign(run: DeskRun, page: Page, client: Client): Promise<void> {
  await goTo(page, `#/cases/${caseId}/settled`)
  await page.getByText('Has somebody examined it?').waitFor()
  const form = page.getByRole('group', { name: 'Sign the case off' })
  await form.getByText('1 paper could not be read here').waitFor()
  const button = form.getByRole('button', { name: 'Sign off' })
  await form.getByRole('textbox', { name: 'Reason' }).fill('I read every paper.')
  await form.getByRole('textbox', { name: 'Your name' }).fill('J. Doe')
  if (!(await button.isDisabled())) run.fault('a case can be signed off without a word about the paper that was not read')
  await form.getByLabel('What was done').selectOption('set_aside')
  await form.getByRole('textbox', { name: 'Why' }).fill('A blank page.')
  await look(run, page, 'desk-sign-off-form')
  await button.click()
  await page.getByText('Nothing is left to decide.').first().waitFor()
  const said = page.getByRole('region', { name: 'Certificate', exact: true })
  await said.getByText(/^Compared by rules alone: \d+ papers \(rules \S+\)\.$/).waitFor()
  await said.getByText(/^Signed off by J\. Doe \(name given with a key\) on \d{4}-\d\d-\d\d at \d\d:\d\d UTC\.$/).waitFor()
  await said.getByText(/^Not read: .* \(could not be read, set aside\)\.$/).waitFor()
  await page.getByText('set aside: A blank page.').waitFor()
  const { finality } = await client.summary(caseId)
  if (finality.status !== 'resolved') run.fault(`a case that was signed off is ${finality.status}`)
  await goTo(page, '#/cases')
  await page.getByText(/^Signed off by J\. Doe, current to \d+ \w+ \d{4}\. Compared by rules alone\.$/).waitFor()
  await client.ingest({ scope_id: caseId, document_id: 'note', name: 'note', text: 'The crane stands on the north side.' })
  await page.getByText(/, 1 paper since\./).waitFor()
}

async function lookAtIt(run: DeskRun, key: string): Promise<void> {
  const { context, page } = await open(run, key)
  await goTo(page, `#/cases/${caseId}/settled`)
  await page.getByRole('button', { name: 'Withdraw' }).waitFor()
  await lookAtEvery(run, page, 'desk-settled')
  await goTo(page, `#/cases/${caseId}/documents/contract`)
  await select(page, passages.contract)
  await page.getByRole('button', { name: 'Contradicts…' }).click()
  await lookAtEvery(run, page, 'desk-report')
  await leave(run, page, key)
  await context.close()
}

/** Who lets passages go, or signs out, leaves nothing of what was written to the next report or the next person. */
async function leave({ fault }: DeskRun, page: Page, key: string): Promise<void> {
  const panel = page.getByRole('region', { name: 'Report a contradiction' })
  const reason = panel.getByRole('textbox', { name: 'Reason' })
  const choose = async () => {
    await select(page, passages.contract)
    await page.getByRole('button', { name: 'Contradicts…' }).click()
    await page.getByRole('button', { name: 'It is contradicted by this passage' }).click()
    await reason.waitFor()
  }
  await page.getByRole('button', { name: 'It is contradicted by this passage' }).click()
  await reason.fill('Written of other passages.')
  await panel.getByRole('textbox', { name: 'Your name' }).fill('abby')
  await panel.getByRole('button', { name: 'Let go' }).click()
  await choose()
  if ((await reason.inputValue()) !== '') fault('the reason of passages that were let go is that of others')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('textbox', { name: 'Key' }).fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Cases' }).waitFor()
  await goTo(page, `#/cases/${caseId}/documents/contract`)
  await page.locator('.text.raw').getByText(passages.contract).first().waitFor()
  if ((await panel.count()) > 0) fault('who signs in finds the passage of who signed out')
  await choose()
  if ((await panel.getByRole('textbox', { name: 'Your name' }).inputValue()) !== '') fault('who signs in has the name of who signed out')
}

/** What opens a condition is told to people, whatever the method of the route that programs open it by. */
async function adviseWithoutRoutes(page: Page): Promise<void> {
  await page.route(new RegExp(`/api/scopes/${caseId}/summary$`), async route => {
    const answer = await answerOf<Schema['ScopeSummary']>(route)
    if (answer === undefined) return
    const { response, body: summary } = answer
    const how = 'Take one back (DELETE /api/x/{xId}) or change one (PATCH /api/x): 2 are there.'
    await route.fulfill({
      response,
      json: { ...summary, finality: { ...summary.finality, gates: [{ gate: 'x', ok: false, value: 2, needs: 'none', how }] } },
    })
  })
  await goTo(page, '#/cases')
  await goTo(page, `#/cases/${caseId}/settled`)
  await page.getByText('Take one back or change one: 2 are there.', { exact: true }).waitFor()
  await page.unrouteAll({ behavior: 'wait' })
  await goTo(page, '#/cases')
}

async function withdraw(page: Page): Promise<void> {
  await goTo(page, `#/cases/${caseId}/settled`)
  await page.getByRole('button', { name: 'Withdraw' }).click()
  const asked = page.getByRole('group', { name: 'Take this sign-off back?' })
  await asked.getByRole('textbox', { name: 'Reason' }).fill('Too early.')
  await asked.getByRole('textbox', { name: 'Your name' }).fill('R. Roe')
  await asked.getByRole('button', { name: 'Yes' }).click()
  await page.getByText(/^Withdrawn .* by R\. Roe: Too early\.$/).waitFor()
  await page
    .getByText(/^Not signed off\./)
    .first()
    .waitFor()
}

/** That a signature is right is said of the certificate that was checked. */
async function checkedOnce({ fault }: DeskRun, page: Page, client: Client): Promise<void> {
  const certify = async () => {
    const unread = [{ document_id: 'scan', how: 'set_aside' as const, reason: 'A blank page.' }]
    await client.signOff(caseId, { by: 'R. Roe', reason: 'Read again.', unread })
    const { certificate } = await client.summary(caseId)
    await page.getByText(certificate?.certificate_id ?? 'no certificate').waitFor()
  }
  await certify()
  const check = page.getByRole('button', { name: 'Check the signature', exact: true })
  await pressFor(page.getByText('The signature is right'), check)
  await client.ingest({ scope_id: caseId, document_id: 'late', name: 'late', text: 'The gate of the site is on the south side.' })
  await outcomeOf(client, caseId, 'late')
  await certify()
  if ((await page.getByText('The signature is right').count()) > 0) fault('a certificate is said to be right that nobody checked')
}
