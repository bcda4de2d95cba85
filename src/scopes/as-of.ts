/**
 * A case as it was at a moment: the papers it held, the statements that counted, the conflicts open then and who had opened them, what people
 * had decided and why, and who had signed it off. Derived from what is stored by time; what was erased since is named without its words.
 */

import { genesis } from '../kernel/decision-record.js'
import { invalidMember } from '../platform/errors.js'
import { listCommentRows } from '../store/findings/comments.js'
import { type ContradictionRow, listClaimRows, listContradictionRows } from '../store/findings/findings.js'
import { listPossibleRows } from '../store/findings/possible-conflicts.js'
import {
  isMomentOver,
  type LastChange,
  listPapersThen,
  listPersonsDecisions,
  listSignOffsThen,
  type MomentRow,
  type PaperRow,
  type PersonsDecisionRow,
  readLastChange,
  readMoment,
  type StandingSignOffRow,
} from '../store/scopes/as-of.js'
import { type Database, readTenant, type TenantTransaction } from '../store/server/database.js'
import { type AsOfListName, asOfNames, type Moment } from './certificates/signed-as-of.js'
import { toClaimRecord } from './claims.js'
import { type PageRequest, type Place, type PlaceKind, pageOf, readPaging } from './cursors.js'
import type { ScopeName, ScopesDeps } from './deps.js'
import { toContradictionRecords } from './findings/contradictions.js'
import { withReadersBy } from './findings/finding-readers.js'
import { behind, toPossibleRecords } from './findings/possible-conflicts.js'
import { instantOf } from './instants.js'
import { resolveScope } from './lifecycle.js'
import type { ListedScope } from './scope-list.js'
import { isStorable } from './storable.js'
import type { AsOf, AsOfDecision, AsOfPaper, AsOfSignOff, ContradictionRecord, Page } from './types.js'

export interface AsOfInput extends ScopeName {
  /** ISO instant. */
  at: string
  /** Narrows statements and conflicts. */
  subject?: string | undefined
}

interface Then {
  tx: TenantTransaction
  scope: ListedScope
  at: string
  subject: string | null
  db: Database
}

interface AsOfList<Row = never> {
  shape: readonly PlaceKind[]
  rows(then: Then, page: { after: Place | null; limit: number }): Promise<Row[]>
  place(row: Row): Place
  items(rows: readonly Row[], then: Then): Promise<object[]> | object[]
}

/** Comments shown with a conflict. */
const shownComments = 50

const number = (after: Place | null) => (after?.[0] ?? -1) as number
const list = <Row>(given: AsOfList<Row>) => given as AsOfList

const lists: Record<AsOfListName, AsOfList> = {
  papers: list<PaperRow>({
    shape: ['string'],
    rows: ({ tx, scope, at }, { after, limit }) => listPapersThen(tx, scope, { at, after: (after?.[0] ?? null) as string | null, limit }),
    place: row => [row.document_id],
    items: rows => rows.map(toPaper),
  }),
  statements: list<Awaited<ReturnType<typeof listClaimRows>>[number]>({
    shape: ['number'],
    async rows({ tx, scope, at, subject }, { after, limit }) {
      const filter = { state: 'live' as const, documentId: null, subject, attribute: null, asOf: null, knownAt: at }
      return listClaimRows(tx, scope, { ...filter, after: number(after), limit })
    },
    place: row => [row.claim_no],
    items: rows => rows.map(toClaimRecord),
  }),
  contradictions: list<ContradictionRow>({
    shape: ['number'],
    rows: ({ tx, scope, at, subject }, { after, limit }) =>
      listContradictionRows(tx, scope, {
        ...{ status: 'open', severity: null, documentId: null, foundBy: null, knownAt: at, subject },
        after: number(after),
        limit,
      }),
    place: row => [row.contradiction_no],
    async items(rows, then) {
      const records = await toContradictionRecords(then.tx, then.scope, rows, { supporters: 0, knownAt: then.at })
      return withReadersBy(then.db, { tenantId: then.tx.tenantId, at: then.at }, await withDiscussion(records, rows, then))
    },
  }),
  possible_conflicts: list<Awaited<ReturnType<typeof listPossibleRows>>[number]>({
    shape: ['int4', 'number'],
    rows({ tx, scope, at, subject }, { after, limit }) {
      return listPossibleRows(tx, scope, { status: 'open', knownAt: at, subject, after: behind(after), limit })
    },
    place: row => [row.score_micros, row.possible_no],
    async items(rows, { db, tx, scope, at }) {
      return withReadersBy(db, { tenantId: tx.tenantId, at }, await toPossibleRecords(tx, scope, rows, at))
    },
  }),
  decisions: list<PersonsDecisionRow>({
    shape: ['number'],
    rows: ({ tx, scope, at }, { after, limit }) => listPersonsDecisions(tx, scope, { at, after: number(after), limit }),
    place: row => [row.seq],
    items: rows => rows.map(toDecision),
  }),
  sign_offs: list<StandingSignOffRow>({
    shape: ['number'],
    rows: ({ tx, scope, at }, { after, limit }) => listSignOffsThen(tx, scope, { at, after: number(after), limit }),
    place: row => [row.round],
    items: rows => rows.map(toSignOff),
  }),
}

