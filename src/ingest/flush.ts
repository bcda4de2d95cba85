/**
 * One flush to its end: scopes that are missing are made and their rows tried again, collisions are repeated, and a
 * flush that fails because of one row is split in two until that row is alone, so that the others succeed. One that waits for what a
 * long act of one tenant holds is divided by tenants: rows of that one are busy.
 */

import type { Hints } from '../events/hints.js'
import type { Clock } from '../platform/clock.js'
import { AppError, isAppError } from '../platform/errors.js'
import type { Logger } from '../platform/logger.js'
import {
  findMissingScopes,
  type IngestAnswer,
  type IngestOutcome,
  type IngestRow,
  makeScopes,
  type ScopeName,
  writeDocuments,
} from '../store/documents/ingest.js'
import type { Database } from '../store/server/database.js'
import { causeOf, isRepeatable, isTableTaken, isUniqueViolation } from '../store/server/failures.js'

export interface FlushDependencies {
  db: Database
  hints: Hints
  logger: Logger
  clock: Clock
  /** Whether a scope that does not exist is made on first use. */
  makeScopes: boolean
}

interface How {
  /** Waits for scopes that somebody else holds. */
  patient: boolean
}

type FlushContext = FlushDependencies & How & { taken: TakenTenants }
type RowAnswer = IngestAnswer | Error
type Write = (rows: readonly IngestRow[]) => Promise<RowAnswer[]>
type Flush = (rows: readonly IngestRow[], how: How) => Promise<RowAnswer[]>

/** So long a flush that is divided goes on. */
const dividedMs = 2000
/** So long a tenant that a long act holds is not asked for again with the rows of others. */
const takenMs = 2000

type TakenTenants = ReturnType<typeof createTakenTenants>

function createTakenTenants(clock: Clock) {
  const until = new Map<string, number>()
  return {
    /** By one look at the clock: of two rows of a scope the second must not go on where the first does not. */
    among: (tenantIds: Iterable<string>) => {
      const now = clock.monotonicMs()
      return new Set([...tenantIds].filter(tenantId => (until.get(tenantId) ?? 0) > now))
    },
    add: (tenantId: string) => {
      for (const [other, end] of until) if (end <= clock.monotonicMs()) until.delete(other)
      until.set(tenantId, clock.monotonicMs() + takenMs)
    },
    delete: (tenantId: string) => until.delete(tenantId),
  }
}

/** A collision needs another flush at the same instant each time: this many in a row do not happen by chance. */
const attempts = 8

export function createFlush(given: FlushDependencies): Flush {
  const taken = createTakenTenants(given.clock)
  return async (rows, how) => {
    const deps = { ...given, ...how, taken }
    const answers = await writeFree(deps, rows)
    const missing = rows.filter((_row, index) => outcomeOf(answers[index]) === 'scope')
    if (missing.length > 0 && deps.makeScopes) await retryWithScopes(deps, rows, answers, missing)
    if (!deps.makeScopes) await nameMissingScopes(deps, rows, answers)
    if (how.patient) for (const [index, row] of rows.entries()) if (isThrough(answers[index])) taken.delete(row.tenantId)
    if (answers.some(answer => outcomeOf(answer) === 'queued')) {
      deps.hints.notify('backlog')
      deps.hints.notify('events')
    }
    return answers
  }
}

/** Of tenants that a long act held a moment ago, nobody asks again with the rows of others: a patient flush does. */
async function writeFree(deps: FlushContext, rows: readonly IngestRow[]): Promise<RowAnswer[]> {
  const taken = deps.patient ? new Set() : deps.taken.among(rows.map(row => row.tenantId))
  const free = rows.filter(row => !taken.has(row.tenantId))
  if (free.length === rows.length) return writeOrSplit(deps, rows)
  const written = free.length === 0 ? [] : await writeOrSplit(deps, free)
  const answers = new Map(free.map((row, index) => [row, written[index] as RowAnswer]))
  return rows.map(row => answers.get(row) ?? unwritten(row, 'busy'))
}

async function writeOrSplit(deps: FlushContext, rows: readonly IngestRow[]): Promise<RowAnswer[]> {
  try {
    return await byTenants(
      deps,
      rows,
      these => writeRepeating(deps, these),
      own => writeHalf(deps, own),
    )
  } catch (error) {
    if (isAppError(error)) throw error
    if (rows.length === 1) {
      deps.logger.error({ err: error }, 'ingest failed')
      return [new AppError('INTERNAL', { cause: error })]
    }
    const middle = Math.ceil(rows.length / 2)
    const first = await writeHalf(deps, rows.slice(0, middle))
    // A scope that was busy may be free by now, and one that was missing made: what is behind it in the same scope must not come before it.
    const behind = new Map(
      rows.slice(0, middle).flatMap((row, at) => {
        const outcome = outcomeOf(first[at])
        return outcome === 'busy' || outcome === 'scope' ? [[nameOf(row), outcome] as const] : []
      }),
    )
    const rest = rows.slice(middle)
    const second = await writeHalf(
      deps,
      rest.filter(row => !behind.has(nameOf(row))),
    )
    let next = 0
    const ofRest = rest.map(row => {
      const outcome = behind.get(nameOf(row))
      return outcome === undefined ? (second[next++] as RowAnswer) : unwritten(row, outcome)
    })
    return [...first, ...ofRest]
  }
}

