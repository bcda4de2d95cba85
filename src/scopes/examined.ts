/** Who has examined a scope, as its summary tells it: the sign-offs that stand, what came since, and what nobody has looked at. */

import { standingInWords } from '../kernel/examined-words.js'
import { effectiveSettings } from '../kernel/settings.js'
import type { Gate } from '../kernel/types.js'
import type { ScopePlace } from '../store/scopes/scopes.js'
import { countPapersSince, listNotExamined, listSignOffRows } from '../store/scopes/sign-offs.js'
import type { TenantTransaction } from '../store/server/database.js'
import type { ScopeSummary } from './types.js'

const shownSignOffs = 5
const shownDocuments = 20

export async function readExamined(tx: TenantTransaction, scope: ScopePlace, settings: unknown): Promise<ScopeSummary['examined']> {
  const { examination: setting, signatures } = effectiveSettings(settings).finality
  const [standing, notExamined] = await Promise.all([
    listSignOffRows(tx, scope, { before: null, standing: true, limit: shownSignOffs }),
    listNotExamined(tx, scope, shownDocuments),
  ])
  const [latest] = standing
  const since = latest === undefined ? 0 : await countPapersSince(tx, scope, latest.round)
  const signed = standing.map(({ sign_off_id, signed_by: by, bound: vouched, signed_at, current }) => ({
    ...{ sign_off_id, by, vouched, signed_at, current },
  }))
  const together = latest?.current ? signed.filter(each => each.current) : signed.slice(0, 1)
  return {
    setting,
    signatures,
    sign_offs: signed,
    papers_since: since,
    words: standingInWords(together, since, latest !== undefined && !latest.current),
    not_examined: notExamined,
  }
}

/** The gate names what stands in its way. */
export function namedGates(gates: readonly Gate[], notExamined: ScopeSummary['examined']['not_examined']): Gate[] {
  if (notExamined.length === 0) return [...gates]
  const names = notExamined.map(({ document_id: id, why }) => `${id} (${why})`).join(', ')
  return gates.map(gate => (gate.gate === 'examined' && !gate.ok ? { ...gate, how: `${gate.how} Not examined: ${names}.` } : gate))
}
