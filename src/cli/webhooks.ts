/** `concord webhooks`: events posted to an address, whether they arrived, and secrets, each shown once. */

import { Option } from 'commander'
import type { Schema } from '../client/index.js'
import type { Command } from './command.js'
import { CommandError, exitCodes } from './command-error.js'
import { confirm } from './confirm.js'
import { mostItems } from './limit-option.js'
import type { Output } from './output.js'
import { type AddCommand, type CommandContext, shellOf } from './shell.js'
import { printable } from './text-layout.js'

export const addWebhooks: AddCommand = (program, context) => {
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
    .action(async (_options, command) => {
      const { out, client } = shellOf(command, context)
      const items = await client('tenant-key').webhooks({ limit: 200 }).toArray()
      out.show(items, () => {
        if (items.length === 0) return out.line(out.hint('There are none. Make one with `concord webhooks create`.'))
        out.table(items, [
          ['webhook', item => item.webhook_id],
          ['address', item => printable(item.url)],
          ['events', item => item.events.join(',')],
          ['scopes', item => printable(item.scopes?.join(',') ?? 'all')],
          ['state', item => stateOf(item)],
          ['last delivered', item => item.last_delivered_at ?? ''],
        ])
      })
    })
  addChanges(webhooks, context)
  addMessages(webhooks, context)
}

interface Wanted {
  events?: string
  scope?: string
  description?: string
}

function addChanges(webhooks: Command, context: CommandContext): void {
  webhooks
    .command('create <url>')
    .description('have events posted to an address; shows the secret, once')
    .requiredOption('--events <list>', 'kinds with commas between, such as contradiction.*; * for all')
    .option('-s, --scope <scope>', 'events of this scope alone')
    .option('--description <text>', 'what it is for')
    .action(async (url: string, { events, scope, description }: Wanted, command) => {
      const { out, client } = shellOf(command, context)
      const wanted = { url, events: eventsOf(events), ...given('scope_id', scope), ...given('description', description) }
      const made = await client('tenant-key').createWebhook(wanted as Schema['CreateWebhookRequest'])
      out.show(made, () => out.lines([`Webhook ${made.webhook_id} created.`, `  secret  ${made.secret}`, '  Shown once.']))
    })
  webhooks
    .command('change <webhook>')
    .description('change it, or switch it on and off')
    .option('--address <url>', 'where to post from now on')
    .option('--events <list>', 'other kinds')
    .option('-s, --scope <scope>', 'another scope; "all" for every scope')
    .option('--description <text>', 'what it is for')
    .addOption(new Option('--enable', 'switch it on: it goes on where it stopped').conflicts('disable'))
    .option('--disable', 'switch it off')
    .action(async (id: string, flags: Wanted & { address?: string; enable?: boolean; disable?: boolean }, command) => {
      const { out, client } = shellOf(command, context)
      const { address, events, scope, description, enable, disable } = flags
      const change = {
        ...given('url', address),
        ...(events === undefined ? {} : { events: eventsOf(events) }),
        ...(scope === undefined ? {} : { scope_id: scope === 'all' ? null : scope }),
        ...given('description', description),
        ...(enable || disable ? { enabled: enable === true } : {}),
      }
      if (Object.keys(change).length === 0) throw new CommandError('nothing to change was named', { exitCode: exitCodes.usage })
      const webhook = await client('tenant-key').changeWebhook(id, change as Schema['ChangeWebhookRequest'])
      out.show(webhook, () =>
        out.line(`${webhook.webhook_id} is ${stateOf(webhook)}: ${webhook.events.join(', ')} to ${printable(webhook.url)}`),
      )
    })
  webhooks
    .command('delete <webhook>')
    .description('delete it with its secrets and deliveries')
    .option('-y, --yes', 'do not ask')
    .action(async (id: string, { yes }: { yes?: boolean }, command) => {
      const { out, client } = shellOf(command, context)
      const tenant = client('tenant-key')
      await confirm(`Delete ${id}`, yes)
      const deleted = await tenant.deleteWebhook(id)
      out.show(deleted, () => out.line(deleted.message))
    })
  webhooks
    .command('rotate <webhook>')
    .description('sign with a new secret, shown once')
    .option('--keep-hours <n>', 'how long the secret before signs beside it', Number, 24)
    .action(async (id: string, { keepHours }: { keepHours: number }, command) => {
      const { out, client } = shellOf(command, context)
      const rotated = await client('tenant-key').rotateWebhookSecret(id, { keep_hours: keepHours })
      const until = rotated.previous_secret_until
      out.show(rotated, () =>
        out.lines([
          `  secret  ${rotated.secret}`,
          `  Shown once. ${until === null ? 'The one before is void.' : `The one before signs until ${until}.`}`,
        ]),
      )
    })
}

