/** What a start says: where the service answers, which keys it made, where documents are sent, and what to try next. */

import type { Config } from './platform/config.js'
import type { FirstKeys } from './tenancy/first-keys.js'

interface Greeted {
  config: Pick<Config, 'role' | 'modelUrl' | 'modelName' | 'publicAuth' | 'adminApiKeys' | 'internalsApiKeys'>
  command: string
  /** Of a worker nobody asks: it does not listen. */
  url: () => string
  keys: FirstKeys | undefined
  /** The file of keys that are out of use. */
  idleKeys?: string | undefined
}

export function greetingOf({ config, command, url: address, keys, idleKeys }: Greeted): string[] {
  if (config.role === 'worker') return ['Concord processes documents (role worker).']
  const url = address()
  const lines = [`Concord answers at ${url}  (desk: ${url}/desk, reference: ${url}/docs)`]
  if (keys?.made) {
    lines.push(
      `  admin key      ${keys.admin}`,
      `  internals key  ${keys.internals}`,
      `  Shown once; kept in ${keys.path}, readable by you alone.`,
    )
  } else if (keys) lines.push(`  The keys of the first start are in ${keys.path}.`)
  if (idleKeys !== undefined) {
    const isClosed = config.internalsApiKeys.length === 0
    const [given, missing] = isClosed ? ['ADMIN_API_KEY', 'INTERNALS_API_KEY'] : ['INTERNALS_API_KEY', 'ADMIN_API_KEY']
    const closed = isClosed ? ', and /internals answers 503 TIER_DISABLED' : ''
    lines.push(`${given} is set and ${missing} is not: the keys in ${idleKeys} are out of use${closed}. Set both.`)
  }
  // Whose documents these are should be told where they go before the first is sent.
  if (config.modelUrl !== undefined)
    lines.push(
      `Documents are sent to the model ${config.modelName} at ${new URL(config.modelUrl).host}; \`${command} doctor --model\` tries it.`,
    )
  const key = operatorKey(config, keys)
  if (key === undefined)
    lines.push('No ADMIN_API_KEY is set: /admin and /internals answer 503 TIER_DISABLED. To make a tenant, set one and start again.')
  const tenant = config.publicAuth === 'key' ? 'X-Tenant-API-Key: <api_key>' : 'X-Tenant-ID: <tenant_id>'
  lines.push(
    'Try next:',
    `  ${url}/desk in a browser: sign in with a key of a tenant${key === undefined ? '' : ', or as operator with the admin key'}`,
    ...(key === undefined
      ? []
      : [`  curl -s ${url}/admin/tenants -H "Authorization: Bearer ${key}" -H 'Content-Type: application/json' -d '{"name":"first"}'`]),
    `  curl -s ${url}/api/ingest -H "${tenant}" -H 'Content-Type: application/json' \\`,
    `    -d '{"scope_id":"case-1","name":"Report","text":"Revenue for FY2025 was EUR 41.2M."}'`,
    `  ${command} --help`,
  )
  return lines
}

/** As a shell finds it: kept by the first start, or in the environment of whoever set it. */
function operatorKey({ adminApiKeys, internalsApiKeys }: Greeted['config'], keys: FirstKeys | undefined): string | undefined {
  if (keys) return `$(node -p "require('${keys.path.startsWith('/') ? '' : './'}${keys.path}').admin")`
  if (adminApiKeys.length > 0) return '$ADMIN_API_KEY'
  return internalsApiKeys.length > 0 ? '$INTERNALS_API_KEY' : undefined
}
