/** A page of the desk in a real browser: opened with a key, moved, looked at. */

import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { APIResponse, Browser, BrowserContext, BrowserContextOptions, Locator, Page, Route } from 'playwright-core'
import type { ThrowawayService } from './throwaway-service.js'

export interface DeskRun {
  browser: Browser
  service: ThrowawayService
  url: string
  screenshots: string
  /** Whether somebody named a folder for them: whole pages take longer to draw than to check. */
  isPictured: boolean
  fault(text: string): void
  /** By every rule, or by those that a change of colours can break. */
  checkAccessibility(page: Page, what: string, rules?: 'colours'): Promise<void>
}

/** A desk and a telephone, the desk last: it goes on there. */
const widths = [390, 1400]

/** On a machine that does much else at once everything takes long; what has not come by then does not come. */
export const patienceMs = 120_000

/** Nothing is looked at while it changes its colour. */
export async function newContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(patienceMs)
  return context
}

export async function open({ browser, url, fault }: DeskRun, key: string, width = 1400) {
  const context = await newContext(browser, { viewport: { width, height: 900 }, colorScheme: 'light' })
  const page = await context.newPage()
  page.on('pageerror', error => fault(`desk: ${error.message}`))
  page.on('dialog', dialog => {
    fault(`desk: a dialog says ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', request => {
    if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url()))
      fault(`desk: a request leaves the machine: ${request.url()}`)
    if (request.url().includes(key.split(' ')[0] as string)) fault('desk: a key is in an address')
  })
  await openSignIn(page, `${url}/desk`)
  await page.getByRole('textbox', { name: 'Key' }).fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Cases' }).waitFor()
  return { context, page }
}

/**
 * A machine that stands still for a quarter of a minute lets the service give up on a browser that asks for the script of the page. Whoever
 * sits before an empty page loads it again; it is said, with what was missing.
 */
async function openSignIn(page: Page, address: string): Promise<void> {
  const missing: string[] = []
  page.on('requestfailed', request => missing.push(`${request.url()}: ${request.failure()?.errorText}`))
  page.on('response', response => {
    if (response.status() >= 500 || response.status() === 408) missing.push(`${response.url()}: ${response.status()}`)
  })
  await page.goto(address)
  const isThere = async () =>
    page
      .getByRole('textbox', { name: 'Key' })
      .waitFor({ timeout: patienceMs / 4 })
      .then(
        () => true,
        () => false,
      )
  for (let loaded = 1; loaded < 4 && !(await isThere()); loaded++) {
    const shown = await page.locator('body').innerText()
    console.log(`desk: no way to sign in after ${patienceMs / 4000} s, loaded again; missing: ${missing.join(', ')}; shown: ${shown}`)
    await page.reload()
  }
}

/**
 * The session ends while somebody is about to press a button. The page asks for a new one over itself, and may have noticed by a
 * request of its own before the button is pressed: so it is pressed as a key would, which nothing that lies over it holds off.
 */
export async function endSession(page: Page, button: Locator): Promise<Locator> {
  await button.waitFor()
  await page.context().clearCookies()
  await button.evaluate(pressed => (pressed as HTMLButtonElement).click())
  const dialog = page.getByRole('dialog', { name: 'Sign in again' })
  await dialog.waitFor()
  return dialog
}

/** For people to look at: nothing is checked by it. */
export async function picture(run: DeskRun, page: Page, name: string): Promise<void> {
  if (run.isPictured) await page.screenshot({ path: join(run.screenshots, `${name}.png`) })
}

/** Looks at what a person sees once everything has been read. */
export async function look(run: DeskRun, page: Page, name: string, rules?: 'colours'): Promise<void> {
  await lookAtRoom(run, page, name)
  await run.checkAccessibility(page, name, rules)
}

/** Whether it fits the window alone. */
export async function lookAtRoom(run: DeskRun, page: Page, name: string): Promise<void> {
  await untilRead(page)
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  if (wide > 0) run.fault(`${name}: the page is ${wide} px wider than the window`)
  if (run.isPictured) await page.screenshot({ path: join(run.screenshots, `${name}.png`), fullPage: true })
}

/** Light and dark are one page in other colours. */
export async function lookInBoth(run: DeskRun, page: Page, name: string): Promise<void> {
  const width = page.viewportSize()?.width
  await look(run, page, `${name}-light-${width}`)
  await page.emulateMedia({ colorScheme: 'dark' })
  await look(run, page, `${name}-dark-${width}`, 'colours')
  await page.emulateMedia({ colorScheme: 'light' })
}

/** In both schemes at each width, where `atEach` may look at more. */
export async function lookAtEvery(run: DeskRun, page: Page, name: string, atEach?: (width: number) => Promise<void>): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    await lookInBoth(run, page, name)
    await atEach?.(width)
  }
}

export async function untilRead(page: Page): Promise<void> {
  await page
    .getByText(/^Reading .* …$/)
    .first()
    .waitFor({ state: 'detached' })
}

/** What the service, not the page, shows. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + patienceMs
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`)
    await wait(100)
  }
}

/** Presses again where nothing came of it, as a person does when the page moved under the pointer or the service shed load. */
export async function pressFor(answer: Locator, button: Locator): Promise<void> {
  for (let left = 3; ; left--) {
    await button.click()
    const isThere = await answer.waitFor({ timeout: 20_000 }).then(
      () => true,
      (error: unknown) => {
        if (left === 1) throw error
        return false
      },
    )
    if (isThere) return
    console.log(`pressed ${await button.innerText()} in vain, again`)
  }
}

export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(to => {
    window.location.hash = to
  }, hash)
}

/** What the service answers to a request that a check changes on its way. Undefined where it refused for a moment: the page asks again. */
export async function answerOf<T>(route: Route): Promise<{ response: APIResponse; body: T } | undefined> {
  const response = await route.fetch()
  if (response.ok()) return { response, body: (await response.json()) as T }
  await route.fulfill({ response })
  return undefined
}
