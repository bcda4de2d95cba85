/** Reading a certificate, and checking its signature with the keys the service publishes. */

import { certificatePayload } from '../src/client/index.js'
import type { Schema } from '../src/contract/types.js'
import { digestOf } from './digest'

export function payloadText(jws: string): string {
  const payload = certificatePayload(jws)
  return payload === null ? 'It cannot be read.' : JSON.stringify(payload, null, 2)
}

export interface Signed {
  jws: string
  kid: string
}

type Certificate = Schema['Certificate']
const isRight = 'The signature is right'

/** What the check found, in words. */
export async function checkSignature({ jws, kid }: Signed, { keys }: Schema['Jwks']): Promise<string> {
  const key = (keys as (JsonWebKey & { kid?: string })[]).find(each => each.kid === kid)
  if (key === undefined) return 'The key it names is not among the keys of this service.'
  if (crypto.subtle === undefined) return 'This page is not served securely, so the browser cannot check it; the command below can.'
  const [header = '', payload = '', signature = ''] = jws.split('.')
  const { kty, crv, x } = key
  try {
    const imported = await crypto.subtle.importKey('jwk', { kty, crv, x } as JsonWebKey, 'Ed25519', false, ['verify'])
    const signed = new TextEncoder().encode(`${header}.${payload}`)
    const verified = await crypto.subtle.verify('Ed25519', imported, bytesOf(signature), signed)
    return verified ? `${isRight}: it is as it was issued.` : 'The signature is wrong.'
  } catch {
    return 'This browser cannot check Ed25519 signatures; the command below can.'
  }
}

/** Every signature, and whether each certificate names the one before it. Oldest first. */
export async function checkChain(certificates: readonly Certificate[], keys: Schema['Jwks']): Promise<string> {
  let previous: string | null | undefined = null
  for (const each of certificates) {
    const found = await checkSignature({ jws: each.certificate, kid: each.kid }, keys)
    if (!found.startsWith(isRight)) return `${nameOf(each)}: ${found}`
    if (statedPrevious(each) !== previous) return `${nameOf(each)} does not name the certificate before it.`
    previous = await digestOf(new TextEncoder().encode(each.certificate).buffer)
  }
  return 'Every signature is right, and each certificate names the one before it.'
}

export function nameOf({ generation, round }: Certificate): string {
  return generation === 1 ? `Step ${round}` : `Step ${round} (generation ${generation})`
}

/** By the signed text, and not by what the list says beside it. */
function statedPrevious({ certificate }: Certificate): unknown {
  return (certificatePayload(certificate) as { previous?: unknown } | null)?.previous ?? null
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, letter => letter.charCodeAt(0))
}
