/** Names and texts that want to be elements, and a line of a hundred thousand characters with ten thousand statements. */

import type { Page } from 'playwright-core'
import { createClient } from '../src/client/index.js'
import { type DeskRun, goTo, open } from './desk-page.js'
import { outcomeOf } from './document-outcome.js'

const hostile = `<script>document.title='ran'</script> <a href="javascript:document.title='ran'">x</a> \u202e\u2067 <img src=x onerror="document.title='ran'">`

/** Of the processor, whatever else the machine does: about a second. What grows with the square of the claims takes minutes. */
const quickSeconds = 15

export async function checkHostile(run: DeskRun, key: string): Promise<void> {
  const { fault, url } = run
  const client = createClient({ url, tenantKey: key })
  const scope_id = 'hostile'
  await client.createScope({ scope_id, display_name: hostile })
  await client.ingest({
    scope_id,
    name: hostile,
    document_id: hostile,
    text: `${hostile}\nRevenue for FY2025: EUR 7.1 million\n`,
    source: hostile,
  })
  await client.ingest({ scope_id, name: 'Other', document_id: 'other', text: 'Revenue for FY2025: EUR 7.9 million\n' })
  await client.ingest({ scope_id, name: 'Long line', document_id: 'long', text: 'x'.repeat(100_000) })
  for (const id of [hostile, 'other', 'long']) await outcomeOf(client, scope_id, id)
  const { context, page } = await open(run, key)
  const views = [
    ['', 'Overview'],
    ['/contradictions', 'Contradictions'],
    ['/documents', 'Documents'],
    [`/documents/${encodeURIComponent(hostile)}`, hostile],
    ['/claims', 'Statements'],
    ['/story', 'Story'],
    ['/superseded', 'Replaced'],
  ] as const
  for (const [view, heading] of views) {
    await goTo(page, `#/cases/${scope_id}${view}`)
    await page.getByRole('heading', { level: 2 }).filter({ hasText: heading }).waitFor()
  }
  await goTo(page, `#/cases/${scope_id}/documents/${encodeURIComponent(hostile)}`)
  await page.getByRole('region', { name: 'Text' }).getByText("<script>document.title='ran'</script>").waitFor()
  if ((await page.locator('#desk script, #desk img, #desk iframe, #desk [href^=javascript]').count()) > 0)
    fault('hostile text became an element')
  if ((await page.title()).includes('ran')) fault('hostile text ran')
  await withManyClaims(page)
  const before = await busySeconds(page)
  await goTo(page, `#/cases/${scope_id}/documents/long`)
  await page.locator('mark').nth(9999).waitFor({ state: 'attached' })
  await page.locator('mark').first().click()
  await page.getByText('value of 0', { exact: true }).first().waitFor()
  const took = (await busySeconds(page)) - before
  if (took > quickSeconds) fault(`100,000 characters in a line with 10,000 claims take ${took} s`)
  console.log(`desk: 100,000 characters in one line with 10,000 claims shown with ${took.toFixed(1)} s of the processor`)
  await context.close()
}

/** What the page has used of the processor so far. */
async function busySeconds(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const { metrics } = await session.send('Performance.getMetrics')
  await session.detach()
  return metrics.find(each => each.name === 'ProcessTime')?.value ?? Number.POSITIVE_INFINITY
}

/** Ten thousand claims of one document, as the service would list them. */
async function withManyClaims(page: Page): Promise<void> {
  const items = Array.from({ length: 10_000 }, (_, index) => ({
    claim_id: `clm_${index}`,
    document_id: 'long',
    revision: 1,
    quote: 'xxxxxxx',
    start: index * 10,
    end: index * 10 + 7,
    subject: 'x',
    attribute: `attribute ${index}`,
    value: `value of ${index}`,
    normalized: {},
    unit: null,
    period: null,
    role: 'actual',
    polarity: 'affirmed',
    page: null,
    cell: null,
    paragraph: null,
    confidence: 0.9,
    valid_from: null,
    valid_to: null,
    recorded_at: '2026-01-31T09:00:00.000Z',
    superseded_at: null,
    superseded_by: null,
    superseded_reason: null,
  }))
  await page.route('**/claims?*document_id=long*', route => route.fulfill({ json: { items, next: null } }))
}
