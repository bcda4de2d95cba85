/** A Redis server for the peers that need one, durable as the service is: every write on disk before it is answered. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

export interface RedisServer {
  port: number
  process: ChildProcess
}

/** Null where there is no Redis. */
export async function startRedis(folder: string): Promise<RedisServer | null> {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', '']
  const server = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...durable], { stdio: 'ignore' })
  for (let tries = 0; tries < 200; tries++) {
    if (await answers(port)) return { port, process: server }
    await wait(50)
  }
  server.kill()
  throw new Error('Redis does not answer')
}

function answers(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
