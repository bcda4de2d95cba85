/** A page of the desk in a real browser: opened with a key, moved, looked at. */

import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { ThrowawayService } from './throwaway-service.js'

export interface DeskRun {
  browser: Browser
  service: ThrowawayService
  url: string
  screenshots: string
  /** One group of checks alone, for those who work on it. */
  only: string | undefined
  fault(text: string): void
  checkAccessibility(page: Page, what: string): Promise<void>
}

export interface Look {
  width: number
  scheme: 'light' | 'dark'
}

export const looks: readonly Look[] = (['light', 'dark'] as const).flatMap(scheme => [1400, 390].map(width => ({ scheme, width })))

/** On a machine that does much else at once everything takes long; what has not come by then does not come. */
export const patienceMs = 120_000

/** Nothing is looked at while it changes its colour. */
export async function newContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(patienceMs)
  return context
}

export async function open({ browser, url, fault }: DeskRun, key: string, look: Partial<Look> = {}) {
  const { width = 1400, scheme = 'light' } = look
  const context = await newContext(browser, { viewport: { width, height: 900 }, colorScheme: scheme })
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
  await page.goto(`${url}/desk`)
  await page.getByRole('textbox', { name: 'Key' }).fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Cases' }).waitFor()
  return { context, page }
}

/** Looks at what a person sees once everything has been read. */
export async function look({ screenshots, fault, checkAccessibility }: DeskRun, page: Page, name: string): Promise<void> {
  await untilRead(page)
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  if (wide > 0) fault(`${name}: the page is ${wide} px wider than the window`)
  await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true })
  await checkAccessibility(page, name)
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
