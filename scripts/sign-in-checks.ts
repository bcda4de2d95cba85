/** The desk for people who sign in with an issuer, which to the browser is another site. Starts the service again with one set. */

import { createClient } from '../src/client/index.js'
import { clientId, clientSecret, startTestIssuer } from '../test/support/issuer.js'
import { type DeskRun, endSession, newContext, picture } from './desk-page.js'

const caseId = 'signed-in'
const ada = { sub: 'u-1', email: 'ada@example.com', email_verified: true, groups: ['reviewers'] }

interface Tenant {
  tenant_id: string
  api_key: string
}

export async function checkSignIn(run: DeskRun, tenant: Tenant, stranger: Tenant): Promise<void> {
  const { browser, service, url, fault } = run
  const issuer = await startTestIssuer({ host: 'localhost' })
  Object.assign(service.env, {
    OIDC_ISSUER: issuer.url,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_REDIRECT_URL: `${url}/desk`,
    OIDC_NAME: 'Example ID',
    OIDC_MAPPING: JSON.stringify([
      { claim: 'groups', value: 'reviewers', tenant_id: tenant.tenant_id, rights: ['read', 'ingest', 'decide'] },
      { claim: 'groups', value: 'strangers', tenant_id: stranger.tenant_id, rights: ['read'] },
    ]),
  })
  const context = await newContext(browser)
  try {
    await service.restart()
    const page = await context.newPage()
    page.on('pageerror', error => fault(`sign-in: ${error.message}`))
    const signIn = () => page.getByRole('button', { name: 'Sign in with Example ID' }).click()
    const expectValue = (what: string, seen: unknown, wanted: unknown) => {
      if (seen !== wanted) fault(`sign-in: ${what} is ${seen}, not ${wanted}`)
    }

    issuer.behaviour.person = { ...ada, groups: [] }
    await page.goto(`${url}/desk`)
    await signIn()
    await page.getByText('you are not mapped to a tenant here').waitFor()
    await run.checkAccessibility(page, 'sign-in')
    await picture(run, page, 'sign-in')

    const client = createClient({ url, tenantKey: tenant.api_key })
    const claim = { scope_id: caseId, claim_a: 'It rained.', claim_b: 'It did not.', source_a: 'a', source_b: 'b' }
    await client.reportContradiction({ ...claim, severity: 'low' })
    issuer.behaviour.person = ada
    await signIn()
    await page.getByRole('link', { name: caseId }).click()
    expectValue('the code in the address', page.url().includes('code='), false)
    await page.getByRole('link', { name: /^Contradictions/ }).click()
    const name = page.getByRole('textbox', { name: 'Your name' })
    await name.waitFor()
    expectValue('the name', await name.inputValue(), ada.email)
    expectValue('the name that can be changed', await name.isEditable(), false)
    expectValue('a cookie for scripts', await page.evaluate(() => document.cookie), '')

    await page.reload()
    await page.getByRole('button', { name: 'B is right' }).click()
    await page.getByRole('textbox', { name: 'Reason' }).fill('It is in the diary.')
    await page.getByRole('button', { name: 'Decide' }).click()
    await page.getByText('decided by').waitFor()
    const decided = await client.contradictions(caseId, { status: 'all' }).toArray(1)
    expectValue('who decided', decided[0]?.resolution?.by, ada.email)

    // The session ends under a half-written reason: the issuer is gone to in a tab of its own, and the reason is still there.
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('textbox', { name: 'Reason' }).fill('Half written')
    const dialog = await endSession(page, page.getByRole('button', { name: 'Open it again' }))
    const opened = context.waitForEvent('page')
    await dialog.getByRole('button', { name: 'Sign in with Example ID' }).click()
    const tab = await opened
    await tab.getByRole('button', { name: 'Sign out' }).waitFor()
    await tab.close()
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await dialog.waitFor({ state: 'detached' })
    expectValue('the half-written reason', await page.getByRole('textbox', { name: 'Reason' }).inputValue(), 'Half written')

    // Where somebody else signs in instead, they find nothing of it.
    issuer.behaviour.person = { ...ada, sub: 'u-3', email: 'cleo@example.com' }
    const again = await endSession(page, page.getByRole('button', { name: 'Open it again' }))
    const [elsewhere] = await Promise.all([
      context.waitForEvent('page'),
      again.getByRole('button', { name: 'Sign in with Example ID' }).click(),
    ])
    await elsewhere.getByRole('button', { name: 'Sign out' }).waitFor()
    await elsewhere.close()
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await page.locator('.top').getByText('cleo@example.com').waitFor()
    await page.getByLabel('Status').selectOption('decided')
    await page.getByRole('button', { name: 'Undo' }).click()
    expectValue('the reason of somebody else', await page.getByRole('textbox', { name: 'Reason' }).inputValue(), '')

    // In another tab somebody of another tenant signs in: this one shows nothing of theirs under the old name.
    await createClient({ url, tenantKey: stranger.api_key }).createScope({ scope_id: 'of-strangers' })
    const second = await context.newPage()
    // This one is out of reach meanwhile: should it ask between the two, it rightly wants a new session, which is not what is looked at here.
    await page.route('**/api/**', route => route.abort())
    await second.goto(`${url}/desk`)
    await second.getByRole('button', { name: 'Sign out' }).click()
    issuer.behaviour.person = { ...ada, sub: 'u-2', email: 'bob@example.com', groups: ['strangers'] }
    await second.getByRole('button', { name: 'Sign in with Example ID' }).click()
    await second.getByRole('link', { name: 'of-strangers' }).waitFor()
    await page.unroute('**/api/**')
    await page.getByRole('link', { name: 'Cases' }).first().click()
    await page.getByRole('heading', { name: 'Cases' }).waitFor()
    await page.getByRole('alert').getByText('Somebody else has signed in').waitFor()
    expectValue('cases of another tenant', await page.getByRole('link', { name: 'of-strangers' }).count(), 0)
    await picture(run, page, 'sign-in-replaced')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with Example ID' }).waitFor()
    await second.getByRole('button', { name: 'Sign out' }).click()
    await second.getByRole('button', { name: 'Sign in with Example ID' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Sign in with Example ID' }).waitFor()
    expectValue('cookies left', (await context.cookies()).length, 0)
    console.log('sign-in: a person signed in, decided in their own name and signed out')
  } finally {
    await context.close()
    await issuer.close()
  }
}
