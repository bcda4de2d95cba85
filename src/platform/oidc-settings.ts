/** The settings of signing in with an OpenID Connect issuer, and the rules that map who is known there to a tenant and rights. */

import { isWellFormedTenantId } from './ids.js'
import { integer, optionalText, setting, text, url, type ValuesOf } from './settings.js'

/** Whoever has the claim may do this in this tenant. */
export interface MappingRule {
  /** Name of a claim of the ID token, or names joined by dots for a member of one. */
  claim: string
  /** What the claim says, or one of what it lists. */
  value: string | number | boolean
  tenant_id: string
  rights: string[]
  /** Absent: every scope. */
  scopes?: string[]
}

/** The rights of a key; `contract/` has the list everything else is made from. */
export const mappedRights = ['read', 'ingest', 'decide', 'erase', 'manage', 'hold']

const example = '[{"claim":"groups","value":"reviewers","tenant_id":"ten_…","rights":["read","decide"],"scopes":["case-1"]}]'

const mappingList = setting<readonly MappingRule[]>(
  'list of rules',
  `a JSON list such as ${example}; rights are ${mappedRights.join(', ')}; without scopes: all`,
  value => {
    const rules = parsed(value)
    return Array.isArray(rules) && rules.length > 0 && rules.every(isRule) ? { value: rules } : undefined
  },
)

export const oidcSettings = {
  oidcIssuer: url(
    'OIDC_ISSUER',
    ['https:', 'http:'],
    'OpenID Connect issuer people sign in with, exactly as it names itself; unset: people use keys.',
  ),
  oidcClientId: optionalText('OIDC_CLIENT_ID', 'Client id of this service at the issuer.'),
  oidcClientSecret: optionalText('OIDC_CLIENT_SECRET', 'Secret of OIDC_CLIENT_ID; unset: a public client, which PKCE protects.', {
    secret: true,
  }),
  oidcRedirectUrl: url(
    'OIDC_REDIRECT_URL',
    ['https:', 'http:'],
    'Address of the desk as browsers see it (https://…/desk), registered with the issuer.',
  ),
  oidcName: text('OIDC_NAME', 'single sign-on', 'Name of the issuer on the desk: “Sign in with …”.'),
  oidcScopes: text('OIDC_SCOPES', 'openid email profile', 'Scopes asked of the issuer; openid is one of them.'),
  oidcPersonClaim: text(
    'OIDC_PERSON_CLAIM',
    'email',
    'Claim that names the person in decisions; `email` counts only where the issuer says it is verified.',
  ),
  oidcMapping: mappingList(
    'OIDC_MAPPING',
    'Who may do what, as JSON: the first rule that a person’s claims meet counts, and without one there is no session.',
  ),
  oidcTimeoutMs: integer('OIDC_TIMEOUT_MS', 5000, [100, 60_000], 'Longest the issuer may take to answer.'),
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRule(rule: unknown): rule is MappingRule {
  if (typeof rule !== 'object' || rule === null) return false
  const { claim, value, tenant_id: tenantId, rights, scopes, ...rest } = rule as Record<string, unknown>
  return (
    isText(claim) &&
    (isText(value) || typeof value === 'boolean' || typeof value === 'number') &&
    typeof tenantId === 'string' &&
    isWellFormedTenantId(tenantId) &&
    isListOf(rights, right => mappedRights.includes(right)) &&
    (scopes === undefined || isListOf(scopes, scope => /^[a-z0-9][a-z0-9-]{0,119}$/.test(scope))) &&
    Object.keys(rest).length === 0
  )
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isListOf(value: unknown, isOne: (entry: string) => boolean): boolean {
  const isList = Array.isArray(value) && value.length > 0 && value.length <= 200 && new Set(value).size === value.length
  return isList && value.every(entry => typeof entry === 'string' && isOne(entry))
}

/** Settings that are each allowed, but not together. */
export function oidcFaults(read: ValuesOf<typeof oidcSettings>, refuse: (name: string, seen: string, allowed: string) => void): void {
  if (read.oidcIssuer === undefined) return
  const needed = { OIDC_CLIENT_ID: read.oidcClientId, OIDC_REDIRECT_URL: read.oidcRedirectUrl }
  for (const [name, value] of Object.entries(needed)) if (value === undefined) refuse(name, '(unset)', 'set when OIDC_ISSUER is set')
  if (read.oidcMapping.length === 0) refuse('OIDC_MAPPING', '(unset)', 'set when OIDC_ISSUER is set')
  if (!read.oidcScopes.split(' ').includes('openid')) refuse('OIDC_SCOPES', read.oidcScopes, 'a list with openid in it')
  for (const [name, value] of Object.entries({ OIDC_ISSUER: read.oidcIssuer, OIDC_REDIRECT_URL: read.oidcRedirectUrl })) {
    if (value !== undefined && !isProtected(value)) refuse(name, value, 'https, except on this machine')
  }
  if (/[?#]/.test(read.oidcIssuer)) refuse('OIDC_ISSUER', read.oidcIssuer, 'an address without query and fragment')
}

/** Encrypted on its way, or never leaving the machine. */
export function isProtected(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || (protocol === 'http:' && isHere(hostname))
}

/** What an issuer may name as one of its addresses: an issuer elsewhere has none on this machine. */
export function isEndpointOf(issuer: string, address: unknown): address is string {
  if (typeof address !== 'string' || !URL.canParse(address) || !isProtected(address)) return false
  return isHere(new URL(issuer).hostname) || !isHere(new URL(address).hostname)
}

function isHere(hostname: string): boolean {
  return (
    /(^|\.)localhost\.?$/.test(hostname) ||
    hostname === '[::1]' ||
    /^(127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::\]|\[::ffff:7f.*\])$/.test(hostname)
  )
}
