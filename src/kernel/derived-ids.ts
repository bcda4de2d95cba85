/**
 * Ids that a replay makes again: derived from the scope, its generation and a number, never drawn. Sixteen base62
 * characters stand for the scope and the kind, six for the number, so an id leads back to its number without a lookup.
 */
import { createHash } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const scopeLength = 16
const numberLength = 6

export type DerivedKind = 'claim' | 'contradiction' | 'decision' | 'possible_conflict' | 'supersession' | 'sign_off'

const prefixes: Record<DerivedKind, string> = {
  claim: 'clm',
  contradiction: 'ctr',
  decision: 'dec',
  possible_conflict: 'pcf',
  supersession: 'sup',
  sign_off: 'sgn',
}

export interface ScopeIdentity {
  tenantId: string
  scopeId: string
  generation: number
}

/** Makes the ids of one kind in one generation of a scope; hashes once, so a claim costs no hash. */
export interface DerivedIds {
  idOf(number: number): string
  /** Undefined for an id of another scope, generation or kind. */
  numberOf(id: string): number | undefined
}

export function derivedIds(kind: DerivedKind, { tenantId, scopeId, generation }: ScopeIdentity): DerivedIds {
  const hash = createHash('sha256').update(`${kind}\n${tenantId}\n${scopeId}\n${generation}`, 'utf8').digest('hex')
  const start = `${prefixes[kind]}_${base62(BigInt(`0x${hash.slice(0, 32)}`), scopeLength)}`
  return {
    idOf: number => start + encodeNumber(number),
    numberOf: id => (id.length === start.length + numberLength && id.startsWith(start) ? decodeNumber(id.slice(start.length)) : undefined),
  }
}

function base62(value: bigint, length: number): string {
  let rest = value
  let text = ''
  while (text.length < length) {
    text = alphabet[Number(rest % 62n)]! + text
    rest /= 62n
  }
  return text
}

function encodeNumber(number: number): string {
  let rest = number
  let text = ''
  while (text.length < numberLength) {
    text = alphabet[rest % 62]! + text
    rest = Math.floor(rest / 62)
  }
  if (rest > 0) throw new RangeError('a scope has more of one kind than its ids can number')
  return text
}

function decodeNumber(text: string): number | undefined {
  let number = 0
  for (const character of text) {
    const digit = alphabet.indexOf(character)
    if (digit < 0) return undefined
    number = number * 62 + digit
  }
  return number
}
