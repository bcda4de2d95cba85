/** A service of its own for a load test: process, database, tenant; all of it gone afterwards. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adminKey, prepareService } from '../chaos/service-process.js'

export interface OwnService {
  url: string
  port: number
  tenantId: string
  tenantKey: string
  adminKey: string
  internalsKey: string
  output(): string
  stop(): Promise<void>
}

/** `prepare` fills the data folder before the first start; without it the service does. */
export async function startOwnService(env: Record<string, string> = {}, prepare?: (dataDir: string) => void): Promise<OwnService> {
  const folder = mkdtempSync(join(tmpdir(), 'concord-load-'))
  prepare?.(join(folder, 'data'))
  const service = await prepareService(join(folder, 'data'), env)
  const stop = async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await service.start()
    const made = await fetch(`${service.url}/admin/tenants`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'load' }),
    })
    const tenant = (await made.json()) as { tenant_id: string; api_key: string }
    return {
      url: service.url,
      port: Number(new URL(service.url).port),
      tenantId: tenant.tenant_id,
      tenantKey: tenant.api_key,
      adminKey,
      internalsKey: `${adminKey}-internals`,
      output: () => service.output(),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
