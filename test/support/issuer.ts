/**
 * A small OpenID Connect issuer: it lets in whoever a test says, checks PKCE and client like a real one, and can be told
 * to misbehave.
 */

import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

export const clientId = 'concord-test'
export const clientSecret = 'a secret: with % and +'

/** Makes an ID token of what an honest issuer would say. */
export type MakeToken = (claims: JWTPayload) => Promise<string> | string

export interface TestIssuer {
  url: string
  /** What the browser of a person brings back from this address. */
  approve(authorizationUrl: string, claims: JWTPayload): { code: string; state: string }
  /** The person types the code in. */
  approveDevice(userCode: string, claims: JWTPayload): void
  sign: MakeToken
  publicKeyPem: string
  behaviour: {
    token?: MakeToken | undefined
    /** Takes over a path. */
    answer?: ((path: string, response: ServerResponse) => boolean) | undefined
    /** Who comes with a browser, and is sent back at once. */
    person?: JWTPayload | undefined
    /** Who signs in on another device, once the service has asked for the first time. */
    device?: JWTPayload | undefined
    /** Lets a code be used again. */
    forgetful?: boolean
  }
  close(): Promise<void>
}

interface Approved {
  claims: JWTPayload
  challenge: string
  redirectUri: string
}

export async function startTestIssuer({ host = '127.0.0.1' } = {}): Promise<TestIssuer> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', use: 'sig', alg: 'ES256' }
  const codes = new Map<string, Approved>()
  const devices = new Map<string, { userCode: string; claims?: JWTPayload; next?: JWTPayload }>()
  const behaviour: TestIssuer['behaviour'] = {}
  let count = 0

  const sign: MakeToken = claims => {
    const now = Math.floor(Date.now() / 1000)
    const all = { iss: url, aud: clientId, iat: now, exp: now + 300, ...claims }
    return new SignJWT(all).setProtectedHeader({ alg: 'ES256', kid: 'k1' }).sign(privateKey)
  }
  const give = async (response: ServerResponse, claims: JWTPayload) =>
    send(response, 200, { access_token: 'a', token_type: 'Bearer', id_token: await (behaviour.token ?? sign)(claims) })

  const answerToken = async (request: IncomingMessage, response: ServerResponse) => {
    const form = new URLSearchParams(await text(request))
    const expected = Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`).toString('base64')
    if (request.headers.authorization !== `Basic ${expected}`) return send(response, 401, { error: 'invalid_client' })
    if (form.get('grant_type') === 'authorization_code') {
      const code = form.get('code') ?? ''
      const approved = codes.get(code)
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      if (!behaviour.forgetful) codes.delete(code)
      if (approved?.challenge !== challenge || approved.redirectUri !== form.get('redirect_uri')) {
        return send(response, 400, { error: 'invalid_grant' })
      }
      return give(response, approved.claims)
    }
    const device = devices.get(form.get('device_code') ?? '')
    if (device === undefined) return send(response, 400, { error: 'expired_token' })
    const { claims } = device
    if (device.next !== undefined) device.claims = device.next
    return claims === undefined ? send(response, 400, { error: 'authorization_pending' }) : give(response, claims)
  }

  const approve: TestIssuer['approve'] = (authorizationUrl, claims) => {
    const query = new URL(authorizationUrl).searchParams
    const code = `code-${++count}`
    const [challenge, redirectUri] = [query.get('code_challenge') ?? '', query.get('redirect_uri') ?? '']
    codes.set(code, { claims: { nonce: query.get('nonce'), ...claims }, challenge, redirectUri })
    return { code, state: query.get('state') ?? '' }
  }
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    if (behaviour.answer?.(path, response)) return
    if (path === '/.well-known/openid-configuration') {
      send(response, 200, {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        device_authorization_endpoint: `${url}/device`,
        jwks_uri: `${url}/keys`,
      })
    } else if (path === '/keys') send(response, 200, { keys: [jwk] })
    else if (path.startsWith('/authorize?') && behaviour.person !== undefined) {
      const back = new URLSearchParams({ ...approve(url + path, behaviour.person), iss: url })
      const redirectUri = new URL(url + path).searchParams.get('redirect_uri')
      response.writeHead(302, { location: `${redirectUri}?${back}` }).end()
    } else if (path === '/token') void answerToken(request, response)
    else if (path === '/device') {
      const [deviceCode, userCode] = [`device-${++count}`, `USER-${count}`]
      devices.set(deviceCode, { userCode, ...(behaviour.device === undefined ? {} : { next: behaviour.device }) })
      const about = { verification_uri: `${url}/activate`, expires_in: 600, interval: 1 }
      send(response, 200, { device_code: deviceCode, user_code: userCode, ...about })
    } else send(response, 404, {})
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://${host}:${(server.address() as AddressInfo).port}`
  return {
    url,
    approve,
    approveDevice(userCode, claims) {
      for (const device of devices.values()) if (device.userCode === userCode) device.claims = claims
    },
    sign,
    publicKeyPem: await publicPem(publicKey),
    behaviour,
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

async function publicPem(key: CryptoKey): Promise<string> {
  const der = Buffer.from(await crypto.subtle.exportKey('spki', key)).toString('base64')
  return `-----BEGIN PUBLIC KEY-----\n${der}\n-----END PUBLIC KEY-----\n`
}

function formEncoded(value: string): string {
  return new URLSearchParams({ v: value }).toString().slice(2)
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
