/** Any failure as one line for the person at the terminal: what is wrong, and what to do next. Never a stack trace. */

import { NotTakenError } from '../client/hand-in.js'
import { ConnectionError, type ProblemCode, ProblemError } from '../client/problem-error.js'
import { withoutRoutes } from '../contract/field-words.js'
import { AppError, messageOf, StartupError } from '../platform/errors.js'
import { CommandError, exitCodes } from './command-error.js'

export interface Explanation {
  line: string
  exitCode: number
}

export function explainFailure(error: unknown): Explanation {
  if (error instanceof CommandError) return { line: sentence(error.message, error.next), exitCode: error.exitCode }
  if (error instanceof NotTakenError) return { line: error.message, exitCode: exitCodes.failed }
  if (error instanceof ConnectionError) {
    return {
      line: sentence(error.message, 'start it with `concord serve`, or say where it is with --url or CONCORD_URL'),
      exitCode: exitCodes.unreachable,
    }
  }
  if (error instanceof ProblemError) return { line: explainProblem(error), exitCode: exitCodes.failed }
  if (error instanceof StartupError) return { line: error.message, exitCode: exitCodes.failed }
  if (error instanceof AppError) return { line: sentence(error.detail ?? error.code, undefined), exitCode: exitCodes.failed }
  if ((error as NodeJS.ErrnoException | null)?.code === 'EADDRINUSE') {
    return { line: sentence(messageOf(error), 'stop the program that has it, or set PORT to another one'), exitCode: exitCodes.failed }
  }
  return { line: sentence(messageOf(error), 'set CONCORD_DEBUG=1 to see where it comes from'), exitCode: exitCodes.failed }
}

const nextSteps: Partial<Record<ProblemCode, string>> = {
  AUTH_MISSING: 'set CONCORD_ADMIN_KEY or CONCORD_TENANT_KEY, or run `concord init` on the machine of the server',
  AUTH_INVALID: 'check the key: `concord config` says where it comes from',
  TENANT_KEY_INVALID: 'check CONCORD_TENANT_KEY, or make a new key with `concord keys create <tenant>`',
  SESSION_INVALID: 'sign in again with `concord login --oidc`',
  SIGN_IN_FAILED: 'run `concord login --oidc` again',
  SIGN_IN_REFUSED: 'ask the operator of the service to map you',
  SIGN_IN_DISABLED: 'use a key: `concord login --tenant-key …`',
  ISSUER_UNAVAILABLE: 'try again in a moment; keys still work',
  TENANT_KEY_MISSING: 'set CONCORD_TENANT_KEY or use a profile that has one',
  TENANT_UNKNOWN: 'check CONCORD_TENANT_ID; `concord tenants` lists them',
  TENANT_ID_MISSING: 'set CONCORD_TENANT_KEY or run `concord init`',
  TENANT_MISMATCH: 'CONCORD_TENANT_ID and CONCORD_TENANT_KEY must belong together',
  TIER_INSUFFICIENT: 'use a key of a higher tier (CONCORD_ADMIN_KEY or CONCORD_INTERNALS_KEY)',
  RIGHTS_INSUFFICIENT: 'use another key, or make one with `concord keys create <tenant> --rights … --scopes …`',
  SCOPE_NOT_FOUND: '`concord scopes` lists the cases of this tenant',
  DOCUMENT_NOT_FOUND: '`concord documents <case>` lists them; its id, the beginning of it or its whole name will do',
  CONTRADICTION_NOT_FOUND: '`concord contradictions <case>` lists them',
  POSSIBLE_CONFLICT_NOT_FOUND: '`concord possible list <case>` lists them',
  SUPERSESSION_NOT_FOUND: '`concord supersessions list <case>` lists them',
  DECISION_NOT_FOUND: '`concord review list <case>` lists what waits',
  SIGN_OFF_NOT_FOUND: '`concord sign-off list <case>` lists them',
  CERTIFICATE_NOT_FOUND: '`concord summary <case>` says what is still open',
  TENANT_NOT_FOUND: '`concord tenants` lists them',
  WEBHOOK_NOT_FOUND: '`concord webhooks list` lists them',
  HOLD_NOT_FOUND: '`concord holds <case>` lists them',
  DELIVERY_NOT_FOUND: '`concord webhooks deliveries <webhook>` lists them',
  SESSION_NOT_FOUND: '`concord sessions list <tenant>` lists them',
  KEY_NOT_FOUND: '`concord keys list <tenant>` lists them',
  RUNTIME_CONFLICT: 'what is stopped is started with `concord runtime start`, and the same --tenant or --scope',
  OVERLOADED: 'try again in a moment',
  STORAGE_UNAVAILABLE: 'look at `concord doctor`',
}

function explainProblem({ code, detail, errors, requestId }: ProblemError): string {
  if (code === 'VALIDATION_FAILED' && errors.length > 0) return `${errors.map(faultInWords).join('; ')} [${code}]`
  const gates = errors.filter(({ pointer }) => pointer.startsWith('/gates/'))
  if (gates.length > 0) {
    const advice = [...new Set(gates.map(gate => withoutRoutes(gate.detail).replace(/^needs .*?\. /, '')))].join(' ')
    return sentence(`${detail} ${advice.replace(/\.$/, '')} [${code}]`, '`concord summary <case>` says which command helps')
  }
  const fields = errors.length > 1 ? ` (${errors.map(fault => `${fault.pointer} ${fault.detail}`).join('; ')})` : ''
  const next = nextSteps[code] ?? (code === 'INTERNAL' ? `tell the operator the request ${requestId ?? ''}`.trim() : undefined)
  return sentence(`${detail.replace(/\.$/, '')}${fields} [${code}]`, next)
}

/** What the contract says for programs, as a person at a terminal says it. */
function faultInWords({ pointer, detail }: { pointer: string; detail: string }): string {
  const field = pointer.replace(/^\/(?:query|params|headers)\//, '/')
  if (detail.startsWith('must match pattern') && field === '/scope_id')
    return `${field}: the id of a case has small letters without accents, digits and hyphens, and begins with a letter or digit, like case-1`
  if (detail.startsWith('must match pattern') && field === '/by')
    return `${field}: has characters that cannot be seen or turn the line around`
  return `${field}: ${formatWords[detail] ?? detail}`
}

const formatWords: Record<string, string> = {
  'must match format "date"': 'must be a day, like 2026-03-31',
  'must match format "date-time"': 'must be a moment, like 2026-01-31T09:00:00Z',
}

function sentence(what: string, next: string | undefined): string {
  return (next === undefined ? what : `${what}: ${next}`).replace(/\s*\n\s*/g, ' ')
}
