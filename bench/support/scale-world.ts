/**
 * A service that has grown, written by the server itself: many tenants, one of them with most of the scopes, documents as
 * unevenly spread over scopes as a cubic makes them (the largest scope of 100,000 holds 2 % of all), ten events and five
 * claims a document, texts of 4 KB. Kept in its folder for the next run; a world of another shape or size is written anew.
 * A scope called `probe` is the one that is asked about: it holds a hundred documents in a world of any size, so that the same
 * question has the same answer, or as many as are wanted where the size of one scope is what is measured.
 */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { emptyAggregates } from '../../src/kernel/scores.js'
import type { ConvergencePoint } from '../../src/kernel/types.js'
import { createLogger } from '../../src/platform/logger.js'
import { type EmbeddedServer, startEmbedded } from '../../src/store/server/embedded.js'
import { connectAsOwner, migrate } from '../../src/store/server/migrate.js'

export interface WorldSize {
  tenants: number
  /** Of the large tenant; each other tenant has one. */
  scopes: number
  documents: number
  /** Documents of the scope that is asked about. */
  probe: number
}

/** Raised whenever what is written here changes: worlds of before are not kept. */
const shape = 1
export const eventsPerDocument = 10
export const claimsPerDocument = 5
const limits = { connectTimeoutMs: 20_000, statementTimeoutMs: 3_600_000 }

const even = { claim_confidence: 1, contradiction_resolution: 1, goal_completion: 1, risk_inverse: 1 }
const none = { claim_confidence: 0, contradiction_resolution: 0, goal_completion: 0, risk_inverse: 0 }
/** Of the first round of a scope that nothing is wrong with; the pressure is given to each scope by its number. */
const point: ConvergencePoint = {
  ...{ round: 1, segment: 1, segmentRounds: 1, scores: even, score: 1, v: 0, rate: 0, estimatedRounds: 0, monotone: true, plateau: false },
  ...{
    progressEma: null,
    plateauRounds: 0,
    stalledRounds: 0,
    direction: 0,
    directionChanges: 0,
    autocorrelation: null,
    oscillating: false,
  },
  ...{ quality: 1, pressure: none, bottleneck: null, worstPressure: 0 },
}

export const tenantOf = (n: number): string => `ten_${String(n).padStart(22, '0')}`
export const largeTenant = tenantOf(1)
export const probeTenant = tenantOf(2)
export const keyTextOf = (n: number): string => `key of tenant ${n}`

/** Starts the server of the world, which it writes first unless the folder holds it already. */
export async function openWorld(folder: string, size: WorldSize): Promise<EmbeddedServer> {
  const logger = createLogger({ level: 'error' })
  const about = JSON.stringify({ shape, ...size })
  const aboutFile = join(folder, 'world.json')
  if (!existsSync(aboutFile) || readFileSync(aboutFile, 'utf8') !== about) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(join(folder, 'data'), { recursive: true, mode: 0o711 })
    // Nothing is lost that could not be written again.
    const writing = {
      fsync: 'off',
      full_page_writes: 'off',
      max_wal_size: '4GB',
      autovacuum: 'off',
      work_mem: '256MB',
      maintenance_work_mem: '512MB',
    }
    const server = await startEmbedded({ dataDir: join(folder, 'data'), logger, settings: writing })
    await migrate({ address: server.address, limits, logger })
    const owner = await connectAsOwner(server.address, limits)
    await writeWorld(owner, size)
    await owner.end()
    await server.stop()
    writeFileSync(aboutFile, about)
  }
  const server = await startEmbedded({ dataDir: join(folder, 'data'), logger })
  await migrate({ address: server.address, limits, logger })
  return server
}

