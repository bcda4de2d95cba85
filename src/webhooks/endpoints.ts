/** What a tenant does with its webhooks: make, read, change, delete, test, and look at deliveries. */

import type { Static } from 'typebox'
import type {
  ChangeWebhookRequest,
  CreatedWebhook,
  CreateWebhookRequest,
  RotatedSecret,
  Webhook,
  WebhookDelivery,
} from '../contract/webhooks.js'
import type { Hints } from '../events/hints.js'
import type { Config } from '../platform/config.js'
import { AppError } from '../platform/errors.js'
import { newId } from '../platform/ids.js'
import { readLogSnapshot } from '../store/events/events-reading.js'
import type { Database, TenantTransaction } from '../store/server/database.js'
import {
  type AskedDelivery,
  askForDelivery,
  type DeliveryRow,
  type DeliveryStatus,
  endUnwanted,
  findDelivery,
  listDeliveryRows,
} from '../store/webhooks/webhook-deliveries.js'
import { lastId, readEvent, readFed } from '../store/webhooks/webhook-feed.js'
import {
  addSecret,
  countWebhooks,
  deleteWebhookRow,
  findWebhook,
  insertWebhook,
  listWebhookRows,
  lockWebhooks,
  updateWebhook,
  type WebhookRow,
  type Within,
  wakeWebhook,
} from '../store/webhooks/webhooks.js'
import { urlFault } from './addresses.js'
import { newWebhookSecret } from './signature.js'

/** Tests and redeliveries of one webhook that may wait at a time. */
const mostAsked = 20

export interface WebhookDeps {
  db: Database
  hints: Pick<Hints, 'notify'>
  config: Pick<Config, 'webhookAllowPrivate' | 'webhooksPerTenant'>
}

/** Whose webhooks, and the scopes the caller is limited to. */
export interface Owner {
  tenantId: string
  within: Within
}

export interface WebhookName extends Owner {
  webhookId: string
}

export type Webhooks = ReturnType<typeof createWebhooks>