function addMessages(webhooks: Command, context: CommandContext): void {
  webhooks
    .command('test <webhook>')
    .description('send a test message and say what came of it')
    .action(async (id: string, _options, command) => {
      const shell = shellOf(command, context)
      const client = shell.client('tenant-key')
      await showOutcome(shell.out, context, await client.testWebhook(id), () => client.webhookDeliveries(id, { limit: 50 }).toArray(50))
    })
  webhooks
    .command('deliveries <webhook>')
    .description('what became of messages, newest first')
    .addOption(new Option('--status <status>', 'which of them').choices(['pending', 'delivered', 'failed']))
    .option('-n, --limit <n>', 'most to show', mostItems, 50)
    .action(async (id: string, { status, limit }: { status?: 'pending' | 'delivered' | 'failed'; limit: number }, command) => {
      const { out, client } = shellOf(command, context)
      const query = { ...(status === undefined ? {} : { status }), limit: Math.min(limit, 200) }
      const items = await client('tenant-key').webhookDeliveries(id, query).toArray(limit)
      out.show(items, () =>
        out.table(items, [
          ['delivery', item => item.delivery_id],
          ['event', item => item.type],
          ['scope', item => printable(item.scope_id ?? '')],
          ['kind', item => item.kind],
          ['status', item => item.status],
          ['attempts', item => String(item.attempts)],
          ['answer', item => answerOf(item)],
          ['took', item => (item.duration_ms === null ? '' : `${item.duration_ms} ms`)],
          ['last attempt', item => item.attempted_at ?? ''],
        ]),
      )
    })
  webhooks
    .command('redeliver <webhook> <delivery>')
    .description('send the event of a delivery again')
    .action(async (id: string, deliveryId: string, _options, command) => {
      const shell = shellOf(command, context)
      const client = shell.client('tenant-key')
      const asked = await client.redeliverWebhook(id, deliveryId)
      await showOutcome(shell.out, context, asked, () => client.webhookDeliveries(id, { limit: 50 }).toArray(50))
    })
}

type Delivery = Schema['WebhookDelivery']

const lookEveryMs = 250
const patienceMs = 30_000

/** Waits for the one attempt. Exit code 1 when it failed. */
async function showOutcome(out: Output, context: CommandContext, asked: Delivery, list: () => Promise<Delivery[]>): Promise<void> {
  const end = performance.now() + patienceMs
  let latest = asked
  while (latest.status === 'pending' && performance.now() < end) {
    await new Promise(resolve => setTimeout(resolve, lookEveryMs))
    latest = (await list()).find(item => item.delivery_id === asked.delivery_id) ?? latest
  }
  if (latest.status !== 'delivered') context.exitCode = 1
  out.show(latest, () =>
    out.line(
      `${latest.delivery_id} is ${latest.status}${latest.attempts === 0 ? '' : `: ${answerOf(latest)} after ${latest.duration_ms} ms`}`,
    ),
  )
}

function answerOf({ response_status: status, reason }: Delivery): string {
  return [status ?? '', reason === 'status' ? '' : (reason ?? '')].filter(part => part !== '').join(' ')
}

function stateOf({ enabled, disabled_reason: reason, failing_since: since }: Schema['Webhook']): string {
  if (!enabled) return reason === 'asked' ? 'disabled' : `disabled (${reason})`
  return since === null ? 'enabled' : `failing since ${since}`
}

function eventsOf(list: string | undefined): string[] {
  return (list ?? '').split(',').map(each => each.trim())
}

function given<K extends string>(name: K, value: string | undefined): Partial<Record<K, string>> {
  return value === undefined ? {} : ({ [name]: value } as Record<K, string>)
}
