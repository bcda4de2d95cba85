/**
 * The service as agents see it: tools and resources over a client with a tenant's key. What the key may not do is not
 * offered, and is refused by the API all the same.
 */

import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import type { Client } from '../client/client.js'
import { ConnectionError, ProblemError } from '../client/problem-error.js'
import { dataNotice, fitted, markedAsData } from './answers.js'
import { checkInput, validator } from './input.js'
import { listResources, readResource, resourceTemplates } from './resources.js'
import { describeTool, type Tool, tools } from './tools.js'

export interface McpServerOptions {
  client: Client
  version: string
  allowWrites: boolean
}

const instructions = [
  'Concord reads the documents of a case and finds where they contradict each other. Names of parameters and fields call a case `scope` and a statement `claim`.',
  'Begin with list_cases, then get_summary. Contradictions carry the quotes of both sides; read_document shows them in context.',
  dataNotice,
].join(' ')

// The SDK's other server wants its input schemas in zod; ours are those of the contract.
export function createMcpServer({ client, version, allowWrites }: McpServerOptions): Server {
  const server = new Server(
    { name: 'concord', version },
    {
      capabilities: { tools: {}, resources: {} },
      instructions,
      jsonSchemaValidator: validator,
    },
  )
  const offered = tools.filter(tool => !tool.changes || allowWrites)
  server.setRequestHandler('tools/list', async () => {
    const { rights } = await explained(client.me())
    return { tools: offered.filter(tool => tool.rights.every(right => rights.includes(right))).map(describeTool) }
  })
  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = offered.find(({ name }) => name === params.name)
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${JSON.stringify(params.name.slice(0, 100))} here.`)
    return callTool(tool, client, params.arguments ?? {})
  })
  server.setRequestHandler('resources/list', ({ params }) => explained(listResources(client, params?.cursor)))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }))
  server.setRequestHandler('resources/read', ({ params }) => explained(readResource(client, params.uri)))
  return server
}

/** A refusal is an answer the model can act on, so it is no failure of the protocol. */
async function callTool(tool: Tool, client: Client, given: Record<string, unknown>) {
  try {
    checkInput(tool.input, given)
    const { json, isCut } = fitted(await tool.run(client, given))
    return { content: [{ type: 'text' as const, text: markedAsData(json, isCut) }] }
  } catch (error) {
    return { isError: true, content: [{ type: 'text' as const, text: reasonOf(error) }] }
  }
}

async function explained<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    throw new ProtocolError(ProtocolErrorCode.InvalidRequest, reasonOf(error))
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof ProblemError) {
    return [`${error.code}: ${error.detail}`, ...error.errors.map(({ pointer, detail }) => `${pointer}: ${detail}`)].join('\n')
  }
  if (error instanceof ConnectionError || error instanceof ProtocolError) return error.message
  throw error
}
