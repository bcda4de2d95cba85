/** Webhooks: endpoints of a tenant that are notified of its events, and the deliveries to them. */

import { Type } from '../platform/schema.js'
import { Count, closed, Nullable, PageOf, RecordOf, ScopeId, Time, VisibleText } from './common.js'
import { eventPatterns } from './events.js'

const Url = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'Where messages are posted: https, without user, password and fragment, at a public address.',
  examples: ['https://example.com/hooks/concord'],
})
const EventPattern = Type.Enum([...eventPatterns], { $id: 'EventPattern' })
const Events = Type.Array(EventPattern, {
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description: 'Kinds of events, families such as `contradiction.*`, or `*` for all.',
})
const Description = VisibleText(200)

export const CreateWebhookRequest = Type.Object(
  {
    url: Url,
    events: Events,
    scope_id: Type.Optional(ScopeId),
    description: Type.Optional(Description),
  },
  {
    $id: 'CreateWebhookRequest',
    ...closed,
    description: 'Without `scope_id` it is about every scope the key reaches.',
    examples: [{ url: 'https://example.com/hooks/concord', events: ['contradiction.*', 'finality.changed'], scope_id: 'case-1' }],
  },
)

export const ChangeWebhookRequest = Type.Object(
  {
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    scope_id: Type.Optional(Nullable(ScopeId)),
    description: Type.Optional(Nullable(Description)),
    enabled: Type.Optional(Type.Boolean({ description: 'A webhook that is enabled again goes on where it stopped.' })),
  },
  {
    $id: 'ChangeWebhookRequest',
    ...closed,
    description: 'What is left out stays. A `scope_id` of null means every scope the key reaches.',
    examples: [{ enabled: true }],
  },
)

const webhook = {
  webhook_id: Type.String(),
  url: Type.String(),
  description: Nullable(Type.String()),
  events: Type.Array(Type.String()),
  scope_id: Nullable(Type.String({ description: 'The one scope it is about; null: several, or all.' })),
  scopes: Nullable(Type.Array(Type.String(), { description: 'The scopes it is about; null: all, and what concerns none.' })),
  enabled: Type.Boolean(),
  disabled_reason: Nullable(
    Type.Enum(['asked', 'failing', 'gone'], { description: 'By request, after three days of failures, or after an answer of 410.' }),
  ),
  failing_since: Nullable(Time),
  failed_attempts: { ...Count, description: 'Of the message that is due.' },
  next_attempt_at: Nullable(Time),
  last_delivered_at: Nullable(Time),
  previous_secret_until: Nullable({ ...Time, description: 'Until when the secret before the present one signs too.' }),
  created_at: Time,
}

export const Webhook = RecordOf('Webhook', webhook)
export const WebhookPage = PageOf('WebhookPage', Webhook)

const secret = Type.String({
  description: 'Shown once. Messages are signed with it by the Standard Webhooks specification.',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
})

export const CreatedWebhook = RecordOf('CreatedWebhook', { ...webhook, secret })

export const RotateSecretRequest = Type.Object(
  {
    keep_hours: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 168, default: 24, description: 'How long the secret before signs beside the new one.' }),
    ),
  },
  { $id: 'RotateSecretRequest', ...closed, examples: [{ keep_hours: 24 }] },
)

export const RotatedSecret = RecordOf('RotatedSecret', { webhook_id: Type.String(), secret, previous_secret_until: Nullable(Time) })

export const WebhookDeleted = RecordOf('WebhookDeleted', { webhook_id: Type.String(), message: Type.String() })

export const WebhookDelivery = RecordOf('WebhookDelivery', {
  delivery_id: Type.String(),
  webhook_id: Type.String(),
  kind: Type.Enum(['event', 'test', 'redelivery']),
  event_id: Type.String({ description: 'The header `webhook-id` of the message and the `id` of its event.' }),
  type: Type.String(),
  scope_id: Nullable(Type.String()),
  status: Type.Enum(['pending', 'delivered', 'failed'], { description: '`pending` is tried, or tried again.' }),
  attempts: Count,
  response_status: Nullable(Type.Integer({ description: 'Status of the last answer; its body is not kept.' })),
  reason: Nullable(
    Type.Enum(['status', 'redirect', 'timeout', 'dns', 'address', 'tls', 'connection'], {
      description:
        'Why the last attempt failed. `address`: the name leads to no address, or to one that is not public. Which of them is said (`dns` for the former) only where WEBHOOK_ALLOW_PRIVATE is set: it would tell what names there are inside.',
    }),
  ),
  duration_ms: Nullable(Count),
  created_at: Time,
  attempted_at: Nullable(Time),
})
export const WebhookDeliveryPage = PageOf('WebhookDeliveryPage', WebhookDelivery)
