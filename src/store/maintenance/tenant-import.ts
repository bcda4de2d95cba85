/**
 * Reads what `tenant-export` wrote into a service that does not know the tenant. Rows are written in short transactions, because
 * a long one would hold up the log of everything; until the last step the tenant is marked as deleted, so that nobody sees or
 * touches what is there so far. An import that was interrupted is begun anew: what it left is removed first.
 *
 * Numbers that belong to an installation are given anew: those of scopes, and places in the log of everything.
 */

import { randomUUID } from 'node:crypto'
import { invariant, StartupError } from '../../platform/errors.js'
import { clearTenant } from '../scopes/reset-removal.js'
import { across, type Database, type EngineTransaction } from '../server/database.js'
import { rereadsWaiting } from './rereads-waiting.js'
import { faultOfRow } from './tenant-file-checks.js'
import {
  columnsOf,
  listTenantTables,
  parseLine,
  publicKeys,
  Seal,
  schemaNumber,
  type TenantEnd,
  type TenantHeader,
  type TenantMove,
  type TenantRow,
  tenantFormat,
} from './tenant-rows.js'

const batch = { rows: 500, bytes: 4_000_000 }

export async function importTenant(db: Database, lines: AsyncIterable<string>): Promise<TenantMove> {
  const reader = lines[Symbol.asyncIterator]()
  const first = await reader.next()
  const header = readHeader(first.done ? '' : first.value)
  const schema = await db.engine(schemaNumber, { readOnly: true })
  if (header.schema !== schema) {
    throw new StartupError(`The export is of schema ${header.schema} and this database of ${schema}. Bring both to the same schema first.`)
  }
  const importing = await Importing.begin(db, header)
  try {
    const seal = new Seal()
    seal.add(first.value as string)
    let isSealed = false
    for (let next = await reader.next(); !next.done; next = await reader.next()) {
      const parsed = parseLine(next.value) as TenantRow | TenantEnd
      if ('end' in parsed) {
        isSealed = JSON.stringify(seal.end().end) === JSON.stringify(parsed.end)
        if (!isSealed) throw new StartupError('The file was changed after it was written: its lines are not those that were sealed.')
        break
      }
      seal.add(next.value, parsed.table)
      await importing.add(parsed, next.value)
    }
    if (!isSealed) throw new StartupError('The file ends too early: its last line is missing.')
    await importing.finish()
    return { tenant_id: header.tenant_id, exported_at: header.exported_at, rows: seal.rows }
  } catch (error) {
    await importing.abandon()
    throw error
  } finally {
    await reader.return?.()
  }
}

function readHeader(line: string): TenantHeader {
  const header = parseLine(line === '' ? '{}' : line) as Partial<TenantHeader>
  if (header.format !== tenantFormat || typeof header.tenant_id !== 'string') {
    throw new StartupError(`The file is not a tenant export: its first line does not say ${tenantFormat}.`)
  }
  return header as TenantHeader
}

const begunAnew = 'Another import of this tenant began meanwhile.'
/** Far fewer than the JWKS lists: the keys of other tenants stay in it. */
const mostKeys = 100

/** Columns that are made anew where the rows go, by table. */
const madeAnew: Record<string, readonly string[]> = {
  events: ['xid', 'id'],
  // By the clock of the other installation.
  backlog: ['not_before'],
  claims: ['subject_hash'],
  scope_leases: ['owner', 'leased_until', 'in_hand_seq'],
  // Tokens spent today do not move, so nothing rests because of them.
  scope_heads: ['rest_until'],
}

class Importing {
  private readonly db: Database
  private readonly tenantId: string
  private readonly mark: string
  private readonly tables: readonly string[]
  /** Numbers of scopes there and here; 0 stands for the tenant as a whole. */
  private readonly numbers = new Map([[0, 0]])
  private tenant: string | null = null
  private readonly keys: string[] = []
  private waiting: { table: string; lines: string[]; scopes: Set<number>; bytes: number } | null = null

  private constructor(db: Database, tenantId: string, mark: string, tables: readonly string[]) {
    this.db = db
    this.tenantId = tenantId
    this.mark = mark
    this.tables = tables
  }

