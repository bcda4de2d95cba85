/** The first page of a case, and how long views take to be drawn once what they show has come: in a case of 200 papers, and as large as an answer can be. */

import type { Page } from 'playwright-core'
import { type Client, createClient } from '../src/client/index.js'
import type { Schema } from '../src/contract/types.js'
import { checkDays, checkLists, checkReadOn, listsOfCase } from './desk-list-checks.js'
import { type DeskRun, goTo, look, open, until, untilRead } from './desk-page.js'

const caseId = 'desk-overview'
const papers = 200
/** What is wanted, and what fails: a machine that does much else at once takes several times as long. */
const wantedMs = { view: 200, figure: 500 }
const patience = 5

export async function checkOverview(run: DeskRun, key: string): Promise<void> {
  const client = createClient({ url: run.url, tenantKey: key })
  await handIn(client)
  const { context, page } = await open(run, key)
  await watchDrawing(page)
  await readFirstPage(run, page, client)
  await measureViews(run, page)
  await measureLargest(run, page, client)
  await checkLists(run, page, listsOfCase(caseId))
  await checkReadOn(run, page, caseId)
  await checkDays(page, caseId)
  await context.close()
}

/** Twelve issuers over two years; every tenth paper has a figure that the one before it contradicts. */
async function handIn(client: Client): Promise<void> {
  await client.createScope({ scope_id: caseId })
  const texts = Array.from({ length: papers }, (_, n) => {
    const day = new Date(Date.UTC(2024, 0, 1 + n * 3)).toISOString().slice(0, 10)
    const figure = n % 10 < 2 ? `\nThe contract sum of lot ${Math.floor(n / 10)} is EUR ${n % 10 === 0 ? '4,200,000' : '4,900,000'}.\n` : ''
    const mention = n === 5 ? '\nSee Annex 3 and our letter of 4 March 2023.\n' : ''
    return `Office ${n % 12}\nIssued by: Office ${n % 12}\nDate: ${day}\n\nReceived with thanks.\n${figure}${mention}`
  })
  const documents = texts.map((text, n) => ({ scope_id: caseId, document_id: `paper-${n}`, name: `Paper ${n}`, text }))
  await client.ingestBatch(documents)
  await until('every paper is read', async () => (await client.summary(caseId)).documents.indexed === papers)
}

async function readFirstPage(run: DeskRun, page: Page, client: Client): Promise<void> {
  await goTo(page, `#/cases/${caseId}`)
  const contested = page.getByRole('region', { name: 'Contested' })
  await contested.getByText('The figures are 14 % apart').first().waitFor()
  const missing = page.getByRole('region', { name: 'Mentioned, and not there' })
  for (const mention of ['Annex 3', 'letter of 4 March 2023']) await missing.getByText(mention).waitFor()
  const { papers: drawn } = await client.overview(caseId)
  const circles = await page.locator('.time-line circle').count()
  if (circles !== drawn.groups.length) run.fault(`overview: ${circles} circles for ${drawn.groups.length} groups of papers`)
  if ((await page.locator('.time-line .arc.open').count()) === 0) run.fault('overview: no arc between papers that contradict each other')
  if ((await page.locator('.matrix .cell.open').count()) === 0) run.fault('overview: the matrix is empty')
  await page
    .getByRole('status')
    .filter({ hasText: /^\d+ open contradictions, \d+ possible conflicts?$/ })
    .waitFor()
  await look(run, page, 'desk-overview-200')
  await page.emulateMedia({ media: 'print' })
  for (const part of ['.top', '.tabs', '.case-switch'])
    if (await page.locator(part).first().isVisible()) run.fault(`overview: ${part} is printed`)
  if (!(await contested.isVisible())) run.fault('overview: what is contested is not printed')
  await page.emulateMedia({ media: null })
  await contested.getByRole('link').first().click()
  const decision = page.getByRole('form', { name: 'Decision' })
  await decision.waitFor()
  // On paper there is nothing to press, and both quotes stand whole.
  const quotes = page.locator('.panes .printed')
  await quotes.nth(1).waitFor({ state: 'attached' })
  await page.emulateMedia({ media: 'print' })
  if (await decision.isVisible()) run.fault('finding: the form is printed')
  for (const quote of await quotes.all()) if (!(await quote.isVisible())) run.fault('finding: a quote is not printed')
  await page.emulateMedia({ media: null })
}

interface Drawing {
  begunAt: number
  /** When the last change was on the screen. */
  drawnAt: number
  longestTaskMs: number
}