/** A long act of a tenant holds what rows of this tenant need beside their scopes: nobody else's wait for it. */
async function byTenants({ clock, taken }: FlushContext, rows: readonly IngestRow[], write: Write, writeOne: Write): Promise<RowAnswer[]> {
  try {
    return await write(rows)
  } catch (error) {
    if (!isTableTaken(causeOf(error))) throw error
    const tenants = new Set(rows.map(row => row.tenantId))
    if (tenants.size === 1) {
      for (const tenantId of tenants) taken.add(tenantId)
      return rows.map(row => unwritten(row, 'busy'))
    }
    const answers = new Map<IngestRow, RowAnswer>()
    const end = clock.monotonicMs() + dividedMs
    for (const tenantId of tenants) {
      // Many are held up: the rest, of which nothing was tried, does not keep those that are written from their answers.
      if (clock.monotonicMs() > end) break
      const own = rows.filter(row => row.tenantId === tenantId)
      const written = await writeOne(own)
      for (const [index, row] of own.entries()) answers.set(row, written[index] as RowAnswer)
    }
    return rows.map(row => answers.get(row) ?? unwritten(row, 'busy'))
  }
}

function outcomeOf(answer: RowAnswer | undefined): IngestOutcome | undefined {
  return answer === undefined || answer instanceof Error ? undefined : answer.outcome
}

/** Nothing was waited for in vain. */
function isThrough(answer: RowAnswer | undefined): boolean {
  const outcome = outcomeOf(answer)
  return outcome !== undefined && outcome !== 'busy'
}

const unwritten = ({ documentId }: IngestRow, outcome: IngestOutcome): IngestAnswer => ({ outcome, seq: null, revision: null, documentId })

/** What happens to one half is no matter of the other, which may be on disk already. */
async function writeHalf(deps: FlushContext, rows: readonly IngestRow[]): Promise<RowAnswer[]> {
  if (rows.length === 0) return []
  try {
    return await writeOrSplit(deps, rows)
  } catch (error) {
    return rows.map(() => error as Error)
  }
}

async function writeRepeating(deps: FlushContext, rows: readonly IngestRow[]): Promise<IngestAnswer[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await writeDocuments(deps.db, rows, deps)
    } catch (error) {
      const collided =
        isUniqueViolation(error, 'idempotency_keys_pkey') || isRepeatable(error) || (error instanceof Error && isRepeatable(error.cause))
      if (!collided || attempt === attempts) throw error
    }
  }
}

async function retryWithScopes(
  deps: FlushContext,
  rows: readonly IngestRow[],
  answers: RowAnswer[],
  missing: readonly IngestRow[],
): Promise<void> {
  const settle: Write = async these => {
    const names = distinctScopes(these)
    const made = await makeScopes(deps.db, names, deps)
    const refused = new Map(names.flatMap((name, index) => (made[index] === 'quota' ? [[nameOf(name), true] as const] : [])))
    const ready = these.filter(row => !refused.has(nameOf(row)))
    const second = ready.length === 0 ? [] : await writeOrSplit(deps, ready)
    const bySecond = new Map(ready.map((row, index) => [row, second[index] as RowAnswer]))
    return these.map(row => bySecond.get(row) ?? unwritten(row, 'quota:scopes'))
  }
  // The rows that had their scope are on disk: what fails here must not take their answers away.
  const settleAll: Write = these => byTenants(deps, these, settle, settleAll).catch((error: unknown) => these.map(() => error as Error))
  const settled = await settleAll(missing)
  const places = new Map(rows.map((row, index) => [row, index]))
  for (const [index, row] of missing.entries()) answers[places.get(row) as number] = settled[index] as RowAnswer
}

/**
 * The database holds a row against the limits of its tenant before it looks for the scope, since what is missing may be made. Where
 * nothing is made, a scope that is missing is the answer, whatever the limits.
 */
async function nameMissingScopes({ db }: FlushDependencies, rows: readonly IngestRow[], answers: RowAnswer[]): Promise<void> {
  const refused = [...rows.entries()].filter(([index]) => isOverQuota(answers[index]))
  if (refused.length === 0) return
  try {
    const missing = new Set((await findMissingScopes(db, distinctScopes(refused.map(([, row]) => row)))).map(nameOf))
    for (const [index, row] of refused) if (missing.has(nameOf(row))) answers[index] = unwritten(row, 'scope')
  } catch (error) {
    // As for scopes that are made: rows that were written keep their answers.
    for (const [index] of refused) answers[index] = error as Error
  }
}

function isOverQuota(answer: RowAnswer | undefined): boolean {
  return outcomeOf(answer)?.startsWith('quota:') === true
}

function distinctScopes(rows: readonly IngestRow[]): ScopeName[] {
  return [...new Map(rows.map(row => [nameOf(row), { tenantId: row.tenantId, scopeId: row.scopeId }])).values()]
}

export function nameOf(scope: ScopeName): string {
  return `${scope.tenantId} ${scope.scopeId}`
}
