/** Webhooks of a tenant. A secret is in the answer that makes it and nowhere else. */

import { type Api, answered, type CallOptions, type QueryOf, type Schema } from './api.js'
import { listOf } from './pages.js'

export function webhookCalls(api: Api) {
  const named = (webhookId: string) => ({ params: { path: { webhookId } } })
  return {
    webhooks: (query: { limit?: number } = {}) =>
      listOf(cursor => answered(api.GET('/api/webhooks', { params: { query: { ...query, cursor } } }))),
    createWebhook: (webhook: Schema['CreateWebhookRequest'], options: CallOptions = {}) =>
      answered(api.POST('/api/webhooks', { body: webhook, ...options })),
    webhook: (webhookId: string, options: CallOptions = {}) =>
      answered(api.GET('/api/webhooks/{webhookId}', { ...named(webhookId), ...options })),
    changeWebhook: (webhookId: string, change: Schema['ChangeWebhookRequest'], options: CallOptions = {}) =>
      answered(api.PATCH('/api/webhooks/{webhookId}', { ...named(webhookId), body: change, ...options })),
    deleteWebhook: (webhookId: string, options: CallOptions = {}) =>
      answered(api.DELETE('/api/webhooks/{webhookId}', { ...named(webhookId), ...options })),
    /** For `keep_hours` (24) the secret before signs beside the new one. */
    rotateWebhookSecret: (webhookId: string, wanted: Schema['RotateSecretRequest'] = {}, options: CallOptions = {}) =>
      answered(api.POST('/api/webhooks/{webhookId}/secret', { ...named(webhookId), body: wanted, ...options })),
    testWebhook: (webhookId: string, options: CallOptions = {}) =>
      answered(api.POST('/api/webhooks/{webhookId}/test', { ...named(webhookId), ...options })),
    /** What became of messages, newest first. */
    webhookDeliveries: (webhookId: string, query: QueryOf<'listWebhookDeliveries'> = {}) =>
      listOf(cursor =>
        answered(api.GET('/api/webhooks/{webhookId}/deliveries', { params: { path: { webhookId }, query: { ...query, cursor } } })),
      ),
    redeliverWebhook: (webhookId: string, deliveryId: string, options: CallOptions = {}) =>
      answered(
        api.POST('/api/webhooks/{webhookId}/deliveries/{deliveryId}/redelivery', {
          params: { path: { webhookId, deliveryId } },
          ...options,
        }),
      ),
  }
}
