/** `concord status`: what is wrong and what to do next; hatchery, queue and scopes at a glance, refreshing on a terminal. */

import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../client/client.js'
import { ProblemError } from '../client/problem-error.js'
import { finalityWords } from '../contract/field-words.js'
import type { Schema } from '../contract/types.js'
import type { AddCommand } from './command.js'
import type { Output } from './output.js'
import { moment } from './report/wording.js'
import { type Column, printable } from './text-layout.js'

interface Status {
  /** Null: the database does not answer, and a trouble may say why. */
  hatchery: Schema['HatcherySnapshot'] | null
  scopes: Schema['ConvergencePayload'] | null
  troubles: Schema['TroubleList']
}

export const addStatus: AddCommand = program => {
  program
    .command('status')
    .description('what is wrong and what to do next, workers, queue and cases (needs the internals key)')
    .option('--once', 'print once instead of refreshing')
    .option('--every <seconds>', 'time between refreshes', '2')
    .examples('concord status', 'concord status --once', 'concord status --json')
    .runs(async ({ out, client: connect }, { once, every }: { once?: boolean; every: string }) => {
      const client = connect('internals')
      if (out.json || once || !out.isTerminal) return show(out, await readStatus(client))
      await refresh(out, client, Math.max(0.5, Number(every) || 2) * 1000)
    })
}

async function readStatus(client: Client): Promise<Status> {
  const [hatchery, scopes, troubles] = await Promise.all([
    client.internals.snapshot().catch(unstored),
    client.internals.convergence({ limit: 20 }).catch(unstored),
    client.internals.troubles(),
  ])
  return { hatchery, scopes, troubles }
}

function unstored(error: unknown): null {
  if (error instanceof ProblemError && error.code === 'STORAGE_UNAVAILABLE') return null
  throw error
}

async function refresh(out: Output, client: Client, everyMs: number): Promise<void> {
  const controller = new AbortController()
  process.once('SIGINT', () => controller.abort())
  while (!controller.signal.aborted) {
    const status = await readStatus(client)
    out.write('\u001b[H\u001b[2J')
    show(out, status)
    out.line(out.colors.dim(`\nevery ${everyMs / 1000} s, Ctrl-C ends`))
    await delay(everyMs, undefined, { signal: controller.signal }).catch(() => undefined)
  }
}

function show(out: Output, status: Status): void {
  out.show(status, () => out.lines(statusLines(status, out)))
}

/** What is wrong comes first. */
function troubleLines({ items }: Schema['TroubleList'], out: Output): string[] {
  if (items.length === 0) return []
  return [
    out.colors.red(out.colors.bold(items.length === 1 ? 'One thing is wrong:' : `${items.length} things are wrong:`)),
    ...out.rows(items, [
      ['what', ({ what }) => printable(what)],
      ['since', ({ since }) => (since === null ? '' : moment(since))],
      ['tenants', ({ tenants, tenant_ids: ids }) => printable(namedTenants(tenants, ids))],
      ['next', ({ next }) => out.hint(next)],
    ]),
    '',
  ]
}

/** How many, and the first few of them. */
function namedTenants(count: number, ids: readonly string[]): string {
  return ids.length === 0 ? String(count) : `${count}: ${ids.join(', ')}${count > ids.length ? ', …' : ''}`
}

function statusLines({ hatchery, scopes, troubles }: Status, out: Output): string[] {
  const { colors } = out
  if (hatchery === null || scopes === null)
    return [
      ...troubleLines(troubles, out),
      'The database does not answer, or takes nothing to record who asks: workers, queue and cases are not known.',
    ]
  const { runtime, queue, nodes, roles, workers, model } = hatchery
  const state = runtime.state === 'running' ? colors.green(runtime.state) : colors.yellow(runtime.state)
  const busy = workers.filter(worker => worker.state === 'busy').length
  return [
    ...troubleLines(troubles, out),
    `${colors.bold('runtime')}  ${state} (run ${runtime.run})  paused: ${runtime.tenants_paused} tenants, ${runtime.scopes_paused} cases; stopped: ${runtime.tenants_stopped} tenants, ${runtime.scopes_stopped} cases`,
    `${colors.bold('queue')}    ${queue.depth}${queue.at_least ? '+' : ''} documents in ${queue.runnable_scopes} cases, oldest ${queue.oldest_age_seconds.toFixed(1)} s`,
    ...(model.tokens_today > 0
      ? [`${colors.bold('model')}    ${model.tokens_today.toLocaleString('en')} tokens today, of ${model.tenants} tenants`]
      : []),
    `${colors.bold('workers')}  ${busy} busy of ${workers.length} on ${nodes.filter(node => node.status === 'alive').length} nodes`,
    ...roles.map(
      role =>
        `         ${role.role}: wants ${role.desired}, ${role.completion_rate.toFixed(1)} documents/s done, ${role.arrival_rate.toFixed(1)}/s arriving, ${role.restarts} restarts — ${role.reason}`,
    ),
    '',
    ...out.rows(nodes, [
      ['node', node => `${node.node_id}${node.leader ? ' *' : ''}`],
      ['role', node => node.role],
      ['status', node => (node.status === 'alive' ? node.status : colors.red(node.status))],
      ['workers', node => `${node.busy}/${node.actual}`],
      ['done', node => String(node.completed)],
      ['restarts', node => String(node.restarts)],
      ['circuit', node => (node.circuit === 'closed' ? node.circuit : colors.red(`${node.circuit} ${node.circuit_reason ?? ''}`))],
    ]),
    '',
    ...scopeTable(scopes, out),
  ]
}

function scopeTable({ items, scopes, by_finality: counts }: Schema['ConvergencePayload'], { colors, rows }: Output): string[] {
  const figures = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${finalityWords[name as keyof typeof finalityWords] ?? name}`)
  const heading = `${colors.bold('cases')}    ${scopes}${figures.length > 0 ? `: ${figures.join(', ')}` : ''}`
  if (items.length === 0) return [heading]
  // Names of cases are the tenant's own: beside those of another they say little without it.
  const isMixed = new Set(items.map(item => item.tenant_id)).size > 1
  const cases = rows(items, [
    ...(isMixed ? ([['tenant', item => item.tenant_id]] satisfies Column<(typeof items)[number]>[]) : []),
    ['case', item => item.scope_id],
    ['state', item => finalityWords[item.finality]],
    ['convergence', item => item.convergence.value.toFixed(3), { align: 'right' }],
    ['open', item => item.open_contradictions],
    ['possible', item => item.possible_conflicts],
    ['examined', item => printable(item.examined)],
    ['bottleneck', item => item.convergence.bottleneck ?? '–'],
  ])
  return [heading, ...cases]
}
