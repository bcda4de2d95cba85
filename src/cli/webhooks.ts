/** `concord webhooks`: events posted to an address, whether they arrived, and secrets, each shown once. */

import { setTimeout as delay } from 'node:timers/promises'
import { Option } from 'commander'
import type { Client } from '../client/index.js'
import type { Schema } from '../contract/types.js'
import type { AddCommand, Command } from './command.js'
import { CommandError, exitCodes } from './command-error.js'
import { printable } from './text-layout.js'

export const addWebhooks: AddCommand = program => {
  const webhooks = program
    .command('webhooks')
    .description('events posted to an address of yours')
    .examples(
      'concord webhooks create https://example.com/hooks --events "contradiction.*,finality.changed" --scope case-1',
      'concord webhooks test whk_…',
      'concord webhooks deliveries whk_… --status failed',
      'concord webhooks rotate whk_… --keep-hours 48',
    )
  webhooks
    .command('list', { isDefault: true })
    .description('list them')
    .examples('concord webhooks list')
    .lists(
      'tenant-key',
      client => client.webhooks({ limit: 200 }),
      [
        ['webhook', item => item.webhook_id],
        ['address', item => printable(item.url)],
        ['events', item => item.events.join(',')],
        ['cases', item => printable(item.scopes?.join(',') ?? 'all')],
        ['state', item => stateOf(item)],
        ['last delivered', item => item.last_delivered_at ?? ''],
      ],
      'There are none. Make one with `concord webhooks create`.',
    )
  addChanges(webhooks)
  addMessages(webhooks)
}

interface Wanted {
  address?: string
  events?: string
  scope?: string
  description?: string
  enable?: boolean
  disable?: boolean
}

function addChanges(webhooks: Command): void {
  webhooks
    .command('create <url>')
    .description('have events posted to an address; shows the secret, once')
    .examples('concord webhooks create https://example.com/hooks --events "contradiction.*,finality.changed" --scope case-1')
    .requiredOption('--events <list>', 'kinds with commas between, such as contradiction.*; * for all')
    .option('-s, --scope <case>', 'events of this case alone')
    .option('--description <text>', 'what it is for')
    .calls(
      'tenant-key',
      (client, url: string, { events, scope, description }: Wanted) =>
        client.createWebhook({ url, events: eventsOf(events) ?? [], scope_id: scope, description }),
      made => [`Webhook ${made.webhook_id} created.`, `  secret  ${made.secret}`, '  Shown once.'],
    )
  webhooks
    .command('change <webhook>')
    .description('change it, or switch it on and off')
    .examples('concord webhooks change whk_… --events "contradiction.*"', 'concord webhooks change whk_… --enable')
    .option('--address <url>', 'where to post from now on')
    .option('--events <list>', 'other kinds')
    .option('-s, --scope <case>', 'another case; "all" for every case')
    .option('--description <text>', 'what it is for')
    .addOption(new Option('--enable', 'switch it on: it goes on where it stopped').conflicts('disable'))
    .option('--disable', 'switch it off')
    .calls(
      'tenant-key',
      (client, id: string, { address, events, scope, description, enable, disable }: Wanted) => {
        const change = {
          url: address,
          events: eventsOf(events),
          scope_id: scope === 'all' ? null : scope,
          description,
          enabled: enable || disable ? enable === true : undefined,
        }
        if (Object.values(change).every(value => value === undefined))
          throw new CommandError('no change was given', { exitCode: exitCodes.usage })
        return client.changeWebhook(id, change)
      },
      webhook => `${webhook.webhook_id} is ${stateOf(webhook)}: ${webhook.events.join(', ')} to ${printable(webhook.url)}`,
    )
  webhooks
    .command('delete <webhook>')
    .description('delete it with its secrets and deliveries')
    .examples('concord webhooks delete whk_… --yes')
    .confirms(id => `Delete ${id}`)
    .calls(
      'tenant-key',
      (client, id: string) => client.deleteWebhook(id),
      deleted => deleted.message,
    )
  webhooks
    .command('rotate <webhook>')
    .description('sign with a new secret, shown once')
    .examples('concord webhooks rotate whk_… --keep-hours 48')
    .option('--keep-hours <n>', 'how long the secret before signs beside it', Number, 24)
    .calls(
      'tenant-key',
      (client, id: string, { keepHours }: { keepHours: number }) => client.rotateWebhookSecret(id, { keep_hours: keepHours }),
      ({ secret, previous_secret_until: until }) => [
        `  secret  ${secret}`,
        `  Shown once. ${until === null ? 'The previous secret is no longer valid.' : `The previous secret signs until ${until}.`}`,
      ],
    )
}

