/** What a person hands in at the desk is taken by the rule the command line follows too: by its content, whatever its name says. */

import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { createClient } from '../src/client/index.js'
import { mailOf } from '../test/support/mail.js'
import { type DeskRun, goTo, open } from './desk-page.js'

const scopeId = 'handed-in'

export async function checkHandIn(run: DeskRun, key: string): Promise<void> {
  await createClient({ url: run.url, tenantKey: key }).createScope({ scope_id: scopeId })
  const { context, page } = await open(run, key)
  await handInFirst(run, page, key)
  await goTo(page, `#/cases/${scopeId}/documents`)
  await handInByContent(page)
  await handInMail(page)
  await estimateFirst(run, page)
  await context.close()
}

/** Of the first files of a case each is told of, also where a view shows something else once one of them has come. */
async function handInFirst(run: DeskRun, page: Page, key: string): Promise<void> {
  const client = createClient({ url: run.url, tenantKey: key })
  for (const view of ['overview', 'contradictions']) {
    const first = `first-files-${view}`
    await client.createScope({ scope_id: first })
    await goTo(page, `#/cases/${first}/${view}`)
    const files = { report: 'Revenue for FY2025 was EUR 41.2M.', audit: 'Issued by: Brandt\n\nRevenue for FY2025 was EUR 33.9M.', none: '' }
    await page
      .getByLabel('choose files')
      .setInputFiles(Object.entries(files).map(([name, text]) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })))
    await page.getByText('EUR 33.9M').first().waitFor()
    await page.getByText('3 of 3 files, 1 refused').waitFor()
    await page.locator('.sent li').filter({ hasText: 'none refused' }).waitFor()
  }
}

/** Text of Windows, text over what a request may hold, and a Word file with another name. */
async function handInByContent(page: Page): Promise<void> {
  const word = new URL('../test/files/samples/lease.docx', import.meta.url)
  const files = [
    { name: 'windows.txt', buffer: Buffer.from('Die Gebühr beträgt 12 €.'.replace('€', '\x80'), 'latin1') },
    { name: 'long.txt', buffer: Buffer.from(`${'The office is in Kiel. '.repeat(5000)}\nThe headcount in 2025 was 312.`) },
    { name: 'word.txt', buffer: readFileSync(word) },
  ]
  await page.getByLabel('choose files').setInputFiles(files.map(each => ({ ...each, mimeType: 'text/plain' })))
  for (const { name } of files) {
    const row = page.getByRole('listitem').filter({ has: page.getByRole('link', { name }) })
    await row.locator('.badge.indexed').waitFor()
  }
  await page.getByRole('link', { name: 'windows.txt' }).click()
  await page.getByRole('region', { name: 'Text' }).filter({ hasText: 'Die Gebühr beträgt 12 €.' }).waitFor()
  await goTo(page, `#/cases/${scopeId}/documents`)
}

/** What is no plain text goes to the service as the file it is, and can be had back. */
async function handInMail(page: Page): Promise<void> {
  const mail = mailOf('The headcount in 2025 was 312.', [{ name: 'note.txt', bytes: 'The office is in Kiel.' }])
  await page.getByLabel('choose files').setInputFiles({ name: 'mail.eml', mimeType: 'message/rfc822', buffer: mail })
  const row = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'mail.eml' }) })
  await row.locator('.badge.indexed').waitFor()
  await row.getByRole('link', { name: 'mail.eml' }).click()
  await page.getByRole('region', { name: 'Text' }).getByText('312').waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the original' }).click()
  await download
  await page.getByRole('link', { name: 'Documents', exact: true }).last().click()
  await page.getByRole('link', { name: 'note.txt' }).click()
  await page.getByText('Came with').getByRole('link', { name: 'mail.eml' }).waitFor()
}

/** Where a model reads the case, nothing is sent before somebody has seen what that would cost. */
async function estimateFirst({ fault }: DeskRun, page: Page): Promise<void> {
  const costs = { characters: 30_000, context_tokens: 32_000, tokens_per_document: 150_000 }
  const reader = { scope_id: scopeId, model: 'reader-1', none_because: null, documents: { asked: 0, off: 0 }, tokens: {}, ...costs }
  await page.route(/\/model$/, route => route.fulfill({ json: reader }))
  let sent = 0
  page.on('request', request => {
    if (request.method() === 'POST') sent++
  })
  await goTo(page, `#/cases/${scopeId}/documents`)
  await page.getByText('The language model reader-1 reads').waitFor()
  const choose = (name: string) =>
    page.getByLabel('choose files').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from('The office. '.repeat(250)) })
  await choose('left.txt')
  await page.getByText('1 file: about 26,000 tokens of reader-1.').waitFor()
  await page.getByRole('button', { name: 'Leave them' }).click()
  await choose('costly.txt')
  await page.getByText('1 file: about 26,000 tokens of reader-1.').waitFor()
  if (sent > 0) fault('files go to the service before it is said what they would cost')
  await page.getByRole('button', { name: 'Hand in', exact: true }).click()
  await page.getByRole('link', { name: 'costly.txt' }).waitFor()
  if ((await page.getByText('left.txt').count()) > 0) fault('a file that was left is handed in')
  await page.unrouteAll({ behavior: 'wait' })
}
