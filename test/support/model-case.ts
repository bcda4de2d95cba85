/**
 * A case read by both readers in memory, document after document: the rules, and a model that is asked about each document.
 * What goes into the questions is frozen in the case's file, so that answers recorded once stay good while the rules improve; a
 * change of the questions themselves needs new recordings.
 */

import { jsonIn } from '../../src/models/answer-text.js'
import { type Candidate, type Dropped, joinCandidates, proposedCandidates, type Side } from '../../src/models/candidates.js'
import { mergeReadings } from '../../src/models/merge-readings.js'
import { type CutPassage, cutDocument, shownPassages } from '../../src/models/passages.js'
import { proposeQuestion, type Question, type ShownDocument } from '../../src/models/question.js'
import { isUnsure, type Judged, judgedOf, settled, type VerifiedReading, verifyVerdicts } from '../../src/models/verdicts.js'
import { confirmations, textAround } from '../../src/pipeline/asking/model-questions.js'
import { extract, type Reading } from '../../src/reading/document/extract.js'
import { type CodePointSlice, codePointSlices } from '../../src/reading/normalize/code-points.js'
import { placeClaims } from '../../src/reading/relations/place.js'
import { reconcile } from '../../src/reading/relations/reconcile.js'
import type { DocumentFacts, ExistingFinding, Extraction, PlacedClaim } from '../../src/reading/types.js'
import type { FolderResult, GoldSide, ScoredFinding } from './score-corpus.js'

export interface CaseDocument {
  name: string
  text: string
}

const thresholds = { contradicts: 0.6, replaces: 0.6, compatible: 0.6 }

type Span = [start: number, end: number, words: string | null]

/** Of each document, what its questions and those after it are made of; places are code points. */
export interface FrozenDocument {
  name: string
  issuer: string | null
  issuedOn: string | null
  passages: CutPassage[]
  /** What the rules found: an own passage against one of a document. */
  rules: { own: Span; document: string; other: Span; subject: string; attribute: string; rules: 'contradiction' | 'possible' }[]
}

/** With what was closed since, because a side was replaced: it was found all the same. */
export interface CaseFinding extends ScoredFinding {
  isOpen?: boolean
}

export interface CaseRun {
  result: FolderResult & { findings: CaseFinding[] }
  questions: Question[]
  dropped: Dropped
  /** Contradictions shown that the model found. */
  byModel: number
  invalid: string[]
}

/** Null leaves a question unanswered. */
export type AnswerQuestion = (question: Question, document: string) => string | null

export function runCase(documents: readonly CaseDocument[], frozen: readonly FrozenDocument[], answer: AnswerQuestion): CaseRun {
  const scope = new CaseScope(documents, frozen)
  for (const document of documents) scope.read(document, answer)
  return scope.run()
}

/** What today's rules put into the questions of a case. */
export function freezeCase(documents: readonly CaseDocument[]): FrozenDocument[] {
  const scope = new CaseScope(documents, null)
  return documents.map(document => scope.read(document, () => null))
}

class CaseScope {
  private readonly slices: Map<string, CodePointSlice>
  private readonly frozen: Map<string, FrozenDocument> | null
  private readonly all = new Map<string, PlacedClaim>()
  private readonly ended = new Map<string, { by: string | null; reason: string }>()
  private readonly findings: (ExistingFinding & { label: string; reason: string; foundBy: string | undefined })[] = []
  private readonly unsure: ScoredFinding[] = []
  /** Replacements that a person is asked to accept: they count as replacements. */
  private readonly proposed: CaseFinding[] = []
  private readonly before: FrozenDocument[] = []
  private readonly questions: Question[] = []
  private readonly dropped: Record<string, number> = {}
  private readonly invalid: string[] = []
  private readonly documents: Record<string, DocumentFacts> = {}
  private badQuotes = 0

  constructor(documents: readonly CaseDocument[], frozen: readonly FrozenDocument[] | null) {
    this.slices = new Map(documents.map(({ name, text }) => [name, codePointSlices(text)]))
    this.frozen = frozen === null ? null : new Map(frozen.map(each => [each.name, each]))
  }

  read(document: CaseDocument, answer: AnswerQuestion): FrozenDocument {
    const { name, text } = document
    const extraction = extract({ documentId: name, revision: 1, name, type: typeOf(name), source: null, text })
    const rules = this.reconcile(name, extraction)
    const facts = this.frozen === null ? this.freeze(document, extraction, rules) : this.frozen.get(name)
    if (facts === undefined) throw new Error(`${name} is not in the file of its case`)
    const reading = this.ask(document, facts, rules.claims, answer)
    if (reading === null) this.admit(rules.claims, rules.concluded)
    else this.admitWithModel(name, extraction, reading)
    this.before.push(facts)
    return facts
  }

