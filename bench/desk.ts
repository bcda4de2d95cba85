/**
 * How long the desk waits for what each view of a large case shows: 5,000 documents, 20,000 claims, 2,000 contradictions, 2,500 possible
 * conflicts (`--possible=400` for as many times a hundred). A hundred documents are read through the pipeline, the rows of their case are
 * repeated fifty times. Each view asks what it asks in the browser, page after page; the aim is 300 ms a view, medians of five. Beside it the processor
 * time of the process and PostgreSQL, which is what a busy machine leaves comparable.
 */

import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { type App, adminKey, onOwnService } from './support/own-service.js'
import { countingSettings } from './support/pipeline-cost.js'
import { processorUs } from './support/processor-time.js'
import { repeatRows } from './support/repeat-rows.js'

const given = (name: string): string | undefined => process.argv.find(arg => arg.startsWith(`--${name}=`))?.slice(name.length + 3)
const documents = 100
const times = Number(given('times') ?? 50)
const possible = Number(given('possible') ?? 50)
const rounds = Number(given('rounds') ?? 5)
const aimMs = 300

interface Asked {
  path: string
  /** Items after which the view asks for no further page. */
  most?: number
}

const scope = '/api/scopes/case'

/** Of the first pages. The story shows 250 events, and asks for what they and the last 250 decisions of people are about: here 200 of each kind of finding. */
interface Named {
  documentIds: string[]
  contradictionIds: string[]
  possibleIds: string[]
}

/** What each view asks for when it is opened; what is asked together is one view. */
function views({ documentIds, contradictionIds, possibleIds }: Named): Record<string, Asked[]> {
  const page = (path: string, most: number): Asked => ({ path: `${scope}/${path}`, most })
  const [documentId, contradictionId] = [documentIds[0], contradictionIds[0]]
  /** As many at once as the desk asks for. */
  const narrowed = (path: string, ids: readonly string[]): Asked[] =>
    [0, 100].map(from => page(`${path}limit=200&ids=${ids.slice(from, from + 100).join()}`, 200))
  return {
    'list of cases': [{ path: '/api/scopes?limit=100', most: 100 }],
    'head of the case': [{ path: `${scope}/summary` }],
    'names of the documents': [page('documents?limit=200', 2000)],
    'names of documents beyond the first': narrowed('documents?', documentIds),
    overview: [{ path: `${scope}/overview` }],
    documents: [page('documents?limit=200', 600), page('decisions?review=pending&limit=100', 100)],
    'documents, refused ones': [page('documents?limit=200&status=rejected', 600)],
    claims: [page('claims?limit=200', 200)],
    'claims, searched': [page('claims?limit=200&q=output%20of%20plant%2012', 200)],
    'claims, as they were': [
      page(`claims?limit=200&state=all&known_at=${encodeURIComponent(new Date(Date.now() - 1000).toISOString())}`, 200),
    ],
    'contradictions, open': [page('contradictions?status=open&limit=200', 500)],
    'contradictions, of one document': [page(`contradictions?status=open&limit=200&document_id=${documentId}`, 500)],
    'contradictions, decided': [
      page('contradictions?status=resolved&limit=200', 500),
      page('contradictions?status=dismissed&limit=200', 500),
    ],
    'one contradiction': [
      { path: `/api/contradictions/${contradictionId}` },
      { path: `/api/contradictions/${contradictionId}/comments?limit=200` },
    ],
    'possible conflicts by fact': [page('possible-conflicts/by-fact?limit=100', 200)],
    'possible conflicts, all': [page('possible-conflicts?status=all&limit=200', 200)],
    replacements: [page('replacements?limit=50', 50), page('supersessions?limit=200', 200)],
    'one document': [
      { path: `/api/documents/${documentId}/revisions?scope_id=case&limit=100` },
      { path: `/api/documents/${documentId}/text?scope_id=case` },
      page(`claims?limit=200&state=all&document_id=${documentId}`, 600),
    ],
    story: [
      ...narrowed('contradictions?status=all&', contradictionIds),
      ...narrowed('possible-conflicts?status=all&', possibleIds),
      page('holds?limit=200', 2000),
      page('decisions?by=person&limit=200', 2000),
    ],
    convergence: [{ path: `${scope}/convergence?limit=200` }],
    certificates: [page('certificates?limit=200', 1000), page('sign-offs?limit=200', 200)],
    'as it was': [{ path: `${scope}/as-of?at=${encodeURIComponent(new Date(Date.now() - 1000).toISOString())}&limit=50` }],
    'list of contradictions as a paper': [{ path: `${scope}/schedule?format=xlsx` }],
  }
}

