/**
 * A case read by both readers in memory, document after document: the rules, and a model that is asked about each document
 * beside the nearest earlier statements. What goes into the questions is frozen in the case's file, so that answers recorded
 * once stay good while the rules improve; a change of the question itself needs new recordings.
 */

import { readAnswer } from '../../src/models/answer-schema.js'
import { jsonIn } from '../../src/models/answer-text.js'
import { joinStatements } from '../../src/models/joined-statements.js'
import { mergeReadings } from '../../src/models/merge-readings.js'
import { askAbout, type EarlierStatement, listedSize, type Question, type RuleContradiction } from '../../src/models/question.js'
import { rankStatements } from '../../src/models/ranking.js'
import { type DropReason, type ListedStatement, type NumberedContradiction, verifyAnswer } from '../../src/models/verify.js'
import { extract, type Reading } from '../../src/reading/document/extract.js'
import { placeClaims } from '../../src/reading/relations/place.js'
import { reconcile } from '../../src/reading/relations/reconcile.js'
import type { DocumentFacts, ExistingFinding, Extraction, PlacedClaim } from '../../src/reading/types.js'
import type { FolderResult, GoldSide, ScoredFinding } from './score-corpus.js'

export interface CaseDocument {
  name: string
  text: string
}

type Span = [start: number, end: number]

/** Of each document, what its question and the questions after it are made of; places are code points. */
export interface FrozenDocument {
  name: string
  issuer: string | null
  issuedOn: string | null
  statements: [...Span, about: string | null][]
  /** Contradictions of the rules: an own passage against a statement of a document. */
  contradictions: { own: Span; document: string; other: Span }[]
  /** Statements the model added when it was recorded: listed in later questions, as the service lists them. */
  added?: Span[]
}

/** With what was closed since, because a side was replaced: it was found all the same. */
export interface CaseFinding extends ScoredFinding {
  isOpen?: boolean
}

export interface CaseRun {
  result: FolderResult & { findings: CaseFinding[] }
  questions: Question[]
  dropped: Partial<Record<DropReason, number>>
  /** Contradictions shown that the model found. */
  byModel: number
  invalid: string[]
}

