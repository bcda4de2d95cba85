/**
 * Asks a model about one document, beside what its scope holds: after the document before it was committed, with no transaction
 * open, within its budgets. Without an answer the reading of the rules stands, and the row that is kept says why.
 */

import { setTimeout as wait } from 'node:timers/promises'
import { type KeptReading, type ModelRead, noReading } from '../models/model-read.js'
import type { Asked, ModelReader, ModelStats } from '../models/model-reader.js'
import { promptVersion, type Question } from '../models/question.js'
import type { DropReason } from '../models/verify.js'
import { isAppError } from '../platform/errors.js'
import { findSimilarClaims, readStatements } from '../store/documents/model-readings.js'
import { addTokens, tokensToday } from '../store/documents/model-usage.js'
import type { LeasedDocument } from '../store/leases/leases.js'
import type { Database } from '../store/server/database.js'
import type { BatchPlan, PlannedWrite } from './batch-plan.js'
import { type AskedQuestion, questionsAbout } from './model-questions.js'
import { unlessPaused } from './unless-paused.js'

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
  dropped: Partial<Record<DropReason, number>>
}

export interface ModelStageInput {
  tenantId: string
  document: LeasedDocument
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
}

/**
 * How many leases of a process ask the model at a time. A worker takes a place before it leases, so that no scope is leased
 * only to be given back: each time all its documents changed their state twice and wrote their events, and the place meant for
 * it stood empty until it was leased again, by a process that did not have the place.
 */
export interface ModelPlaces {
  /** False when all are taken. */
  take(): boolean
  leave(): void
}

export function createModelPlaces(count: number): ModelPlaces {
  let free = count
  return {
    take() {
      if (free === 0) return false
      free--
      return true
    },
    leave() {
      free++
    },
  }
}

/** Thrown where documents stay queued: the scope is released with a backoff. */
export class ModelWait extends Error {
  readonly ms: number

  constructor(ms: number, why: string) {
    super(why)
    this.name = 'ModelWait'
    this.ms = ms
  }
}

export interface ModelStageDeps {
  db: Database
  model: ModelReader
  budgets: ModelBudgets
  /** Leases that may ask at a time; the workers beyond are for others. */
  leases: number
}

/** Until the day is over, but a limit that was raised is noticed sooner. */
const longestWaitMs = 3_600_000

export function createModelStage(deps: ModelStageDeps): ModelStage {
  const documents: Record<string, number> = {}
  const dropped: ModelStageStats['dropped'] = {}
  return {
    places: createModelPlaces(deps.leases),
    async read(input) {
      const read = await readWithModel(deps, input)
      if (read === null) return null
      documents[read.outcome] = (documents[read.outcome] ?? 0) + 1
      addUp(dropped, read.dropped)
      return read
    },
    stats: () => ({ ...deps.model.stats(), documents: { ...documents }, dropped: { ...dropped } }),
  }
}

function addUp(sums: Partial<Record<DropReason, number>>, counts: Partial<Record<DropReason, number>>): void {
  for (const [reason, count] of Object.entries(counts) as [DropReason, number][]) sums[reason] = (sums[reason] ?? 0) + count
}

async function readWithModel(deps: ModelStageDeps, input: ModelStageInput): Promise<ModelRead | null> {
  const planned = input.plan.planned[0]
  // Held, refused or unchanged: nothing of it counts yet, so there is nothing to compare.
  if (planned === undefined || planned.content === null || !planned.result.applied) return unread(deps, 'not_admitted')
  if (!(await input.mayGoOn())) return null
  const spentForMs = await spentFor(deps, input.tenantId)
  if (spentForMs !== null && deps.budgets.whenSpent === 'wait')
    throw new ModelWait(Math.min(longestWaitMs, spentForMs), 'the budget of the day is spent')
  if (spentForMs !== null) return unread(deps, 'over_daily_budget')
  return askAll(deps, input, await gather(deps.db, input, planned))
}

/** For how long the tokens of a tenant are spent; null while there are some left. */
async function spentFor({ db, budgets }: ModelStageDeps, tenantId: string): Promise<number | null> {
  if (budgets.tokensPerDay === 0) return null
  const { tokens, msLeft } = await db.inTenant(tenantId, tx => tokensToday(tx), { readOnly: true })
  return tokens >= budgets.tokensPerDay ? msLeft : null
}

