/**
 * One message over streamable HTTP. There are no sessions: a server is made for each message and closed after it, so
 * that any node can answer any message and nothing is kept between them.
 */

import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { createClient } from '../client/client.js'
import type { Fetch } from '../client/retrying-fetch.js'
import { createMcpServer } from './server.js'

export interface AgentRequest {
  message: unknown
  protocolVersion: string | undefined
  tenantKey: string
  /** Reaches the API of this process. */
  fetch: Fetch
  allowWrites: boolean
  version: string
}

/** `refusal`: the message is not one of the protocol. */
export interface AgentResponse {
  status: number
  body?: unknown
  refusal?: string
}

export async function answerMessage({
  message,
  protocolVersion,
  tenantKey,
  fetch,
  allowWrites,
  version,
}: AgentRequest): Promise<AgentResponse> {
  // No retries here: the agent sees a refusal at once and decides.
  const client = createClient({ url: 'http://localhost', tenantKey, fetch, retries: 0 })
  const server = createMcpServer({ client, allowWrites, version })
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    const headers = new Headers({ accept: 'application/json, text/event-stream', 'content-type': 'application/json' })
    if (protocolVersion !== undefined) headers.set('mcp-protocol-version', protocolVersion)
    const request = new Request('http://localhost/mcp', { method: 'POST', headers })
    const response = await transport.handleRequest(request, { parsedBody: message })
    const text = await response.text()
    const body = text === '' ? undefined : (JSON.parse(text) as { error?: { message?: string } })
    if (response.status >= 400) return { status: response.status, refusal: body?.error?.message ?? 'This is not a valid MCP message.' }
    return { status: response.status, ...(body === undefined ? {} : { body }) }
  } finally {
    await server.close()
  }
}
