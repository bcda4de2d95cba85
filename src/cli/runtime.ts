/** `concord runtime`: start, pause, resume, stop or restart processing of the service, a tenant or a scope. */

import type { RuntimeOperation } from '../client/index.js'
import type { Command } from './command.js'
import { type AddCommand, type CommandContext, shellOf } from './shell.js'
import { addTargetOptions, needOf, type TargetFlags, targetOf } from './target-options.js'

const operations: Record<RuntimeOperation, string> = {
  start: 'let documents be processed',
  pause: 'start no new document; the current ones may finish',
  resume: 'go on after a pause',
  stop: 'requeue documents in progress and start nothing',
  restart: 'stop, forget retries, start under a new run number',
}

export const addRuntime: AddCommand = (program, context) => {
  const runtime = program
    .command('runtime')
    .description('start, pause, resume, stop or restart processing')
    .examples('concord runtime pause', 'concord runtime resume', 'concord runtime stop --scope case-1')
  for (const [operation, description] of Object.entries(operations))
    addOperation(runtime, context, operation as RuntimeOperation, description)
}

function addOperation(runtime: Command, context: CommandContext, operation: RuntimeOperation, description: string): void {
  addTargetOptions(runtime.command(operation).description(description)).action(async (flags: TargetFlags, command: Command) => {
    const { out, client } = shellOf(command, context)
    const target = targetOf(flags)
    const result = await client(needOf(target)).admin.runtime(operation, target)
    out.show(result, () => {
      const whom = { service: 'The service', tenant: 'The tenant', scope: `Scope ${result.addressed.scope_id}` }[result.addressed.level]
      const change = result.changed ? `${result.previous} → ${result.state}` : `${result.state} already`
      out.line(
        `${whom}: ${change} (run ${result.run}, ${result.scopes_affected} scopes, ${result.documents_requeued} documents back in the queue).`,
      )
      if (result.effective !== result.state) out.line(`Effectively ${result.effective}, because something above it is.`)
    })
  })
}
