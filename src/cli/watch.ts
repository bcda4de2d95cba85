/** `concord watch`: the events of a scope as they happen, through restarts of the service. */

import type { ServiceEvent } from '../client/index.js'
import type { AddCommand } from './command.js'
import { CommandError, exitCodes } from './command-error.js'
import type { Colors } from './output.js'
import type { Shell } from './shell.js'
import { figure, padEnd, printable } from './text-layout.js'

interface WatchFlags {
  from?: string
  all?: boolean
}

export const addWatch: AddCommand = program => {
  program
    .command('watch [case]')
    .description('follow the events of a case; ends with Ctrl-C')
    .option('--from <seq>', 'begin after this place in the log; `start` is the beginning')
    .option('--all', 'all cases and the hatchery (needs the internals key)')
    .examples('concord watch case-1', 'concord watch case-1 --from start', 'concord watch --all --json | jq .type')
    .runs(watch)
}

async function watch(shell: Shell, scopeId: string | undefined, flags: WatchFlags): Promise<void> {
  const { out } = shell
  const controller = new AbortController()
  const stop = () => controller.abort()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  const options = {
    signal: controller.signal,
    ...(flags.from === undefined ? {} : { after: flags.from === 'start' ? '-1' : flags.from }),
    onReconnect: () => out.note(out.colors.dim('connection lost, resuming after the last event …')),
  }
  try {
    for await (const event of eventsOf(shell, scopeId, flags, options))
      out.line(out.json ? JSON.stringify(event) : eventLine(event, out.colors))
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
}

function eventsOf(shell: Shell, scopeId: string | undefined, flags: WatchFlags, options: object) {
  if (flags.all)
    return shell.client('internals').internals.events({ ...options, filter: scopeId === undefined ? {} : { scope_id: scopeId } })
  if (scopeId === undefined)
    throw new CommandError('a case is needed', {
      next: '`concord scopes` lists them; --all follows everything',
      exitCode: exitCodes.usage,
    })
  return shell.client('tenant-key').events(scopeId, options)
}

/** Time, place in the log, what happened to what, and the figures worth reading. */
function eventLine(event: ServiceEvent, colors: Colors): string {
  const paint = painter(event.type, colors)
  const time = colors.dim(event.time.slice(11, 19))
  const seq = colors.dim(padEnd(`#${event.sequence ?? event.id}`, 6))
  const what = paint(padEnd(event.type, 24))
  const subject = event.subject ?? ''
  return `${time} ${seq} ${what} ${printable([subject, detailOf(event.data)].filter(Boolean).join('  '))}`.trimEnd()
}

function painter(type: string, colors: Colors): (text: string) => string {
  if (/quarantined|rejected|_failed|gap|blocked|contradiction\.(detected|reopened)/.test(type)) return colors.red
  if (/held|requeued|withdrawn|restarted|circuit|reset/.test(type)) return colors.yellow
  if (/indexed|reread$|resolved|issued/.test(type)) return colors.green
  return colors.cyan
}

/** What the subject says already, or only programs want. */
const unread = new Set(['scope_id', 'document_id', 'tenant_id', 'generation', 'status'])

function detailOf(data: Record<string, unknown>): string {
  return Object.entries(data)
    .filter(([name, value]) => !unread.has(name) && value !== null && value !== '' && typeof value !== 'object')
    .map(([name, value]) => `${name}=${typeof value === 'number' ? figure(value) : value}`)
    .join(' ')
}
