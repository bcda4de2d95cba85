/**
 * Who sits at the desk: a session, which is a cookie that this page cannot read and that a reload goes on with. A tenant key is
 * exchanged for one and forgotten; people with an issuer get theirs from it. Keys of operators, and those of further
 * tenants, are kept in memory alone: a reload asks again, and nothing of a key is found in an address, a store or a cookie.
 */

import { computed, signal } from '@preact/signals'
import { type Client, createClient, ProblemError } from '../src/client/index.js'
import type { Schema } from '../src/contract/types.js'
import { isSameReader } from './same-reader'

export type Me = Schema['Me']

interface Membership {
  /** Undefined: the session. */
  key: string | undefined
  me: Me
}

interface Keys {
  tenants: Membership[]
  admin?: string
  internals?: string
}

/** Repetitions, where the service is busy or stands still for a moment: also after a first answer that took its time. */
const retries = 3

const keys = signal<Keys>({ tenants: [] })
const chosenTenant = signal(0)

export const tenants = computed(() => keys.value.tenants)
const tenant = computed(() => keys.value.tenants[chosenTenant.value])
export const me = computed(() => tenant.value?.me)
/** Whether there is a key to act for the whole tenant with, as operators do. */
export const hasTenantKey = computed(() => tenant.value?.key !== undefined)
export const isOperator = computed(() => keys.value.admin !== undefined || keys.value.internals !== undefined)
export const seesInternals = computed(() => keys.value.internals !== undefined)
export const isSignedIn = computed(() => tenant.value !== undefined || isOperator.value)

/** Whether the session ended while the page was used: who sits there signs in again where they are. */
export const hasEnded = signal(false)
/** Rises when somebody signed in again, so that streams are opened anew. */
export const timesSignedIn = signal(0)

/** What the client is made of: signing in again as the same leaves it, and with it everything that is half written. */
const made = computed(() => JSON.stringify([keys.value.admin, keys.value.internals, tenant.value?.key, tenant.value?.me.tenant_id]))

/** The token of the session changes when somebody signs in again; and that it has ended is noticed here. */
export async function fetchAsNow(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined))
  const csrfToken = tenant.peek()?.me.session?.csrf_token
  if (csrfToken && (init.method ?? 'GET') !== 'GET') headers.set('x-csrf-token', csrfToken)
  const response = await window.fetch(input, { ...init, headers })
  if (response.status === 401 && tenant.peek()?.key === undefined && tenant.peek() !== undefined) {
    const problem = (await response
      .clone()
      .json()
      .catch(() => ({}))) as { code?: string }
    if (problem.code === 'SESSION_INVALID' || problem.code === 'AUTH_MISSING') hasEnded.value = true
  }
  return response
}

export const client = computed<Client>(() => {
  // Read for what it stands for.
  void made.value
  const { admin, internals } = keys.peek()
  const tenantNow = tenant.peek()
  return createClient({
    url: window.location.origin,
    fetch: fetchAsNow as typeof fetch,
    tenantKey: tenantNow?.key,
    // A cookie is shared by all tabs: should somebody of another tenant sign in in one, this one is refused instead of showing theirs.
    tenantId: tenantNow?.me.tenant_id ?? undefined,
    adminKey: admin ?? internals,
    internalsKey: internals,
    retries,
  })
})

/** A case by its tenant too: another one may have a case of the same id. */
export function caseKey(scopeId: string): string {
  return JSON.stringify([me.value?.tenant_id, scopeId])
}

export function may(right: Me['rights'][number]): boolean {
  return me.value?.rights.includes(right) ?? false
}

/** Takes one key or several, separated by spaces or commas. Throws what a person can read. */
export async function signIn(text: string): Promise<void> {
  const given = text.split(/[\s,]+/).filter(part => part !== '')
  if (given.length === 0) throw new Error('Enter a key.')
  const added: Keys = { ...keys.value, tenants: [...keys.value.tenants] }
  const tenantKeys: { key: string; about: Me }[] = []
  for (const key of given) {
    const about = await ask(key)
    if (about.tier === 'admin') added.admin = key
    else if (about.tier === 'internals') added.internals = key
    else if (!added.tenants.some(known => known.key === key)) tenantKeys.push({ key, about })
  }
  const held = added.tenants.find(known => known.key === undefined)
  const [first] = tenantKeys
  // Nobody goes on with the page of somebody else by it, and what is half written on it is not lost to a key that was mistaken.
  if (hasEnded.peek() && held !== undefined && first === undefined)
    throw new Error('This key does not go on with the session that has ended. Enter a tenant key, or press Leave and sign in then.')
  if (hasEnded.peek() && held !== undefined && first !== undefined && !tenantKeys.some(({ about }) => isSameReader(held.me, about))) {
    await exchange(first.key)
    beginAnew()
    return
  }
  for (const { key, about } of tenantKeys) await addTenant(added, key, about)
  keys.value = added
  hasEnded.value = false
  timesSignedIn.value++
}

/** A browser has one session: the first tenant's. The same tenant signing in again takes its place. */
async function addTenant(added: Keys, key: string, about: Me): Promise<void> {
  const place = added.tenants.findIndex(known => known.key === undefined)
  const held = added.tenants[place]
  // Operators act for the tenant with its key beside their own, which no session stands for.
  const isBeside = held !== undefined || added.admin !== undefined || added.internals !== undefined
  if (isBeside && !(hasEnded.peek() && held?.me.tenant_id === about.tenant_id)) {
    added.tenants.push({ key, me: about })
    return
  }
  const { csrf_token: csrfToken, session_id: sessionId, expires_at: expiresAt } = await exchange(key)
  const membership = { key: undefined, me: { ...about, expires_at: expiresAt, session: { session_id: sessionId, csrf_token: csrfToken } } }
  if (held === undefined) added.tenants.push(membership)
  else added.tenants[place] = membership
}

