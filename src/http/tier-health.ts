/** Bodies of the admin and internals health routes. */

import type { Caller } from './auth.js'
import type { Services } from './services.js'

type Tier = 'admin' | 'internals'

export async function tierHealth(services: Services, tier: Tier, caller: Caller) {
  return head(services, tier, caller, (await services.isReady()) ? 'ok' : 'unavailable')
}

export async function checkedHealth(services: Services, tier: Tier, caller: Caller, part: 'control-plane' | 'kernel') {
  const report = await services.health(part)
  return { ...head(services, tier, caller, report.status), checks: report.checks }
}

function head(services: Services, tier: Tier, caller: Caller, status: string) {
  return { status, tier, authTier: caller.tier, version: services.version, time: services.clock.now().toISOString() }
}