export function createWebhooks(deps: WebhookDeps) {
  const { db, hints, config } = deps
  const checkUrl = (url: string) => {
    const fault = urlFault(url, config.webhookAllowPrivate)
    if (fault !== null) throw new AppError('VALIDATION_FAILED', { detail: `/url: ${fault}`, errors: [{ pointer: '/url', detail: fault }] })
  }
  /** Puts one message on the list of what a node sends next. */
  const ask = async (
    name: WebhookName,
    make: (tx: TenantTransaction, webhook: WebhookRow) => Promise<Omit<AskedDelivery, 'webhookId' | 'delivery_id'>>,
  ) => {
    const fed = await readFed(db)
    const row = await db.inTenant(name.tenantId, async tx => {
      const message = await make(tx, await found(tx, name))
      // First: the row of a delivery takes a weaker lock on the webhook, and raising that while a turn is recorded would be a deadlock.
      await wakeWebhook(tx, name.webhookId, fed)
      const asked = await askForDelivery(tx, { ...message, webhookId: name.webhookId, delivery_id: newId('dlv') }, mostAsked)
      if (asked === null) {
        throw new AppError('STATE_CONFLICT', { detail: `${mostAsked} tests and redeliveries of this webhook are waiting already.` })
      }
      return asked
    })
    hints.notify('webhooks')
    return toDelivery(row)
  }

  return {
    async create(owner: Owner, wanted: Static<typeof CreateWebhookRequest>): Promise<Static<typeof CreatedWebhook>> {
      checkUrl(wanted.url)
      const { xmin } = await readLogSnapshot(db)
      const [webhookId, secret] = [newId('whk'), newWebhookSecret()]
      const { url, events, description = null } = wanted
      const scopes = scopesOf(wanted.scope_id, owner.within)
      const row = await db.inTenant(owner.tenantId, async tx => {
        await lockWebhooks(tx)
        if ((await countWebhooks(tx)) >= config.webhooksPerTenant) {
          throw new AppError('QUOTA_EXCEEDED', { detail: `A tenant may have ${config.webhooksPerTenant} webhooks.` })
        }
        await insertWebhook(tx, { webhookId, url, description, events, scopes, start: { xid: xmin - 1, id: lastId } })
        await addSecret(tx, webhookId, secret, 0)
        return found(tx, { ...owner, webhookId })
      })
      hints.notify('webhooks')
      return { ...toWebhook(row), secret }
    },

    async list(owner: Owner, page: { after: string | null; limit: number }): Promise<Static<typeof Webhook>[]> {
      const rows = await db.inTenant(owner.tenantId, tx => listWebhookRows(tx, { within: owner.within, ...page }), { readOnly: true })
      return rows.map(toWebhook)
    },

    async get(name: WebhookName): Promise<Static<typeof Webhook>> {
      return toWebhook(await db.inTenant(name.tenantId, tx => found(tx, name), { readOnly: true }))
    },

    async change(name: WebhookName, wanted: Static<typeof ChangeWebhookRequest>): Promise<Static<typeof Webhook>> {
      if (wanted.url !== undefined) checkUrl(wanted.url)
      const fed = await readFed(db)
      const row = await db.inTenant(name.tenantId, async tx => {
        await lockWebhooks(tx)
        const { url, events, description, enabled, ...known } = await found(tx, name)
        const scopes = wanted.scope_id === undefined ? known.scopes : scopesOf(wanted.scope_id, name.within)
        const { scope_id: _scope, ...given } = wanted
        const changed = { url, events, description, enabled, ...given, scopes, fed }
        await updateWebhook(tx, name.webhookId, name.within, changed)
        await endUnwanted(tx, { webhookId: name.webhookId, events: changed.events, scopes })
        return found(tx, name)
      })
      hints.notify('webhooks')
      return toWebhook(row)
    },

    async delete(name: WebhookName): Promise<void> {
      const isGone = await db.inTenant(name.tenantId, tx => deleteWebhookRow(tx, name.webhookId, name.within))
      if (!isGone) throw notFound()
    },

    async rotate(name: WebhookName, keepHours: number): Promise<Static<typeof RotatedSecret>> {
      const secret = newWebhookSecret()
      const until = await db.inTenant(name.tenantId, async tx => {
        await lockWebhooks(tx)
        await found(tx, name)
        return addSecret(tx, name.webhookId, secret, keepHours)
      })
      return { webhook_id: name.webhookId, secret, previous_secret_until: until }
    },

    test: (name: WebhookName): Promise<Static<typeof WebhookDelivery>> =>
      ask(name, async () => ({ kind: 'test', event_id: newId('evt'), type: 'webhook.test', scope_id: null, scope_no: null, seq: null })),

    async deliveries(
      name: WebhookName,
      list: { status: DeliveryStatus | null; before: string | null; limit: number },
    ): Promise<DeliveryRow[]> {
      return db.inTenant(
        name.tenantId,
        async tx => {
          const { scopes } = await found(tx, name)
          const { webhookId } = name
          if (list.before !== null && (await findDelivery(tx, { webhookId, scopes, deliveryId: list.before })) === null) {
            throw new AppError('CURSOR_INVALID', {
              detail: 'The delivery at which this page begins is no longer kept. Start from the first page.',
            })
          }
          return listDeliveryRows(tx, { webhookId, scopes, ...list })
        },
        { readOnly: true },
      )
    },

    redeliver: (name: WebhookName & { deliveryId: string }): Promise<Static<typeof WebhookDelivery>> =>
      ask(name, async (tx, { scopes }) => {
        const delivery = await findDelivery(tx, { ...name, scopes })
        if (delivery === null) throw new AppError('DELIVERY_NOT_FOUND', { detail: 'The webhook has no delivery with this id.' })
        const { event_id, type, scope_id, scope_no, seq } = delivery
        if (scope_no === null || seq === null || (await readEvent(db, { tenantId: name.tenantId, scopeNo: scope_no, seq })) === null) {
          throw new AppError('STATE_CONFLICT', {
            detail: 'The delivery has no event in the log, or its event was removed by retention.',
          })
        }
        return { kind: 'redelivery', event_id, type, scope_id, scope_no, seq }
      }),
  }
}

/** One scope, or all that the caller reaches. */
function scopesOf(scopeId: string | null | undefined, within: Within): Within {
  return scopeId === undefined || scopeId === null ? within : [scopeId]
}

/** About scopes that the caller reaches alone: what is within the webhook's scopes is within the caller's. */
async function found(tx: TenantTransaction, { webhookId, within }: WebhookName): Promise<WebhookRow> {
  const row = await findWebhook(tx, webhookId, within)
  if (row === null) throw notFound()
  return row
}

function notFound(): AppError {
  return new AppError('WEBHOOK_NOT_FOUND', { detail: 'The tenant has no webhook with this id.' })
}

function toWebhook({ attempts, due_at: dueAt, ...row }: WebhookRow): Static<typeof Webhook> {
  const next = row.failing_since === null ? null : dueAt
  return { ...row, scope_id: row.scopes?.length === 1 ? (row.scopes[0] ?? null) : null, failed_attempts: attempts, next_attempt_at: next }
}

export function toDelivery({ scope_no: _scopeNo, seq: _seq, ...row }: DeliveryRow): Static<typeof WebhookDelivery> {
  return row
}
