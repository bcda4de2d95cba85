/**
 * Answers agents at /mcp. What they ask for becomes requests of the process to itself with the key of the agent, so
 * that rights, scopes and limits hold as anywhere else. The protocol's code is loaded with the first message: most
 * processes never get one, and it takes 25 MiB.
 */

import type { FastifyInstance } from 'fastify'
import type { Config } from '../platform/config.js'
import { AppError } from '../platform/errors.js'
import type { Answer, Call } from './handler.js'
import { createOwnFetch } from './own-requests.js'

export type AgentAnswers = (call: Call) => Promise<Answer>

interface AgentAnswersOptions {
  config: Pick<Config, 'corsOrigins' | 'mcpAllowWrites'>
  version: string
  /** Undefined until the server is made, which is before it is asked anything. */
  app(): FastifyInstance | undefined
}

export function createAgentAnswers({ config, version, app }: AgentAnswersOptions): AgentAnswers {
  return async call => {
    checkOrigin(call.headers['origin'], config.corsOrigins)
    const { answerMessage } = await import('../mcp/http.js')
    const answer = await answerMessage({
      message: call.body,
      protocolVersion: call.headers['mcp-protocol-version'],
      tenantKey: call.caller.tenantKey as string,
      fetch: createOwnFetch(app() as FastifyInstance, call),
      allowWrites: config.mcpAllowWrites,
      version,
    })
    if (answer.refusal !== undefined) throw new AppError('VALIDATION_FAILED', { detail: answer.refusal })
    return answer
  }
}

/** Browsers say where a page comes from; other clients say nothing. */
function checkOrigin(origin: string | undefined, allowed: readonly string[]): void {
  if (origin !== undefined && !allowed.includes(origin)) throw new AppError('ORIGIN_NOT_ALLOWED')
}
