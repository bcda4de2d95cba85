/** What the documents of a scope claim: by what they say, by state, by document, by what held then (`as_of`) and what was known then (`known_at`). */

import { type ClaimViewRow, listClaimRows } from '../store/findings/findings.js'
import type { ScopePlace } from '../store/scopes/scopes.js'
import type { TenantTransaction } from '../store/server/database.js'
import { type FoundClaim, type SearchFilter, searchClaims } from './claim-search.js'
import { type ListIdentity, type PageRequest, type Paging, pageOf, readPaging } from './cursors.js'
import type { ScopeName, ScopesDeps } from './deps.js'
import { dayOf, optionalInstant } from './instants.js'
import { resolveScope } from './lifecycle.js'
import { isStorable } from './storable.js'
import type { ClaimRecord, Page } from './types.js'

export interface ListClaimsInput extends ScopeName, PageRequest {
  state?: 'live' | 'superseded' | 'all' | undefined
  documentId?: string | undefined
  subject?: string | undefined
  attribute?: string | undefined
  /** ISO date; of an instant, its day. */
  asOf?: string | undefined
  /** ISO instant. */
  knownAt?: string | undefined
  /** Words to look for; then the best come first. */
  q?: string | undefined
}

export async function listClaims(deps: ScopesDeps, input: ListClaimsInput): Promise<Page<ClaimRecord>> {
  const { state = 'live', documentId, subject, attribute, asOf, knownAt, q } = input
  return deps.db.inTenant(
    input.tenantId,
    async tx => {
      const scope = await resolveScope(tx, input.scopeId)
      const filters = [state, documentId, subject, attribute, asOf, knownAt]
      const list = ['claims', input.tenantId, input.scopeId, scope.generation, ...filters, ...(q === undefined ? [] : [q])]
      const paging = readPaging(input, list, q === undefined ? ['number'] : ['real', 'number'])
      if (![documentId, subject, attribute, q].every(text => text === undefined || isStorable(text))) return { items: [], next: null }
      const filter = {
        state,
        documentId: documentId ?? null,
        subject: subject ?? null,
        attribute: attribute ?? null,
        asOf: asOf === undefined ? null : dayOf(asOf, '/as_of'),
        knownAt: optionalInstant(knownAt, '/known_at'),
      }
      if (q !== undefined) return foundPage(tx, scope, { q, filter, paging, list })
      const after = (paging.after?.[0] ?? -1) as number
      const rows = await listClaimRows(tx, scope, { ...filter, after, limit: paging.limit + 1 })
      return pageOf(rows, paging, list, { place: row => [row.claim_no], item: toClaimRecord })
    },
    q === undefined ? { readOnly: true } : { readOnly: true, snapshot: true, indexOrder: true },
  )
}

interface Search {
  q: string
  filter: SearchFilter
  paging: Paging
  list: ListIdentity
}

async function foundPage(tx: TenantTransaction, scope: ScopePlace, { q, filter, paging, list }: Search): Promise<Page<ClaimRecord>> {
  const found = (await searchClaims(tx, scope, q, filter)).filter(each => isBehind(each, paging)).slice(0, paging.limit + 1)
  const rows = await listClaimRows(tx, scope, { ...filter, claimNos: found.map(({ claimNo }) => claimNo), after: -1, limit: found.length })
  const byNo = new Map(rows.map(row => [row.claim_no, row]))
  return pageOf(found, paging, list, {
    place: ({ score, claimNo }) => [score, claimNo],
    item: ({ claimNo }) => toClaimRecord(byNo.get(claimNo) as ClaimViewRow),
  })
}

function isBehind({ score, claimNo }: FoundClaim, { after }: Paging): boolean {
  if (after === null) return true
  const [lastScore, lastNo] = after as readonly number[]
  return score < lastScore! || (score === lastScore && claimNo < lastNo!)
}

export function toClaimRecord(row: ClaimViewRow): ClaimRecord {
  const { body } = row
  return {
    claim_id: row.claim_id,
    document_id: row.document_id,
    revision: row.revision,
    quote: row.quote,
    start: row.start_at,
    end: row.end_at,
    ...placeOf(row),
    subject: row.subject,
    attribute: row.attribute,
    value: textOf(body.valueText) ?? '',
    normalized: isObject(body.value) ? body.value : {},
    unit: textOf(body.unit),
    period: isObject(body.period) ? textOf(body.period.label) : null,
    role: textOf(body.role) ?? 'actual',
    polarity: body.polarity === 'negated' ? 'negated' : 'affirmed',
    // Kept in single precision: six digits are all it holds.
    confidence: Number(row.confidence.toPrecision(6)),
    ...(typeof body.recognised === 'number' && { recognised: body.recognised }),
    valid_from: row.valid_from,
    valid_to: row.valid_to,
    recorded_at: row.recorded_at,
    superseded_at: row.superseded_at,
    superseded_by: row.superseded_by,
    superseded_reason: row.superseded_reason,
  }
}

/** Where the quote stands in its file. A quote over several cells has the range of them. */
function placeOf({ place }: ClaimViewRow): Pick<ClaimRecord, 'page' | 'cell' | 'paragraph'> {
  const none = { page: null, cell: null, paragraph: null }
  if (place === null) return none
  if (place.kind === 'cell') return { ...none, cell: cellsOf(place.from, place.to) }
  return { ...none, [place.kind]: Number(place.from) }
}

function cellsOf(from: string, to: string): string {
  const sheet = from.slice(0, from.lastIndexOf('!') + 1)
  return from === to || !to.startsWith(sheet) ? from : `${from}:${to.slice(sheet.length)}`
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
