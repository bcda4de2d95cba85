/** Who has examined a scope, as its summary tells it: the sign-offs that stand, what came since, and what nobody has looked at. */

import { modelOf } from '../kernel/certified-examination.js'
import { comparedInAll, standingInWords } from '../kernel/examined-words.js'
import { effectiveSettings } from '../kernel/settings.js'
import type { Gate } from '../kernel/types.js'
import { listUnexamined } from '../store/scopes/examination.js'
import { type ExaminedCase, readExaminedCases } from '../store/scopes/examined-cases.js'
import type { ScopePlace } from '../store/scopes/scopes.js'
import { countPapersSince, listNotExamined, listSignOffRows } from '../store/scopes/sign-offs.js'
import type { TenantTransaction, Transaction } from '../store/server/database.js'
import type { ScopeRecord, ScopeSummary } from './types.js'

/** Of a case in a list. */
export type CaseExamined = ScopeRecord['examined']

/** By number of the scope. */
export async function readCasesExamined(tx: Transaction, places: readonly ScopePlace[]): Promise<Map<number, CaseExamined>> {
  const cases = await readExaminedCases(tx, places)
  return new Map(cases.map(each => [each.scopeNo, toCaseExamined(each)]))
}

/** Before anybody has examined anything. */
export const notExamined: CaseExamined = {
  words: standingInWords([], 0, false),
  papers_since: 0,
  compared: comparedInAll({ models: [], byRulesAlone: false }),
}

function toCaseExamined({ signed, papersSince, models, byRulesAlone }: ExaminedCase): CaseExamined {
  return {
    words: standingOf(signed, papersSince),
    papers_since: papersSince,
    compared: comparedInAll({ models: models.map(modelInWords), byRulesAlone }),
  }
}

/** Of people who signed for what counts now all are named; otherwise the one who signed last. */
function standingOf(signed: readonly { by: string; signed_at: string; current: boolean }[], papersSince: number): string {
  const [latest] = signed
  const together = latest?.current ? signed.filter(each => each.current) : signed.slice(0, 1)
  return standingInWords(together, papersSince, latest !== undefined && !latest.current)
}

export function modelInWords(compared: string): string {
  const { model, questions } = modelOf(compared)
  return `${model} (questions ${questions})`
}

const shownSignOffs = 5
const shownDocuments = 20

export async function readExamined(tx: TenantTransaction, scope: ScopePlace, settings: unknown): Promise<ScopeSummary['examined']> {
  const { examination: setting, signatures } = effectiveSettings(settings).finality
  const [standing, waiting, unexamined, [comparison]] = await Promise.all([
    listSignOffRows(tx, scope, { before: null, standing: true, limit: shownSignOffs }),
    listNotExamined(tx, scope, shownDocuments),
    setting === 'model' ? listUnexamined(tx, scope, shownDocuments) : [],
    readExaminedCases(tx, [scope]),
  ])
  const [latest] = standing
  const since = latest === undefined ? 0 : await countPapersSince(tx, scope, latest.round)
  const signed = standing.map(({ sign_off_id, signed_by: by, bound: vouched, signed_at, current }) => ({
    ...{ sign_off_id, by, vouched, signed_at, current },
  }))
  return {
    setting,
    signatures,
    sign_offs: signed,
    papers_since: since,
    words: standingOf(signed, since),
    compared: comparison === undefined ? notExamined.compared : toCaseExamined(comparison).compared,
    not_examined: [...waiting, ...unexamined].slice(0, shownDocuments),
  }
}

/** The gate names what stands in its way. */
export function namedGates(gates: readonly Gate[], notExamined: ScopeSummary['examined']['not_examined']): Gate[] {
  if (notExamined.length === 0) return [...gates]
  const names = notExamined.map(({ document_id: id, why }) => `${id} (${why})`).join(', ')
  return gates.map(gate => (gate.gate === 'examined' && !gate.ok ? { ...gate, how: `${gate.how} Not examined: ${names}.` } : gate))
}
