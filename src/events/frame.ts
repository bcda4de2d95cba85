/**
 * Events as they travel: CloudEvents 1.0 in JSON, inside a server-sent event. The tail and the pages of
 * scopes make a frame once for all their readers; who is behind the tail has its own made.
 */

import { createHmac } from 'node:crypto'
import { serviceTenant } from '../store/events/events.js'
import type { KernelEvent, StoredEvent } from '../store/events/events-reading.js'
import { formatKernelCursor } from './cursor.js'

/** What a client waits before it connects again. */
export const retryMs = 1000

export function scopeFrame(scopeId: string, event: StoredEvent): string {
  return frame(String(event.seq), event, `/scopes/${scopeId}`, '')
}

export function kernelFrame(event: KernelEvent): string {
  const extensions = `${event.tenantId === serviceTenant ? '' : `"tenantid":${JSON.stringify(event.tenantId)},`}"sequence":"${event.seq}",`
  return frame(formatKernelCursor(event), event, sourceOf(event), extensions)
}

/** Without a place to go on from: those of this log count the events of all tenants. */
export function tenantFrame(event: KernelEvent, idKey: string): string {
  return `event: ${event.type}\nretry: ${retryMs}\ndata: ${cloudEvent(eventId(event, idKey), event, sourceOf(event), sequenceOf(event))}\n\n`
}

/** Made from where the event stands in its log and when it happened: no other has it. */
export function eventId(
  { tenantId, scopeNo, seq, time }: Pick<KernelEvent, 'tenantId' | 'scopeNo' | 'seq' | 'time'>,
  idKey: string,
): string {
  return keyedId(idKey, tenantId, scopeNo, seq, time)
}

/** With a key, because its parts count what all tenants do, and without one a few seconds of trying would find them. */
export function keyedId(idKey: string, ...parts: (string | number)[]): string {
  return `evt_${createHmac('sha256', idKey).update(parts.join('\n')).digest('hex').slice(0, 32)}`
}

/** Events of no scope's log are numbered across tenants. */
export function sequenceOf({ scopeNo, seq }: Pick<KernelEvent, 'scopeNo' | 'seq'>): string {
  return scopeNo === 0 ? '' : `"sequence":"${seq}",`
}

export function sourceOf(event: Pick<KernelEvent, 'scopeId' | 'tenantId'>): string {
  if (event.scopeId !== null) return `/scopes/${event.scopeId}`
  return event.tenantId === serviceTenant ? '/service' : `/tenants/${event.tenantId}`
}

function frame(id: string, event: StoredEvent, source: string, extensions: string): string {
  return `id: ${id}\nevent: ${event.type}\nretry: ${retryMs}\ndata: ${cloudEvent(id, event, source, extensions)}\n\n`
}

/** One line of JSON. `extensions` are members with their commas. */
export function cloudEvent(id: string, event: StoredEvent, source: string, extensions = ''): string {
  const subject = event.subject === null ? '' : `"subject":${JSON.stringify(event.subject)},`
  // A line break inside stored JSON is white space between its members; in a frame it would end the line.
  const data = /[\r\n]/.test(event.data) ? event.data.replace(/[\r\n]+/g, ' ') : event.data
  return (
    `{"specversion":"1.0","id":"${id}","source":${JSON.stringify(source)},"type":"${event.type}",${subject}` +
    `"time":"${event.time}","datacontenttype":"application/json",${extensions}"data":${data}}`
  )
}

export interface Gap {
  requested: number | string
  oldest: number | string | null
  newest: number | string | null
}

/** Without an id, so that a client which reconnects asks again from its last real event. */
export function gapFrame(source: string, gap: Gap, now: Date): string {
  const event = {
    specversion: '1.0',
    id: `gap-${gap.requested}`,
    source,
    type: 'stream.gap',
    time: now.toISOString(),
    datacontenttype: 'application/json',
    data: gap,
  }
  return `event: stream.gap\nretry: ${retryMs}\ndata: ${JSON.stringify(event)}\n\n`
}
