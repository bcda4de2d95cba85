/** Makes a scope, or a tenant, that was read through the pipeline as large as wanted: its rows are repeated under numbers and names of their own. */

import type pg from 'pg'

/** Columns that tell a repeated row from the first, by table: numbers go on from those of the scope. */
const repeated: Record<string, Record<string, string>> = {
  claims: {
    claim_no: nextOf('claim_no'),
    claim_id: again('claim_id'),
    document_id: again('document_id'),
    statement_no: nextOf('statement_no', 'next_claim_no'),
  },
  claim_terms: {
    first_claim_no: nextOf('first_claim_no', 'next_claim_no'),
    claim_nos: 'array(select n + k * (select next_claim_no from size) from unnest(claim_nos) as n)',
  },
  contradictions: { contradiction_no: nextOf('contradiction_no'), contradiction_id: again('contradiction_id') },
  contradiction_sides: { contradiction_no: nextOf('contradiction_no'), claim_no: nextOf('claim_no') },
  possible_conflicts: {
    possible_no: nextOf('possible_no'),
    possible_conflict_id: again('possible_conflict_id'),
    claim_a: nextOf('claim_a', 'next_claim_no'),
    claim_b: nextOf('claim_b', 'next_claim_no'),
    contradiction_no: nextOf('contradiction_no'),
  },
  supersessions: {
    supersession_no: nextOf('supersession_no'),
    supersession_id: again('supersession_id'),
    claim_no: nextOf('claim_no'),
    by_claim_no: nextOf('by_claim_no', 'next_claim_no'),
    contradiction_no: nextOf('contradiction_no'),
  },
  goals: { document_id: again('document_id') },
  risks: { document_id: again('document_id') },
  documents: { document_id: again('document_id'), seq: 'null', first_claim_no: nextOf('first_claim_no', 'next_claim_no') },
  rounds: { round: 'round + k * (select round from size)', document_id: again('document_id') },
  decisions: { seq: 'seq + k * (select decision_seq from size)', decision_id: again('decision_id'), document_id: again('document_id') },
}

function nextOf(column: string, counter = `next_${column}`): string {
  return `t.${column} + k * (select ${counter} from size)`
}

function again(column: string): string {
  return `t.${column} || '-' || k`
}

export async function repeatRows(owner: pg.Client, scopeId: string, times: number): Promise<void> {
  for (const [table, changed] of Object.entries(repeated)) {
    const { rows } = await owner.query<{ name: string }>(
      'select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = $2',
      [table, ''],
    )
    const names = rows.map(row => row.name)
    await owner.query(
      `with place as (select tenant_id, scope_no from scopes where scope_id = $1),
         size as (select s.* from scope_states s join place using (tenant_id, scope_no))
       insert into ${table} (${names.join(', ')})
       select ${names.map(name => changed[name] ?? `t.${name}`).join(', ')}
       from ${table} t join place using (tenant_id, scope_no) cross join generate_series(1, $2 - 1) as k`,
      [scopeId, times],
    )
  }
  await owner.query(
    `update scope_states s set next_claim_no = next_claim_no * $2, next_contradiction_no = next_contradiction_no * $2,
       next_possible_no = next_possible_no * $2, next_supersession_no = next_supersession_no * $2, round = round * $2, decision_seq = decision_seq * $2
     from scopes o where o.scope_id = $1 and o.tenant_id = s.tenant_id and o.scope_no = s.scope_no`,
    [scopeId, times],
  )
  await owner.query(
    `update scope_heads h set indexed = indexed * $2 from scopes o where o.scope_id = $1 and o.tenant_id = h.tenant_id and o.scope_no = h.scope_no`,
    [scopeId, times],
  )
  await owner.query('vacuum analyze')
}

/** Repeats every scope of a tenant under names of its own. Without triggers: what they keep is copied like everything else. */
export async function repeatScopes(owner: pg.Client, tenantId: string, times: number): Promise<void> {
  await owner.query('set session_replication_role = replica')
  await owner.query(
    `create temp table again as select s.scope_no as from_no, s.scope_id || '-' || k as scope_id, k
     from scopes s, generate_series(1, ${times - 1}) k where s.tenant_id = '${tenantId}'`,
  )
  await owner.query(`insert into scopes (tenant_id, scope_id) select '${tenantId}', scope_id from again`)
  const { rows: tables } = await owner.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text) filter (where a.attgenerated = '' and a.attidentity = '') as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace and c.relname <> 'scopes'
     group by c.relname having array_agg(a.attname::text) @> array['tenant_id', 'scope_no']`,
  )
  const changed: Record<string, string> = { scope_no: 'n.scope_no' }
  for (const id of ['claim_id', 'contradiction_id', 'possible_conflict_id', 'supersession_id', 'decision_id'])
    changed[id] = `t.${id} || '-' || g.k`
  for (const { name, columns } of tables) {
    await owner.query(
      `insert into ${name} (${columns.join(', ')}) select ${columns.map(column => changed[column] ?? `t.${column}`).join(', ')}
       from ${name} t join again g on t.tenant_id = '${tenantId}' and g.from_no = t.scope_no
       join scopes n on n.tenant_id = t.tenant_id and n.scope_id = g.scope_id`,
    )
  }
  await owner.query('drop table again')
  await owner.query('reset session_replication_role')
  await owner.query('vacuum analyze')
}