async function main(): Promise<void> {
  await onOwnService(async ({ app, owner, pid }) => {
    const headers = await fill(app)
    await addPossible(owner)
    await repeatRows(owner, 'case', times)
    await listSizes(owner)
    await owner.query('create extension pg_stat_statements')
    await measure(app, headers, pid)
    await listSlow(owner)
  }, countingSettings)
}

async function measure(app: App, headers: Record<string, string>, postgres: number): Promise<void> {
  const first = async (list: string, id: string) =>
    ((await app.inject({ url: `${scope}/${list}?limit=200`, headers })).json() as { items: Record<string, string>[] }).items.map(
      item => item[id] as string,
    )
  const named = {
    documentIds: await first('documents', 'document_id'),
    contradictionIds: await first('contradictions', 'contradiction_id'),
    possibleIds: await first('possible-conflicts', 'possible_conflict_id'),
  }
  const result: Record<string, number> = {}
  console.log('\n| view | requests | items | ms | processor ms | slowest request |\n|---|---:|---:|---:|---:|---|')
  for (const [name, asked] of Object.entries(views(named))) {
    const taken: { ms: number; seen: Seen }[] = []
    let before = 0
    for (let round = 0; round <= rounds; round++) {
      const seen: Seen = { requests: 0, items: 0, slowest: { ms: 0, path: '' } }
      if (round === 1) before = spentMs(postgres)
      const started = performance.now()
      await Promise.all(asked.map(each => readPages(app, headers, each, seen)))
      if (round > 0) taken.push({ ms: performance.now() - started, seen })
    }
    const spent = (spentMs(postgres) - before) / rounds
    const { ms, seen } = taken.sort((a, b) => a.ms - b.ms)[Math.floor(taken.length / 2)] as (typeof taken)[number]
    const late = ms > aimMs ? ' (late)' : ''
    console.log(
      `| ${name} | ${seen.requests} | ${seen.items} | ${ms.toFixed(0)}${late} | ${spent.toFixed(0)} | ${seen.slowest.ms.toFixed(0)} ${seen.slowest.path} |`,
    )
    result[name] = Math.round(ms)
    result[`${name}, processor`] = Math.round(spent)
  }
  console.log(`RESULT ${JSON.stringify(result)}`)
}

function spentMs(postgres: number): number {
  const { user, system } = process.cpuUsage()
  return (user + system + processorUs(postgres)) / 1000
}

interface Seen {
  requests: number
  items: number
  slowest: { ms: number; path: string }
}