/** Null leaves a document to the rules. */
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
  private readonly texts: Map<string, string[]>
  private readonly frozen: Map<string, FrozenDocument>
  private readonly isFreezing: boolean
  private readonly all = new Map<string, PlacedClaim>()
  private readonly ended = new Map<string, { by: string | null; reason: string }>()
  private readonly findings: (ExistingFinding & { label: string; reason: string; foundBy: string | undefined })[] = []
  private readonly unsure: ScoredFinding[] = []
  private readonly before: FrozenDocument[] = []
  private readonly questions: Question[] = []
  private readonly dropped: CaseRun['dropped'] = {}
  private readonly invalid: string[] = []
  private readonly documents: Record<string, DocumentFacts> = {}
  private badQuotes = 0

  constructor(documents: readonly CaseDocument[], frozen: readonly FrozenDocument[] | null) {
    this.texts = new Map(documents.map(({ name, text }) => [name, [...text]]))
    this.frozen = new Map((frozen ?? []).map(each => [each.name, each]))
    this.isFreezing = frozen === null
  }

  read(document: CaseDocument, answer: AnswerQuestion): FrozenDocument {
    const { name, text } = document
    const extraction = extract({ documentId: name, revision: 1, name, type: typeOf(name), source: null, text })
    const rules = this.reconcile(name, extraction)
    const numbered = rules.concluded.contradictions.map(({ a, b }) => ({
      a: claimIn(rules.claims, this.all, a),
      b: claimIn(rules.claims, this.all, b),
    }))
    const facts = this.isFreezing ? frozenOf(name, extraction, numbered) : this.frozen.get(name)
    if (facts === undefined) throw new Error(`${name} is not in the file of its case`)
    const question = this.question(document, facts)
    this.questions.push(question)
    const said = answer(question, name)
    if (said === null) this.admit(rules.claims, rules.concluded)
    else this.admitWithModel(document, { extraction, numbered, facts, question, said })
    this.before.push(facts)
    return facts
  }

  private question({ name, text }: CaseDocument, facts: FrozenDocument): Question {
    const earlier = joinStatements(
      this.before.flatMap(each => [
        ...each.statements.map(([start, end, about]) => this.statement(each, start, end, about)),
        ...(each.added ?? []).map(([start, end]) => this.statement(each, start, end, null)),
      ]),
    ).map(({ claims: [{ documentName, issuer, issuedOn }], ...joined }) => ({ ...joined, documentName, issuer, issuedOn }))
    const candidates = earlier.map(statement => ({ ...statement, text: statement.quote, size: listedSize(statement) }))
    const passages = facts.statements.map(([start, end]) => this.slice(name, start, end))
    const ranked = rankStatements(passages, candidates, candidates.length)
    const isForced = ({ documentId, start, end }: EarlierStatement) =>
      facts.contradictions.some(({ document, other }) => document === documentId && other[0] >= start && other[0] < end)
    const chosen = [...candidates.filter(isForced), ...ranked.filter(each => !isForced(each))].slice(0, 80)
    const contradictions = facts.contradictions.flatMap(({ own, document, other }): RuleContradiction[] => {
      const quote = this.slice(name, ...own)
      if (document === name) return [{ quote, against: { quote: this.slice(name, ...other) } }]
      const statement = chosen.find(each => each.documentId === document && other[0] >= each.start && other[0] < each.end)
      return statement === undefined ? [] : [{ quote, against: { statement } }]
    })
    const { issuer, issuedOn } = facts
    return askAbout({ document: { name, type: typeOf(name), issuer, issuedOn, text }, statements: chosen, contradictions })
  }

  private admitWithModel(
    { name, text }: CaseDocument,
    read: { extraction: Reading; numbered: NumberedContradiction[]; facts: FrozenDocument; question: Question; said: string },
  ): void {
    const { extraction, numbered, facts, question } = read
    const answer = readAnswer(jsonIn(read.said))
    if (answer === null) {
      this.invalid.push(name)
      const { claims, concluded } = this.reconcile(name, extraction)
      this.admit(claims, concluded)
      return
    }
    const { issuer, issuedOn } = facts
    const verified = verifyAnswer({
      answer,
      document: { text, issuer, issuedOn, claims: extraction.claims },
      listed: question.listed.map(each => this.listed(each)),
      // Numbered as in the question: those the rules no longer have stand for themselves.
      contradictions: question.contradictions.map(each => this.numberedAs(each, numbered, facts, question)),
    })
    for (const [reason, count] of Object.entries(verified.dropped) as [DropReason, number][])
      this.dropped[reason] = (this.dropped[reason] ?? 0) + count
    facts.added ??= verified.added.map(({ start, end }) => [start, end])
    const merged = { ...extraction, claims: [...extraction.claims, ...verified.added] }
    const { claims, concluded } = this.reconcile(name, merged)
    const known = new Map([...this.all].filter(([id]) => !this.ended.has(id)))
    const both = mergeReadings({
      concluded,
      reading: verified,
      claims,
      known,
      findings: this.findings,
      issuerOf: documentId => this.documents[documentId]?.issuer ?? null,
      foundBy: 'model:recorded',
    })
    this.admit(claims, both)
  }

  private numberedAs(
    each: RuleContradiction,
    numbered: NumberedContradiction[],
    facts: FrozenDocument,
    question: Question,
  ): NumberedContradiction {
    const at = facts.contradictions[question.contradictions.indexOf(each)]
    const meets = (claim: PlacedClaim, document: string, [start, end]: Span) =>
      claim.documentId === document && claim.start < end && start < claim.end
    const found = numbered.find(({ a, b }) => {
      const [x, y] = [a as PlacedClaim, b as PlacedClaim]
      return (
        at !== undefined &&
        ((meets(x, facts.name, at.own) && meets(y, at.document, at.other)) ||
          (meets(y, facts.name, at.own) && meets(x, at.document, at.other)))
      )
    })
    const gone = { claimId: '-' } as NumberedContradiction['a']
    const nowhere = { ...emptyClaim, ...gone }
    return found ?? { a: nowhere, b: nowhere }
  }

  private reconcile(name: string, extraction: Extraction) {
    const placed = placeClaims({
      extraction,
      documentId: name,
      revision: 1,
      name,
      glossary: { terms: {}, entities: {} },
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
        contradictionId: `c${this.findings.length}`,
        slotKey: item.slotKey,
        status: 'open',
        groupA: item.groupA,
        groupB: item.groupB,
        claimIdsA: [item.a, ...item.supportersA],
        claimIdsB: [item.b, ...item.supportersB],
        label: `${item.foundBy ?? 'rules'} ${item.kind} ${item.subject}: ${item.attribute}`,
        reason: item.reason,
        foundBy: item.foundBy,
      })
    }
    for (const { contradictionId, side, claimId } of concluded.supporters) {
      const finding = this.findings.find(each => each.contradictionId === contradictionId)
      ;(side === 'a' ? finding?.claimIdsA : finding?.claimIdsB)?.push(claimId)
    }
    for (const { a, b, reason, foundBy } of concluded.unsure)
      this.unsure.push({ verdict: 'contradiction', a: [this.side(a)], b: [this.side(b)], label: `possible ${foundBy ?? 'rules'}`, reason })
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
      ...[...this.ended].flatMap(([id, { by, reason }]) =>
        by === null
          ? []
          : [
              {
                verdict: 'supersession' as const,
                a: [this.side(id)],
                b: [this.side(by)],
                label: this.all.get(id)?.attribute ?? '',
                reason,
              },
            ],
      ),
    ]
    const { questions, dropped, invalid, badQuotes, unsure } = this
    const byModel = open.filter(each => each.foundBy !== undefined).length
    return { result: { claims: this.all.size, badQuotes, findings, unsure }, questions, dropped, byModel, invalid }
  }

  private side(claimId: string): GoldSide {
    const { documentId: doc, quote, start, end } = this.all.get(claimId)!
    return { doc, quote, start, end }
  }

  private statement(document: FrozenDocument, start: number, end: number, about: string | null): EarlierStatement {
    const { name, issuer, issuedOn } = document
    return { documentId: name, documentName: name, issuer, issuedOn, start, end, quote: this.slice(name, start, end), about }
  }

  private listed({ documentId, issuer, issuedOn, quote, start, end }: EarlierStatement): ListedStatement {
    const claims = [...this.all.values()].filter(each => each.documentId === documentId && each.start < end && start < each.end)
    return { documentId, issuer, issuedOn, quote, claims }
  }

  private slice(name: string, start: number, end: number): string {
    return (this.texts.get(name) ?? []).slice(start, end).join('')
  }
}

