/** The desk for those who run the service: limits of a tenant with an admin key, and what is wrong with an internals key. */

import type { Page } from 'playwright-core'
import { createClient } from '../src/client/index.js'
import { checkLists, listsOfOperator } from './desk-list-checks.js'
import { type DeskRun, goTo, look, newContext, open } from './desk-page.js'
import { outcomeOf } from './document-outcome.js'

interface Tenant {
  tenant_id: string
  api_key: string
}

export async function checkOperator(run: DeskRun, keys: { admin: string; internals: string }, tenant: Tenant): Promise<void> {
  await limitTenant(run, keys.admin, tenant)
  await showTroubles(run, keys.internals, tenant.api_key)
}

/** With an admin key alone no stream can be followed: the page says so. */
async function limitTenant(run: DeskRun, key: string, { tenant_id: tenantId, api_key: tenantKey }: Tenant): Promise<void> {
  const { browser, url, fault } = run
  const guest = await open(run, tenantKey)
  const context = await newContext(browser, { viewport: { width: 1400, height: 900 } })
  const page = await context.newPage()
  page.on('pageerror', error => fault(`desk: ${error.message}`))
  await page.goto(`${url}/desk`)
  await page.getByRole('textbox', { name: 'Key' }).fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Read again every 4 s').waitFor()
  const row = page.getByRole('listitem').filter({ hasText: tenantId })
  await row.getByRole('button', { name: 'Keys and limits' }).click()
  const documents = row.getByRole('textbox', { name: 'Documents' })
  const set = row.getByRole('button', { name: 'Set limits' })
  await look(run, page, 'desk-limits-light-1400')
  await documents.fill('many')
  if (await set.isEnabled()) fault('a limit that is no number can be set')
  await documents.fill('1234')
  // The button is disabled while it acts, too: what was set is known when the service has answered.
  const answered = page.waitForResponse(response => response.request().method() === 'PUT')
  await set.click()
  await answered
  await row.getByRole('button', { name: 'Set limits', disabled: true }).waitFor()
  const kept = await createClient({ url, adminKey: key }).admin.limits(tenantId)
  if (kept.limits.documents !== 1234 || kept.limits.bytes !== null) fault(`the limits are ${JSON.stringify(kept.limits)}`)
  // Who signed in is listed, and whose session is ended signs in again where they are.
  const sessions = row.getByRole('region', { name: 'Sessions' }).getByRole('listitem').filter({ hasText: 'with the key key_' })
  await sessions.first().waitFor()
  // Others may have signed in with a key of this tenant before, and which is whose is not shown.
  const running = sessions.filter({ has: page.getByRole('button', { name: 'End' }) })
  for (let left = await running.count(); left > 0; left--) {
    await running.first().getByRole('button', { name: 'End' }).click()
    await sessions.getByRole('button', { name: 'Yes' }).click()
    await sessions
      .filter({ hasText: 'ended' })
      .nth((await sessions.count()) - left)
      .waitFor()
  }
  await goTo(guest.page, '#/cases/unknown')
  await guest.page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
  await guest.context.close()
  await context.close()
}

/** As `concord status` says it: what, since when, how many tenants, and the next command. */
async function showTroubles(run: DeskRun, internalsKey: string, tenantKey: string): Promise<void> {
  const client = createClient({ url: run.url, tenantKey })
  const [scope_id, document_id] = ['unread', 'broken.pdf']
  await client.ingestFile(new Blob(['%PDF-1.7\nnothing of a PDF follows']), { scope_id, document_id, name: document_id })
  await outcomeOf(client, scope_id, document_id)
  const { context, page } = await open(run, `${tenantKey} ${internalsKey}`)
  await goTo(page, '#/operations')
  await askOfOneLevel(page)
  const wrong = page.getByRole('region', { name: 'What is wrong' })
  const row = wrong.getByRole('listitem').filter({ hasText: /^Documents fail: \d+ could not be read/ })
  await row.getByText(/^since .*20\d\d.* \d?\d:\d\d/).waitFor()
  await row.getByText(/^\d+ tenants?: ten_\w+/).waitFor()
  await row.getByRole('code').filter({ hasText: 'concord quarantine list' }).waitFor()
  await look(run, page, 'desk-troubles-light-1400')
  // Checks before this one may have left others: what is said changes with its cause, without anybody asking.
  const said = wrong.getByText((await row.locator('strong').textContent()) ?? '', { exact: true })
  await client.eraseDocument(scope_id, document_id)
  await said.waitFor({ state: 'detached' })
  await filterAudit(run, page, document_id)
  await checkLists(run, page, listsOfOperator)
  await tryPolicy(page, scope_id)
  await context.close()
}

/** A question that was asked of the whole service is not answered for the tenant. */
async function askOfOneLevel(page: Page): Promise<void> {
  const question = page.getByRole('group', { name: 'No document begins until it is resumed. Pause?' })
  await page.getByRole('button', { name: 'Pause' }).click()
  await question.waitFor()
  await page.getByLabel('Level').selectOption('the tenant')
  await question.waitFor({ state: 'detached' })
}

/** What a change would do is said of that change, not of what is written afterwards. */
async function tryPolicy(page: Page, scopeId: string): Promise<void> {
  await goTo(page, `#/cases/${scopeId}/policy`)
  await page.getByRole('button', { name: 'Try it on the last 200 decisions' }).click()
  await page.getByText('Nothing was changed.').waitFor()
  await page.getByRole('textbox', { name: 'Policies' }).press('Enter')
  await page.getByText('Nothing was changed.').waitFor({ state: 'detached' })
}

/** The log is long: a case, a document and a person each narrow it, together to what all of them name. */
async function filterAudit({ fault }: DeskRun, page: Page, documentId: string): Promise<void> {
  const audit = page.getByRole('region', { name: 'Audit' })
  const rows = audit.getByRole('listitem')
  const narrow = async (fields: Record<'Case' | 'Document' | 'Person', string>) => {
    for (const [label, text] of Object.entries(fields)) await audit.getByRole('textbox', { name: label }).fill(text)
    const answered = page.waitForResponse(response => response.url().includes('/admin/audit?'))
    await audit.getByRole('button', { name: 'Read again' }).click()
    return new URL((await answered).url()).searchParams
  }
  const asked = await narrow({ Case: ' unread ', Document: documentId, Person: '' })
  if (asked.get('scope_id') !== 'unread' || asked.get('document_id') !== documentId || asked.has('person'))
    fault(`the audit is asked for ${asked}`)
  await rows.filter({ hasNotText: 'unread' }).first().waitFor({ state: 'detached' })
  if ((await rows.count()) === 0) fault('the audit has no entry of a document that was handed in and erased')
  await narrow({ Case: 'unread', Document: documentId, Person: 'nobody of that name' })
  await audit.getByText('No entry fits.').waitFor()
  await narrow({ Case: '', Document: '', Person: '' })
  await rows.first().waitFor()
}
