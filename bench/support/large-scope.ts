/**
 * Two scopes on a real database, alike but for their size: both read the same documents through the pipeline, then the
 * rows of one are repeated until it holds a hundred times as much. Gives the time that the summary of each takes.
 */

import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { type App, adminKey, onOwnService } from './own-service.js'
import { repeatRows } from './repeat-rows.js'

export interface SummaryTimes {
  claims: number
  medianMs: number
}

/** `documents` in the small scope, with some twenty claims each; `times` as much in the large one. */
export async function measureSummaries(documents: number, times: number, rounds: number): Promise<[SummaryTimes, SummaryTimes]> {
  return onOwnService(async ({ app, owner }) => {
    const key = await fill(app, ['small', 'large'], documents)
    await repeatRows(owner, 'large', times)
    const timed = async (scopeId: string) => ({ claims: await countClaims(owner, scopeId), scopeId, ms: [] as number[] })
    const scopes = [await timed('small'), await timed('large')] as const
    // In turns, so that both meet the same machine.
    for (let round = 0; round < rounds; round++) {
      for (const scope of scopes) {
        const started = performance.now()
        const { statusCode } = await app.inject({
          url: `/api/scopes/${scope.scopeId}/summary`,
          headers: { 'x-tenant-api-key': key },
        })
        if (statusCode !== 200) throw new Error(`the summary answered ${statusCode}`)
        if (round >= rounds / 10) scope.ms.push(performance.now() - started)
      }
    }
    const [small, large] = scopes.map(({ claims: counted, ms }) => ({ claims: counted, medianMs: median(ms) }))
    return [small as SummaryTimes, large as SummaryTimes]
  })
}

async function fill(app: App, scopeIds: readonly string[], documents: number): Promise<string> {
  const authorization = `Bearer ${adminKey}`
  const made = await app.inject({ method: 'POST', url: '/admin/tenants', headers: { authorization }, payload: { name: 'bench' } })
  const { api_key: key, tenant_id: tenantId } = made.json() as { api_key: string; tenant_id: string }
  const headers = { 'x-tenant-api-key': key, 'x-tenant-id': tenantId }
  for (let n = 0; n < documents; n++) {
    for (const scope_id of scopeIds) {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/ingest',
        headers,
        payload: { scope_id, name: `Report ${n}`, text: reportOf(n) },
      })
      if (answer.statusCode !== 202) throw new Error(`ingest answered ${answer.statusCode}: ${answer.body}`)
    }
  }
  for (const scopeId of scopeIds) {
    for (;;) {
      const { documents: counts } = (await app.inject({ url: `/api/scopes/${scopeId}/summary`, headers })).json() as {
        documents: Record<string, number>
      }
      if (counts['queued'] === 0 && counts['processing'] === 0) break
      await wait(50)
    }
  }
  return key
}

const plantsEach = 10

/** The figures of one report in ten disagree with those before. */
function reportOf(n: number): string {
  const plants = Array.from({ length: plantsEach }, (_none, k) => {
    const plant = (n * plantsEach + k) % 900
    return `The output of plant ${plant} for FY2025 was ${100 + plant + (n % 10 === 0 ? 7 : 0)} tonnes.`
  })
  return `Report ${n}\nIssuer: desk ${n % 3}\n\n${plants.join('\n')}\nRisk: high, delay of delivery ${n}.\nThe operator will inspect line ${n} by 30 June 2026.`
}

async function countClaims(owner: pg.Client, scopeId: string): Promise<number> {
  const { rows } = await owner.query<{ claims: string }>(
    'select count(*) as claims from claims join scopes using (tenant_id, scope_no) where scope_id = $1 and superseded_at is null',
    [scopeId],
  )
  return Number(rows[0]?.claims)
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
