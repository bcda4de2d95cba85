/**
 * Who sits at the desk: the keys given at sign-in and what each may do. Kept in memory alone, so that a reload asks
 * again and nothing of them is found in an address, a store or a cookie.
 */

import { computed, signal } from '@preact/signals'
import { type Client, createClient, ProblemError, type Schema } from '../src/client/index.js'

export type Me = Schema['Me']

interface TenantKey {
  key: string
  me: Me
}

interface Keys {
  tenants: TenantKey[]
  admin?: string
  internals?: string
}

const keys = signal<Keys>({ tenants: [] })
const chosenTenant = signal(0)

export const tenants = computed(() => keys.value.tenants)
const tenant = computed(() => keys.value.tenants[chosenTenant.value])
export const me = computed(() => tenant.value?.me)
export const isOperator = computed(() => keys.value.admin !== undefined || keys.value.internals !== undefined)
export const seesInternals = computed(() => keys.value.internals !== undefined)
export const isSignedIn = computed(() => tenant.value !== undefined || isOperator.value)

export const client = computed<Client>(() => {
  const { admin, internals } = keys.value
  return createClient({
    url: window.location.origin,
    tenantKey: tenant.value?.key,
    adminKey: admin ?? internals,
    internalsKey: internals,
    retries: { attempts: 3, deadlineMs: 8000 },
  })
})

export function may(right: Me['rights'][number]): boolean {
  return me.value?.rights.includes(right) ?? false
}

/** Takes one key or several, separated by spaces or commas. Throws what a person can read. */
export async function signIn(text: string): Promise<void> {
  const given = text.split(/[\s,]+/).filter(part => part !== '')
  if (given.length === 0) throw new Error('Enter a key.')
  const added: Keys = { ...keys.value, tenants: [...keys.value.tenants] }
  for (const key of given) {
    const about = await ask(key)
    if (about.tier === 'admin') added.admin = key
    else if (about.tier === 'internals') added.internals = key
    else if (!added.tenants.some(known => known.key === key)) added.tenants.push({ key, me: about })
  }
  keys.value = added
}

export function signOut(): void {
  keys.value = { tenants: [] }
  chosenTenant.value = 0
  window.location.hash = '#/'
}

export function chooseTenant(index: number): void {
  chosenTenant.value = index
  window.location.hash = '#/cases'
}

async function ask(key: string): Promise<Me> {
  try {
    return await createClient({ url: window.location.origin, adminKey: key, retries: 1 }).me()
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) throw new Error('This key is not known here.')
    throw new Error(sayFailure(error))
  }
}

/** A failure in the words of the service where it gave any. */
export function sayFailure(error: unknown): string {
  if (error instanceof ProblemError) return error.detail || error.message
  return error instanceof Error && error.name !== 'ConnectionError' ? error.message : 'The service cannot be reached.'
}