  private freeze({ name, text }: CaseDocument, { profile }: Reading, { claims, concluded }: Rules): FrozenDocument {
    const own = new Map(claims.map(claim => [claim.claimId, claim]))
    const frozen = (a: string, b: string, rules: 'contradiction' | 'possible'): FrozenDocument['rules'] => {
      const [mine, theirs] = own.has(b) ? [own.get(b), own.get(a) ?? this.all.get(a)] : [own.get(a), this.all.get(b)]
      if (mine === undefined || theirs === undefined) return []
      const span = ({ start, end, quote, valueText }: PlacedClaim): Span => [
        start,
        end,
        quote.includes(valueText) && valueText !== '' ? valueText : null,
      ]
      return [
        { own: span(mine), document: theirs.documentId, other: span(theirs), subject: mine.subject, attribute: mine.attribute, rules },
      ]
    }
    return {
      name,
      issuer: profile.issuer,
      issuedOn: profile.issuedOn,
      passages: cutDocument({ name, text, type: typeOf(name) }).passages,
      rules: [
        ...concluded.contradictions.flatMap(({ a, b }) => frozen(a, b, 'contradiction')),
        ...concluded.unsure.flatMap(({ a, b }) => frozen(a, b, 'possible')),
      ],
    }
  }

  /** Null where nothing was answered. */
  private ask(
    { name, text }: CaseDocument,
    facts: FrozenDocument,
    claims: readonly PlacedClaim[],
    answer: AnswerQuestion,
  ): VerifiedReading | null {
    const document = shown(facts)
    const earlier = this.before.map(each => ({ document: shown(each), passages: this.passages(each) }))
    const documents = new Map(earlier.map(each => [each.document.documentId, each.document]))
    const propose = proposeQuestion({ earlier, whole: true, document, own: this.passages(facts) })
    const said = this.answered(propose, name, answer)
    if (said === null) return null
    const proposed = proposedCandidates(said, propose, { document, documents })
    const { candidates, dropped } = joinCandidates(this.ruleCandidates(facts, documents), proposed.candidates)
    this.count(proposed.dropped, dropped)
    const judge = (pairs: readonly Candidate[], stage: 'confirm' | 'settle') =>
      confirmations(pairs, id => this.sliceOf(id), stage).flatMap(({ question, asked }): Judged[] => {
        const verdicts = this.answered(question, name, answer)
        if (verdicts === null) return []
        const taken = judgedOf(verdicts, asked)
        this.count(taken.dropped)
        return taken.judged
      })
    const first = judge(candidates, 'confirm')
    const unsure = first.filter(each => isUnsure(each, thresholds)).map(({ candidate }) => candidate)
    const later = new Map(judge(unsure, 'settle').map(each => [each.candidate, each]))
    return verifyVerdicts({
      judged: first.map(each => settled(each, later.get(each.candidate))),
      document: { text, shown: document, claims },
      earlier: [...this.all.values()].filter(each => !this.ended.has(each.claimId)),
      textAround: side => textAround(side, id => this.sliceOf(id)),
      thresholds,
    })
  }

  private answered<Part>(question: Question<Part>, name: string, answer: AnswerQuestion) {
    this.questions.push(question as Question)
    const said = answer(question as Question, name)
    if (said === null) return null
    const read = question.form.read(jsonIn(said))
    if (read === null) this.invalid.push(name)
    return read
  }

  private passages({ name, passages }: FrozenDocument) {
    return shownPassages(name, this.sliceOf(name), passages)
  }

  private ruleCandidates(facts: FrozenDocument, documents: ReadonlyMap<string, ShownDocument>): Candidate[] {
    const side = (document: ShownDocument, [start, end]: Span): Side => ({
      ...{ document, start, end, claimId: null },
      text: this.slice(document.documentId, start, end),
    })
    return facts.rules.flatMap(({ own, document, other, subject, attribute, rules }) => {
      const of = document === facts.name ? shown(facts) : documents.get(document)
      if (of === undefined) return []
      return [{ own: side(shown(facts), own), other: side(of, other), ownWords: own[2], otherWords: other[2], subject, attribute, rules }]
    })
  }

  private count(...all: readonly Dropped[]): void {
    for (const dropped of all)
      for (const [reason, count] of Object.entries(dropped)) this.dropped[reason] = (this.dropped[reason] ?? 0) + count
  }

  private admitWithModel(name: string, extraction: Extraction, reading: VerifiedReading): void {
    const { claims, concluded } = this.reconcile(name, { ...extraction, claims: [...extraction.claims, ...reading.added] })
    const lent = reading.lent.map(({ key, documentId, claim }): [string, PlacedClaim] => {
      const [placed] = this.place(documentId, { ...extraction, claims: [claim] }, () => `${documentId}#${key}#${name}`)
      return [key, placed as PlacedClaim]
    })
    const known = new Map([...[...this.all].filter(([id]) => !this.ended.has(id)), ...lent])
    const both = mergeReadings({
      ...{ concluded, reading, claims, known, findings: this.findings, foundBy: 'model:recorded' },
      factsOf: documentId => this.documents[documentId],
      documentOf: claimId => this.all.get(claimId)?.documentId,
    })
    this.admit([...claims, ...lent.map(([, claim]) => claim)], both)
  }