async function writeWorld(owner: pg.Client, { tenants, scopes, documents, probe }: WorldSize): Promise<void> {
  const started = performance.now()
  const last = Math.max(documents, probe)
  const aggregates = JSON.stringify(emptyAggregates())
  const statements = [
    `insert into tenants (tenant_id, name) select 'ten_' || lpad(n::text, 22, '0'), 'tenant ' || n from generate_series(1, ${tenants}) n`,
    `insert into tenant_keys (tenant_id, key_id, key_hash, key_prefix)
       select 'ten_' || lpad(n::text, 22, '0'), 'key_' || n, sha256(convert_to('key of tenant ' || n, 'UTF8')), 'cnk_' || n
       from generate_series(1, ${tenants}) n`,
    `insert into scopes (tenant_id, scope_id) select '${largeTenant}', 'scope-' || n from generate_series(1, ${scopes}) n`,
    `insert into scopes (tenant_id, scope_id) select tenant_id, 'scope' from tenants where tenant_id not in ('-', '${largeTenant}')`,
    `insert into scopes (tenant_id, scope_id) values ('${probeTenant}', 'probe')`,
    `create temp table places as select tenant_id, scope_no, scope_id, row_number() over (order by scope_no) as place from scopes where scope_id <> 'probe'`,
    `create temp table written as
       select n, tenant_id, scope_no, row_number() over (partition by scope_no order by n) - 1 as pos
       from (
         select n, tenant_id, scope_no from generate_series(1, ${documents}) n
         join places on place = 1 + floor((select count(*) from places) * power((n - 0.5) / ${documents}, 3))
         union all
         select n, tenant_id, scope_no from scopes, generate_series(1, ${probe}) n where scope_id = 'probe'
       ) w`,
    'analyze written',
    `insert into documents (tenant_id, scope_no, generation, document_id, revision, status, name, type, text, text_hash, seq, round, first_claim_no,
         claim_count, received_at, queued_at, started_at, finished_at, timings, extractor, extractor_version)
       select tenant_id, scope_no, 1, 'doc-' || pos, 1, 'indexed', 'Report ' || pos, 'txt', repeat('The output of plant ' || n % 997 || ' was 12 tonnes. ', 100),
         sha256(int8send(n)), ${eventsPerDocument} * (pos + 1), pos + 1, ${claimsPerDocument} * pos, ${claimsPerDocument}, at, at, at, at, '{"extract": 3}', 'rules', '1'
       from written, lateral (select now() - (1 - n / ${last + 1}.0) * interval '30 days' as at) t order by n`,
    `insert into events (tenant_id, scope_no, seq, type, subject, data, time)
       select tenant_id, scope_no, ${eventsPerDocument} * (pos + 1) + k, case k when 0 then 'document.received' else 'document.processing' end, 'doc-' || pos,
         json_build_object('document_id', 'doc-' || pos, 'revision', 1, 'status', 'indexed'), now() - (1 - n / ${last + 1}.0) * interval '30 days'
       from written, generate_series(0, ${eventsPerDocument - 1}) k order by n, k`,
    `insert into claims (tenant_id, scope_no, generation, claim_no, claim_id, document_id, revision, quote, start_at, end_at, slot_hash, subject, attribute,
         confidence, recorded_at, recorded_round, body)
       select tenant_id, scope_no, 1, ${claimsPerDocument} * pos + k, 'clm_' || n || '-' || k, 'doc-' || pos, 1, 'The output of plant ' || n % 997 || ' was 12 tonnes.',
         40 * k, 40 * k + 38, hashtextextended('plant ' || n % 997, k), 'Plant ' || n % 997, 'output', 0.9, now(), pos + 1,
         '{"value":{"type":"boolean","value":true},"role":"actual","polarity":"affirmed"}'
       from written, generate_series(0, ${claimsPerDocument - 1}) k`,
    `insert into claim_terms (tenant_id, scope_no, generation, term, first_claim_no, claim_nos)
       select tenant_id, scope_no, 1, term, ${claimsPerDocument} * pos, array[${claimsPerDocument} * pos]
       from written, lateral (values ('output'), ('plant'), ('p' || n % 997)) t (term)`,
    `insert into scope_heads (tenant_id, scope_no, next_seq, oldest_seq, indexed, bytes)
       select s.tenant_id, s.scope_no, ${eventsPerDocument} * (count(w.n) + 1), ${eventsPerDocument}, count(w.n), 4000 * count(w.n)
       from scopes s left join written w using (tenant_id, scope_no) group by 1, 2`,
    'insert into scope_leases (tenant_id, scope_no) select tenant_id, scope_no from scopes',
    `insert into scope_states (tenant_id, scope_no, generation, round, next_claim_no, aggregates, decision_hash, convergence, finality, claims_digest)
       select h.tenant_id, h.scope_no, 1, h.indexed, ${claimsPerDocument} * h.indexed, '${aggregates}', '',
         ('${JSON.stringify(point)}'::jsonb || jsonb_build_object('worstPressure', (h.scope_no * 7919 % 1000) / 1000.0))::json,
         (array['active', 'resolved', 'review'])[1 + h.scope_no % 3], ''
       from scope_heads h where h.indexed > 0`,
    'drop table places, written',
    'vacuum analyze',
  ]
  for (const statement of statements) await owner.query(statement)
  process.stdout.write(
    `written in ${((performance.now() - started) / 1000).toFixed(0)} s: ${JSON.stringify({ tenants, scopes, documents, probe })}\n`,
  )
}
