/** Posts once and gives the answer, behind the same walls as deliveries: no private address, no redirect, bounded in time and size. */

import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isPrivateHost } from './addresses.js'
import { checkedLookup } from './lookup.js'

export interface Posting {
  url: string
  contentType: string
  body: Buffer
  allowPrivate: boolean
  timeoutMs: number
}

const answerBytes = 256 * 1024

export function postOnce({ url: text, contentType, body, allowPrivate, timeoutMs }: Posting): Promise<Buffer> {
  const url = new URL(text)
  const isSecure = url.protocol === 'https:'
  const lookup = checkedLookup({ allowPrivate })
  if (!allowPrivate && isPrivateHost(url))
    return Promise.reject(new Error('the address is not public; WEBHOOK_ALLOW_PRIVATE=true allows others'))
  const agent = isSecure ? new HttpsAgent({ lookup }) : new HttpAgent({ lookup })
  const headers = { 'content-type': contentType, 'content-length': body.length, 'user-agent': 'concord-anchors' }
  const signal = AbortSignal.timeout(timeoutMs)
  return new Promise<Buffer>((resolve, reject) => {
    const sending = (isSecure ? httpsRequest : httpRequest)(url, { method: 'POST', agent, headers, signal, maxHeaderSize: 8 * 1024 })
    sending.on('error', reject)
    sending.on('response', response => {
      const pieces: Buffer[] = []
      let bytes = 0
      response.on('data', (piece: Buffer) => {
        bytes += piece.length
        if (bytes > answerBytes) response.destroy(new Error(`the answer exceeds ${answerBytes} bytes`))
        else pieces.push(piece)
      })
      response.on('error', reject)
      response.on('end', () => {
        const status = response.statusCode ?? 0
        if (status >= 200 && status < 300) resolve(Buffer.concat(pieces))
        else reject(new Error(`the answer has status ${status}`))
      })
    })
    sending.end(body)
  }).finally(() => agent.destroy())
}
