/** The operations on webhooks. All of them ask for the right `manage`. */

import { Type } from '../platform/schema.js'
import { pageQuery } from './common.js'
import { defineOperations, forTenants } from './operation.js'
import {
  ChangeWebhookRequest,
  CreatedWebhook,
  CreateWebhookRequest,
  RotatedSecret,
  RotateSecretRequest,
  Webhook,
  WebhookDeleted,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookPage,
} from './webhooks.js'

export const webhookOperations = defineOperations(forTenants('Webhooks'), {
  createWebhook: {
    audited: true,
    route: 'POST /api/webhooks',
    summary: 'Have events posted to an address',
    description:
      'From now on each event of the kinds named is posted at least once, in order within its scope, signed by the Standard Webhooks specification: `webhook-id` is the id of the event. Failures are repeated for three days, then the webhook is disabled and `webhook.disabled` says so.',
    body: { schema: CreateWebhookRequest, required: true },
    success: { status: 201, description: 'The webhook, with its secret.', schema: CreatedWebhook },
    refusals: ['QUOTA_EXCEEDED'],
  },
  listWebhooks: {
    route: 'GET /api/webhooks',
    summary: 'List the tenant’s webhooks',
    query: Type.Object(pageQuery),
    success: { status: 200, description: 'A page of webhooks.', schema: WebhookPage },
  },
  getWebhook: {
    route: 'GET /api/webhooks/{webhookId}',
    summary: 'Read a webhook',
    success: { status: 200, description: 'The webhook.', schema: Webhook },
  },
  changeWebhook: {
    audited: true,
    route: 'PATCH /api/webhooks/{webhookId}',
    summary: 'Change a webhook, or switch it off and on',
    description: 'A change also ends the wait after failures: what is due is tried at once.',
    body: { schema: ChangeWebhookRequest, required: true },
    success: { status: 200, description: 'The webhook as it is now.', schema: Webhook },
  },
  deleteWebhook: {
    audited: true,
    route: 'DELETE /api/webhooks/{webhookId}',
    summary: 'Delete a webhook with its secrets and deliveries',
    success: { status: 200, description: 'It is gone.', schema: WebhookDeleted },
  },
  rotateWebhookSecret: {
    audited: true,
    route: 'POST /api/webhooks/{webhookId}/secret',
    summary: 'Sign with a new secret',
    description: 'For `keep_hours` messages carry two signatures, of the new secret and of the one before.',
    body: { schema: RotateSecretRequest, required: false },
    success: { status: 200, description: 'The new secret.', schema: RotatedSecret },
  },
  testWebhook: {
    audited: true,
    route: 'POST /api/webhooks/{webhookId}/test',
    summary: 'Send a test message',
    description: 'One attempt with an event `webhook.test`, also to a disabled webhook. What became of it is among the deliveries.',
    success: { status: 202, description: 'The delivery, pending.', schema: WebhookDelivery },
    refusals: ['STATE_CONFLICT'],
  },
  listWebhookDeliveries: {
    route: 'GET /api/webhooks/{webhookId}/deliveries',
    summary: 'List what became of messages, newest first',
    query: Type.Object({ status: Type.Optional(Type.Enum(['pending', 'delivered', 'failed'])), ...pageQuery }),
    success: { status: 200, description: 'A page of deliveries.', schema: WebhookDeliveryPage },
  },
  redeliverWebhook: {
    audited: true,
    route: 'POST /api/webhooks/{webhookId}/deliveries/{deliveryId}/redelivery',
    summary: 'Send the event of a delivery again',
    description: 'One attempt, outside the order of its scope, with the `webhook-id` of the first time.',
    success: { status: 202, description: 'The new delivery, pending.', schema: WebhookDelivery },
    refusals: ['STATE_CONFLICT'],
  },
})
