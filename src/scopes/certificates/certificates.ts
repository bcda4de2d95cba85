/**
 * Signs and verifies certificates: a compact JWS over canonical JSON, Ed25519, with the key named by its RFC 7638
 * thumbprint. Ed25519 needs no randomness, so signing the same payload twice gives the same bytes. Verifying needs the
 * JWKS alone and no network. Keys come in as values; where they are kept is not known here.
 */
import {
  CompactSign,
  calculateJwkThumbprint,
  compactVerify,
  createLocalJWKSet,
  decodeProtectedHeader,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  importPKCS8,
  type JSONWebKeySet,
  type JWK,
} from 'jose'
import { canonicalJson, digest, sha256 } from '../../kernel/canonical.js'
import type { CertificatePayload } from '../../kernel/certificate-payload.js'
import { listFault, type SignedAsOf } from './signed-as-of.js'

const ALG = 'EdDSA'
const TYP = 'concord-certificate+jws'

/** What else is signed: each under a type of its own, so that none can be taken for another. */
export type StatementType = 'concord-withdrawals+jws' | 'concord-audit-checkpoint+jws' | 'concord-as-of+jws'

export interface SigningKey {
  kid: string
  publicJwk: JWK
  /** Secret: it never leaves the process except into the store it is kept in. */
  privateJwk: JWK
}

/** What a certificate must say besides being signed; what is left out may be anything. */
export interface Pinned {
  issuer?: string | undefined
  tenantId?: string | undefined
  scopeId?: string | undefined
}

export type SignedVerdict<T> = { ok: true; kid: string; payload: T } | { ok: false; fault: string }
export type CertificateVerdict = SignedVerdict<CertificatePayload>

export async function generateSigningKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('Ed25519', { crv: 'Ed25519', extractable: true })
  return fromJwk(await exportJWK(privateKey))
}

/** A key given from outside: PKCS #8 in PEM, or a private JWK as JSON. Throws on anything else. */
export async function importSigningKey(text: string): Promise<SigningKey> {
  if (!text.trimStart().startsWith('{')) return fromJwk(await exportJWK(await importPKCS8(text, ALG, { extractable: true })))
  return fromJwk(JSON.parse(text) as JWK)
}

export async function signCertificate(payload: CertificatePayload, key: SigningKey): Promise<string> {
  return sign(payload, key, TYP)
}

/** Signed like a certificate; `jti` is the digest of all other members. */
export async function signStatement(body: object, key: SigningKey, typ: StatementType): Promise<string> {
  return sign({ ...body, jti: `sha256:${digest(body)}` }, key, typ)
}

async function sign(payload: object, key: SigningKey, typ: string): Promise<string> {
  const signer = await importJWK({ ...key.privateJwk, alg: ALG }, ALG)
  const bytes = new TextEncoder().encode(canonicalJson(payload))
  return new CompactSign(bytes).setProtectedHeader({ alg: ALG, kid: key.kid, typ }).sign(signer)
}

/** Of a key in a JWKS: digests of the tenants about which alone it may speak, since it came with them from elsewhere. */
const TENANTS = 'concord_tenants'

export interface PublicKey {
  public_jwk: JWK
  /** Null for a key of the installation itself. */
  tenants: readonly string[] | null
}

/**
 * The public keys as a JWKS, every one that was ever used: what they signed stays verifiable. Tenants are named by digests: anybody
 * reads the set, and an id is all that some installations ask for.
 */
export function toJwks(keys: readonly PublicKey[]): JSONWebKeySet {
  return {
    keys: keys.map(({ public_jwk: { kty, crv, x, kid }, tenants }) => ({
      kty: kty!,
      crv: crv!,
      x: x!,
      kid: kid!,
      alg: ALG,
      use: 'sig',
      ...(tenants !== null && { [TENANTS]: tenants.map(sha256) }),
    })),
  }
}

/** Says who issued it about what, not whether it is still current: only the service knows that. */
export async function verifyCertificate(jws: string, jwks: JSONWebKeySet, pinned: Pinned = {}): Promise<CertificateVerdict> {
  const verdict = await readSigned<CertificatePayload>(jws, jwks, TYP)
  const other = verdict.ok ? pinnedFault(verdict.payload, pinned) : null
  return other === null ? verdict : { ok: false, fault: other }
}

export function verifyStatement<T extends object>(jws: string, jwks: JSONWebKeySet, typ: StatementType) {
  return readSigned<T & { jti: string }>(jws, jwks, typ)
}

/** A case as it was at a moment: who signed it about what, and that each list is the one its digest is of. */
export async function verifyAsOf(
  jws: string,
  jwks: JSONWebKeySet,
  pinned: Pinned = {},
): Promise<SignedVerdict<SignedAsOf & { jti: string }>> {
  const verdict = await verifyStatement<SignedAsOf>(jws, jwks, 'concord-as-of+jws')
  const fault = verdict.ok ? (pinnedFault(verdict.payload, pinned) ?? listFault(verdict.payload)) : null
  return fault === null ? verdict : { ok: false, fault }
}