  static async begin(db: Database, { tenant_id: tenantId }: TenantHeader): Promise<Importing> {
    const mark = `(importing ${randomUUID()})`
    const name = await across(db).value<string>(
      `insert into tenants (tenant_id, name, deleted_at, removed_at) values ($1, $2, clock_timestamp(), clock_timestamp())
       on conflict (tenant_id) do update set name = case when starts_with(tenants.name, '(importing ') and tenants.removed_at is not null
         then excluded.name else tenants.name end
       returning name`,
      [tenantId, mark],
    )
    if (name !== mark) {
      throw new StartupError(`${tenantId} exists here already, or did once. A tenant can only be imported where it has never existed.`)
    }
    const importing = new Importing(db, tenantId, mark, await db.engine(listTenantTables, { readOnly: true }))
    await importing.clear()
    return importing
  }

  /** Writes what came before once it is enough, or another table begins. */
  async add({ table, row }: TenantRow, line: string): Promise<void> {
    this.check(table, row)
    if (table === 'tenants') {
      this.tenant = line
      return
    }
    if (table === publicKeys) {
      if (this.keys.push(line) > mostKeys) throw new StartupError(`The file holds more than ${mostKeys} signing keys.`)
      return
    }
    if (
      this.waiting !== null &&
      (this.waiting.table !== table || this.waiting.lines.length >= batch.rows || this.waiting.bytes >= batch.bytes)
    ) {
      await this.write()
    }
    this.waiting ??= { table, lines: [], scopes: new Set(), bytes: 0 }
    this.waiting.lines.push(line)
    this.waiting.bytes += line.length
    if (typeof row.scope_no === 'number') this.waiting.scopes.add(row.scope_no)
  }

  async finish(): Promise<void> {
    await this.write()
    const { tenant, tenantId, mark } = this
    if (tenant === null) throw new StartupError('The file does not hold the tenant itself.')
    await this.db.engine(async tx => {
      await this.requireOwnNumbers(tx)
      const columns = (await columnsOf(tx, 'tenants')).filter(name => !['tenant_id', 'deleted_at', 'removed_at'].includes(name))
      // A backlog joins the queue by this. Its rows were counted as they came, on top of what the head had counted.
      await tx.run(
        `update scope_heads h set turn_at = case when has_backlog then clock_timestamp() end, rereads = ${rereadsWaiting} where tenant_id = $1`,
        [tenantId],
      )
      const { rowCount } = await tx.query({
        text: `
          update tenants t set deleted_at = null, removed_at = null, ${columns.map(name => `${name} = r.${name}`).join(', ')}
          from json_populate_record(null::tenants, $3::json -> 'row') r where t.tenant_id = $1 and t.name = $2`,
        values: [tenantId, mark, tenant],
      })
      if (rowCount !== 1) throw new StartupError(begunAnew)
      await this.writeKeys(tx)
      // The audit log stayed where it was: who opened what before is not known here.
      await tx.run('insert into audit_reads (tenant) values ($1)', [tenantId])
    })
  }

  /** Takes away what was written; the tenant is as unknown as before. What another import has taken over is its own. */
  async abandon(): Promise<void> {
    const isOurs = await this.db.engine(tx => this.holdMark(tx)).catch(() => false)
    if (!isOurs) return
    await this.clear()
    await this.db.engineQuery('delete from tenants where tenant_id = $1 and name = $2', [this.tenantId, this.mark])
  }

  /** Whether the tenant is still this import's; nobody else begins one before the transaction ends. */
  private async holdMark(tx: EngineTransaction): Promise<boolean> {
    return tx.touches('select from tenants where tenant_id = $1 and name = $2 for share', [this.tenantId, this.mark])
  }

  private async clear(): Promise<void> {
    await clearTenant(this.db, this.tenantId, { batchRows: 1000, batches: Number.MAX_SAFE_INTEGER, rows: 0 })
  }

  private check(table: string, row: TenantRow['row'] | undefined): void {
    const isOwn = table === publicKeys || (this.tables.includes(table) && row?.tenant_id === this.tenantId)
    if (typeof row !== 'object' || row === null || !isOwn) throw new StartupError('A line of the file is not a row of this tenant.')
    const fault = faultOfRow(table, row)
    if (fault !== null) throw new StartupError(fault)
  }