/** Two short reads; the transaction is over before anything is asked. */
async function gather(db: Database, { tenantId, document, plan }: ModelStageInput, planned: PlannedWrite): Promise<AskedQuestion[]> {
  const { before } = plan
  const own = planned.claims.map(({ claim }) => claim)
  const needed = planned.sides.filter(({ lead }) => lead).map(({ claimNo }) => claimNo)
  const rows = await db.inTenant(
    tenantId,
    async tx => {
      const similar = await findSimilarClaims(tx, before, [...new Set(planned.terms.map(({ term }) => term))])
      return readStatements(tx, before, [...new Set([...needed, ...similar])])
    },
    { readOnly: true, snapshot: true, indexOrder: true },
  )
  const profile = (planned.profile ?? {}) as { issuer?: string | null; issuedOn?: string | null }
  const { documentId, name, type } = document
  return questionsAbout(
    { documentId, name, type, text: document.text ?? '', issuer: profile.issuer ?? null, issuedOn: profile.issuedOn ?? null, claims: own },
    {
      rows: rows.filter(row => row.documentId !== documentId),
      contradictions: planned.content?.contradictions ?? [],
      total: before.kept.kept?.aggregates.claimsLive ?? 0,
    },
  )
}

async function askAll(deps: ModelStageDeps, input: ModelStageInput, questions: readonly AskedQuestion[]): Promise<ModelRead | null> {
  const { model, budgets } = deps
  const read: ModelRead = { ...unread(deps, 'answered'), reading: null }
  let tokensLeft = budgets.tokensPerDocument
  for (const { question, verify, listed } of questions) {
    tokensLeft -= estimatedTokens(question) + budgets.maxTokens
    if (tokensLeft < 0) {
      read.outcome = 'over_document_budget'
      break
    }
    // A pause takes effect in the middle of an answer: it is given up, and the document goes back.
    const asked = await unlessPaused(input, signal => model.ask(question, { tenantId: input.tenantId, signal }))
    if (asked === null) return null
    await count(deps, input, asked.usage)
    read.usage.promptTokens += asked.usage.promptTokens
    read.usage.completionTokens += asked.usage.completionTokens
    read.listed.push(...listed.filter(claimNo => !read.listed.includes(claimNo)))
    if (asked.answer === null) {
      read.outcome = asked.reason
      continue
    }
    const verified = verify(asked.answer)
    addUp(read.dropped, verified.dropped)
    read.reading = joined(read.reading ?? noReading, verified, input)
  }
  return read
}

/**
 * At once, whatever becomes of the answer: it has to be paid for. While storage is away it waits, because without an entry the answer
 * would be lost too; what was written although nobody heard of it is counted twice.
 */
async function count({ db }: ModelStageDeps, { tenantId, signal }: ModelStageInput, usage: Asked['usage']): Promise<void> {
  const tokens = usage.promptTokens + usage.completionTokens
  for (let counted = tokens === 0; !counted; ) {
    try {
      await db.inTenant(tenantId, tx => addTokens(tx, tokens))
      counted = true
    } catch (error) {
      if (!isAppError(error, 'STORAGE_UNAVAILABLE') || signal.aborted) throw error
      await wait(200, undefined, { signal }).catch(() => undefined)
    }
  }
}

/** Claims of a later part are numbered behind those that earlier parts added. */
function joined(before: KeptReading, { added, links, acquitted }: KeptReading, { plan }: ModelStageInput): KeptReading {
  const rules = plan.planned[0]?.claims.length ?? 0
  const shift = (index: number): number => (index >= rules ? index + before.added.length : index)
  const moved = links.map(link => ({
    ...link,
    own: shift(link.own),
    other: typeof link.other === 'number' ? shift(link.other) : link.other,
  }))
  return { added: [...before.added, ...added], links: [...before.links, ...moved], acquitted: [...before.acquitted, ...acquitted] }
}

/** About three characters a token at worst. */
function estimatedTokens({ messages }: Question): number {
  return Math.ceil(messages.reduce((sum, { content }) => sum + content.length, 0) / 3)
}

function unread({ model }: ModelStageDeps, outcome: string): ModelRead {
  const usage = { promptTokens: 0, completionTokens: 0 }
  return { foundBy: model.foundBy, promptVersion, outcome, listed: [], reading: null, dropped: {}, usage }
}