function frozenOf(name: string, extraction: Reading, numbered: readonly NumberedContradiction[]): FrozenDocument {
  const statements = new Map<string, FrozenDocument['statements'][number]>()
  for (const { start, end, quote, subject, attribute, frame } of extraction.claims) {
    const key = `${start} ${end}`
    if (!statements.has(key)) statements.set(key, [start, end, frame.kind === 'cell' ? aboutOf(quote, subject, attribute) : null])
  }
  const contradictions = numbered.map(({ a, b }) => {
    const [x, y] = [a as PlacedClaim, b as PlacedClaim]
    const [own, other] = x.documentId === name ? [x, y] : [y, x]
    return { own: [own.start, own.end] as Span, document: other.documentId, other: [other.start, other.end] as Span }
  })
  return {
    name,
    issuer: extraction.profile.issuer,
    issuedOn: extraction.profile.issuedOn,
    statements: [...statements.values()],
    contradictions,
  }
}

/** Row and column of a cell where its own words do not tell. */
function aboutOf(quote: string, subject: string, attribute: string): string | null {
  const parts = [subject, attribute].filter(part => part !== '' && !quote.includes(part))
  return parts.length === 0 ? null : parts.join(', ').slice(0, 90)
}

function claimIn(own: readonly PlacedClaim[], all: ReadonlyMap<string, PlacedClaim>, claimId: string): PlacedClaim {
  return own.find(each => each.claimId === claimId) ?? all.get(claimId)!
}

const typeOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

const emptyClaim = {
  ...{ start: 0, end: 0, quote: '', subject: '', subjectKey: '', subjectCertain: false, attribute: '', attributeKey: '' },
  ...{ role: 'actual', basis: [], part: null, unit: null, period: null, polarity: 'affirmed', modality: 'fact' },
  ...{ value: { type: 'boolean', value: true }, valueText: '', confidence: 0 },
  stance: { disputes: false, corrects: false, echoes: false, supersedes: false },
} as unknown as PlacedClaim