  private place(name: string, extraction: Extraction, claimId: (index: number) => string): PlacedClaim[] {
    return placeClaims({ extraction, documentId: name, revision: 1, name, glossary: { terms: {}, entities: {} }, claimId }).claims
  }

  private reconcile(name: string, extraction: Extraction) {
    const placed = placeClaims({
      ...{ extraction, documentId: name, revision: 1, name, glossary: { terms: {}, entities: {} } },
      claimId: index => `${name}#${index}`,
    })
    this.documents[name] = placed.facts
    const keys = new Set(placed.claims.flatMap(claim => claim.lookupKeys))
    const live = [...this.all.values()]
      .filter(claim => claim.documentId !== name && claim.lookupKeys.some(key => keys.has(key)))
      .map(claim => ({ ...claim, superseded: this.ended.has(claim.claimId) }))
    const document = { ...placed.facts, documentId: name }
    const { findings, documents } = this
    const concluded = reconcile({ document, claims: placed.claims, live, previousRevision: [], findings, documents })
    return { claims: placed.claims, concluded }
  }

  private admit(claims: readonly PlacedClaim[], concluded: ReturnType<typeof reconcile>): void {
    for (const claim of claims) {
      this.all.set(claim.claimId, claim)
      if (this.slice(claim.documentId, claim.start, claim.end) !== claim.quote) this.badQuotes++
    }
    for (const { claimId, byClaimId, reason } of concluded.supersessions) {
      if (!this.ended.has(claimId)) this.ended.set(claimId, { by: byClaimId, reason })
      for (const finding of this.findings) if ([finding.claimIdsA[0], finding.claimIdsB[0]].includes(claimId)) finding.status = 'closed'
    }
    for (const item of concluded.contradictions) {
      if (this.ended.has(item.a) || this.ended.has(item.b)) continue
      this.findings.push({
        ...{ contradictionId: `c${this.findings.length}`, slotKey: item.slotKey, status: 'open', groupA: item.groupA, groupB: item.groupB },
        ...{
          claimIdsA: [item.a, ...item.supportersA],
          claimIdsB: [item.b, ...item.supportersB],
          reason: item.reason,
          foundBy: item.foundBy,
        },
        label: `${item.foundBy ?? 'rules'} ${item.kind} ${item.subject}: ${item.attribute}`,
      })
    }
    for (const { contradictionId, side, claimId } of concluded.supporters) {
      const finding = this.findings.find(each => each.contradictionId === contradictionId)
      ;(side === 'a' ? finding?.claimIdsA : finding?.claimIdsB)?.push(claimId)
    }
    for (const { a, b, reason, foundBy, proposes, cleared } of concluded.unsure) {
      const sides = { a: [this.side(a)], b: [this.side(b)], reason }
      if (proposes !== undefined) this.proposed.push({ verdict: 'supersession', ...sides, label: 'proposed' })
      else if (cleared === undefined) this.unsure.push({ verdict: 'contradiction', ...sides, label: `possible ${foundBy ?? 'rules'}` })
    }
  }

  run(): CaseRun {
    const open = this.findings.filter(each => each.status === 'open')
    const findings: CaseFinding[] = [
      ...this.findings.map(({ claimIdsA, claimIdsB, label, reason, status }) => ({
        verdict: 'contradiction' as const,
        isOpen: status === 'open',
        a: claimIdsA.map(id => this.side(id)),
        b: claimIdsB.map(id => this.side(id)),
        label,
        reason,
      })),
      ...[...this.ended].flatMap(([id, { by, reason }]): CaseFinding[] =>
        by === null
          ? []
          : [{ verdict: 'supersession', a: [this.side(id)], b: [this.side(by)], label: this.all.get(id)?.attribute ?? '', reason }],
      ),
      ...this.proposed,
    ]
    const { questions, dropped, invalid, badQuotes, unsure } = this
    const byModel = open.filter(each => each.foundBy !== undefined).length
    return { result: { claims: this.all.size, badQuotes, findings, unsure }, questions, dropped, byModel, invalid }
  }

  private side(claimId: string): GoldSide {
    const { documentId: doc, quote, start, end } = this.all.get(claimId)!
    return { doc, quote, start, end }
  }

  private slice(name: string, start: number, end: number): string {
    return this.sliceOf(name)(start, end)
  }

  private sliceOf(name: string): CodePointSlice {
    return this.slices.get(name) ?? (() => '')
  }
}

interface Rules {
  claims: PlacedClaim[]
  concluded: ReturnType<typeof reconcile>
}

function shown({ name, issuer, issuedOn }: FrozenDocument): ShownDocument {
  return { documentId: name, revision: 1, name, issuer, issuedOn }
}

const typeOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1)
