/** What the claims of a person come to: their name, a tenant and rights, or why they are not let in. Pure. */

import { personName } from '../contract/common.js'
import type { MappingRule } from '../platform/oidc-settings.js'
import { isPersonName } from '../platform/person-name.js'

export type Claims = Readonly<Record<string, unknown>>

export interface Grant {
  person: string
  tenantId: string
  rights: readonly string[]
  scopes: readonly string[] | null
}

export interface Mapping {
  rules: readonly MappingRule[]
  personClaim: string
}

/** The first rule that holds counts; with a tenant asked for, the first that is about it. */
export function grantOf(claims: Claims, { rules, personClaim }: Mapping, tenantId?: string): Grant | { refused: string } {
  const trusted = withoutUnverified(claims)
  const person = claimNamed(trusted, personClaim)
  if (typeof person !== 'string' || !isName(person)) {
    const hint = personClaim === 'email' && 'email' in claims ? ' that the issuer says is verified' : ''
    return { refused: `The ID token has no \`${personClaim}\`${hint} to identify the person.` }
  }
  const rule = rules.find(each => (tenantId === undefined || each.tenant_id === tenantId) && holds(each, trusted))
  if (rule === undefined) return { refused: 'The issuer knows you, but you are not mapped to a tenant here.' }
  return { person, tenantId: rule.tenant_id, rights: rule.rights, scopes: rule.scopes ?? null }
}

/** Anybody can write any address into an account of many issuers. */
function withoutUnverified(claims: Claims): Claims {
  if (claims['email_verified'] === true) return claims
  const { email: _unverified, ...rest } = claims
  return rest
}

function holds({ claim, value }: MappingRule, claims: Claims): boolean {
  const found = claimNamed(claims, claim)
  return Array.isArray(found) ? found.includes(value) : found === value
}

/** A claim of that very name, or the member of one that the dots lead to. */
function claimNamed(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name.split('.').reduce<unknown>((value, part) => {
    const isMember = typeof value === 'object' && value !== null && Object.hasOwn(value, part)
    return isMember ? (value as Claims)[part] : undefined
  }, claims)
}

const readable = new RegExp(personName.pattern, 'u')

/** As `by` may be, and storable: it stands in decisions as what others typed does. */
function isName(text: string): boolean {
  return text.length <= personName.maxLength && readable.test(text) && !/[\p{Cs}\p{Cn}]/u.test(text) && isPersonName(text)
}
