/**
 * Canonical JSON (RFC 8785) and SHA-256 over it: equal values have equal bytes, whatever order their members were
 * written in, so a digest can stand for the value in records and certificates.
 */
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

/** Throws for what JSON cannot carry: NaN, infinities, undefined at the top. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('only JSON values have a canonical form')
  return text
}

/** Lower-case hex of the SHA-256 of the text's UTF-8 bytes. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

export function digest(value: unknown): string {
  return sha256(canonicalJson(value))
}
