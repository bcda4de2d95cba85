import { describe, expect, it } from 'vitest'
import type { Schema } from '../src/contract/types.js'
import { checkChain, checkSignature, payloadText } from './certificate'
import { digestOf } from './digest'

function base64url(content: string | ArrayBuffer): string {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** Signed by a key of its own. */
async function signer() {
  const { privateKey, publicKey } = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair
  const keys = { keys: [{ ...(await crypto.subtle.exportKey('jwk', publicKey)), kid: 'k1' }] } as unknown as Schema['Jwks']
  const sign = async (payload: object) => {
    const signed = `${base64url('{"alg":"EdDSA"}')}.${base64url(JSON.stringify(payload))}`
    return `${signed}.${base64url(await crypto.subtle.sign('Ed25519', privateKey, new TextEncoder().encode(signed)))}`
  }
  return { keys, sign }
}

describe('a certificate at the desk', () => {
  it('is shown as it was signed, and its signature is checked', async () => {
    const { keys, sign } = await signer()
    const jws = await sign({ version: 4, scope_id: 'straße' })
    expect(JSON.parse(payloadText(jws))).toEqual({ version: 4, scope_id: 'straße' })
    expect(payloadText('none')).toBe('It cannot be read.')
    expect(await checkSignature({ jws, kid: 'k1' }, keys)).toContain('The signature is right')
    const [head, , signature] = jws.split('.')
    const forged = `${head}.${base64url('{"version":4,"scope_id":"other"}')}.${signature}`
    expect(await checkSignature({ jws: forged, kid: 'k1' }, keys)).toBe('The signature is wrong.')
    expect(await checkSignature({ jws, kid: 'k2' }, keys)).toContain('not among the keys')
  })

  it('names the one before it', async () => {
    const { keys, sign } = await signer()
    const first = await sign({ previous: null })
    const second = await sign({ previous: await digestOf(new TextEncoder().encode(first).buffer) })
    const chain = (...all: string[]) =>
      all.map((certificate, round) => ({ certificate, kid: 'k1', generation: 1, round })) as unknown as Schema['Certificate'][]
    expect(await checkChain(chain(first, second), keys)).toContain('Every signature is right')
    expect(await checkChain(chain(second), keys)).toBe('Step 0 does not name the certificate before it.')
  })
})
