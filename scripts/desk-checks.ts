/**
 * The desk in a real browser: a person signs in, hands documents in, sees the contradiction appear, decides it, and the
 * case settles, while the service is killed in between and a second person watches. Then the same views are looked at
 * with hostile texts, with another tenant's key, and by axe in light and dark, narrow and wide.
 */

import { EventEmitter, once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { type Client, createClient } from '../src/client/index.js'
import { checkActs } from './desk-act-checks.js'
import { checkHandIn } from './desk-hand-in-checks.js'
import { checkHostile } from './desk-hostile-checks.js'
import { checkOperator } from './desk-operator-checks.js'
import { checkOriginals } from './desk-original-checks.js'
import { checkOverview } from './desk-overview-checks.js'
import { type DeskRun, endSession, goTo, lookAtRoom, lookInBoth, open, picture, pressFor } from './desk-page.js'
import { checkRecord } from './desk-record-checks.js'
import { checkSignOff } from './desk-sign-off-checks.js'
import { checkVerdicts } from './desk-verdict-checks.js'
import { outcomeOf } from './document-outcome.js'
import { checkSignIn } from './sign-in-checks.js'

const caseId = 'desk-case'
/** One with possible conflicts and replaced statements. */
const richCase = 'oncology-audit'
const filler = (about: string) =>
  Array.from({ length: 120 }, (_, line) => `${about} ${'lorem ipsum dolor sit amet '.repeat(1 + (line % 3))}`).join('\n')
const report = `Aurelia Holding\nAnnual report 2025\n\n${filler('report')}\n\nRevenue of Aurelia Holding for FY2025 was EUR 41.2M.\n\n${filler('report')}\n`
const audit = `Brandt Audit\nMemo on Aurelia Holding\n\n${filler('memo')}\n\nRevenue of Aurelia Holding for FY2025 was EUR 33.9M.\n\n${filler('memo')}\n`

interface Tenants {
  keys: { admin: string; internals: string }
  tenant: { tenant_id: string; api_key: string }
  stranger: { tenant_id: string; api_key: string }
}

type Group = (run: DeskRun, tenants: Tenants) => Promise<void>

const groups = {
  walk: (run, { tenant }) => walk(run, tenant.api_key),
  verdicts: (run, { tenant }) => checkVerdicts(run, tenant.api_key),
  stranger: (run, { stranger }) => checkStranger(run, stranger.api_key),
  acts: (run, { tenant, keys }) => checkActs(run, tenant, keys.admin),
  samples: (run, { tenant }) => handInSamples(run, tenant.api_key),
  operator: (run, { keys, stranger }) => checkOperator(run, keys, stranger),
  looks: (run, { tenant, keys }) => checkLooks(run, `${tenant.api_key} ${keys.internals}`),
  'sign-in': (run, { tenant, stranger }) => checkSignIn(run, tenant, stranger),
  'sign-off': (run, { tenant }) => checkSignOff(run, tenant.api_key),
  record: (run, { tenant }) => checkRecord(run, tenant.api_key),
  hostile: (run, { tenant }) => checkHostile(run, tenant.api_key),
  'hand-in': (run, { tenant }) => checkHandIn(run, tenant.api_key),
  originals: (run, { tenant }) => checkOriginals(run, tenant.api_key),
  overview: (run, { tenant }) => checkOverview(run, tenant.api_key),
} satisfies Record<string, Group>

export type GroupName = keyof typeof groups

/** Each beside the other, with a service of its own: the first lane starts its service again twice. */
export const lanes: readonly (readonly GroupName[])[] = [
  ['walk', 'verdicts', 'stranger', 'acts', 'samples', 'operator', 'looks', 'sign-in'],
  ['sign-off', 'record', 'hostile', 'hand-in', 'originals', 'overview'],
]

/** What is to be run where somebody names one group: it, and what it looks at. */
export function laneOf(name: string): readonly GroupName[] {
  if (name === 'looks') return ['walk', 'samples', 'looks']
  if (name in groups) return [name as GroupName]
  throw new Error(`there is no group ${name}; there are ${Object.keys(groups).join(', ')}`)
}

export async function checkDesk(run: DeskRun, names: readonly GroupName[]): Promise<void> {
  const { url, service } = run
  const keys = JSON.parse(readFileSync(join(service.folder, 'data', 'keys.json'), 'utf8')) as Tenants['keys']
  const operator = createClient({ url, adminKey: keys.admin })
  const tenant = await operator.admin.createTenant({ name: 'Desk' })
  const stranger = await operator.admin.createTenant({ name: 'Stranger' })
  for (const name of names) {
    const started = Date.now()
    await groups[name](run, { keys, tenant, stranger })
    console.log(`desk: ${name} took ${Math.round((Date.now() - started) / 1000)} s`)
  }
}

async function walk(run: DeskRun, key: string): Promise<void> {
  const { fault, url } = run
  const client = createClient({ url, tenantKey: key })
  const first = await open(run, key)
  const { page } = first
  await page.getByRole('link', { name: 'New case' }).click()
  // The name makes the id.
  await page.getByRole('textbox', { name: 'Name' }).fill('Désk case')
  if ((await page.getByRole('textbox', { name: 'Case id' }).inputValue()) !== caseId) fault('the id of a new case is not made of its name')
  await page.getByRole('button', { name: 'Create case' }).click()
  await page.getByRole('heading', { name: 'Documents' }).waitFor()
  await page.getByLabel('choose files').setInputFiles({ name: 'report.txt', mimeType: 'text/plain', buffer: Buffer.from(report) })
  await page.locator('.badge.indexed').waitFor()
  await page.getByRole('link', { name: /^Contradictions/ }).click()
  await page.getByText('No contradiction is open.').waitFor()
  // Handed in by somebody else: it appears without a reload.
  await client.ingest({ scope_id: caseId, name: 'Audit memo', document_id: 'audit', text: audit })
  await page.getByText('EUR 33.9M').first().waitFor()
  for (const letter of ['A', 'B']) await checkInView(page.getByRole('region', { name: `Document ${letter}` }), letter, fault)
  await picture(run, page, 'desk-contradiction')
  await filterByDocument(page, client)

  const second = await open(run, key)
  await second.page.getByRole('link', { name: caseId, exact: true }).click()
  // The way to another case, or a new one, is beside the name of this one.
  await second.page.locator('.case-switch summary').click()
  await second.page.locator('.case-switch').getByRole('link', { name: 'New case' }).waitFor()
  await second.page.getByRole('link', { name: /^Contradictions/ }).click()
  await second.page.getByRole('button', { name: 'B is right' }).waitFor()

  await outlive(run, key, client, [page, second.page])
  await decide(page)
  await second.page.getByText('decided by').waitFor()
  if (!(await second.page.getByText('The audited figure holds.').isVisible())) fault('the second person does not see the reason')

  await page.getByRole('link', { name: 'Is the review complete?' }).click()
  // Nothing is certified that nobody examined.
  await client.signOff(caseId, { by: 'tester', reason: 'Read both papers.' })
  await page.getByText('Nothing is left to decide.').first().waitFor()
  // Of the newest one: an earlier one is named with its round.
  await pressFor(page.getByText('The signature is right'), page.getByRole('button', { name: 'Check the signature', exact: true }))
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  if (!(await download).suggestedFilename().endsWith('.jws')) fault('the certificate is not downloaded')
  await undo(page, fault)
  await checkNothingKept(page, key, fault)
  await comeBack(run, key, client)
  await first.context.close()
  await second.context.close()
}

/** The service is killed: those who follow a case go on, and the list of cases has what came while nobody was told. */
async function outlive(run: DeskRun, key: string, client: Client, pages: readonly Page[]): Promise<void> {
  const { context, page: list } = await open(run, key)
  const all = [...pages, list]
  const areLive = () => Promise.all(all.map(each => each.getByText('Live', { exact: true }).waitFor()))
  await areLive()
  await run.service.restart(() => Promise.all(all.map(each => each.getByText('Not live').waitFor())))
  await client.createScope({ scope_id: 'made-meanwhile' })
  await areLive()
  await list.getByRole('link', { name: 'made-meanwhile', exact: true }).waitFor()
  await context.close()
}

async function filterByDocument(page: Page, client: Client): Promise<void> {
  await client.ingest({ scope_id: caseId, name: 'Letter', document_id: 'letter', text: 'The office moved to Kiel in May 2025.' })
  await outcomeOf(client, caseId, 'letter')
  const choice = page.getByLabel('Document', { exact: true })
  await choice.locator('option', { hasText: 'Letter' }).waitFor({ state: 'attached' })
  await choice.selectOption('Letter')
  await page.getByText('None fits.').waitFor()
  await choice.selectOption('Audit memo')
  await page.getByRole('button', { name: 'B is right' }).waitFor()
  await choice.selectOption('any')
}

/** The marked words are within what the pane shows, and the pane within the page. */
async function checkInView(pane: Locator, letter: string, fault: (text: string) => void): Promise<void> {
  const mark = pane.locator('mark.main').first()
  await mark.waitFor()
  const [outer, inner] = [await pane.boundingBox(), await mark.boundingBox()]
  const isInside = outer !== null && inner !== null && inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height
  if (!isInside) fault(`the passage of ${letter} is not in view: ${JSON.stringify({ outer, inner })}`)
  if (!(await mark.textContent())?.includes('Revenue of Aurelia Holding for FY2025')) fault(`the passage of ${letter} is not marked`)
}

async function decide(page: Page): Promise<void> {
  // By keyboard first: the key chooses and decides nothing; within a field it is a letter.
  await page.getByRole('button', { name: 'B is right' }).waitFor()
  await page.getByRole('heading', { name: 'Contradictions' }).click()
  await page.keyboard.press('b')
  await page.locator('[data-verdict=b][aria-pressed=true]').waitFor()
  await page.getByRole('textbox', { name: 'Reason' }).fill('The audited figure holds.')
  await page.getByRole('textbox', { name: 'Your name' }).pressSequentially('abby')
  await page.locator('[data-verdict=b][aria-pressed=true]').waitFor()
  await page.getByRole('button', { name: 'Decide' }).click()
  await page.getByText('decided by').waitFor()
}

async function undo(page: Page, fault: (text: string) => void): Promise<void> {
  await page.getByRole('link', { name: /^Contradictions/ }).click()
  await lookForDecided(page, fault)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Too early.')
  await page.getByRole('button', { name: 'Open it again' }).click()
  await page.getByLabel('Status').selectOption('open')
  await page.getByRole('button', { name: 'B is right' }).waitFor()
  await page.getByText('review complete', { exact: true }).waitFor({ state: 'detached' })
}

/** Those decided are read apart from the open ones: until they have come, nothing says that there are none. */
async function lookForDecided(page: Page, fault: (text: string) => void): Promise<void> {
  const held = new EventEmitter()
  const goOn = once(held, 'over')
  await page.route(/status=resolved/, route => goOn.then(() => route.continue()))
  await page.getByLabel('Status').selectOption('decided')
  await page.getByText('Reading the contradictions …').waitFor()
  if ((await page.getByText(/^(None fits|Nothing is open here)/).count()) > 0) fault('what is still being read is said not to be there')
  held.emit('over')
  await page.unrouteAll({ behavior: 'wait' })
}

async function checkNothingKept(page: Page, key: string, fault: (text: string) => void): Promise<void> {
  const kept = await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie.length].join())
  if (kept !== '0,0,0') fault(`desk: something is kept in the browser: ${kept}`)
  const cookies = await page.context().cookies()
  if (cookies.some(each => !each.httpOnly || each.sameSite !== 'Strict' || each.value.startsWith('cnk_')))
    fault('desk: a cookie can be read, or is a key')
  // A reload goes on at the same place, and an address that is followed leads there once somebody has signed in.
  const place = page.url()
  await page.reload()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  if (page.url() !== place) fault(`desk: a reload leads to ${page.url()}`)
  await signInAgain(page, key)
}

