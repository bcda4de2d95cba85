/**
 * Identifiers and keys: base62, from the system's random source. An id carries 128 random bits, so it cannot be
 * guessed; a tenant key ends in six check characters, so a mistyped one is refused without a query.
 */

import { randomBytes, randomFillSync } from 'node:crypto'
import { crc32 } from './crc32.js'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const idLength = 22
const keyRandomLength = 32
const keyCheckLength = 6

export type IdPrefix = 'cmt' | 'crt' | 'dlv' | 'doc' | 'evt' | 'fil' | 'hld' | 'key' | 'run' | 'ses' | 'ten' | 'whk' | 'wrk'

/** `<prefix>_` and 22 base62 characters of 128 random bits. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${base62OfWords(takeWords())}`
}

/** 128 random bits, for what must not be guessed and is never shown. */
export function newSecret(): string {
  return base62OfWords(takeWords())
}

/** Random words are drawn in blocks, since a call for four of them costs more than the id made of them. */
const drawn = { words: new Uint32Array(1024), next: 1024 }

function takeWords(): Uint32Array {
  if (drawn.next === drawn.words.length) {
    randomFillSync(drawn.words)
    drawn.next = 0
  }
  drawn.next += 4
  return drawn.words.slice(drawn.next - 4, drawn.next)
}

/** Long division of the 128 bits by 62, word by word: ids are made for every document, and big integers are slow. */
function base62OfWords(words: Uint32Array): string {
  let out = ''
  while (out.length < idLength) {
    let rest = 0
    for (let i = 0; i < words.length; i++) {
      const value = rest * 2 ** 32 + (words[i] as number)
      words[i] = Math.floor(value / 62)
      rest = value % 62
    }
    out = alphabet[rest] + out
  }
  return out
}

export function newTenantId(): string {
  return newId('ten')
}

export function isWellFormedTenantId(value: string): boolean {
  return /^ten_[0-9A-Za-z]{22}$/.test(value)
}

/** `cnk_`, 32 random characters, 6 characters of their CRC32. Shown once, kept as SHA-256 only. */
export function newTenantKey(): string {
  return newKey('cnk_')
}

export function isWellFormedTenantKey(value: string): boolean {
  return value.startsWith('cnk_') && isWellFormedKey(value)
}

/** Made like a tenant key, for a person's session. */
export function newSessionToken(): string {
  return newKey('cns_')
}

export function isSessionToken(value: string): boolean {
  return value.startsWith('cns_')
}

export function isWellFormedSessionToken(value: string): boolean {
  return isSessionToken(value) && isWellFormedKey(value)
}

function newKey(prefix: string): string {
  const random = randomBase62(keyRandomLength)
  return `${prefix}${random}${checkCharacters(random)}`
}

function isWellFormedKey(value: string): boolean {
  if (!/^.{4}[0-9A-Za-z]{38}$/.test(value)) return false
  const random = value.slice(4, 4 + keyRandomLength)
  return value.slice(4 + keyRandomLength) === checkCharacters(random)
}

/** What may be shown of a key after its making. */
export function tenantKeyPrefix(key: string): string {
  return key.slice(0, 12)
}

/** `length` characters, each evenly distributed: bytes of 248 and above would favour the first letters and are dropped. */
export function randomBase62(length: number): string {
  let out = ''
  while (out.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && out.length < length) out += alphabet[byte % 62]
    }
  }
  return out
}

function checkCharacters(random: string): string {
  return base62(BigInt(crc32(Buffer.from(random))), keyCheckLength)
}

function base62(value: bigint, length: number): string {
  let out = ''
  for (let rest = value; out.length < length; rest /= 62n) out = alphabet[Number(rest % 62n)] + out
  return out
}
