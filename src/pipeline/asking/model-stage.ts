/**
 * Asks a model about a document: what of it may contradict or replace something of the case, or of itself; then, of those pairs
 * and of what the rules found, which do; and about those it was not sure of once more, with more text. Beside what the scope holds,
 * with no transaction open, within its budgets. Without an answer, or when asking fails, the reading of the rules stands, and the row
 * that is kept says why.
 */

import { effectiveSettings } from '../../kernel/settings.js'
import { type Candidate, type Dropped, type DropReason, joinCandidates, proposedCandidates } from '../../models/candidates.js'
import { noAttempts } from '../../models/chat-client.js'
import type { ModelRead } from '../../models/model-read.js'
import type { Asked, ModelReader, ModelStats } from '../../models/model-reader.js'
import { type CutDocument, shownPassages } from '../../models/passages.js'
import { promptVersion, proposeQuestion, type Question, type ShownDocument } from '../../models/question.js'
import { isUnsure, type Judged, judgedOf, settled, type Thresholds, verifyVerdicts } from '../../models/verdicts.js'
import { isAppError } from '../../platform/errors.js'
import { type Logger, withoutWords } from '../../platform/logger.js'
import { type CodePointSlice, codePointSlices } from '../../reading/normalize/code-points.js'
import { saidOf } from '../../reading/normalize/remarks.js'
import type { DoubtfulWord } from '../../reading/types.js'
import type { StoredClaim } from '../../store/claims/claims.js'
import { keptFromModelSince, noteSent, readModelLimits } from '../../store/documents/model-off.js'
import { readClaimSides } from '../../store/documents/model-readings.js'
import { readClaimsAt } from '../../store/documents/passages.js'
import { listDoubtfulWords } from '../../store/documents/recognised-pages.js'
import type { LeasedDocument } from '../../store/leases/leases.js'
import type { ScopePlace } from '../../store/scopes/scopes.js'
import type { Database, Transaction } from '../../store/server/database.js'
import { isOverrun } from '../../store/server/failures.js'
import { unlessPaused } from '../leasing/unless-paused.js'
import type { BatchPlan, PlannedWrite } from '../planning/batch-plan.js'
import { count, spentFor } from './daily-tokens.js'
import { gatherCase, type ShownCase, searched, showMore } from './model-case.js'
import { createModelPlaces, type ModelPlaces } from './model-places.js'
import { confirmations, ruleCandidates, ruleClaims, textAround } from './model-questions.js'
import { ModelWait, untilScopeIsFree } from './model-wait.js'
import { ShownTexts } from './shown-texts.js'
import { createTokenBudget, type TokenBudget } from './token-budget.js'

export interface ModelStage {
  /** One for each lease that asks. */
  readonly places: ModelPlaces
  /** Null when the scope may not go on: it was paused while the model was thinking. */
  read(input: ModelStageInput): Promise<ModelRead | null>
  stats(): ModelStageStats
}

export interface ModelStageStats extends ModelStats {
  /** Documents by what came of asking. */
  documents: Record<string, number>
  dropped: Dropped
}

export interface ModelStageInput {
  tenantId: string
  document: LeasedDocument
  /** Its passages; null where nobody cut it. */
  cut: CutDocument | null
  /** As the rules alone would have it. */
  plan: BatchPlan
  mayGoOn: () => Promise<boolean>
  signal: AbortSignal
}

export interface ModelBudgets {
  /** Tokens of questions and answers about one document; a long one is asked about as far as they go. */
  tokensPerDocument: number
  /** Of a tenant, from midnight UTC; zero for no limit. */
  tokensPerDay: number
  /** What happens then. */
  whenSpent: 'deterministic' | 'wait'
  /** Longest answer. */
  maxTokens: number
  /** Longest question: as long as the case fits it is shown whole. */
  contextTokens: number
}

export interface ModelStageDeps {
  db: Database
  model: ModelReader
  budgets: ModelBudgets
  thresholds: Thresholds
  /** Leases that may ask at a time; the workers beyond are for others. */
  leases: number
  logger: Logger
}

/** More than that are not asked about once more: the rest stays as it was answered. */
const mostUnsure = 36

/** Until the day is over, but a limit that was raised is noticed sooner. */
const longestWaitMs = 3_600_000

export function createModelStage(deps: ModelStageDeps): ModelStage {
  const documents: Record<string, number> = {}
  const dropped: ModelStageStats['dropped'] = {}
  return {
    places: createModelPlaces(deps.leases),
    async read(input) {
      const begun = unread(deps, 'answered')
      const read = await readWithModel(deps, input, begun).catch((error: unknown) => failed(deps, input, begun, error))
      if (read === null) return null
      documents[read.outcome] = (documents[read.outcome] ?? 0) + 1
      addUp(dropped, read.dropped)
      return read
    },
    stats: () => ({ ...deps.model.stats(), documents: { ...documents }, dropped: { ...dropped } }),
  }
}