async function readSigned<T extends { jti: string }>(jws: string, jwks: JSONWebKeySet, typ: string): Promise<SignedVerdict<T>> {
  try {
    const { payload, protectedHeader } = await compactVerify(jws.trim(), createLocalJWKSet(jwks), { algorithms: [ALG, 'Ed25519'] })
    if (protectedHeader.typ !== typ) return { ok: false, fault: `is signed, but as ${protectedHeader.typ ?? 'nothing in particular'}` }
    const signed = JSON.parse(new TextDecoder().decode(payload)) as T
    const { jti, ...body } = signed
    if (jti !== `sha256:${digest(body)}`) return { ok: false, fault: 'jti does not match the content' }
    const foreign = foreignFault(jwks, protectedHeader.kid, signed)
    return foreign === null ? { ok: true, kid: protectedHeader.kid ?? '', payload: signed } : { ok: false, fault: foreign }
  } catch (error) {
    return { ok: false, fault: faultOf(error, jws, typ) }
  }
}

/** A key that came with a tenant is held by whoever it came from: it says nothing about anybody else. */
function foreignFault({ keys }: JSONWebKeySet, kid: string | undefined, signed: object): string | null {
  const named = (keys as (JWK & { [TENANTS]?: unknown })[]).filter(key => kid === undefined || key.kid === kid).map(key => key[TENANTS])
  const tenantId = 'tenant_id' in signed && typeof signed.tenant_id === 'string' ? signed.tenant_id : null
  const isForeign = named.some(
    tenants => tenants !== undefined && !(tenantId !== null && Array.isArray(tenants) && tenants.includes(sha256(tenantId))),
  )
  if (!isForeign) return null
  return `is signed with key ${kid ?? 'without a name'}, which was imported with other tenants and is no key of the installation for ${tenantId ?? 'this'}`
}

/** What a certificate says, unverified: for certificates of our own. */
export function payloadOf(jws: string): CertificatePayload {
  return JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString('utf8')) as CertificatePayload
}

/** Verifies the certificates of one scope, oldest first: each by itself, that each names the one before, and that all are about the tenant of the first. */
export async function verifyCertificateChain(chain: readonly string[], jwks: JSONWebKeySet): Promise<CertificateVerdict[]> {
  const verdicts = await Promise.all(chain.map(jws => verifyCertificate(jws, jwks)))
  const tenantId = verdicts.find(verdict => verdict.ok)?.payload.tenant_id
  return verdicts.map((verdict, index) => {
    const fault = verdict.ok ? (pinnedFault(verdict.payload, { tenantId }) ?? placeFault(verdict.payload, index, chain[index - 1])) : null
    return fault === null ? verdict : { ok: false, fault }
  })
}

/** Whether a certificate stands at its place in the chain of its scope. */
export function placeFault(payload: CertificatePayload, index: number, before: string | undefined): string | null {
  if (payload.previous !== (before === undefined ? null : sha256(before.trim()))) return 'does not name the certificate before it'
  const length = payload.version !== 1 ? payload.certificates?.length : undefined
  return length === undefined || length === index ? null : `says that ${length} certificates came before it, and ${index} did`
}

function pinnedFault(
  { iss, tenant_id, scope_id }: Pick<CertificatePayload, 'iss' | 'tenant_id' | 'scope_id'>,
  { issuer, tenantId, scopeId }: Pinned,
): string | null {
  if (issuer !== undefined && iss !== issuer) return `was issued by ${iss}, not by ${issuer}`
  if (tenantId !== undefined && tenant_id !== tenantId) return `is about tenant ${tenant_id}, not ${tenantId}`
  if (scopeId !== undefined && scope_id !== scopeId) return `is about case ${scope_id}, not ${scopeId}`
  return null
}

async function fromJwk({ kty, crv, x, d }: JWK): Promise<SigningKey> {
  if (kty !== 'OKP' || crv !== 'Ed25519' || !x || !d) throw new TypeError('a signing key is a private Ed25519 key')
  const publicPart = { kty, crv, x }
  const kid = await calculateJwkThumbprint(publicPart)
  return { kid, publicJwk: { ...publicPart, kid }, privateJwk: { ...publicPart, d, kid } }
}

function faultOf(error: unknown, jws: string, typ: string): string {
  if (error instanceof errors.JWKSNoMatchingKey) return `no key ${kidOf(jws)} among the public keys`
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'the signature does not match'
  if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof SyntaxError)
    return `is not a ${nouns[typ] ?? 'certificate'}: ${error.message}`
  throw error
}

const nouns: Readonly<Record<string, string>> = {
  'concord-audit-checkpoint+jws': 'signed checkpoint',
  'concord-withdrawals+jws': 'signed list of withdrawn certificates',
  'concord-as-of+jws': 'signed case as it was',
} satisfies Record<StatementType, string>

function kidOf(jws: string): string {
  return decodeProtectedHeader(jws.trim()).kid ?? 'without a name'
}