/** Notes when the page changed last, and how long it was busy at a stretch. */
async function watchDrawing(page: Page): Promise<void> {
  await page.evaluate(() => {
    const desk = document.querySelector('#desk')
    if (desk === null) throw new Error('there is no desk')
    const drawing: Drawing = { begunAt: 0, drawnAt: 0, longestTaskMs: 0 }
    Object.assign(window, { drawing })
    const painted = new MessageChannel()
    painted.port1.onmessage = () => {
      drawing.drawnAt = performance.now()
    }
    new MutationObserver(() => requestAnimationFrame(() => painted.port2.postMessage(null))).observe(desk, {
      ...{ childList: true, subtree: true, attributes: true, characterData: true },
    })
    new PerformanceObserver(list => {
      for (const { startTime, duration } of list.getEntries())
        if (startTime >= drawing.begunAt) drawing.longestTaskMs = Math.max(drawing.longestTaskMs, duration)
    }).observe({ type: 'longtask' })
    performance.setResourceTimingBufferSize(5000)
  })
}

/** From the last answer that changed the page to when it was on the screen, or what the page did at a stretch, whichever took longer. */
async function drawnAfter(page: Page, hash: string, heading: string): Promise<number> {
  await page.evaluate(() => {
    performance.clearResourceTimings()
    Object.assign((window as unknown as { drawing: Drawing }).drawing, { begunAt: performance.now(), longestTaskMs: 0 })
  })
  await goTo(page, hash)
  await page.getByRole('heading', { name: heading }).first().waitFor()
  await untilRead(page)
  // The stream of events never ends: everything else was answered, and the page rests.
  await page.waitForFunction(
    ({ restMs }) => {
      const { drawnAt } = (window as unknown as { drawing: Drawing }).drawing
      const answered = performance.getEntriesByType('resource').map(each => (each as PerformanceResourceTiming).responseEnd)
      return performance.now() - Math.max(drawnAt, ...answered) > restMs
    },
    { restMs: 300 },
  )
  return page.evaluate(() => {
    const { begunAt, drawnAt, longestTaskMs } = (window as unknown as { drawing: Drawing }).drawing
    const answered = performance.getEntriesByType('resource').map(each => (each as PerformanceResourceTiming).responseEnd)
    return Math.round(Math.max(longestTaskMs, drawnAt - Math.max(begunAt, ...answered.filter(at => at <= drawnAt))))
  })
}

async function measureViews(run: DeskRun, page: Page): Promise<void> {
  const views: [hash: string, heading: string][] = [
    ['', 'Overview'],
    ['/contradictions', 'Contradictions'],
    ['/possible', 'Possible conflicts'],
    ['/superseded', 'Replaced'],
    ['/documents', 'Documents'],
    ['/documents/paper-11', 'Paper 11'],
    ['/as-it-was', 'As it was on'],
    ['/claims', 'Statements'],
    ['/story', 'Story'],
    ['/settled', 'Review complete?'],
    ['/policy', 'Policy'],
    ['/convergence', 'Convergence'],
  ]
  report(run, 'Cases', await drawnAfter(page, '#/cases', 'Cases'), wantedMs.view)
  for (const [view, heading] of views) report(run, heading, await drawnAfter(page, `#/cases/${caseId}${view}`, heading), wantedMs.view)
}

function report(run: DeskRun, what: string, tookMs: number, wanted: number): void {
  console.log(`desk: ${what} drawn ${tookMs} ms after its answers (wanted ${wanted})`)
  if (tookMs > wanted * patience) run.fault(`desk: ${what} took ${tookMs} ms to be drawn`)
}

/** An answer as large as it can be stands for a case of 1,000 papers: it is grouped to this. */
async function measureLargest(run: DeskRun, page: Page, client: Client): Promise<void> {
  const real = await client.overview(caseId)
  await page.route(/\/overview$/, route => route.fulfill({ json: { ...real, papers: largest() } }))
  await goTo(page, `#/cases/${caseId}/documents`)
  report(run, 'the overview of 1,000 papers', await drawnAfter(page, `#/cases/${caseId}`, 'Overview'), wantedMs.figure)
  await page.unrouteAll({ behavior: 'wait' })
}

function largest(): Schema['CaseOverview']['papers'] {
  const groups = Array.from({ length: 60 }, (_, n) => {
    const day = `20${10 + (n % 5)}-0${1 + Math.floor(n / 12)}-15`
    return { issuer: `Office ${n % 12}`, from: day, to: day, count: 17, papers: [{ document_id: `d${n}`, name: `Paper ${n}` }] }
  })
  const links = Array.from({ length: 500 }, (_, n) => ({
    ...{ a: n % 60, b: (n * 7 + Math.floor(n / 60)) % 60, kind: n % 5 === 0 ? ('replaces' as const) : ('contradicts' as const) },
    ...{ count: 1 + (n % 9), open: n % 3 },
  }))
  return { total: 1000, drawn: 1000, groups, links: [...new Map(links.map(each => [`${each.kind} ${each.a} ${each.b}`, each])).values()] }
}