function addUp(sums: Dropped, counts: Dropped): void {
  for (const [reason, count] of Object.entries(counts) as [DropReason, number][]) sums[reason] = (sums[reason] ?? 0) + count
}

/**
 * What is wrong with asking about this document is an outcome of it, and what was spent stays on record. Given back with its scope it
 * would be leased, asked about and paid for again for ever, and hold up its case; only storage that is away comes back by itself.
 */
function failed({ logger }: ModelStageDeps, { tenantId, document, signal }: ModelStageInput, begun: ModelRead, error: unknown): ModelRead {
  const isAway = isAppError(error, 'STORAGE_UNAVAILABLE') && !isOverrun(error)
  if (isAway || error instanceof ModelWait || signal.aborted) throw error
  logger.warn({ tenant_id: tenantId, document_id: document.documentId, err: withoutWords(error) }, 'asking the model failed')
  return { ...begun, outcome: 'failed', reading: null }
}

/** `begun` is filled in as far as it comes. */
async function readWithModel(deps: ModelStageDeps, input: ModelStageInput, begun: ModelRead): Promise<ModelRead | null> {
  const planned = input.plan.planned[0]
  // Held, refused or unchanged: nothing of it counts yet, so there is nothing to compare.
  if (planned === undefined || planned.content === null || !planned.result.applied) return unread(deps, 'not_admitted')
  if (effectiveSettings(input.plan.before.kept.settings).model.reading === 'off') return unread(deps, 'off')
  const { tenantId, plan, document } = input
  const { limits, isKept } = await deps.db.inTenant(
    tenantId,
    async tx => ({
      limits: await readModelLimits(tx, tenantId),
      isKept: (await keptFromModelSince(tx, plan.before, document.documentId)) !== null,
    }),
    { readOnly: true },
  )
  if (limits.off || isKept) return unread(deps, 'off')
  if (!(await input.mayGoOn())) return null
  const spentForMs = await spentFor(deps, tenantId, limits.tokensPerDay)
  if (spentForMs !== null && deps.budgets.whenSpent === 'wait')
    throw new ModelWait(Math.min(longestWaitMs, spentForMs), 'the budget of the day is spent')
  if (spentForMs !== null) return unread(deps, 'over_daily_budget')
  // A document that waited in the middle would be paid for twice: where documents wait, one that was begun is finished.
  const isDayOver = async () => deps.budgets.whenSpent === 'deterministic' && (await spentFor(deps, tenantId, limits.tokensPerDay)) !== null
  return new Questioning(deps, input, { planned, read: begun, isDayOver }).run()
}

const reading = { readOnly: true, snapshot: true, indexOrder: true }

/** Of these documents, each once; one that is no scan has none. */
async function doubtfulWords(
  tx: Transaction,
  scope: ScopePlace,
  documents: readonly ShownDocument[],
): Promise<Map<string, DoubtfulWord[]>> {
  const found = new Map<string, DoubtfulWord[]>()
  for (const document of documents)
    if (!found.has(document.documentId)) found.set(document.documentId, await listDoubtfulWords(tx, scope, document))
  return found
}

interface QuestioningAbout {
  planned: PlannedWrite
  /** Filled in as far as it comes. */
  read: ModelRead
  /** Whether the tokens of the day are spent meanwhile. */
  isDayOver: () => Promise<boolean>
}

/** The questions about one document, from the first to what is kept of the answers. */
class Questioning {
  private readonly deps: ModelStageDeps
  private readonly input: ModelStageInput
  private readonly planned: PlannedWrite
  private readonly document: ShownDocument
  /** Without what was deleted and commented, which is shown to no model and bears out no verdict. */
  private readonly said: string
  private readonly slice: CodePointSlice
  private readonly texts = new ShownTexts()
  private readonly read: ModelRead
  private readonly isDayOver: () => Promise<boolean>
  private readonly budget: TokenBudget
  private answers = 0

  constructor(deps: ModelStageDeps, input: ModelStageInput, { planned, read, isDayOver }: QuestioningAbout) {
    this.deps = deps
    this.input = input
    this.planned = planned
    const { documentId, revision, name, text, type } = input.document
    const { issuer = null, issuedOn = null } = (planned.profile ?? {}) as { issuer?: string | null; issuedOn?: string | null }
    this.document = { documentId, revision, name, issuer, issuedOn }
    this.said = saidOf(text ?? '', type)
    this.slice = codePointSlices(this.said)
    this.read = read
    this.isDayOver = isDayOver
    this.budget = createTokenBudget(deps.budgets)
  }

