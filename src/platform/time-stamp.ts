/**
 * Time stamps of RFC 3161: the request for one, and the check of the answer. A token says that a digest existed at a time; it is right when
 * the digest is the one asked about, the signature of the authority covers it, the certificate that it names may sign time stamps and was
 * valid then, and, where the reader says whom to trust, leads to one of those certificates.
 */

import { createHash, verify, X509Certificate } from 'node:crypto'
import { childOf, childrenOf, type Der, DerError, decode, encode, encodeOid, oidOf, tags } from './der.js'

const oids = {
  sha256: '2.16.840.1.101.3.4.2.1',
  signedData: '1.2.840.113549.1.7.2',
  stamp: '1.2.840.113549.1.9.16.1.4',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signerV1: '1.2.840.113549.1.9.16.2.12',
  signerV2: '1.2.840.113549.1.9.16.2.47',
  mayStamp: '1.3.6.1.5.5.7.3.8',
}
const digests: Record<string, string> = {
  '1.3.14.3.2.26': 'sha1',
  [oids.sha256]: 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}
/** RSA with PKCS #1 v1.5, and ECDSA: what the digest is, the signer says beside it. */
const signatures = new Set([
  '1.2.840.113549.1.1.1',
  ...['11', '12', '13'].map(last => `1.2.840.113549.1.1.${last}`),
  ...['2', '3', '4'].map(last => `1.2.840.10045.4.3.${last}`),
])

export interface TimeStamp {
  /** ISO instant, as the authority says it. */
  at: string
  /** Of the certificate that signed. */
  authority: string
  nonce: Buffer | null
}

export type StampVerdict = ({ ok: true } & TimeStamp) | { ok: false; fault: string }

/** Asks for a stamp on a SHA-256 digest, with the certificate in the answer. */
export function timeStampRequest(digest: Buffer, nonce: Buffer): Buffer {
  const algorithm = encode(tags.sequence, encodeOid(oids.sha256), encode(tags.null))
  return encode(
    tags.sequence,
    encode(tags.integer, Buffer.from([1])),
    encode(tags.sequence, algorithm, encode(tags.octets, digest)),
    encode(tags.integer, nonceContent(nonce)),
    encode(tags.boolean, Buffer.from([0xff])),
  )
}

/** As a positive number in its shortest form. */
function nonceContent(nonce: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x01]), nonce])
}

/** Checks an answer as it came. Without `trusted` it says who signed, and not whether anybody should believe them. */
export function verifyTimeStamp(
  response: Buffer,
  expected: { digest: Buffer; nonce?: Buffer; trusted?: readonly X509Certificate[] },
): StampVerdict {
  try {
    const { stamp, certificate, others } = readSigned(tokenOf(response))
    const { digest, nonce, at } = readStamp(stamp)
    if (!digest.equals(expected.digest)) return { ok: false, fault: 'the time stamp is of something else' }
    if (expected.nonce !== undefined && !nonce?.equals(nonceContent(expected.nonce)))
      return { ok: false, fault: 'the time stamp answers another request' }
    const fault = certificateFault(certificate, { others, at, trusted: expected.trusted })
    return fault === null ? { ok: true, at: at.toISOString(), authority: certificate.subject, nonce } : { ok: false, fault }
  } catch (error) {
    if (error instanceof DerError || error instanceof StampError) return { ok: false, fault: error.message }
    throw error
  }
}

class StampError extends Error {}

function tokenOf(response: Buffer): Der {
  const whole = decode(response)
  const status = childOf(childOf(whole, 0, tags.sequence), 0, tags.integer).content
  // Granted, or granted with changes.
  if (status.length !== 1 || (status[0] ?? 9) > 1) throw new StampError(`the authority granted nothing (status ${status.toString('hex')})`)
  const token = childOf(whole, 1, tags.sequence)
  if (oidOf(childOf(token, 0, tags.oid)) !== oids.signedData) throw new StampError('the token is not signed')
  return childOf(childOf(token, 1, 0xa0), 0, tags.sequence)
}

function readSigned(signedData: Der): { stamp: Buffer; certificate: X509Certificate; others: X509Certificate[] } {
  const content = childOf(signedData, 2, tags.sequence)
  if (oidOf(childOf(content, 0, tags.oid)) !== oids.stamp) throw new StampError('what is signed is no time stamp')
  const stamp = childOf(childOf(content, 1, 0xa0), 0, tags.octets).content
  const parts = childrenOf(signedData)
  const held = parts.find(({ tag }) => tag === 0xa0)
  const certificates = (held === undefined ? [] : childrenOf(held)).filter(({ tag }) => tag === tags.sequence).map(toCertificate)
  const signers = parts.at(-1)
  if (signers?.tag !== tags.set || childrenOf(signers).length !== 1) throw new StampError('there is not exactly one signer')
  const certificate = checkSigner(childOf(signers, 0, tags.sequence), stamp, certificates)
  return { stamp, certificate, others: certificates.filter(each => each !== certificate) }
}

