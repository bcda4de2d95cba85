/** What a start says: where the service answers, which keys it made, where documents are sent, and what to try next. */

import type { Config } from './platform/config.js'
import type { FirstKeys } from './tenancy/first-keys.js'

interface Greeted {
  config: Pick<Config, 'role' | 'modelUrl' | 'modelName'>
  command: string
  /** Of a worker nobody asks: it does not listen. */
  url: () => string
  keys: FirstKeys | undefined
}

export function greetingOf({ config, command, url: address, keys }: Greeted): string[] {
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
  // Whose documents these are should be told where they go before the first is sent.
  if (config.modelUrl !== undefined)
    lines.push(
      `Documents are sent to the model ${config.modelName} at ${new URL(config.modelUrl).host}; \`${command} doctor --model\` tries it.`,
    )
  const key = keys ? `$(node -p "require('${keys.path.startsWith('/') ? '' : './'}${keys.path}').admin")` : '$ADMIN_API_KEY'
  lines.push(
    'Try next:',
    `  ${url}/desk in a browser: sign in with a key of a tenant, or as operator with the admin key`,
    `  curl -s ${url}/admin/tenants -H "Authorization: Bearer ${key}" -H 'Content-Type: application/json' -d '{"name":"first"}'`,
    `  curl -s ${url}/api/ingest -H "X-Tenant-ID: <tenant_id>" -H 'Content-Type: application/json' \\`,
    `    -d '{"scope_id":"case-1","name":"Report","text":"Revenue for FY2025 was EUR 41.2M."}'`,
    `  ${command} --help`,
  )
  return lines
}