  /** Null when the scope may not go on. */
  async run(): Promise<ModelRead | null> {
    const { tenantId, plan, cut } = this.input
    const own = shownPassages(this.document.documentId, this.slice, cut?.passages ?? [])
    const terms = cut?.terms.map(([term]) => term) ?? []
    const { contextTokens } = this.deps.budgets
    const { documentId } = this.document
    const shown = await gatherCase(work => this.inScope(work), plan.before, { documentId, own, terms, contextTokens })
    this.read.wholeCase = shown.whole
    const proposed = await this.propose(shown)
    if (proposed === null) return null
    const candidates = await this.candidates(shown, proposed)
    const judged = await this.confirm(shown, candidates)
    if (judged === null) return null
    // No question showed its end.
    if (cut?.isPartial && this.read.outcome === 'answered') this.read.outcome = 'too_long'
    for (const { other } of candidates) this.note(other.document, [textAround(other, id => this.sliceOf(shown, id))])
    if (this.answers === 0) return this.read
    const places = judged.map(({ candidate: { other } }) => ({ documentId: other.document.documentId, start: other.start, end: other.end }))
    const { rows, doubtful } = await this.deps.db.inTenant(
      tenantId,
      async tx => ({
        rows: await readClaimsAt(
          tx,
          plan.before,
          places.filter(each => each.documentId !== documentId),
        ),
        doubtful: await doubtfulWords(
          tx,
          plan.before,
          judged.flatMap(({ candidate }) => [candidate.own.document, candidate.other.document]),
        ),
      }),
      reading,
    )
    this.read.reading = verifyVerdicts({
      judged,
      document: {
        ...{ text: this.said, words: cut === null ? undefined : terms, shown: this.document },
        claims: this.planned.claims.map(({ claim }) => claim),
      },
      earlier: rows.map(({ body, ...row }) => ({ ...row, ...(JSON.parse(body) as Pick<StoredClaim, 'value' | 'valueText' | 'slotKey'>) })),
      textAround: side => textAround(side, id => this.sliceOf(shown, id)),
      doubtful,
      thresholds: this.deps.thresholds,
      isElsewhere: (word, documentIds) => this.texts.isElsewhere(word, documentIds),
    })
    return this.read
  }

  private inScope<T>(work: Parameters<typeof this.deps.db.inTenant<T>>[1]): Promise<T> {
    return this.deps.db.inTenant(this.input.tenantId, work, reading)
  }

  private sliceOf(shown: ShownCase, documentId: string): CodePointSlice {
    return documentId === this.document.documentId ? this.slice : (shown.texts.get(documentId) ?? (() => ''))
  }

  private note(document: ShownDocument, texts: readonly string[]): void {
    this.texts.add(document, texts)
    this.read.shown = this.texts
      .documentIds()
      .filter(each => each !== this.document.documentId)
      .sort()
  }

  private async propose(shown: ShownCase): Promise<Candidate[] | null> {
    const { document } = this
    const proposed: Candidate[] = []
    for (const own of shown.parts) {
      const earlier = await shown.beside(own)
      const question = proposeQuestion({ earlier, whole: shown.whole, document, own })
      const asked = await this.ask(question, [document, ...earlier.map(each => each.document)], own !== shown.parts[0])
      if (asked === 'paused') return null
      if (typeof asked === 'string') break
      for (const laid of earlier) this.note(laid.document, laid.passages.map(searched))
      if (asked.answer === null) continue
      const { candidates, dropped } = proposedCandidates(asked.answer, question, { document, documents: shown.documents })
      proposed.push(...candidates)
      addUp(this.read.dropped, dropped)
    }
    return proposed
  }

  private async candidates(shown: ShownCase, proposed: readonly Candidate[]): Promise<Candidate[]> {
    const { before } = this.input.plan
    const others = await this.inScope(async tx => {
      const rows = await readClaimSides(tx, before, ruleClaims(this.planned))
      await showMore(
        tx,
        before,
        shown,
        rows.map(each => each.documentId),
      )
      return rows
    })
    const rules = ruleCandidates(this.planned, this.document, others, shown.documents)
    const { candidates, dropped } = joinCandidates(rules, proposed)
    addUp(this.read.dropped, dropped)
    return candidates
  }