async function readPages(app: App, headers: Record<string, string>, { path, most = 0 }: Asked, seen: Seen): Promise<void> {
  let cursor: string | null = null
  let items = 0
  do {
    const url: string = cursor === null ? path : `${path}&cursor=${encodeURIComponent(cursor)}`
    const started = performance.now()
    const answer = await app.inject({ url, headers })
    const ms = performance.now() - started
    if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body}`)
    if (ms > seen.slowest.ms) seen.slowest = { ms, path: url.slice(0, 90) }
    seen.requests++
    const body = String(answer.headers['content-type']).includes('json')
      ? (answer.json() as { items?: unknown[]; next?: string | null })
      : {}
    items += body.items?.length ?? 0
    seen.items += body.items?.length ?? 0
    cursor = body.next ?? null
  } while (cursor !== null && items < most)
}

async function fill(app: App): Promise<Record<string, string>> {
  const authorization = `Bearer ${adminKey}`
  const made = await app.inject({ method: 'POST', url: '/admin/tenants', headers: { authorization }, payload: { name: 'bench' } })
  const { api_key: key, tenant_id: tenantId } = made.json() as { api_key: string; tenant_id: string }
  const headers = { 'x-tenant-api-key': key, 'x-tenant-id': tenantId }
  for (let n = 0; n < documents; n++) {
    const payload = { scope_id: 'case', name: `Report ${n}`, text: reportOf(n) }
    const answer = await app.inject({ method: 'POST', url: '/api/ingest', headers, payload })
    if (answer.statusCode !== 202) throw new Error(`ingest answered ${answer.statusCode}: ${answer.body}`)
  }
  for (;;) {
    const { documents: counts } = (await app.inject({ url: `${scope}/summary`, headers })).json() as { documents: Record<string, number> }
    if (counts['queued'] === 0 && counts['processing'] === 0) return headers
    await wait(50)
  }
}

/** Two reports each are about the same mill; of four in five such pairs one figure disagrees. */
function reportOf(n: number): string {
  const number = Math.floor(n / 2)
  const mill = `${nameOf(number)} Mill`
  const wrong = n % 2 === 1 && number % 5 !== 0 ? 7 : 0
  return `Report on ${mill}\n\nThe output of ${mill} for FY2025 was ${100 + number + wrong} tonnes.\nThe licence of ${mill} ends on ${1 + (number % 28)} June 2026.\nThe manager of ${mill} is ${nameOf(number + 100)} Okafor.\n${mill} is located in ${nameOf(number + 200)}.\n`
}

/** Pronounceable, and another for each number. */
function nameOf(n: number): string {
  const syllables = ['ba', 'ce', 'di', 'fo', 'gu', 'ka', 'le']
  return `${(syllables[n % 7] as string).replace(/^./, first => first.toUpperCase())}${syllables[Math.floor(n / 7) % 7]}${syllables[Math.floor(n / 49) % 7]}dorn`
}

/** Pairs of claims of two documents, as many as wanted for the hundred. */
async function addPossible(owner: pg.Client): Promise<void> {
  await owner.query(
    `insert into possible_conflicts (tenant_id, scope_no, generation, possible_no, possible_conflict_id, status, kind, severity, score_micros, claim_a, claim_b,
       slot_key, group_a, group_b, reason, detected_at, detected_round)
     select tenant_id, scope_no, generation, first + row_number() over () - 1, 'pos_' || row_number() over (), 'open', 'numeric', 'medium',
       200000 + (random() * 600000)::integer, a, b, 'plant', '1', '2', 'They may speak of one thing.', now(), 1
     from (
       select s.tenant_id, s.scope_no, s.generation, s.next_possible_no as first, a.claim_no as a, b.claim_no as b
       from scope_states s join claims a using (tenant_id, scope_no, generation) join claims b using (tenant_id, scope_no, generation)
       where a.claim_no < b.claim_no and a.document_id <> b.document_id order by (a.claim_no * 7919 + b.claim_no * 104729) % 10007 limit $1
     ) p`,
    [possible],
  )
  await owner.query('update scope_states set next_possible_no = next_possible_no + $1', [possible])
}

async function listSizes(owner: pg.Client): Promise<void> {
  for (const table of ['documents', 'claims', 'contradictions', 'possible_conflicts', 'supersessions', 'rounds', 'decisions', 'events']) {
    const { rows } = await owner.query<{ n: number }>(`select count(*)::integer as n from ${table}`)
    console.log(`${table}: ${rows[0]?.n}`)
  }
}

async function listSlow(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ ms: number; calls: number; query: string }>(
    `select mean_exec_time as ms, calls::integer, left(regexp_replace(query, '\\s+', ' ', 'g'), 300) as query from pg_stat_statements
     where toplevel and mean_exec_time > 20 and query not like '%pg_stat_statements%' order by mean_exec_time desc limit 20`,
  )
  for (const { ms, calls, query } of rows) console.log(`${ms.toFixed(0)} ms × ${calls}: ${query}`)
}

await main()