  private async write(): Promise<void> {
    if (this.waiting === null) return
    const { table, lines, scopes } = this.waiting
    this.waiting = null
    if (table === 'scopes' || table === 'scope_tombstones') await this.number(scopes)
    const written = await this.db.engine(async tx => {
      if (!(await this.holdMark(tx))) throw new StartupError(begunAnew)
      const columns = (await columnsOf(tx, table)).filter(name => !madeAnew[table]?.includes(name))
      const { rowCount } = await tx.query({ text: insertion(table, columns), values: [lines, ...this.numbersOf(scopes)] })
      return rowCount
    })
    if (written !== lines.length) throw new StartupError(`Rows of ${table} belong to a scope that the file does not hold.`)
  }

  private async number(scopes: ReadonlySet<number>): Promise<void> {
    const fresh = [...scopes].filter(scopeNo => !this.numbers.has(scopeNo))
    const numbers = await across(this.db).column<number>(
      "select nextval(pg_get_serial_sequence('scopes', 'scope_no')) as no from generate_series(1, $1)",
      [fresh.length],
    )
    for (const [index, scopeNo] of fresh.entries()) {
      const no = numbers[index]
      invariant(no !== undefined, 'a scope got no number')
      this.numbers.set(scopeNo, no)
    }
  }

  /** A scope with the number of a deleted one would lose its rows to the removal of that one. */
  private async requireOwnNumbers(tx: EngineTransaction): Promise<void> {
    const isTaken = await tx.touches(
      `select from scopes s join scope_tombstones d on d.tenant_id = s.tenant_id and d.scope_no = s.scope_no and d.scope_id <> s.scope_id
       where s.tenant_id = $1 limit 1`,
      [this.tenantId],
    )
    if (isTaken) throw new StartupError('A scope of the file has the number of another one that was deleted.')
  }

  private numbersOf(scopes: ReadonlySet<number>): [number[], number[]] {
    const known = [...scopes].flatMap(scopeNo => {
      const here = this.numbers.get(scopeNo)
      return here === undefined ? [] : [{ there: scopeNo, here }]
    })
    return [known.map(({ there }) => there), known.map(({ here }) => here)]
  }

  /**
   * With a key of this installation nothing happens; one that comes along never signs here, and verifies what is about this tenant
   * alone: whoever wrote the file may hold its private part.
   */
  private async writeKeys(tx: EngineTransaction): Promise<void> {
    await tx.run(
      `insert into signing_keys (kid, public_jwk, created_at, retired_at, tenants)
       select distinct on (r.kid) r.kid, r.public_jwk, now(), now(), array[$2::text]
       from unnest($1::json[]) as l (line) cross join lateral json_populate_record(null::signing_keys, l.line -> 'row') r
       on conflict (kid) do update set tenants = array_append(signing_keys.tenants, $2::text)
         where signing_keys.tenants is not null and $2::text <> all (signing_keys.tenants)`,
      [this.keys, this.tenantId],
    )
  }
}

/** Rows in the order of their lines; numbers of scopes are looked up, what counts for the whole service goes on counting here. */
function insertion(table: string, columns: readonly string[]): string {
  const ofScopes = columns.includes('scope_no')
  const values = columns.map(name => {
    if (name === 'scope_no') return 'm.here'
    // What happened there was before now, whatever the clock there said: a time to come would say nothing about its age.
    if (table === 'events' && name === 'time') return 'least(r.time, now())'
    if (table === 'events' && name === 'seq') return "case when r.scope_no = 0 then nextval('service_events') else r.seq end"
    return `r.${name}`
  })
  return `
    insert into ${table} (${columns.join(', ')}) overriding system value
    select ${values.join(', ')}
    from unnest($1::json[]) with ordinality as l (line, place) cross join lateral json_populate_record(null::${table}, l.line -> 'row') r
    ${ofScopes ? 'join' : 'left join'} unnest($2::bigint[], $3::bigint[]) as m (there, here) on ${ofScopes ? 'm.there = r.scope_no' : 'false'}
    order by l.place`
}