/** Answers the certificate that signed the stamp. */
function checkSigner(signer: Der, stamp: Buffer, certificates: readonly X509Certificate[]): X509Certificate {
  const digest = digestOf(childOf(signer, 2, tags.sequence))
  const attributes = childOf(signer, 3, 0xa0)
  if (oidOf(childOf(attributeOf(attributes, oids.contentType), 0, tags.oid)) !== oids.stamp)
    throw new StampError('the signer signed something else')
  const signed = childOf(attributeOf(attributes, oids.messageDigest), 0, tags.octets).content
  if (!signed.equals(createHash(digest).update(stamp).digest())) throw new StampError('the signature is of another time stamp')
  const certificate = certificates.find(each => isNamed(each, attributes))
  if (certificate === undefined) throw new StampError('the certificate of the authority is not in the token')
  if (!signatures.has(oidOf(childOf(childOf(signer, 4, tags.sequence), 0, tags.oid))))
    throw new StampError('the kind of signature is not known')
  // What is signed is the set of attributes as such, not as a part of the signer's record.
  const text = Buffer.concat([Buffer.from([tags.set]), attributes.bytes.subarray(1)])
  if (!verify(digest, text, certificate.publicKey, childOf(signer, 5, tags.octets).content))
    throw new StampError('the signature does not match')
  return certificate
}

function attributeOf(attributes: Der, oid: string): Der {
  const attribute = childrenOf(attributes).find(each => oidOf(childOf(each, 0, tags.oid)) === oid)
  return childOf(attribute, 1, tags.set)
}

/** Whether the signed attributes name this certificate, by its digest. */
function isNamed(certificate: X509Certificate, attributes: Der): boolean {
  const named = childrenOf(attributes).find(each => [oids.signerV1, oids.signerV2].includes(oidOf(childOf(each, 0, tags.oid))))
  if (named === undefined) return false
  const isFirst = oidOf(childOf(named, 0, tags.oid)) === oids.signerV1
  const [first, second] = childrenOf(
    childOf(childOf(childOf(childOf(named, 1, tags.set), 0, tags.sequence), 0, tags.sequence), 0, tags.sequence),
  )
  const says = first?.tag === tags.sequence
  const digest = isFirst ? 'sha1' : says ? digestOf(first) : 'sha256'
  const value = says ? second : first
  return value !== undefined && createHash(digest).update(certificate.raw).digest().equals(value.content)
}

function digestOf(algorithm: Der): string {
  const name = digests[oidOf(childOf(algorithm, 0, tags.oid))]
  if (name === undefined) throw new StampError('the digest is not known')
  return name
}

function readStamp(bytes: Buffer): { digest: Buffer; nonce: Buffer | null; at: Date } {
  const info = decode(bytes)
  const imprint = childOf(info, 2, tags.sequence)
  if (digestOf(childOf(imprint, 0, tags.sequence)) !== 'sha256') throw new StampError('the time stamp is of another kind of digest')
  const time = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?Z$/.exec(childOf(info, 4, tags.time).content.toString('latin1'))
  if (time === null) throw new StampError('the time is not readable')
  const [, year, month, day, hour, minute, second, part = ''] = time
  const nonce = childrenOf(info)
    .slice(5)
    .find(({ tag }) => tag === tags.integer)
  return {
    digest: childOf(imprint, 1, tags.octets).content,
    nonce: nonce?.content ?? null,
    at: new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${part.slice(0, 4)}Z`),
  }
}

function toCertificate({ bytes }: Der): X509Certificate {
  try {
    return new X509Certificate(bytes)
  } catch (cause) {
    throw new StampError('a certificate in the token is not readable', { cause })
  }
}

const longestChain = 8

function certificateFault(
  certificate: X509Certificate,
  { others, at, trusted }: { others: readonly X509Certificate[]; at: Date; trusted: readonly X509Certificate[] | undefined },
): string | null {
  if (!certificate.keyUsage?.includes(oids.mayStamp)) return 'its certificate may not sign time stamps'
  if (!isValidAt(certificate, at)) return 'its certificate was not valid then'
  if (trusted === undefined) return null
  let last = certificate
  for (let steps = 0; steps < longestChain; steps++) {
    const [before, issuer] = [last, (each: X509Certificate) => isIssuer(each, last) && isValidAt(each, at)]
    if (trusted.some(each => each.raw.equals(before.raw) || issuer(each))) return null
    const next = others.find(each => each.ca && issuer(each))
    if (next === undefined) break
    last = next
  }
  return `its certificate (${certificate.subject}) leads to none that is trusted`
}

function isIssuer(issuer: X509Certificate, certificate: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
  } catch {
    // A key that cannot be read issued nothing.
    return false
  }
}

function isValidAt({ validFrom, validTo }: X509Certificate, at: Date): boolean {
  return Date.parse(validFrom) <= at.getTime() && at.getTime() <= Date.parse(validTo)
}
