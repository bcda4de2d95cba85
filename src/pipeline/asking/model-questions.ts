/**
 * From what the rules made of a document, and what its scope holds, to the pairs a model is asked to confirm; with the text around
 * both passages of each, whoever proposed it.
 */

import type { AnsweredVerdict } from '../../models/answer-schema.js'
import type { Candidate, Side } from '../../models/candidates.js'
import { type ConfirmSide, confirmQuestion, type Question, type ShownDocument } from '../../models/question.js'
import type { AskedPair } from '../../models/verdicts.js'
import type { CodePointSlice } from '../../reading/normalize/code-points.js'
import type { ClaimSide } from '../../store/documents/model-readings.js'
import type { PlannedWrite } from '../planning/batch-plan.js'

/** Pairs of one question, and characters around each of their passages. */
const shownWith = {
  confirm: { batch: 30, before: 450, behind: 300 },
  settle: { batch: 12, before: 1200, behind: 800 },
} as const

export interface Confirming {
  question: Question<AnsweredVerdict>
  asked: AskedPair[]
}

/** Numbers of claims of other documents that the rules found something about. */
export function ruleClaims({ sides, possible, claims }: Pick<PlannedWrite, 'sides' | 'possible' | 'claims'>): number[] {
  const own = new Set(claims.map(({ claim }) => claim.claimNo))
  const numbers = [
    ...sides.filter(({ lead }) => lead).map(({ claimNo }) => claimNo),
    ...possible.flatMap(each => [each.claimA, each.claimB]),
  ]
  return [...new Set(numbers)].filter(claimNo => !own.has(claimNo))
}

/** Contradictions and possible conflicts of the rules with a side in the document. */
export function ruleCandidates(
  planned: Pick<PlannedWrite, 'content' | 'possible' | 'claims'>,
  document: ShownDocument,
  others: readonly ClaimSide[],
  documents: ReadonlyMap<string, ShownDocument>,
): Candidate[] {
  const known = new Map<string, ClaimSide>(others.map(each => [each.claimId, each]))
  const numbers = new Map(others.map(each => [each.claimNo, each.claimId]))
  for (const { claim } of planned.claims) {
    numbers.set(claim.claimNo, claim.claimId)
    known.set(claim.claimId, { ...claim, documentId: document.documentId })
  }
  const own = new Set(planned.claims.map(({ claim }) => claim.claimId))
  const candidate = (a: string, b: string, rules: 'contradiction' | 'possible'): Candidate[] => {
    const [mine, theirs] = own.has(b) ? [known.get(b), known.get(a)] : [known.get(a), known.get(b)]
    if (mine === undefined || theirs === undefined || !own.has(mine.claimId)) return []
    const of = theirs.documentId === document.documentId ? document : documents.get(theirs.documentId)
    if (of === undefined) return []
    const words = ({ valueText, quote }: ClaimSide) => (valueText !== '' && quote.includes(valueText) ? valueText : null)
    return [
      {
        ...{ own: sideOf(mine, document), other: sideOf(theirs, of), ownWords: words(mine), otherWords: words(theirs) },
        ...{ subject: mine.subject || theirs.subject, attribute: mine.attribute || theirs.attribute, rules },
      },
    ]
  }
  return [
    ...(planned.content?.contradictions ?? []).flatMap(({ a, b }) => candidate(a, b, 'contradiction')),
    ...[...planned.possible]
      .sort((a, b) => b.scoreMicros - a.scoreMicros)
      .flatMap(({ claimA, claimB }) => candidate(numbers.get(claimA) ?? '', numbers.get(claimB) ?? '', 'possible')),
  ]
}

function sideOf({ claimId, start, end, quote }: ClaimSide, document: ShownDocument): Side {
  return { document, start, end, text: quote, claimId }
}

/** In batches; of a pair the document that came first is side A. */
export function confirmations(
  candidates: readonly Candidate[],
  slices: (documentId: string) => CodePointSlice,
  stage: keyof typeof shownWith,
): Confirming[] {
  const { batch, ...around } = shownWith[stage]
  const batches: Confirming[] = []
  for (let at = 0; at < candidates.length; at += batch) {
    const asked = candidates.slice(at, at + batch).map((candidate): AskedPair => {
      const { own, other } = candidate
      return { candidate, ownIsA: own.document.documentId === other.document.documentId && own.start < other.start }
    })
    const pairs = asked.map(({ candidate: { own, other }, ownIsA }) => {
      const [a, b] = ownIsA ? [own, other] : [other, own]
      return { a: shownSide(a, slices, around), b: shownSide(b, slices, around) }
    })
    batches.push({ question: confirmQuestion(pairs, stage), asked })
  }
  return batches
}

function shownSide(
  { document, start, end, text }: Side,
  slices: (documentId: string) => CodePointSlice,
  { before, behind }: { before: number; behind: number },
): ConfirmSide {
  const slice = slices(document.documentId)
  return { document, passage: text, before: slice(Math.max(0, start - before), start), behind: slice(end, end + behind) }
}

/** The passage with all that may have been shown around it. */
export function textAround({ document, start, end }: Side, slices: (documentId: string) => CodePointSlice): string {
  const { before, behind } = shownWith.settle
  return slices(document.documentId)(Math.max(0, start - before), end + behind)
}