  /** What was answered without being sure is asked once more; where that is not answered, the first answer stands. */
  private async confirm(shown: ShownCase, candidates: readonly Candidate[]): Promise<Judged[] | null> {
    // What it named and nobody can read, or names what no question showed, was compared with nothing.
    const { too_many = 0, malformed = 0, passage_not_listed = 0 } = this.read.dropped
    const first = await this.judge(shown, candidates, 'confirm')
    if (first === null) return null
    const isLeft = first.length < candidates.length || too_many + malformed + passage_not_listed > 0
    if (isLeft && this.read.outcome === 'answered') this.read.outcome = 'unconfirmed'
    const { outcome } = this.read
    const unsure = first.filter(each => isUnsure(each, this.deps.thresholds)).map(({ candidate }) => candidate)
    const later = await this.judge(shown, unsure.slice(0, mostUnsure), 'settle')
    if (this.read.outcome !== 'withdrawn') this.read.outcome = outcome
    return (
      later &&
      first.map(each =>
        settled(
          each,
          later.find(({ candidate }) => candidate === each.candidate),
        ),
      )
    )
  }

  private async judge(shown: ShownCase, candidates: readonly Candidate[], stage: 'confirm' | 'settle'): Promise<Judged[] | null> {
    const judged: Judged[] = []
    for (const { question, asked: pairs } of confirmations(candidates, id => this.sliceOf(shown, id), stage)) {
      const documents = pairs.flatMap(({ candidate: { own, other } }) => [own.document, other.document])
      const asked = await this.ask(question, documents)
      if (asked === 'paused') return null
      if (typeof asked === 'string') {
        // As many of them as the tokens still pay for, the best first; what is asked once more has its first answers.
        const isOver = stage === 'settle' || asked !== 'over_document_budget'
        const fewer = isOver ? [] : pairs.slice(0, Math.floor(pairs.length / 2)).map(({ candidate }) => candidate)
        const rest = await this.judge(shown, fewer, stage)
        return rest && [...judged, ...rest]
      }
      if (asked.answer === null) continue
      const said = judgedOf(asked.answer, pairs)
      judged.push(...said.judged)
      // What is not answered a second time keeps its first answer.
      if (stage === 'confirm') addUp(this.read.dropped, said.dropped)
    }
    return judged
  }

  /** `documents` are those it shows. With `holdBack` only where a confirmation can be paid for after it. */
  private async ask<Part>(
    question: Question<Part>,
    documents: readonly ShownDocument[],
    holdBack = false,
  ): Promise<Asked<Part> | 'paused' | Ending> {
    const { model } = this.deps
    if (!this.budget.suffices(question, holdBack)) return this.endsAs('over_document_budget')
    if (this.read.usage.promptTokens > 0 && (await this.isDayOver())) return this.endsAs('over_daily_budget')
    const asking = { tenantId: this.input.tenantId, mayShow: () => this.noteSent(documents), attempts: noAttempts() }
    // A pause or a drain takes effect in the middle of an answer: it is given up, and the document goes back.
    const asked = await unlessPaused(this.input, signal => untilScopeIsFree(() => model.ask(question, { ...asking, signal }), signal))
    if (asked === null) return 'paused'
    if (asked.answer === null && asked.reason === 'withdrawn') return this.endsAs('withdrawn')
    this.budget.spend(question, asked.usage)
    await count(this.deps, this.input, asked.usage)
    this.read.usage.promptTokens += asked.usage.promptTokens
    this.read.usage.completionTokens += asked.usage.completionTokens
    if (asked.answer === null) this.endsAs(asked.reason)
    else this.answers++
    return asked
  }

  /** That something was withdrawn is said whatever comes of the questions after it. */
  private endsAs<Outcome extends string>(outcome: Outcome): Outcome {
    if (this.read.outcome !== 'withdrawn') this.read.outcome = outcome
    return outcome
  }

  /** Before each attempt: they follow each other for minutes, made of texts that were read before the first. */
  private noteSent(others: readonly ShownDocument[]): Promise<boolean> {
    const { foundBy: model, wholeCase } = this.read
    const sent = { shown: [this.document, ...others] as const, model, wholeCase }
    return this.deps.db.inTenant(this.input.tenantId, tx => noteSent(tx, this.input.plan.before, sent), { indexOrder: true })
  }
}

/** Nothing more is asked at this stage. */
type Ending = 'over_document_budget' | 'over_daily_budget' | 'withdrawn'

function unread({ model }: ModelStageDeps, outcome: string): ModelRead {
  const usage = { promptTokens: 0, completionTokens: 0 }
  return { foundBy: model.foundBy, promptVersion, outcome, wholeCase: null, shown: [], reading: null, dropped: {}, usage }
}
