/** One message to one receiver: where the socket goes, what counts as delivered, and what is not waited for. */

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { Address } from '../../src/webhooks/lookup.js'
import { createSender, type Sender } from '../../src/webhooks/send.js'

const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']
const message = { id: 'evt_1', body: '{}' }
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function receiver(behave: (response: ServerResponse) => void): Promise<{ port: number; hosts: (string | undefined)[] }> {
  const hosts: (string | undefined)[] = []
  const server = createServer((request, response) => {
    hosts.push(request.headers.host)
    request.resume().on('end', () => behave(response))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, hosts }
}

function sender(
  url: string,
  options: { allowPrivate?: boolean; addresses?: string[]; timeoutMs?: number } = {},
): Sender & { asked: string[] } {
  const { allowPrivate = true, addresses, timeoutMs = 20_000 } = options
  const asked: string[] = []
  const resolve = async (name: string): Promise<Address[]> => {
    asked.push(name)
    return (addresses ?? []).map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
  const made = createSender({ url, secrets, allowPrivate, timeoutMs, connections: 1, ...(addresses === undefined ? {} : { resolve }) })
  closing.push(() => made.close())
  return { ...made, asked }
}

describe('a message', () => {
  it('goes to the address that was checked, and the name is asked for once', async () => {
    const { port, hosts } = await receiver(response => response.end())
    const to = sender(`http://receiver.example:${port}/`, { addresses: ['127.0.0.1'] })
    expect(await to.send(message)).toMatchObject({ delivered: true, status: 200, reason: null })
    expect(await to.send(message)).toMatchObject({ delivered: true })
    expect([hosts, to.asked]).toEqual([[`receiver.example:${port}`, `receiver.example:${port}`], ['receiver.example']])
  })

  it.each([
    ['a private address', ['10.0.0.1']],
    ['a public and a private one', ['8.8.8.8', '127.0.0.1']],
    ['an IPv4-mapped one', ['::ffff:127.0.0.1']],
  ])('is not sent where the name leads to %s', async (_what, addresses) => {
    const { port, hosts } = await receiver(response => response.end())
    const to = sender(`https://receiver.example:${port}/`, { allowPrivate: false, addresses })
    expect(await to.send(message)).toMatchObject({ delivered: false, status: null, reason: 'address' })
    expect(hosts).toEqual([])
  })

  it('is not sent to a private address in the URL, nor in the clear', async () => {
    const { port, hosts } = await receiver(response => response.end())
    for (const url of [`https://127.0.0.1:${port}/`, `http://127.0.0.1:${port}/`, `https://[::1]:${port}/`, `http://8.8.8.8:${port}/`]) {
      expect(await sender(url, { allowPrivate: false }).send(message)).toMatchObject({ delivered: false, reason: 'address' })
    }
    expect(hosts).toEqual([])
  })

  it('is not delivered when nobody answers in time, the name is unknown, or what answers does not speak TLS', async () => {
    const silent = await receiver(() => undefined)
    expect(await sender(`http://127.0.0.1:${silent.port}/`, { timeoutMs: 100 }).send(message)).toMatchObject({
      reason: 'timeout',
      status: null,
    })
    expect(await sender('https://nowhere.example/', { addresses: [] }).send(message)).toMatchObject({ reason: 'dns' })
    // Where addresses inside are refused, nothing tells whether there is such a name.
    for (const addresses of [[], ['10.0.0.7']])
      expect(await sender('https://inside.example/', { addresses, allowPrivate: false }).send(message)).toMatchObject({ reason: 'address' })
    expect(await sender(`https://127.0.0.1:${silent.port}/`).send(message)).toMatchObject({ reason: 'tls' })
    expect(await sender('http://127.0.0.1:1/').send(message)).toMatchObject({ reason: 'connection' })
  })

  it('is delivered once its status is known, however long or slow the rest of the answer is', async () => {
    const endless = await receiver(response => {
      response.writeHead(200)
      const flood = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384)));
      }
      response.on('drain', flood)
      flood()
    })
    expect(await sender(`http://127.0.0.1:${endless.port}/`).send(message)).toMatchObject({ delivered: true, status: 200 })
    const slow = await receiver(response => response.writeHead(202).write('a'))
    expect(await sender(`http://127.0.0.1:${slow.port}/`, { timeoutMs: 2000 }).send(message)).toMatchObject({
      delivered: true,
      status: 202,
    })
  })
})
