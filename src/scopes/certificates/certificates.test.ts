import { createPublicKey, generateKeyPairSync, type JsonWebKey, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { certificateInput } from '../../../test/kernel/certificate-input.js'
import { digest } from '../../kernel/canonical.js'
import { buildCertificate } from '../../kernel/certificate.js'
import type { CertificateV4 } from '../../kernel/certificate-payload.js'
import {
  generateSigningKey,
  importSigningKey,
  type Pinned,
  type PublicKey,
  type SigningKey,
  signCertificate,
  signStatement,
  toJwks,
  verifyCertificate,
  verifyCertificateChain,
  verifyStatement,
} from './certificates.js'

function payload(previousJws: string | null = null): CertificateV4 {
  return buildCertificate(certificateInput({ previousJws, certificatesBefore: previousJws === null ? 0 : 1 }))
}

const own = ({ publicJwk }: SigningKey): PublicKey => ({ public_jwk: publicJwk, tenants: null })

describe('certificates', () => {
  it('verify with the public keys alone, also after a rotation', async () => {
    const [old, current] = [await generateSigningKey(), await generateSigningKey()]
    const jws = await signCertificate(payload(), old)
    const jwks = toJwks([own(current), own(old)])
    expect(JSON.stringify(jwks)).not.toContain(old.privateJwk.d)
    expect(await verifyCertificate(jws, jwks)).toEqual({ ok: true, kid: old.kid, payload: payload() })
    expect(await verifyCertificate(jws, toJwks([own(current)]))).toEqual({
      ok: false,
      fault: `no key ${old.kid} among the public keys`,
    })
  })

  it('of version 1 still verify', async () => {
    const key = await generateSigningKey()
    const { jti, examined, disputed, contradictions, possible_conflicts, supersessions, settings_changed, ...rest } = payload()
    const body = { ...rest, version: 1 as const }
    const first = { ...body, jti: `sha256:${digest(body)}` }
    const verdict = await verifyCertificate(await signCertificate(first, key), toJwks([own(key)]), { scopeId: 'case-1' })
    expect(verdict).toEqual({ ok: true, kid: key.kid, payload: first })
  })

  it.each([2, 3] as const)('of version %i still verify, at their place in the chain too', async version => {
    const key = await generateSigningKey()
    const { jti, examined, disputed, ...rest } = payload()
    const { by_rules: readers, approvals: signed_off, not_read: documents_not_read } = examined
    const body = { ...rest, version, readers, signed_off, documents_not_read }
    const old = await signCertificate({ ...body, jti: `sha256:${digest(body)}` }, key)
    const chain = [old, await signCertificate(payload(old), key)]
    expect(await verifyCertificateChain(chain, toJwks([own(key)]))).toMatchObject([{ ok: true }, { ok: true }])
  })

  it('are refused when they are of another installation, tenant or scope than was asked for', async () => {
    const key = await generateSigningKey()
    const jws = await signCertificate(payload(), key)
    const verify = (pinned: Pinned) => verifyCertificate(jws, toJwks([own(key)]), pinned)
    expect(await verify({ issuer: 'https://concord.example', tenantId: 'ten_a', scopeId: 'case-1' })).toMatchObject({ ok: true })
    expect(await verify({ issuer: 'https://other.example' })).toEqual({
      ok: false,
      fault: 'was issued by https://concord.example, not by https://other.example',
    })
    expect(await verify({ tenantId: 'ten_b' })).toEqual({ ok: false, fault: 'is about tenant ten_a, not ten_b' })
    expect(await verify({ scopeId: 'case-2' })).toEqual({ ok: false, fault: 'is about case case-1, not case-2' })
  })

  it('are the same bytes when signed again, by a key read back from JSON', async () => {
    const key = await generateSigningKey()
    const again = await importSigningKey(JSON.stringify(key.privateJwk))
    expect(again).toEqual(key)
    expect(await signCertificate(payload(), again)).toBe(await signCertificate(payload(), key))
  })

  it('can be signed by a key given as PEM', async () => {
    const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const key = await importSigningKey(pem)
    expect((await verifyCertificate(await signCertificate(payload(), key), toJwks([own(key)]))).ok).toBe(true)
  })

  it('verify with an implementation that knows nothing of ours', async () => {
    const key = await generateSigningKey()
    const [header, body, signature] = (await signCertificate(payload(), key)).split('.') as [string, string, string]
    const publicKey = createPublicKey({ key: key.publicJwk as JsonWebKey, format: 'jwk' })
    expect(verify(null, Buffer.from(`${header}.${body}`), publicKey, Buffer.from(signature, 'base64url'))).toBe(true)
    expect(JSON.parse(Buffer.from(body, 'base64url').toString())).toEqual(payload())
  })

  it('are refused when a byte is changed, when they are no JWS, and when the content does not match its name', async () => {
    const key = await generateSigningKey()
    const jwks = toJwks([own(key)])
    const [header, body, signature] = (await signCertificate(payload(), key)).split('.') as [string, string, string]
    const forged = Buffer.from(JSON.stringify({ ...payload(), scope_id: 'case-2' })).toString('base64url')
    expect(await verifyCertificate(`${header}.${forged}.${signature}`, jwks)).toEqual({ ok: false, fault: 'the signature does not match' })
    expect(await verifyCertificate(`${header}.${body}`, jwks)).toMatchObject({ ok: false })
    expect(await verifyCertificate('certificate', jwks)).toMatchObject({ ok: false })
    const renamed = await signCertificate({ ...payload(), scope_id: 'case-2' }, key)
    expect(await verifyCertificate(renamed, jwks)).toEqual({ ok: false, fault: 'jti does not match the content' })
  })

  it('form a chain, each naming the one before', async () => {
    const key = await generateSigningKey()
    const jwks = toJwks([own(key)])
    const first = await signCertificate(payload(), key)
    const second = await signCertificate(payload(first), key)
    expect((await verifyCertificateChain([first, second], jwks)).map(verdict => verdict.ok)).toEqual([true, true])
    expect((await verifyCertificateChain([second], jwks)).map(verdict => verdict.ok)).toEqual([false])
    const { jti: _jti, ...moved } = { ...payload(first), tenant_id: 'ten_other' }
    const other = await signCertificate({ ...moved, jti: `sha256:${digest(moved)}` } as never, key)
    expect((await verifyCertificateChain([first, other], jwks))[1]).toEqual({
      ok: false,
      fault: `is about tenant ten_other, not ${payload().tenant_id}`,
    })
  })

  it('are signed by Ed25519 keys only', async () => {
    await expect(importSigningKey('{"kty":"RSA","n":"1","e":"AQAB"}')).rejects.toThrow('Ed25519')
    await expect(importSigningKey('nonsense')).rejects.toThrow()
  })
})

describe('a key that came with a tenant', () => {
  it('verifies certificates of that tenant alone, and nothing that is about none', async () => {
    const [installation, imported] = [await generateSigningKey(), await generateSigningKey()]
    const keys = (tenants: string[]) => toJwks([own(installation), { public_jwk: imported.publicJwk, tenants }])
    const jws = await signCertificate(payload(), imported)
    expect((await verifyCertificate(jws, keys(['ten_b', 'ten_a']))).ok).toBe(true)
    expect(await verifyCertificate(jws, keys(['ten_b']))).toEqual({
      ok: false,
      fault: expect.stringContaining('imported with other tenants'),
    })
    expect((await verifyCertificate(jws, keys([]))).ok).toBe(false)
    const statement = await signStatement({ length: 3 }, imported, 'concord-audit-checkpoint+jws')
    expect((await verifyStatement(statement, keys(['ten_a']), 'concord-audit-checkpoint+jws')).ok).toBe(false)
    // Anybody reads the set: it tells no id.
    expect(JSON.stringify(keys(['ten_a']))).not.toContain('ten_a')
  })
})
