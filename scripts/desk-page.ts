/** A page of the desk in a real browser: opened with a key, moved, looked at. */

import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { ThrowawayService } from './throwaway-service.js'

export interface DeskRun {
  browser: Browser
  service: ThrowawayService
  url: string
  screenshots: string
  fault(text: string): void
  checkAccessibility(page: Page, what: string): Promise<void>
}

export const longMs = 30_000

export interface Look {
  width: number
  scheme: 'light' | 'dark'
}

export const looks: readonly Look[] = (['light', 'dark'] as const).flatMap(scheme => [1400, 390].map(width => ({ scheme, width })))

export async function open({ browser, url, fault }: DeskRun, key: string, look: Partial<Look> = {}) {
  const { width = 1400, scheme = 'light' } = look
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme })
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
  await page.getByRole('heading', { name: 'Cases' }).waitFor({ timeout: longMs })
  return { context, page }
}

/** Looks at what a person sees once everything has been read. */
export async function look({ screenshots, fault, checkAccessibility }: DeskRun, page: Page, name: string): Promise<void> {
  await page
    .getByText(/^Reading .* …$/)
    .first()
    .waitFor({ state: 'detached', timeout: longMs })
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  if (wide > 0) fault(`${name}: the page is ${wide} px wider than the window`)
  await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true })
  await checkAccessibility(page, name)
}

export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(to => {
    window.location.hash = to
  }, hash)
}
