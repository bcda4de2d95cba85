/**
 * The kinds of settings: how each reads its text, and what it allows in words. A setting is data plus one pure
 * function, so the list in `settings-list.ts` is also the documentation.
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

/** What is read by a list of settings. */
export type ValuesOf<Settings> = { readonly [K in keyof Settings]: Settings[K] extends Setting<infer T> ? T : never }

/** A kind of setting that is unset when nothing is said. */
export function setting<T>(kind: string, allowed: string, parse: Setting<T>['parse']) {
  return (name: string, description: string): Setting<T> => ({
    name,
    kind,
    fallback: undefined,
    allowed,
    description,
    secret: false,
    parse,
  })
}

export function optionalText(
  name: string,
  description: string,
  { secret = false, allowed = 'any text' }: { secret?: boolean; allowed?: string } = {},
): Setting<string | undefined> {
  return { ...setting('text', allowed, value => ({ value }))(name, description), secret }
}

export function text(name: string, fallback: string, description: string): Setting<string> {
  return { ...optionalText(name, description), fallback } as Setting<string>
}

type Range = readonly [least: number, most: number]

export function optionalInteger(name: string, [least, most]: Range, description: string): Setting<number | undefined> {
  const integers = setting('whole number', `a whole number from ${least} to ${most}`, value => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
    return number >= least && number <= most ? { value: number } : undefined
  })
  return integers(name, description)
}

export function integer(name: string, fallback: number, range: Range, description: string): Setting<number> {
  return { ...optionalInteger(name, range, description), fallback: String(fallback) } as Setting<number>
}

const ratios = setting('ratio', 'a number from 0 to 1, such as 0.05', value =>
  /^(0(\.\d{1,9})?|1(\.0{1,9})?)$/.test(value) ? { value: Number(value) } : undefined,
)

export function ratio(name: string, fallback: number, description: string): Setting<number> {
  return { ...ratios(name, description), fallback: String(fallback) }
}

const flags = setting('true or false', 'true or false', value =>
  /^(true|false|1|0)$/.test(value) ? { value: value === 'true' || value === '1' } : undefined,
)

export function flag(name: string, fallback: boolean, description: string): Setting<boolean> {
  return { ...flags(name, description), fallback: String(fallback) }
}

export function optionalChoice<const T extends string>(name: string, of: readonly T[], description: string): Setting<T | undefined> {
  const choices = setting('choice', of.join(', '), value => (of.includes(value as T) ? { value: value as T } : undefined))
  return choices(name, description)
}

export function choice<const T extends string>(name: string, fallback: T, of: readonly T[], description: string): Setting<T> {
  return { ...optionalChoice(name, of, description), fallback } as Setting<T>
}

export function url(
  name: string,
  protocols: readonly string[],
  description: string,
  { secret = false }: { secret?: boolean } = {},
): Setting<string | undefined> {
  const urls = setting('URL', `a URL that begins with ${protocols.map(protocol => `${protocol}//`).join(' or ')}`, value =>
    URL.canParse(value) && protocols.includes(new URL(value).protocol) ? { value } : undefined,
  )
  return { ...urls(name, description), secret }
}

/** `name=value` pairs, as OpenTelemetry writes headers: values may be percent-encoded. */
export function headerList(name: string, description: string): Setting<Readonly<Record<string, string>> | undefined> {
  const headers = setting('headers', 'name=value pairs, separated by commas', value => {
    const pairs = splitList(value).map(pair => /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) *= *([!-~][ -~]*)$/.exec(pair))
    if (pairs.some(pair => pair === null)) return undefined
    return { value: Object.fromEntries(pairs.map(pair => [pair?.[1]?.toLowerCase(), decoded(pair?.[2] ?? '')])) }
  })
  return { ...headers(name, description), secret: true }
}

function decoded(value: string): string {
  return value.replace(/%[0-7][0-9A-Fa-f]/g, code => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
}

export function keyList(name: string, shortest: number, description: string): Setting<readonly string[]> {
  const allowed = `one or more keys of at least ${shortest} visible ASCII characters, separated by commas`
  const isKey = (key: string) => key.length >= shortest && /^[!-~]+$/.test(key)
  return { ...listOf('list of keys', allowed, keys => keys.length > 0 && keys.every(isKey))(name, description), secret: true }
}

function listOf(kind: string, allowed: string, isAllowed: (items: readonly string[]) => boolean) {
  return setting<readonly string[]>(kind, allowed, value => {
    const items = splitList(value)
    return isAllowed(items) ? { value: items } : undefined
  })
}

/** Addresses and networks (`10.0.0.0/8`), checked one by one. */
export const networkList = listOf('list of addresses', 'IP addresses or networks such as 10.0.0.0/8, separated by commas', networks =>
  networks.every(isNetwork),
)

export const originList = listOf(
  'list of origins',
  'origins such as https://app.example.com, separated by commas; each browser client is named, so * is not one',
  origins => origins.every(isOrigin),
)

/** Of scans: the names their data has. */
export function languages(name: string, fallback: string, description: string): Setting<readonly string[]> {
  const allowed = 'up to four languages by their three letters (ISO 639-2), such as eng or deu+eng'
  const parse = (value: string) => (/^[a-z]{3}(\+[a-z]{3}){0,3}$/.test(value) ? { value: [...new Set(value.split('+'))] } : undefined)
  return { ...setting<readonly string[]>('languages', allowed, parse)(name, description), fallback }
}

export const instant = setting<string | undefined>('date', 'a date or a UTC time such as 2030-01-31 or 2030-01-31T00:00:00Z', value => {
  const shaped = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z)?$/.test(value)
  const ms = shaped ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? undefined : { value: new Date(ms).toISOString() }
})

export const faultList = setting<string | undefined>(
  'faults',
  `poison, or such as seed=7,rate=0.02,kinds=fail+lose; kinds are ${faultKinds.join(', ')}`,
  value => (parseFaults(value) === undefined ? undefined : { value }),
)

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
