/**
 * What the database's own catalogue says about the walls between tenants. Gives every fault it finds, so that the same
 * question can be put to a database that was broken on purpose.
 */

import type pg from 'pg'

/** Tables with a tenant_id that belong to the service all the same: out of reach for the serving role of tenants. */
const serviceTables = ['audit_log']
const privileges = 'select, insert, update, delete, truncate, references, trigger'

interface TableRow {
  name: string
  secured: boolean
  forced: boolean
  policies: { name: string; role: string; using: string; check: string | null; command: string }[]
  leads: boolean
  reachable: boolean
}

const tables = `
  select c.relname as name, c.relrowsecurity as secured, c.relforcerowsecurity as forced,
    coalesce((
      select json_agg(json_build_object('name', p.polname, 'role', r.rolname, 'command', p.polcmd,
        'using', pg_get_expr(p.polqual, p.polrelid), 'check', pg_get_expr(p.polwithcheck, p.polrelid)) order by p.polname)
      from pg_policy p cross join unnest(p.polroles) as role join pg_roles r on r.oid = role where p.polrelid = c.oid), '[]') as policies,
    coalesce((select i.indkey[0] = a.attnum from pg_index i where i.indrelid = c.oid and i.indisprimary), false) as leads,
    has_table_privilege('concord_tenant', c.oid, '${privileges}') as reachable
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
  order by c.relname`

/** The only sentence that opens a row to a tenant, besides rows of the service itself. */
const ownRows = /^\(?\(?tenant_id = NULLIF\(current_setting\('concord\.tenant'::text, true\), ''::text\)\)?\)?$/
const serviceRows = /^\(?tenant_id = '-'::text\)?$/

export async function wallFaults(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<TableRow>(tables)
  return [...rows.flatMap(tableFaults), ...(await roleFaults(owner)), ...(await reachFaults(owner)), ...(await routineFaults(owner))]
}

export async function tenantTables(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<TableRow>(tables)
  return rows.map(row => row.name).filter(name => !serviceTables.includes(name))
}

function tableFaults(table: TableRow): string[] {
  const fault = (text: string) => `${table.name}: ${text}`
  if (serviceTables.includes(table.name)) return table.reachable ? [fault('concord_tenant can reach it')] : []
  const faults: string[] = []
  if (!table.secured) faults.push(fault('row-level security is off'))
  if (!table.forced) faults.push(fault('row-level security is not forced'))
  if (!table.leads) faults.push(fault('tenant_id does not lead the primary key'))
  const own = table.policies.filter(policy => policy.role === 'concord_tenant')
  if (!own.some(policy => ownRows.test(policy.using) && ownRows.test(policy.check ?? ''))) faults.push(fault('no policy of own rows'))
  if (!table.policies.some(policy => policy.role === 'concord_engine')) faults.push(fault('no policy of the engine'))
  for (const policy of own) {
    const opensService = serviceRows.test(policy.using) && policy.command === 'r'
    if (!ownRows.test(policy.using) && !opensService) faults.push(fault(`policy ${policy.name} opens ${policy.using}`))
  }
  for (const policy of table.policies) {
    if (!['concord_tenant', 'concord_engine'].includes(policy.role)) faults.push(fault(`policy ${policy.name} is for ${policy.role}`))
  }
  return faults
}

async function roleFaults(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ name: string; fault: string }>(`
    select r.rolname as name, f.fault from pg_roles r
    cross join lateral (values
      (r.rolsuper, 'is superuser'), (r.rolbypassrls, 'bypasses row-level security'), (r.rolcreaterole, 'may create roles'),
      (r.rolcreatedb, 'may create databases'), (r.rolreplication, 'may replicate'),
      (exists (select from pg_class c where c.relowner = r.oid), 'owns a relation'),
      (exists (select from pg_proc p where p.proowner = r.oid), 'owns a function'),
      (exists (select from pg_auth_members m where m.member = r.oid), 'is a member of another role'),
      (has_schema_privilege(r.oid, 'public', 'create'), 'may create in the schema')) as f(true_of, fault)
    where r.rolname in ('concord_tenant', 'concord_engine') and f.true_of`)
  return rows.map(({ name, fault }) => `${name} ${fault}`)
}

/** What belongs to the service alone. */
async function reachFaults(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')
      and not exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'tenant_id' and not attisdropped)
      and has_table_privilege('concord_tenant', oid, '${privileges}')`)
  const named = await owner.query<{ name: string }>(`
    select name from unnest(array['audit_log', 'nodes', 'signing_keys']) as name where has_table_privilege('concord_tenant', name, '${privileges}')`)
  return [...rows, ...named.rows].map(({ name }) => `concord_tenant can reach ${name}`)
}

/** A function that runs as its owner would carry a caller around every wall. */
async function routineFaults(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    "select proname as name from pg_proc where pronamespace = 'public'::regnamespace and prosecdef",
  )
  return rows.map(({ name }) => `function ${name} runs as its owner`)
}
