/** Messages: an event as CloudEvents 1.0, whose `id` is also the `webhook-id` and the same at every attempt. */

import { cloudEvent, keyedId, sequenceOf, sourceOf } from '../events/frame.js'
import type { LogPosition, PlacedEvent } from '../store/events/events-reading.js'
import type { LeasedEndpoint } from '../store/webhooks/webhook-leases.js'
import type { Message } from './send.js'

export function eventMessage(id: string, tenantId: string, event: PlacedEvent): Message {
  return { id, body: cloudEvent(id, event, sourceOf({ tenantId, scopeId: event.scopeId }), sequenceOf(event)) }
}

/** One row for an event and endpoint, however often it is tried. */
export function deliveryId(messageId: string): string {
  return `dlv_${messageId.replace(/^evt_/, '')}`
}

export function testMessage(endpoint: LeasedEndpoint, id: string, now: Date): Message {
  return ownMessage(endpoint, { id, type: 'webhook.test', time: now.toISOString(), data: { webhook_id: endpoint.webhookId } })
}

/**
 * Events behind the cursor were removed before they were delivered. Places are times here, because the places of the log
 * count the events of everybody. One message up to the newest that was removed: events of cases on legal hold are left
 * before that, and the cursor passes them one after the other.
 */
export function gapMessage(
  endpoint: LeasedEndpoint,
  idKey: string,
  { removed, oldest, now }: { removed: LogPosition; oldest: string | null; now: Date },
): Message {
  const id = keyedId(idKey, endpoint.tenantId, endpoint.webhookId, removed.xid, removed.id, 'gap')
  const data = { webhook_id: endpoint.webhookId, requested: endpoint.cursorAt, oldest, newest: now.toISOString() }
  return ownMessage(endpoint, { id, type: 'stream.gap', time: now.toISOString(), data })
}

function ownMessage({ tenantId, webhookId }: LeasedEndpoint, about: { id: string; type: string; time: string; data: object }): Message {
  const event = { seq: 0, type: about.type, subject: webhookId, time: about.time, data: JSON.stringify(about.data) }
  return { id: about.id, body: cloudEvent(about.id, event, sourceOf({ tenantId, scopeId: null })) }
}
