/** Who has examined a scope, as its summary tells it: the sign-offs that stand, what came since, and what nobody has looked at. */

import { modelOf } from '../kernel/certified-examination.js'
import { comparedInAll, standingInWords } from '../kernel/examined-words.js'
import { effectiveSettings } from '../kernel/settings.js'
import type { Gate } from '../kernel/types.js'
import { personKey } from '../platform/person-name.js'
import { listUnexamined } from '../store/scopes/examination.js'
import { type ExaminedCase, readExaminedCases } from '../store/scopes/examined-cases.js'
import type { ScopePlace } from '../store/scopes/scopes.js'
import { listNotExamined } from '../store/scopes/sign-offs.js'
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
  words: standingInWords([], { papersSince: 0, changed: false }),
  papers_since: 0,
  compared: comparedInAll({ models: [], byRulesAlone: false }),
}

function toCaseExamined({ signed, signers, papersSince, models, byRulesAlone }: ExaminedCase): CaseExamined {
  return {
    words: standingOf(signed, signers, papersSince),
    papers_since: papersSince,
    compared: comparedInAll({ models: models.map(modelInWords), byRulesAlone }),
  }
}

/** Of people who signed for what counts now the latest are named; otherwise the one who signed last. */
function standingOf(signed: ExaminedCase['signed'], signers: number, papersSince: number): string {
  const [latest] = signed
  if (!latest?.current) return standingInWords(signed.slice(0, 1), { papersSince, changed: true })
  const together = signed.filter(each => each.current)
  const named = new Set(together.map(each => personKey(each.by))).size
  return standingInWords(together, { papersSince, changed: false, more: Math.max(0, signers - named) })
}

export function modelInWords(compared: string): string {
  const { model, questions } = modelOf(compared)
  return `${model} (questions ${questions})`
}

const shownDocuments = 20

export async function readExamined(tx: TenantTransaction, scope: ScopePlace, settings: unknown): Promise<ScopeSummary['examined']> {
  const { examination: setting, signatures } = effectiveSettings(settings).finality
  const [waiting, unexamined, [found]] = await Promise.all([
    listNotExamined(tx, scope, shownDocuments),
    setting === 'model' ? listUnexamined(tx, scope, shownDocuments) : [],
    readExaminedCases(tx, [scope]),
  ])
  return {
    setting,
    signatures,
    sign_offs: found?.signed ?? [],
    ...(found === undefined ? notExamined : toCaseExamined(found)),
    not_examined: [...waiting, ...unexamined].slice(0, shownDocuments).map(({ document_id, name, why }) => ({ document_id, name, why })),
    not_examined_total: (waiting[0]?.total ?? 0) + (unexamined[0]?.total ?? 0),
  }
}

/** What a person read by eye is content, and is said in a sign-off. */
const countsByEye = 'A paper that could not be read here counts once somebody who read it says so when signing off.'

/** The gates name what stands in their way. Said when they are shown: what a round recorded keeps its words. */
export function namedGates(gates: readonly Gate[], { not_examined: named, not_examined_total: total }: ScopeSummary['examined']): Gate[] {
  if (named.length === 0) return [...gates]
  const names = named.map(({ document_id: id, name, why }) => `${name ?? id} (${why})`).join(', ')
  const more = total > named.length ? ` and ${total - named.length} more` : ''
  const addedTo: Readonly<Record<string, string>> = {
    examined: `Not examined: ${names}${more}.`,
    ...(named.some(({ why }) => why === 'attached' || why === 'quarantined') ? { minimum_content: countsByEye } : {}),
  }
  return gates.map(each => {
    const added = each.ok ? undefined : addedTo[each.gate]
    return added === undefined ? each : { ...each, how: `${each.how} ${added}` }
  })
}
