/**
 * Names become addresses here, and sockets connect to what was checked: nothing asks for the name a second time. One
 * address that is not public refuses the name altogether. Public names are asked for without the threads that files and
 * signatures need, so that a slow name server delays its own endpoint alone; private names may stand in the hosts file.
 */

import { Resolver, lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isPublicAddress } from './addresses.js'

export interface Address {
  address: string
  family: number
}

export type ResolveName = (name: string) => Promise<Address[]>

export class AddressRefusedError extends Error {
  constructor() {
    super('the name leads to an address that is not public')
    this.name = 'AddressRefusedError'
  }
}

/** For the sockets of an agent. Called for names alone: an address in the URL is checked before. */
export function checkedLookup({ allowPrivate, resolve }: { allowPrivate: boolean; resolve?: ResolveName | undefined }): LookupFunction {
  const find = resolve ?? (allowPrivate ? bySystem : byNameServer)
  return (name, options, done) => {
    find(name).then(
      found => {
        const wanted = found.filter(({ family }) => !options.family || options.family === family)
        const [first] = wanted
        if (first === undefined) return done(Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' }), '')
        if (!allowPrivate && !found.every(({ address }) => isPublicAddress(address))) return done(new AddressRefusedError(), '')
        if (options.all) done(null, wanted)
        else done(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => done(error, ''),
    )
  }
}

function bySystem(name: string): Promise<Address[]> {
  return new Promise((resolve, reject) => {
    systemLookup(name, { all: true }, (error, addresses) => (error === null ? resolve(addresses) : reject(error)))
  })
}

async function byNameServer(name: string): Promise<Address[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  const ask = (family: 4 | 6) =>
    new Promise<Address[]>((resolve, reject) => {
      const done = (error: Error | null, found: string[]) =>
        error === null ? resolve(found.map(address => ({ address, family }))) : reject(error)
      if (family === 4) resolver.resolve4(name, done)
      else resolver.resolve6(name, done)
    })
  const [v4, v6] = await Promise.allSettled([ask(4), ask(6)])
  if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason
  return [v4, v6].flatMap(result => (result.status === 'fulfilled' ? result.value : []))
}
