/** `concord runtime`: start, pause, resume, stop or restart processing of the service, a tenant or a scope. */

import type { RuntimeOperation } from '../client/index.js'
import type { Schema } from '../contract/types.js'
import type { AddCommand } from './command.js'

const operations: Record<RuntimeOperation, string> = {
  start: 'let documents be processed',
  pause: 'start no new document; the current ones may finish',
  resume: 'go on after a pause',
  stop: 'requeue documents in progress and start nothing',
  restart: 'stop, forget retries, start under a new run number',
}

export const addRuntime: AddCommand = program => {
  const runtime = program
    .command('runtime')
    .description('start, pause, resume, stop or restart processing')
    .examples('concord runtime pause', 'concord runtime resume', 'concord runtime stop --scope case-1')
  for (const [operation, description] of Object.entries(operations))
    runtime
      .command(operation)
      .description(description)
      .examples(`concord runtime ${operation}`, `concord runtime ${operation} --tenant`, `concord runtime ${operation} --scope case-1`)
      .callsTarget(({ admin }, target) => admin.runtime(operation as RuntimeOperation, target), changeLines)
}

function changeLines({ addressed, changed, previous, state, run, effective, ...result }: Schema['RuntimeResponse']): string[] {
  const whom = { service: 'The service', tenant: 'The tenant', scope: `Case ${addressed.scope_id}` }[addressed.level]
  const change = changed ? `${previous} → ${state}` : `${state} already`
  return [
    `${whom}: ${change} (run ${run}, ${result.scopes_affected} cases, ${result.documents_requeued} documents back in the queue).`,
    ...(effective === state ? [] : [`Effectively ${effective}, because something above it is.`]),
  ]
}
