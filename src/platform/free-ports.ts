/**
 * Whether the addresses of a process can be had, asked before anything else is started: a port in use or a HOST of
 * another machine is the most usual fault of a start, and should cost one line instead of a database started in vain.
 */

import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from './config.js'
import { messageOf, StartupError } from './errors.js'

export async function requireFreePorts(config: Pick<Config, 'host' | 'port' | 'metricsPort' | 'role'>): Promise<void> {
  if (config.role !== 'worker') await requireFree(config.host, config.port, 'PORT')
  if (config.metricsPort !== undefined) await requireFree(config.host, config.metricsPort, 'METRICS_PORT')
}

async function requireFree(host: string, port: number, setting: string): Promise<void> {
  const server = createServer()
  try {
    server.listen({ host, port, exclusive: true })
    await once(server, 'listening')
  } catch (error) {
    throw new StartupError(explain((error as NodeJS.ErrnoException).code, { host, port, setting }) ?? messageOf(error), { cause: error })
  }
  server.close()
  await once(server, 'close')
}

function explain(code: string | undefined, { host, port, setting }: { host: string; port: number; setting: string }): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use. Stop the program that has it, or set ${setting} to another one.`
    case 'EACCES':
      return `Port ${port} of ${host} is not for this account. Set ${setting} to one above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return `HOST ${host} is not an address of this machine. Set it to 127.0.0.1 for this machine alone, or 0.0.0.0 for every network.`
    default:
      return undefined
  }
}