/** The session ends under a half-written reason: who sits there signs in over the page, and it is still there. */
async function signInAgain(page: Page, key: string): Promise<void> {
  await goTo(page, `#/cases/${caseId}/contradictions`)
  await page.getByRole('button', { name: 'B is right' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Half written')
  await page.getByRole('textbox', { name: 'Your name' }).fill('abby')
  const dialog = await endSession(page, page.getByRole('button', { name: 'Decide', exact: true }))
  await dialog.getByRole('textbox', { name: 'Key' }).fill(key)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.waitFor({ state: 'detached' })
  if ((await page.getByRole('textbox', { name: 'Reason' }).inputValue()) !== 'Half written') throw new Error('the reason is lost')
  const place = page.url()
  await page.context().clearCookies()
  await page.reload()
  await page.getByRole('textbox', { name: 'Key' }).fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'B is right' }).waitFor()
  if (page.url() !== place) throw new Error(`signing in leads to ${page.url()}, not ${place}`)
}

/** Signed out in another tab: who signs in again, in this tab or in that one, sees what happened meanwhile, and what is live says so. */
async function comeBack(run: DeskRun, key: string, client: Client): Promise<void> {
  const { context, page: list } = await open(run, key)
  const [inCase, other] = [await context.newPage(), await context.newPage()]
  await inCase.goto(`${run.url}/desk#/cases/${caseId}/contradictions`)
  const isLive = (page: Page) => page.getByText('Live', { exact: true }).waitFor()
  const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' })
  const signInOver = async (page: Page) => {
    await dialogOf(page).getByRole('textbox', { name: 'Key' }).fill(key)
    await dialogOf(page).getByRole('button', { name: 'Sign in' }).click()
    await dialogOf(page).waitFor({ state: 'detached' })
  }
  const findings = inCase.locator('.list .items li')
  await Promise.all([isLive(list), isLive(inCase), findings.first().waitFor(), other.goto(`${run.url}/desk`)])
  const before = await findings.count()
  await other.getByRole('button', { name: 'Sign out' }).click()
  await Promise.all([list, inCase].map(page => dialogOf(page).waitFor()))
  const [claim_a, claim_b] = ['It rained.', 'It did not.']
  await client.reportContradiction({ scope_id: caseId, claim_a, claim_b, source_a: 'a', source_b: 'b', severity: 'low' })
  await signInOver(list)
  await isLive(list)
  await inCase.evaluate(() => window.dispatchEvent(new Event('focus')))
  await dialogOf(inCase).waitFor({ state: 'detached' })
  await Promise.all([isLive(inCase), findings.nth(before).waitFor()])
  // What follows no events is read too where it could not be.
  await context.clearCookies()
  await inCase.getByRole('link', { name: 'As it was' }).click()
  await signInOver(inCase)
  await inCase.getByText(/^As it was on .*, after /).waitFor()
  await context.close()
}

