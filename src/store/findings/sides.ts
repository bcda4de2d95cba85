/** The claims on the sides of contradictions, and which of them stands for its side. */

import { inPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import { bindings, columnsOf } from '../server/columns.js'
import type { TenantTransaction } from '../server/database.js'
import { sidesThen } from './finding-history.js'
import { type ClaimViewRow, claimsThen, readClaimRows } from './findings.js'

interface MemberRow extends ClaimViewRow {
  contradiction_no: number
  side: 'a' | 'b'
  /** Claims on this side, this one included. */
  members: number
}

export interface SideRow extends MemberRow {
  /** Of one that stands for its side in place of the claim the contradiction was found with: who issued its paper. */
  instead: { issuer: string | null } | null
}

interface SidesWanted {
  contradictionNos: readonly number[]
  supporters: number
  knownAt?: string | null
}

/**
 * Of each side the claim that stands for it and up to `supporters` others, oldest first. The one the contradiction was found with stands
 * for its side while it counts. Once it does not, one that counts takes its place and it comes next; where none counts, the one that counted
 * last; of the same document before others. Whether its paper still says it is not asked: a paper's words of now would change what is
 * shown of a moment in the past.
 */
export async function readSides(tx: TenantTransaction, scope: ScopePlace, wanted: SidesWanted): Promise<SideRow[]> {
  const rows = await readMembers(tx, scope, wanted)
  const sides = new Map<string, MemberRow[]>()
  for (const row of rows) sides.set(keyOf(row), [...(sides.get(keyOf(row)) ?? []), row])
  const over = [...sides.values()].flatMap(([lead]) => (lead !== undefined && isOver(lead) ? [lead] : []))
  const found = await findStanding(tx, scope, { leads: over, knownAt: wanted.knownAt ?? null })
  const claimNos = found.map(each => each.claim_no)
  const claims = await readClaimRows(tx, scope, claimNos, wanted.knownAt)
  const standing = new Map(found.map(each => [keyOf(each), each]))
  return [...sides].flatMap(([key, side]) => {
    const others = side.map(row => ({ ...row, instead: null }))
    const first = standing.get(key)
    const claim = first === undefined ? undefined : claims.get(first.claim_no)
    const [lead] = others
    if (first === undefined || claim === undefined || lead === undefined) return others
    const shown = { ...lead, ...claim, instead: { issuer: first.issuer } }
    return [shown, ...others.filter(row => row.claim_no !== claim.claim_no)].slice(0, wanted.supporters + 1)
  })
}

function keyOf({ contradiction_no: no, side }: Pick<MemberRow, 'contradiction_no' | 'side'>): string {
  return `${no} ${side}`
}

function isOver({ superseded_at: at, members }: MemberRow): boolean {
  return at !== null && members > 1
}

/** Those the contradictions were found with first. */
async function readMembers(tx: TenantTransaction, scope: ScopePlace, wanted: SidesWanted): Promise<MemberRow[]> {
  const { values, bind } = bindings(...placeOf(scope), wanted.contradictionNos, wanted.supporters + 1)
  const known = wanted.knownAt == null ? null : `${bind(wanted.knownAt)}::timestamptz`
  const { columns, retired } = claimsThen(known)
  return tx.rows<MemberRow>(
    `select m.contradiction_no, m.side, m.members, ${columns}
     from (
       select contradiction_no, side, claim_no, count(*) over on_side as members,
         row_number() over (on_side order by lead desc, claim_no) as place
       from ${sidesThen(known)}
       where ${ofPlace} and contradiction_no = any ($4::bigint[])
       window on_side as (partition by contradiction_no, side)) m
     join claims c on ${inPlace('c')} and c.claim_no = m.claim_no ${retired}
     where m.place <= $5
     order by m.contradiction_no, m.side, m.place`,
    values,
  )
}

interface StandingRow {
  contradiction_no: number
  side: 'a' | 'b'
  claim_no: number
  issuer: string | null
}

/** Of a side whose first claim does not count, as many are looked through for one that does. */
const mostLookedThrough = 1000

/** What stands in place of those that do not count, where that is another. */
async function findStanding(
  tx: TenantTransaction,
  scope: ScopePlace,
  { leads, knownAt }: { leads: readonly MemberRow[]; knownAt: string | null },
): Promise<StandingRow[]> {
  if (leads.length === 0) return []
  const sides = columnsOf(leads, 'contradiction_no', 'side', 'document_id', 'claim_no')
  const { values, bind } = bindings(...placeOf(scope), [...new Set(leads.map(each => each.contradiction_no))], ...sides)
  const known = knownAt === null ? null : `${bind(knownAt)}::timestamptz`
  const { retired, ended } = claimsThen(known)
  return tx.rows<StandingRow>(
    `with looked as materialized (
       select m.*, l.document_id as led_document, l.claim_no as led_claim from (
         select contradiction_no, side, claim_no, lead, row_number() over (partition by contradiction_no, side order by lead desc, claim_no) as place
         from ${sidesThen(known)} where ${ofPlace} and contradiction_no = any ($4::bigint[])) m
       join unnest($5::bigint[], $6::text[], $7::text[], $8::bigint[]) as l (contradiction_no, side, document_id, claim_no) using (contradiction_no, side)
       where m.place <= ${mostLookedThrough}
     ), best as (
       select distinct on (m.contradiction_no, m.side) m.contradiction_no, m.side, m.claim_no, m.led_claim, c.document_id, c.revision
       from looked m cross join lateral (
         select c.document_id, c.revision, ${ended} as ended
         from claims c ${retired} where ${inPlace('c')} and c.claim_no = m.claim_no limit 1) c
       order by m.contradiction_no, m.side, c.ended is null desc, c.ended desc, c.document_id = m.led_document desc, m.place
     )
     select b.contradiction_no, b.side, b.claim_no, (
       select left(d.profile->>'issuer', 120) from documents d
       where ${inPlace('d')} and d.document_id = b.document_id and d.revision = b.revision and d.erased_at is null) as issuer
     from best b where b.claim_no <> b.led_claim`,
    values,
  )
}
