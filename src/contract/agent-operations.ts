/** The Model Context Protocol: one route, behind which each tool is a request of its own with the same key. */

import { Type } from '../platform/schema.js'
import { open } from './common.js'
import { defineOperations, forTenants } from './operation.js'

const version = Type.Literal('2.0')
const id = Type.Union([Type.String({ maxLength: 200 }), Type.Integer()])

const AgentMessage = Type.Object(
  {
    jsonrpc: version,
    id: Type.Optional(id),
    method: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    params: Type.Optional(Type.Object({}, open)),
  },
  {
    $id: 'AgentMessage',
    ...open,
    description: 'One message of JSON-RPC 2.0. Several at once are not taken.',
    examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_cases', arguments: {} } }],
  },
)

const AgentAnswer = Type.Object(
  { jsonrpc: version, id: Type.Optional(Type.Union([id, Type.Null()])), result: Type.Optional(Type.Object({}, open)) },
  { $id: 'AgentAnswer', ...open, description: '`result`, or `error` with a code of JSON-RPC.' },
)

export const agentOperations = defineOperations(forTenants('Agents'), {
  answerAgent: {
    route: 'POST /mcp',
    summary: 'Exchange messages of the Model Context Protocol',
    description:
      'Streamable HTTP without sessions: every message is answered by itself, as JSON, by any node. Each tool asks for the right of the operation it stands for; those that change something are there with MCP_ALLOW_WRITES alone. A request from a web page is refused unless its origin is one of CORS_ORIGINS.',
    headers: Type.Object({
      'mcp-protocol-version': Type.Optional(
        Type.String({ maxLength: 40, description: 'The version agreed on; unknown ones are refused.' }),
      ),
    }),
    body: { schema: AgentMessage, required: true },
    success: { status: 200, description: 'The answer to a request.', schema: AgentAnswer },
    accepted: 'A notification, which has no answer.',
    refusals: ['ORIGIN_NOT_ALLOWED'],
  },
})
