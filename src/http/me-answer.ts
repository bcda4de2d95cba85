/** What a key may do: whose it is, its rights, and the limits it works under. */

import { rights } from '../contract/rights.js'
import { isSessionToken } from '../platform/ids.js'
import type { Caller } from './auth.js'
import type { Answer } from './handler.js'
import type { Services } from './services.js'
import { csrfTokenOf } from './session-cookie.js'

const textCharacters = 100_000
const nobody = { reach: null, person: null, speak_for: true, expires_at: null, session: null }
const noQuotas = { documents: null, bytes: null, scopes: null, requests_per_second: null }

export async function meAnswer(
  { tenants, bodyLimitBytes, maxFileBytes, scopes: { config } }: Services,
  { tier, tenantId, tenantKey, hasCookie, permission }: Caller,
): Promise<Answer> {
  const own = { text_characters: textCharacters, body_bytes: bodyLimitBytes, file_bytes: maxFileBytes }
  if (tenantId === null)
    return {
      body: { tenant_id: null, tier, rights: [], ...nobody, limits: { ...own, ...noQuotas }, usage: null, model: null },
    }
  const { limits, usage } = await tenants.limits(tenantId)
  const { documents, bytes, scopes, requests_per_second } = limits
  return {
    body: {
      tenant_id: tenantId,
      tier: 'public',
      rights: permission?.rights ?? [...rights],
      reach: permission?.scopes ?? null,
      person: permission?.person ?? null,
      speak_for: permission?.speak_for ?? true,
      expires_at: permission?.expires_at ?? null,
      session:
        permission !== null && tenantKey !== null && isSessionToken(tenantKey)
          ? { session_id: permission.key_id, csrf_token: hasCookie ? csrfTokenOf(tenantKey) : null }
          : null,
      limits: { ...own, documents, bytes, scopes, requests_per_second },
      usage: { documents: usage.documents, bytes: usage.bytes, scopes: usage.scopes },
      model: modelOf(config, limits, usage),
    },
  }
}

type View = Awaited<ReturnType<Services['tenants']['limits']>>

function modelOf(
  { modelUrl, modelName, modelTokensPerDay = 0 }: Services['scopes']['config'],
  limits: View['limits'],
  usage: View['usage'],
) {
  if (modelUrl === undefined || modelName === undefined || limits.model === 'off') return null
  const ofService = modelTokensPerDay === 0 ? null : modelTokensPerDay
  return { name: modelName, tokens_today: usage.model_tokens_today, tokens_per_day: limits.model_tokens_per_day ?? ofService }
}