function addMessages(webhooks: Command): void {
  const sends = (command: Command, send: (client: Client, id: string, deliveryId: string) => Promise<Delivery>) =>
    command.runs(async ({ out, client: connect }, id: string, deliveryId: string) => {
      const client = connect('tenant-key')
      const latest = await outcomeOf(await send(client, id, deliveryId), () => client.webhookDeliveries(id, { limit: 50 }).toArray(50))
      const answer = latest.attempts === 0 ? '' : `: ${answerOf(latest)} after ${latest.duration_ms} ms`
      out.show(latest, () => out.line(`${latest.delivery_id} is ${latest.status}${answer}`))
      return latest.status === 'delivered' ? exitCodes.done : exitCodes.failed
    })
  const test = webhooks.command('test <webhook>').description('send a test message and show the result')
  sends(test.examples('concord webhooks test whk_…'), (client, id) => client.testWebhook(id))
  webhooks
    .command('deliveries <webhook>')
    .description('deliveries and their outcome, newest first')
    .examples('concord webhooks deliveries whk_… --status failed')
    .addOption(new Option('--status <status>', 'which of them').choices(['pending', 'delivered', 'failed']))
    .limited(50)
    .lists(
      'tenant-key',
      (client, id: string, { status, limit }: { status?: Delivery['status']; limit: number }) =>
        client.webhookDeliveries(id, { status, limit: Math.min(limit, 200) }),
      [
        ['delivery', item => item.delivery_id],
        ['event', item => item.type],
        ['case', item => printable(item.scope_id ?? '')],
        ['kind', item => item.kind],
        ['status', item => item.status],
        ['attempts', item => String(item.attempts)],
        ['answer', item => answerOf(item)],
        ['took', item => (item.duration_ms === null ? '' : `${item.duration_ms} ms`)],
        ['last attempt', item => item.attempted_at ?? ''],
      ],
    )
  const redeliver = webhooks.command('redeliver <webhook> <delivery>').description('send the event of a delivery again')
  sends(redeliver.examples('concord webhooks redeliver whk_… dlv_…'), (client, id, deliveryId) => client.redeliverWebhook(id, deliveryId))
}

type Delivery = Schema['WebhookDelivery']

const lookEveryMs = 250
const patienceMs = 30_000

/** Waits for the one attempt. */
async function outcomeOf(asked: Delivery, list: () => Promise<Delivery[]>): Promise<Delivery> {
  const end = performance.now() + patienceMs
  let latest = asked
  while (latest.status === 'pending' && performance.now() < end) {
    await delay(lookEveryMs)
    latest = (await list()).find(item => item.delivery_id === asked.delivery_id) ?? latest
  }
  return latest
}

/** The answer itself, or why there was none. */
function answerOf({ response_status: status, reason }: Delivery): string {
  return [status ?? '', reason === null ? '' : reasonWords[reason]].filter(part => part !== '').join(' ')
}

const reasonWords: Record<NonNullable<Delivery['reason']>, string> = {
  status: '',
  redirect: '(redirects are not followed)',
  timeout: 'no answer in time',
  dns: 'the name leads to no address',
  address: 'the name leads to no address, or to one that is not public; the operator allows those with WEBHOOK_ALLOW_PRIVATE=true',
  tls: 'its certificate is not valid',
  connection: 'no connection',
}

function stateOf({ enabled, disabled_reason: reason, failing_since: since }: Schema['Webhook']): string {
  if (!enabled) return reason === 'asked' ? 'disabled' : `disabled (${reason})`
  return since === null ? 'enabled' : `failing since ${since}`
}

/** The service says which kinds there are. */
function eventsOf(list: string | undefined): Schema['CreateWebhookRequest']['events'] | undefined {
  return list?.split(',').map(each => each.trim()) as Schema['CreateWebhookRequest']['events'] | undefined
}
