/** Findings decided together: what a verdict would close is told whatever the list is narrowed to, and what of them was refused. */

import type { Page } from 'playwright-core'
import type { Client } from '../src/client/index.js'
import { type DeskRun, goTo, look } from './desk-page.js'
import { outcomeOf } from './document-outcome.js'

const caseId = 'desk-alike'
const judgement = { reason: 'The audited figure holds.', by: 'abby' }
const refusal = 'Two people have to agree. It is held as dec_1 until a person reviews it.'

export async function decideTogether(run: DeskRun, page: Page, client: Client): Promise<void> {
  const { alpha, beta, gamma } = await handIn(client)
  await goTo(page, `#/cases/${caseId}/contradictions/${alpha}`)
  await page.getByLabel('Document', { exact: true }).selectOption('alpha-audit')
  await goTo(page, `#/cases/${caseId}/contradictions/${alpha}`)
  await page.locator(`.list a[aria-current=true][href$="${alpha}"]`).waitFor()
  await page.getByRole('button', { name: 'A is right' }).click()
  // That one is not about the document the list is narrowed to.
  await page.getByText(/^What B says stops counting\. With it closes “Revenue .*EUR 41\.2M or EUR 35\.5M\?”\.$/).waitFor()
  await page.getByRole('checkbox', { name: 'Decide 2 findings between the same two values alike' }).check()
  await page.getByRole('textbox', { name: 'Reason' }).fill(judgement.reason)
  await page.getByRole('textbox', { name: 'Your name' }).fill(judgement.by)
  await page.route(`**/api/contradictions/${beta}/resolution`, route =>
    route.fulfill({ status: 409, json: { code: 'STATE_CONFLICT', status: 409, detail: refusal } }),
  )
  await page.getByRole('button', { name: 'Decide', exact: true }).click()
  const told = page.getByRole('alert').filter({ hasText: '2 of 3 decided; still open:' })
  await told.getByText(refusal).waitFor()
  await told.locator(`a[href$="${beta}"]`).waitFor()
  await look(run, page, 'desk-undecided')
  await page.unrouteAll({ behavior: 'wait' })
  const statuses = await Promise.all([alpha, beta, gamma].map(async id => (await client.contradiction(id)).status))
  if (statuses.join() !== 'resolved,open,resolved') run.fault(`decided alike, one refused: ${statuses}`)
  // What is written against a decision is not said of the next one; and what is decided is no longer said to be open.
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Too early.')
  await client.resolve(alpha, { verdict: 'both', ...judgement })
  await page.getByRole('button', { name: 'Open it again' }).waitFor({ state: 'detached' })
  await client.resolve(beta, { verdict: 'both', ...judgement })
  await told.waitFor({ state: 'detached' })
  await narrowToNone(page)
}

/** A search or a severity that none has does not say that none is open. */
async function narrowToNone(page: Page): Promise<void> {
  await page.getByLabel('Document', { exact: true }).selectOption('any')
  await page.locator('.list .items li').first().waitFor()
  await page.getByRole('searchbox', { name: 'Search' }).fill('nobody says this')
  await page.getByText('None fits.').waitFor()
  await page.getByRole('searchbox', { name: 'Search' }).fill('')
}

/** The same two values of three companies, and of the first a third one. */
async function handIn(client: Client): Promise<Record<'alpha' | 'beta' | 'gamma', string>> {
  await client.createScope({ scope_id: caseId })
  const papers = [
    ...['alpha', 'beta', 'gamma'].flatMap(of => [
      [of, 'report', '41.2'],
      [of, 'audit', '33.9'],
    ]),
    ['alpha', 'tax', '35.5'],
  ] as const
  for (const [about, kind, millions] of papers) {
    const name = `${about}-${kind}`
    const text = `Issued by: The ${kind} office\n\nRevenue for FY2025 was EUR ${millions}M.`
    await client.ingest({ scope_id: caseId, document_id: name, name, text }, { about })
    await outcomeOf(client, caseId, name)
  }
  const found = await client.contradictions(caseId).toArray(20)
  const of = (about: string) => {
    const papersOf = [`${about}-audit`, `${about}-report`]
    const id = found.find(({ a, b }) => [a, b].every((side, at) => 'claim_id' in side && side.document_id === papersOf[at]))
    if (id === undefined) throw new Error(`no contradiction between ${papersOf.join(' and ')}`)
    return id.contradiction_id
  }
  return { alpha: of('alpha'), beta: of('beta'), gamma: of('gamma') }
}
