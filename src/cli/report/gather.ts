/** Everything the page shows, read through the API with the tenant's own key. Long lists are cut, and the page says so. */

import type { Client } from '../../client/client.js'
import type { Schema } from '../../contract/types.js'
import { type ConvergencePoint, convergenceHistory } from '../convergence-history.js'
import { undefinedWhenMissing } from '../undefined-when-missing.js'
import { type Around, gatherContexts } from './context.js'

export interface ReportData {
  summary: Schema['ScopeSummary']
  documents: Schema['Document'][]
  contradictions: Schema['Contradiction'][]
  possible: Schema['PossibleConflict'][]
  supersessions: Schema['Supersession'][]
  decisions: Schema['Decision'][]
  certificate: Schema['Certificate'] | undefined
  around: Around
  history: ConvergencePoint[]
  server: string
  madeAt: string
}

const most = { documents: 2000, contradictions: 500, possible: 200, supersessions: 500, decisions: 1000, events: 50_000 }

export async function gatherReport(client: Client, scopeId: string, about: { server: string; madeAt: string }): Promise<ReportData> {
  const summary = await client.summary(scopeId)
  const [documents, contradictions, possible, supersessions, decisions, certificate, history] = await Promise.all([
    client.documents(scopeId, { limit: 200 }).toArray(most.documents),
    client.contradictions(scopeId, { status: 'all', limit: 200 }).toArray(most.contradictions),
    client.possibleConflicts(scopeId, { limit: 200 }).toArray(most.possible),
    client.supersessions(scopeId, { limit: 200 }).toArray(most.supersessions),
    client.decisions(scopeId, { limit: 200 }).toArray(most.decisions),
    client.certificate(scopeId).catch(undefinedWhenMissing),
    convergenceHistory(client, scopeId, { lastSeq: summary.last_seq, mostEvents: most.events }),
  ])
  const replaced = supersessions.map(({ claim: a, superseded_by: b }) => ({ a, b }))
  // What is undecided first: there is a limit.
  const shown = [...contradictions.filter(item => item.status === 'open'), ...possible, ...contradictions, ...replaced]
  const sheets = new Set(documents.filter(each => each.type === 'csv').map(each => each.document_id))
  const names = new Map(documents.map(each => [each.document_id, each.name ?? each.document_id]))
  const around = { contexts: await gatherContexts(client, scopeId, shown, sheets), names }
  return { summary, documents, contradictions, possible, supersessions, decisions, certificate, around, history, ...about }
}
