/** Webhooks of a tenant. A key that is limited to scopes sees and makes those about its scopes alone. */

import type { webhookOperations } from '../../contract/webhook-operations.js'
import { toDelivery } from '../../webhooks/endpoints.js'
import { type PageRead, pageAnswer } from '../answers.js'
import type { Caller } from '../auth.js'
import type { HandlersOf } from '../handler.js'
import { reachOf } from '../permission.js'
import type { Services } from '../services.js'

interface OwnCall {
  tenantId: string
  caller: Caller
}

export function webhookHandlers({ webhooks }: Services): HandlersOf<typeof webhookOperations> {
  return {
    createWebhook: async call => ({ body: await webhooks.create(ownerOf(call), call.body) }),
    listWebhooks: async call => {
      const owner = ownerOf(call)
      const list = ['webhooks', owner.tenantId, JSON.stringify(owner.within)]
      return pageAnswer(call.query, list, page => webhooks.list(owner, page), { id: row => row.webhook_id })
    },
    getWebhook: async call => ({ body: await webhooks.get(nameOf(call)) }),
    changeWebhook: async call => ({ body: await webhooks.change(nameOf(call), call.body) }),
    deleteWebhook: async call => {
      const name = nameOf(call)
      await webhooks.delete(name)
      return { body: { webhook_id: name.webhookId, message: 'Webhook deleted. Nothing more is sent to it.' } }
    },
    rotateWebhookSecret: async call => ({ body: await webhooks.rotate(nameOf(call), call.body?.keep_hours ?? 24) }),
    testWebhook: async call => ({ body: await webhooks.test(nameOf(call)) }),
    listWebhookDeliveries: async call => {
      const name = nameOf(call)
      const { status = null } = call.query
      const list = ['webhook-deliveries', name.tenantId, name.webhookId, status]
      const read = ({ after: before, limit }: PageRead) => webhooks.deliveries(name, { status, before, limit })
      return pageAnswer(call.query, list, read, { id: row => row.delivery_id, item: toDelivery })
    },
    redeliverWebhook: async call => ({ body: await webhooks.redeliver({ ...nameOf(call), deliveryId: call.params.deliveryId }) }),
  }
}

function ownerOf({ tenantId, caller }: OwnCall) {
  return { tenantId, within: reachOf(caller) }
}

function nameOf(call: OwnCall & { params: { webhookId: string } }) {
  return { ...ownerOf(call), webhookId: call.params.webhookId }
}
