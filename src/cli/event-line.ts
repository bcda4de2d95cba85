/** An event as one readable line: time, place in the log, what happened to what, and the figures worth reading. */

import type { ServiceEvent } from '../client/index.js'
import type { Colors } from './output.js'
import { padEnd, printable } from './text-layout.js'

export function eventLine(event: ServiceEvent, colors: Colors): string {
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

function figure(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(3)
}
