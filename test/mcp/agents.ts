/** An agent with the SDK's own client, and what its tools answer. */

import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'

export interface Agent {
  client: Client
  /** What a tool answered: the data between its marks, or why it was refused. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  ask(tool: string, input?: Record<string, unknown>): Promise<{ data: any; text: string; refusal: string | null }>
  tools(): Promise<string[]>
  close(): Promise<void>
}

export function httpAgent(url: string, key: string): Promise<Agent> {
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  })
  return agentOver(transport as Transport)
}

export async function agentOver(transport: Transport): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  return {
    client,
    async ask(tool, input = {}) {
      const answer = await client.callTool({ name: tool, arguments: input })
      const text = (answer.content as { text: string }[])[0]?.text ?? ''
      if (answer.isError) return { data: null, text, refusal: text }
      return { data: JSON.parse(dataOf(text)), text, refusal: null }
    },
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    close: () => client.close(),
  }
}

/** What stands between the two lines with the same word. */
export function dataOf(text: string): string {
  const found = /^--- data (\S+)\n([\s\S]*)\n--- end of data \1$/m.exec(text)
  if (found === null) throw new Error(`not marked as data: ${text.slice(0, 200)}`)
  return found[2] as string
}
