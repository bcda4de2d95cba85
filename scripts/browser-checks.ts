/**
 * `npm run test:browser`: the pages in a real browser. The docs page must load without a failed request and without one
 * that leaves the machine; the desk must do what it is for; the report must ask for nothing, show hostile text as text, and have no
 * accessibility fault, however minor, in light, dark and print. Pictures of whole pages are left in the folder that the first argument
 * names, to be looked at; the second names one group of checks of the desk to run alone (such as `originals`).
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { AxeResults } from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { runCommandLine } from '../src/cli/command-line.js'
import { checkDesk, type GroupName, laneOf, lanes } from './desk-checks.js'
import { newContext } from './desk-page.js'
import { startThrowawayService, type ThrowawayService } from './throwaway-service.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const isPictured = Boolean(process.argv[2])
const screenshots = resolve(process.argv[2] || join(tmpdir(), 'concord-screenshots'))
const hostile = 'Note <img src=x onerror="document.title=1"> "quoted" & <script>alert(1).md'

const only = process.argv[3]
const chosen = only === undefined ? lanes : [laneOf(only)]
const services = await Promise.all(chosen.map(() => startThrowawayService({ name: 'browser', user: 'tester' })))
const faults: string[] = []
mkdirSync(screenshots, { recursive: true })

let browser: Browser | undefined
try {
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
  const open = browser
  // The first lane starts its service again; reports are made with that of the last.
  const [, second] = services
  await Promise.all([
    ...services.map((service, index) => checkLane(open, service, chosen[index] as readonly GroupName[])),
    ...(second === undefined ? [] : [checkDocsAndReports(open, second)]),
  ])
} finally {
  // Also where something else ends them: what was seen before says why.
  for (const fault of faults) console.error(`✗ ${fault}`)
  await browser?.close()
  await Promise.all(services.map(service => service.stop()))
}
console.log(
  faults.length === 0 ? `Every check passed. Screenshots: ${screenshots}` : `${faults.length} faults. Screenshots: ${screenshots}`,
)
process.exitCode = faults.length === 0 ? 0 : 1

async function checkLane(open: Browser, service: ThrowawayService, names: readonly GroupName[]): Promise<void> {
  const url = await service.url()
  const run = { browser: open, service, url, screenshots, isPictured, fault: (text: string) => faults.push(text), checkAccessibility }
  await checkDesk(run, names)
}

async function checkDocsAndReports(open: Browser, service: ThrowawayService): Promise<void> {
  await checkDocs(open, await service.url())
  for (const name of ['open', 'settled'] as const) await checkReport(open, await makeReport(service, name))
}

async function makeReport(service: ThrowawayService, name: 'open' | 'settled'): Promise<Report> {
  const { env, folder } = service
  const url = await service.url()
  const concord = async (...args: string[]) => {
    const code = await runCommandLine({ args, env: { ...env, CONCORD_URL: url } })
    if (code !== 0) throw new Error(`concord ${args.join(' ')} ended with ${code}`)
  }
  if (name === 'open') await concord('init', '--name', 'Browser')
  const given = join(folder, name)
  mkdirSync(given)
  writeFileSync(join(given, hostile), `# <b>Brightwater</b> Foods\n\n- Revenue for FY2025: EUR 7.1 million <script>alert(2)</script>\n`)
  await concord('ingest', join(root, 'samples/demo/handed-in'), '--scope', name, '--concurrency', '1', '--wait')
  if (name === 'open') await concord('ingest', given, '--scope', name, '--wait')
  else await settle(service, concord)
  const path = join(folder, `${name}.html`)
  await concord('report', name, '--output', path)
  return { name, path }
}

async function settle(service: ThrowawayService, concord: (...args: string[]) => Promise<void>): Promise<void> {
  const { folder } = service
  const url = await service.url()
  const { createClient } = await import('../src/client/index.js')
  const { profiles } = JSON.parse(readFileSync(join(folder, 'config/concord/profiles.json'), 'utf8')) as {
    profiles: Record<string, { tenantId: string; tenantKey: string }>
  }
  for await (const finding of createClient({ ...profiles['default'], url }).contradictions('settled')) {
    const audited = finding.a.quote?.includes('33.9') ? 'a' : 'b'
    if (finding.attribute?.startsWith('Revenue'))
      await concord('resolve', finding.contradiction_id, audited, '--reason', 'The audited figure holds.')
  }
  await concord('ingest', join(root, 'samples/demo/corrected'), '--scope', 'settled', '--concurrency', '1', '--wait')
  await concord('sign-off', 'settled', '--reason', 'Read every paper.')
}

async function checkDocs(open: Browser, url: string): Promise<void> {
  const context = await newContext(open, { viewport: { width: 1280, height: 900 } })
  const page = await watched(context, 'docs', url)
  await page.goto(`${url}/docs`, { waitUntil: 'networkidle' })
  await page.getByRole('heading', { name: 'Tenant Document Ingestion' }).first().waitFor()
  await page.screenshot({ path: join(screenshots, 'docs.png') })
  await checkAccessibility(page, 'docs')
  await context.close()
}

interface Report {
  name: string
  path: string
}

async function checkReport(open: Browser, { name, path }: Report): Promise<void> {
  const context = await newContext(open, { viewport: { width: 1100, height: 900 }, colorScheme: 'light' })
  const page = await watched(context, `report ${name}`, pathToFileURL(path).href)
  await page.goto(pathToFileURL(path).href)
  if ((await page.title()) !== `${name} – report`) faults.push(`report ${name}: a script ran or the title is wrong: ${await page.title()}`)
  if ((await page.locator('script, img, iframe, link').count()) > 0) faults.push(`report ${name}: text of a document became an element`)
  if (name === 'open' && (await page.getByText(hostile, { exact: true }).count()) === 0)
    faults.push(`report ${name}: hostile text is not shown as text`)
  await lookAtReport(page, `${name} light`)
  await page.emulateMedia({ colorScheme: 'dark' })
  await lookAtReport(page, `${name} dark`, 'colours')
  await page.emulateMedia({ colorScheme: 'light', media: 'print' })
  await lookAtReport(page, `${name} print`)
  await page.emulateMedia({ media: null })
  await page.setViewportSize({ width: 390, height: 900 })
  await lookAtReport(page, `${name} narrow`)
  await context.close()
}

async function lookAtReport(page: Page, what: string, rules?: 'colours'): Promise<void> {
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  if (tooWide > 0) faults.push(`report ${what}: the page is ${tooWide} px wider than the window`)
  if (isPictured) await page.screenshot({ path: join(screenshots, `report-${what.replace(' ', '-')}.png`), fullPage: true })
  await checkAccessibility(page, `report ${what}`, rules)
}

/** Every request is looked at: none may fail, and none may go elsewhere. */
async function watched(context: BrowserContext, what: string, allowed: string): Promise<Page> {
  const page = await context.newPage()
  const local = (url: string) => url.startsWith(allowed) || /^(data|blob|about):/.test(url)
  page.on('request', request => {
    if (!local(request.url())) faults.push(`${what}: a request leaves the machine: ${request.url()}`)
  })
  page.on('requestfailed', request => faults.push(`${what}: ${request.url()} failed: ${request.failure()?.errorText}`))
  page.on('response', response => {
    if (response.status() >= 400) faults.push(`${what}: ${response.url()} answered ${response.status()}`)
  })
  page.on('pageerror', error => faults.push(`${what}: ${error.message}`))
  return page
}

async function checkAccessibility(page: Page, what: string, rules?: 'colours'): Promise<void> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axeSource)
  // To name every element that passed takes a third of the time.
  const options = { resultTypes: ['violations'], ...(rules === 'colours' && { runOnly: ['color-contrast', 'link-in-text-block'] }) }
  const results = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults
  console.log(`${what}: ${results.passes.length} accessibility rules passed, ${results.violations.length} not`)
  for (const { id, impact, nodes, help } of results.violations)
    faults.push(`${what}: ${id} (${impact}, ${nodes.length}): ${help}: ${nodes[0]?.html.slice(0, 200)}`)
}