function exchange(key: string) {
  return createClient({ url: window.location.origin, tenantKey: key, retries }).signIn.withKey()
}

/**
 * Whoever comes after somebody else finds nothing of theirs: no name, no passage, no search, no key. All of that is in the memory of the
 * page, which a reload empties.
 */
function beginAnew(): void {
  window.location.reload()
}

/** The name of the issuer people can sign in with; undefined: there is none. */
export const issuerName = signal<string>()

/** What the page does first: comes back from the issuer, goes on with a session, or says what can be signed in with. */
export async function resume(): Promise<void> {
  const anybody = createClient({ url: window.location.origin, retries })
  const returned = new URLSearchParams(window.location.search)
  // A code is good for one use; it goes from the address before anything can fail.
  if (window.location.search !== '') window.history.replaceState(null, '', window.location.pathname + window.location.hash)
  const hasLeft = window.sessionStorage.getItem(leftKept) !== null
  window.sessionStorage.removeItem(leftKept)
  const { oidc, has_session: hasSession } = await anybody.signIn.offer()
  issuerName.value = oidc?.name
  const [code, state, error] = ['code', 'state', 'error'].map(name => returned.get(name))
  if (error) throw new Error(`${oidc?.name ?? 'The issuer'} did not let you in (${error}).`)
  if (code && state) {
    const iss = returned.get('iss')
    await anybody.signIn.complete({ code, state, ...(iss === null ? {} : { iss }) })
  } else if (!hasSession || hasLeft) return
  const about = await anybody.me().catch((failure: unknown) => {
    // A session that has ended is no failure: the person signs in again.
    if (failure instanceof ProblemError && failure.status === 401) return undefined
    throw failure
  })
  if (about?.session) keys.value = { ...keys.value, tenants: [...keys.value.tenants, { key: undefined, me: about }] }
  const place = window.sessionStorage.getItem(placeKept)
  window.sessionStorage.removeItem(placeKept)
  if (place !== null && about?.session) window.location.hash = place
}

/** Where the reader was, while the browser is at the issuer. An address within the page, and nothing else. */
const placeKept = 'concord-place'
/** That somebody signed out here: they are not to be somebody else then, who has signed in in another tab. */
const leftKept = 'concord-left'

export async function signInWithIssuer(): Promise<void> {
  const { authorization_url: url } = await createClient({ url: window.location.origin, retries }).signIn.begin()
  window.sessionStorage.setItem(placeKept, window.location.hash)
  window.location.assign(url)
}

/** Over a page whose session has ended the issuer is gone to in a tab of its own: what is half written stays in this one. */
export async function signInAgainWithIssuer(): Promise<void> {
  // Before anything is waited for: browsers open tabs for a press alone.
  const tab = window.open('about:blank')
  if (tab === null) throw new Error('The browser did not open a tab to sign in with. Allow it, and press again.')
  tab.opener = null
  try {
    const { authorization_url: url } = await createClient({ url: window.location.origin, retries }).signIn.begin()
    tab.location.assign(url)
  } catch (error) {
    tab.close()
    throw error
  }
}

/** Whoever signed in in another tab goes on in this one where it is the same tenant; somebody else with nothing of who was here. */
export async function goOnFromOtherTab(): Promise<void> {
  const place = keys.peek().tenants.findIndex(({ key }) => key === undefined)
  const about = await createClient({ url: window.location.origin, retries })
    .me()
    .catch(() => undefined)
  const held = keys.peek().tenants[place]
  if (!hasEnded.peek() || !about?.session || held === undefined || about.tenant_id !== held.me.tenant_id) return
  if (!isSameReader(held.me, about)) {
    beginAnew()
    return
  }
  keys.value = { ...keys.peek(), tenants: keys.peek().tenants.map((each, at) => (at === place ? { key: undefined, me: about } : each)) }
  hasEnded.value = false
  timesSignedIn.value++
}

export async function signOut(): Promise<void> {
  const session = keys.value.tenants.find(({ key }) => key === undefined)
  const csrfToken = session?.me.session?.csrf_token ?? undefined
  // One that has ended by itself cannot be ended again, and one that replaced it in another tab is not this tab's to end.
  if (csrfToken !== undefined) await createClient({ url: window.location.origin, csrfToken }).signIn.out().catch(unlessEnded)
  window.sessionStorage.setItem(leftKept, '')
  window.location.hash = '#/'
  beginAnew()
}

export function chooseTenant(index: number): void {
  chosenTenant.value = index
  window.location.hash = '#/cases'
}

function unlessEnded(failure: unknown): void {
  if (!(failure instanceof ProblemError && failure.status === 401) && !isReplaced(failure)) throw failure
}

/** The cookie is of another session than this page. */
function isReplaced(failure: unknown): boolean {
  return failure instanceof ProblemError && (failure.code === 'TENANT_MISMATCH' || failure.code === 'CSRF_INVALID')
}

async function ask(key: string): Promise<Me> {
  try {
    return await createClient({ url: window.location.origin, adminKey: key, retries }).me()
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) throw new Error('This key is not known here.')
    throw new Error(sayFailure(error))
  }
}

/** A failure in the words of the service where it gave any. */
export function sayFailure(error: unknown): string {
  if (isReplaced(error)) return 'Somebody else has signed in in this browser. Reload the page to go on as they do.'
  if (error instanceof ProblemError) return error.detail || error.message
  return error instanceof Error && error.name !== 'ConnectionError' ? error.message : 'The service cannot be reached.'
}
