/** Speaks with one agent over standard input and output, until its input ends. */

import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { createMcpServer, type McpServerOptions } from './server.js'

export async function serveStdio(options: McpServerOptions): Promise<void> {
  const server = createMcpServer(options)
  const closed = new Promise<void>(resolve => {
    server.onclose = resolve
  })
  await server.connect(new StdioServerTransport())
  process.stdin.once('end', () => void server.close())
  await closed
}
