/**
 * The kinds of settings: how each reads its text, and what it allows in words. A setting is data plus one pure
 * function, so the list in `config.ts` is also the documentation.
 */

import { BlockList, isIP } from 'node:net'
import { faultKinds, parseFaults } from './faults.js'

export interface Setting<T> {
  name: string
  kind: string
  /** As it would be written in the environment; undefined means unset. */
  fallback: string | undefined
  /** What is allowed, in words: shown with every fault and in the documentation. */
  allowed: string
  description: string
  /** Never shown; may also come from the file named by `<NAME>_FILE`. */
  secret: boolean
  /** Undefined means: not allowed. */
  parse(text: string): { value: T } | undefined
}

interface About {
  description: string
}

export function text(name: string, fallback: string, about: About): Setting<string> {
  return { name, kind: 'text', fallback, allowed: 'any text', secret: false, ...about, parse: value => ({ value }) }
}

export function optionalText(name: string, about: About & { secret?: boolean; allowed?: string }): Setting<string | undefined> {
  return { name, kind: 'text', fallback: undefined, allowed: 'any text', secret: false, ...about, parse: value => ({ value }) }
}

interface Range {
  min: number
  max: number
}

export function integer(name: string, fallback: number, about: About & Range): Setting<number> {
  return { ...optionalInteger(name, about), fallback: String(fallback) } as Setting<number>
}

export function optionalInteger(name: string, about: About & Range): Setting<number | undefined> {
  const { min, max, description } = about
  return {
    name,
    kind: 'whole number',
    fallback: undefined,
    allowed: `a whole number from ${min} to ${max}`,
    description,
    secret: false,
    parse: value => {
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
      return number >= min && number <= max ? { value: number } : undefined
    },
  }
}

export function ratio(name: string, fallback: number, about: About): Setting<number> {
  return {
    name,
    kind: 'ratio',
    fallback: String(fallback),
    allowed: 'a number from 0 to 1, such as 0.05',
    secret: false,
    ...about,
    parse: value => (/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/.test(value) ? { value: Number(value) } : undefined),
  }
}

/** `name=value` pairs, as OpenTelemetry writes headers: values may be percent-encoded. */
export function headerList(name: string, about: About): Setting<Readonly<Record<string, string>> | undefined> {
  return {
    name,
    kind: 'headers',
    fallback: undefined,
    allowed: 'name=value pairs, separated by commas',
    secret: true,
    ...about,
    parse: value => {
      const pairs = splitList(value).map(pair => /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) *= *([!-~][ -~]*)$/.exec(pair))
      if (pairs.some(pair => pair === null)) return undefined
      return { value: Object.fromEntries(pairs.map(pair => [pair?.[1]?.toLowerCase(), decoded(pair?.[2] ?? '')])) }
    },
  }
}

function decoded(value: string): string {
  return value.replace(/%[0-7][0-9A-Fa-f]/g, code => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
}

export function flag(name: string, fallback: boolean, about: About): Setting<boolean> {
  return {
    name,
    kind: 'true or false',
    fallback: String(fallback),
    allowed: 'true or false',
    secret: false,
    ...about,
    parse: value =>
      value === 'true' || value === '1' ? { value: true } : value === 'false' || value === '0' ? { value: false } : undefined,
  }
}

export function choice<const T extends string>(name: string, fallback: T, about: About & { of: readonly T[] }): Setting<T> {
  return { ...optionalChoice(name, about), fallback } as Setting<T>
}

export function optionalChoice<const T extends string>(name: string, about: About & { of: readonly T[] }): Setting<T | undefined> {
  return {
    name,
    kind: 'choice',
    fallback: undefined,
    allowed: about.of.join(', '),
    description: about.description,
    secret: false,
    parse: value => (about.of.includes(value as T) ? { value: value as T } : undefined),
  }
}

export function url(name: string, about: About & { protocols: readonly string[]; secret?: boolean }): Setting<string | undefined> {
  return {
    name,
    kind: 'URL',
    fallback: undefined,
    allowed: `a URL that begins with ${about.protocols.map(protocol => `${protocol}//`).join(' or ')}`,
    description: about.description,
    secret: about.secret ?? false,
    parse: value => (URL.canParse(value) && about.protocols.includes(new URL(value).protocol) ? { value } : undefined),
  }
}

export function keyList(name: string, about: About & { minLength: number }): Setting<readonly string[]> {
  return {
    name,
    kind: 'list of keys',
    fallback: undefined,
    allowed: `one or more keys of at least ${about.minLength} visible ASCII characters, separated by commas`,
    description: about.description,
    secret: true,
    parse: value => {
      const keys = splitList(value)
      return keys.length > 0 && keys.every(key => key.length >= about.minLength && /^[!-~]+$/.test(key)) ? { value: keys } : undefined
    },
  }
}

/** Addresses and networks (`10.0.0.0/8`), checked one by one. */
export function networkList(name: string, about: About): Setting<readonly string[]> {
  return {
    name,
    kind: 'list of addresses',
    fallback: undefined,
    allowed: 'IP addresses or networks such as 10.0.0.0/8, separated by commas',
    secret: false,
    ...about,
    parse: value => {
      const networks = splitList(value)
      return networks.every(isNetwork) ? { value: networks } : undefined
    },
  }
}

export function originList(name: string, about: About): Setting<readonly string[]> {
  return {
    name,
    kind: 'list of origins',
    fallback: undefined,
    allowed: 'origins such as https://app.example.com, separated by commas; each browser client is named, so * is not one',
    secret: false,
    ...about,
    parse: value => {
      const origins = splitList(value)
      return origins.every(isOrigin) ? { value: origins } : undefined
    },
  }
}

export function instant(name: string, about: About): Setting<string | undefined> {
  return {
    name,
    kind: 'date',
    fallback: undefined,
    allowed: 'a date or a UTC time such as 2030-01-31 or 2030-01-31T00:00:00Z',
    secret: false,
    ...about,
    parse: value => {
      const shaped = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z)?$/.test(value)
      const ms = shaped ? Date.parse(value) : Number.NaN
      return Number.isNaN(ms) ? undefined : { value: new Date(ms).toISOString() }
    },
  }
}

export function faultList(name: string, about: About): Setting<string | undefined> {
  return {
    name,
    kind: 'faults',
    fallback: undefined,
    allowed: `poison, or such as seed=7,rate=0.02,kinds=fail+lose; kinds are ${faultKinds.join(', ')}`,
    secret: false,
    ...about,
    parse: value => (parseFaults(value) === undefined ? undefined : { value }),
  }
}

function splitList(value: string): string[] {
  return value
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '')
}

function isNetwork(value: string): boolean {
  const [address = '', prefix, ...rest] = value.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  if (prefix === undefined) return true
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128)
}

function isOrigin(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) && new URL(value).origin === value
}

/** A membership test over a checked list of addresses and networks. */
export function networkMatcher(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return address => {
    const plain = address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
    const version = isIP(plain)
    return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6')
  }
}
