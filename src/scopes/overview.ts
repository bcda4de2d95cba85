/** The first page of a case: bounded whatever its size, and made of what is there, so that it is never out of date. */

import { emptyAggregates } from '../kernel/scores.js'
import { dayMentioned, papersCalled } from '../reading/document/mentions.js'
import { listTopContradictions } from '../store/findings/findings.js'
import {
  countEvents,
  countPossible,
  listIssueDays,
  listLinks,
  listMentions,
  listOwners,
  listPapers,
  listSetAside,
  listUnreadNames,
  type PaperRow,
} from '../store/scopes/overview.js'
import type { NamedPlace } from '../store/scopes/scopes.js'
import { listNotExamined } from '../store/scopes/sign-offs.js'
import { readStateFigures } from '../store/scopes/summary.js'
import { findLastVisit, keepVisit, type Visit } from '../store/scopes/visits.js'
import { readTenant, type TenantTransaction } from '../store/server/database.js'
import type { ScopeName, ScopesDeps } from './deps.js'
import { contestedFact, heaviestFirst } from './findings/contested-facts.js'
import { toContradictionRecords } from './findings/contradictions.js'
import { requireOverview, toDocumentCounts } from './lifecycle.js'
import { groupPapers, linkGroups } from './paper-groups.js'
import type { CaseOverview } from './types.js'

const listed = 50
const drawnPapers = 2000
const mostPairs = 5000
const mostLinks = 500
const namedPapers = 5
const mostMentions = 500

export interface OverviewInput extends ScopeName {
  /** Who looks: a person, or the key. */
  visitor: string
  since?: number | undefined
}

export async function getOverview(deps: ScopesDeps, input: OverviewInput): Promise<CaseOverview> {
  const { scope, overview } = await readTenant(deps.db, input.tenantId, tx => readOverview(tx, input))
  await deps.db.inTenant(input.tenantId, tx => keepVisit(tx, scope, input.visitor, overview.last_seq ?? -1))
  return overview
}

async function readOverview(tx: TenantTransaction, input: OverviewInput): Promise<{ scope: NamedPlace; overview: CaseOverview }> {
  const head = await requireOverview(tx, input.scopeId)
  const scope = { tenantId: tx.tenantId, scopeId: head.scope_id, scopeNo: head.scope_no, generation: head.generation }
  const [state, top, owners, waiting, setAside, papers, possible, pairs] = await Promise.all([
    readStateFigures(tx, scope),
    listTopContradictions(tx, scope, listed),
    listOwners(tx, scope, listed),
    listNotExamined(tx, scope, listed),
    listSetAside(tx, scope, listed),
    listPapers(tx, scope, drawnPapers),
    countPossible(tx, scope),
    listLinks(tx, scope, mostPairs),
  ])
  const open = head.open_contradictions
  const counts = toDocumentCounts(head)
  const records = await toContradictionRecords(
    tx,
    scope,
    top.filter(({ status }) => status === 'open'),
    { supporters: 0 },
  )
  const names = new Map(papers.map(each => [each.document_id, each.name]))
  const aggregates = { ...emptyAggregates(), ...state?.aggregates }
  const found = aggregates.contradictionsTotal
  const groups = groupPapers(papers.map(toDated))
  const overview: CaseOverview = {
    scope_id: head.scope_id,
    last_seq: head.next_seq === 0 ? null : head.next_seq - 1,
    contested: { open, items: heaviestFirst(records.map(record => contestedFact(record, names))) },
    reviewed: {
      contradictions: { decided: Math.max(0, found - open), total: found },
      possible_conflicts: { decided: Math.max(0, possible - aggregates.possibleOpen), total: possible },
    },
    since: await changesSince(tx, scope, input),
    missing: await findMissing(tx, scope),
    not_read: {
      count: waiting[0]?.total ?? 0,
      items: waiting.map(({ document_id, name, why }) => ({ document_id, name, why })),
      set_aside: setAside,
    },
    people: { unassigned: Math.max(0, open - (owners[0]?.all ?? 0)), items: owners.map(({ all: _all, ...owner }) => owner) },
    papers: {
      total: counts.total - counts.erased,
      drawn: papers.length,
      groups: groups.map(({ issuer, from, to, papers: of }) => ({
        ...{ issuer, from, to, count: of.length },
        papers: of.slice(0, namedPapers).map(({ documentId: document_id, name }) => ({ document_id, name })),
      })),
      links: linkGroups(groups, pairs, mostLinks),
    },
  }
  return { scope, overview }
}

async function changesSince(tx: TenantTransaction, scope: NamedPlace, { visitor, since }: OverviewInput): Promise<CaseOverview['since']> {
  const from: (Omit<Visit, 'at'> & { at: string | null }) | null =
    since === undefined ? await findLastVisit(tx, scope, visitor) : { seq: since, at: null }
  if (from === null) return null
  return { seq: Math.max(0, from.seq), at: from.at, changes: await countEvents(tx, scope, from.seq) }
}

/** What none is by its heading, its name or its day. A paper nobody could read is there all the same. */
async function findMissing(tx: TenantTransaction, scope: NamedPlace): Promise<CaseOverview['missing']> {
  const found = await listMentions(tx, scope, { limit: mostMentions, named: namedPapers })
  if (found.length === 0) return []
  const days = await listIssueDays(
    tx,
    scope,
    found.flatMap(({ key }) => dayMentioned(key) ?? []),
  )
  const unread = new Set((await listUnreadNames(tx, scope, drawnPapers)).flatMap(papersCalled))
  const isThere = (key: string): boolean => {
    const day = dayMentioned(key)
    return day === null ? unread.has(key) : days.some(each => each === day || each.slice(4) === day.slice(1))
  }
  return found
    .filter(({ key }) => !isThere(key))
    .slice(0, listed)
    .map(({ key: _key, ...missing }) => missing)
}

/** A month or a year stands for its first day. */
function toDated({ document_id: documentId, name, issuer, issued_on: issuedOn, received_at: receivedAt }: PaperRow) {
  const known = /^\d{4}(-\d\d){0,2}$/.test(issuedOn ?? '') ? `${issuedOn}-01-01`.slice(0, 10) : null
  const day = known !== null && !Number.isNaN(Date.parse(known)) ? known : receivedAt.slice(0, 10)
  return { documentId, name: name || null, issuer, day }
}