async function checkStranger(run: DeskRun, key: string): Promise<void> {
  const { context, page } = await open(run, key)
  await page.getByText('There is no case yet').waitFor()
  await goTo(page, `#/cases/${caseId}`)
  await page.getByRole('alert').waitFor()
  if ((await page.getByText('Aurelia').count()) > 0) run.fault('another tenant sees the case')
  await context.close()
}

async function handInSamples({ url, fault }: DeskRun, key: string): Promise<void> {
  const client = createClient({ url, tenantKey: key })
  const folder = new URL(`../samples/${richCase}/`, import.meta.url)
  for (const name of readdirSync(folder).sort()) {
    await client.ingest({ scope_id: richCase, name, document_id: name, text: readFileSync(new URL(name, folder), 'utf8') })
    await outcomeOf(client, richCase, name)
  }
  const findings = [client.possibleConflicts(richCase), client.supersessions(richCase)]
  for (const list of findings) if ((await list.toArray(1)).length === 0) fault(`${richCase} has not what is to be looked at`)
}

async function checkLooks(run: DeskRun, keys: string): Promise<void> {
  const views: [name: string, hash: string, wait: string][] = [
    ['cases', '#/cases', 'Cases'],
    ['new-case', '#/new-case', 'New case'],
    ['overview', `#/cases/${richCase}`, 'Overview'],
    ['contradictions', `#/cases/${caseId}/contradictions`, 'Contradictions'],
    ['possible', `#/cases/${richCase}/possible`, 'Possible conflicts'],
    ['superseded', `#/cases/${richCase}/superseded`, 'Replaced'],
    ['documents', `#/cases/${caseId}/documents`, 'Documents'],
    ['document', `#/cases/${caseId}/documents/audit`, 'Audit memo'],
    ['claims', `#/cases/${caseId}/claims`, 'Statements'],
    ['story', `#/cases/${caseId}/story`, 'Story'],
    ['settled', `#/cases/${caseId}/settled`, 'Review complete?'],
    ['policy', `#/cases/${caseId}/policy`, 'Policy'],
    ['convergence', `#/cases/${caseId}/convergence`, 'Convergence'],
    ['operations', '#/operations', 'Operations'],
  ]
  const wide = views.filter(([name]) => ['overview', 'contradictions', 'possible', 'superseded'].includes(name))
  // Opened at each width, as it is by those who have no other.
  await Promise.all([lookAtAll(run, keys, views, 390), lookAtAll(run, keys, views, 1400), lookAtWide(run, keys, wide)])
}

/** On a large screen there is more room, and nothing that the others do not show. */
async function lookAtWide(run: DeskRun, keys: string, views: readonly [name: string, hash: string, heading: string][]): Promise<void> {
  const { context, page } = await open(run, keys, 1920)
  for (const [name, hash, heading] of views) {
    await goTo(page, hash)
    await page.getByRole('heading', { name: heading }).first().waitFor()
    await lookAtRoom(run, page, `desk-${name}-1920`)
  }
  await context.close()
}

/** All two hundred would take as long to look at as every other view together. */
async function searchClaims(page: Page): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search' }).fill('revenue')
  await page.getByText('statements, the best first').waitFor()
}

async function lookAtAll(
  run: DeskRun,
  keys: string,
  views: readonly [name: string, hash: string, heading: string][],
  width: number,
): Promise<void> {
  const { context, page } = await open(run, keys, width)
  for (const [name, hash, heading] of views) {
    await goTo(page, hash)
    await page.getByRole('heading', { name: heading }).first().waitFor()
    if (name === 'claims') await searchClaims(page)
    await lookInBoth(run, page, `desk-${name}`)
  }
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await lookInBoth(run, page, 'desk-sign-in')
  await context.close()
}