/** A page of each list, or of the one that is asked for. */
export async function getAsOf(
  deps: ScopesDeps,
  { list: wanted, ...input }: AsOfInput & PageRequest & { list?: AsOfListName | undefined },
): Promise<AsOf> {
  if (input.cursor !== undefined && wanted === undefined) throw invalidMember('/query/list', 'is required with `cursor`')
  return readThen(deps, input, async (then, moment) => {
    const pages: [AsOfListName, Page<object>][] = []
    for (const name of wanted === undefined ? asOfNames : [wanted]) pages.push([name, await pageThen(then, name, input, moment)])
    return { ...moment, ...Object.fromEntries(pages) } as AsOf
  })
}

async function pageThen(then: Then, name: AsOfListName, request: PageRequest & ScopeName, moment: Moment): Promise<Page<object>> {
  const { shape, rows, place, items } = lists[name]
  const identity = ['as-of', name, request.tenantId, request.scopeId, then.scope.generation, then.at, then.subject]
  const paging = readPaging(request, identity, shape)
  const given = isEmpty(then, moment) ? [] : await rows(then, { after: paging.after, limit: paging.limit + 1 })
  const page = pageOf(given, paging, identity, { place, item: row => row })
  return { ...page, items: await items(page.items, then) }
}

/** Of what is signed: everything in the lists, `take` given one part after another. */
export async function walkAsOf(
  deps: Pick<ScopesDeps, 'db'>,
  input: AsOfInput,
  take: (name: AsOfListName, items: readonly object[]) => void,
): Promise<Moment> {
  return readThen(deps, input, async (then, moment) => {
    for (const name of isEmpty(then, moment) ? [] : asOfNames) {
      const { rows, place, items } = lists[name]
      for (let after: Place | null = null; ; ) {
        const part: never[] = await rows(then, { after, limit: partRows })
        take(name, await items(part, then))
        const last = part.at(-1)
        if (part.length < partRows || last === undefined) break
        after = place(last)
      }
    }
    return moment
  })
}

const partRows = 500

async function readThen<T>(deps: Pick<ScopesDeps, 'db'>, input: AsOfInput, work: (then: Then, moment: Moment) => Promise<T>): Promise<T> {
  const at = instantOf(input.at, '/query/at')
  const { scopeId, subject = null } = input
  // What is still being committed may be of that moment: the same question would be answered otherwise a little later.
  const isOver = await deps.db.inTenant(input.tenantId, async tx => isMomentOver(tx, await resolveScope(tx, scopeId), at), {
    readOnly: true,
  })
  if (!isOver) throw invalidMember('/query/at', 'must not be in the future')
  return readTenant(deps.db, input.tenantId, async tx => {
    const scope = { ...(await resolveScope(tx, scopeId)), scopeId }
    const moment = toMoment(await readMoment(tx, scope, at), { scope_id: scopeId, generation: scope.generation, at, subject })
    return work({ tx, scope, at, subject, db: deps.db }, moment)
  })
}

function isEmpty({ subject }: Then, { before_reset }: Moment): boolean {
  return before_reset || (subject !== null && !isStorable(subject))
}

function toMoment(row: MomentRow, named: Pick<Moment, 'scope_id' | 'generation' | 'at' | 'subject'>): Moment {
  const before_reset = row.reset_at !== null && named.at < row.reset_at
  return {
    ...named,
    created_at: row.created_at,
    reset_at: row.reset_at,
    before_reset,
    round: before_reset ? null : (row.round ?? 0),
    chain: before_reset
      ? null
      : { length: (row.decision_seq ?? -1) + 1, head: row.decision_hash ?? genesis(row.chain_start ?? undefined).hash },
  }
}

/** When the case changed last: from then on it is as it is now. */
export function lastChangeOf({ db }: Pick<ScopesDeps, 'db'>, { tenantId, scopeId }: ScopeName): Promise<LastChange> {
  return readTenant(db, tenantId, async tx => readLastChange(tx, await resolveScope(tx, scopeId)))
}

/** What is written to one contradiction is numbered from one, so the first of each are those with the lowest numbers. */
async function withDiscussion(records: readonly ContradictionRecord[], rows: readonly ContradictionRow[], { tx, scope, at }: Then) {
  const contradictionNos = rows.filter(row => row.comments > 0).map(row => row.contradiction_no)
  const limit = contradictionNos.length * shownComments
  const comments = limit === 0 ? [] : await listCommentRows(tx, scope, { contradictionNos, knownAt: at, after: 0, limit })
  return records.map((record, index) => ({
    ...record,
    discussion: comments
      .filter(each => each.contradiction_no === rows[index]?.contradiction_no && each.comment_no <= shownComments)
      .map(({ said_by: by, text, said_at }) => ({ by, text, said_at })),
  }))
}

function toPaper({ text_hash, file_sha256, name, ...row }: PaperRow): AsOfPaper {
  return {
    ...row,
    name: row.erased_at === null ? name : null,
    content_hash: text_hash === null ? null : text_hash.toString('hex'),
    file_sha256: file_sha256 === null ? null : file_sha256.toString('hex'),
  }
}

function toDecision({ actor, ...row }: PersonsDecisionRow): AsOfDecision {
  return { ...row, by: actor.id, vouched: actor.bound === true }
}

function toSignOff({ signed_by: by, bound: vouched, ...row }: StandingSignOffRow): AsOfSignOff {
  return { ...row, by, vouched }
}
