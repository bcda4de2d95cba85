/** Reading a certificate, and checking its signature with the keys the service publishes. */

import type { Schema } from '../src/client/index.js'

export function payloadOf(jws: string): string {
  try {
    return JSON.stringify(JSON.parse(new TextDecoder().decode(bytesOf(jws.split('.')[1] ?? ''))), null, 2)
  } catch {
    return 'It cannot be read.'
  }
}

/** What the check found, in words. */
export async function checkCertificate({ certificate, kid }: Schema['Certificate'], { keys }: Schema['Jwks']): Promise<string> {
  const key = (keys as (JsonWebKey & { kid?: string })[]).find(each => each.kid === kid)
  if (key === undefined) return 'The key it names is not among the keys of this service.'
  if (crypto.subtle === undefined) return 'This page is not served securely, so the browser cannot check it; the command below can.'
  const [header = '', payload = '', signature = ''] = certificate.split('.')
  const { kty, crv, x } = key
  try {
    const imported = await crypto.subtle.importKey('jwk', { kty, crv, x } as JsonWebKey, 'Ed25519', false, ['verify'])
    const signed = new TextEncoder().encode(`${header}.${payload}`)
    const isRight = await crypto.subtle.verify('Ed25519', imported, bytesOf(signature), signed)
    return isRight ? 'The signature is right: the certificate is as it was issued.' : 'The signature is wrong.'
  } catch {
    return 'This browser cannot check Ed25519 signatures; the command below can.'
  }
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, letter => letter.charCodeAt(0))
}
