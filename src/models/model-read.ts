/** What came of asking a model about a document, as it travels to planning and is kept for replay, and how planning takes it in. */
import type { Extraction } from '../reading/types.js'
import type { TokenUsage } from './chat-client.js'
import type { DropReason, VerifiedReading } from './verify.js'

export interface ModelRead {
  /** `model:<name>`. */
  foundBy: string
  promptVersion: string
  /** `answered`, or why there is no whole answer. */
  outcome: string
  /** Numbers of the claims that stood for S1, S2 and so on; of each statement the first. */
  listed: number[]
  reading: KeptReading | null
  dropped: Partial<Record<DropReason, number>>
  usage: TokenUsage
}

export type KeptReading = Pick<VerifiedReading, 'added' | 'links' | 'acquitted'>

/** As planning and replay take it. */
export interface FoundReading extends KeptReading {
  foundBy: string
}

export const noReading: KeptReading = { added: [], links: [], acquitted: [] }

/** Its claims stand behind those of the rules. */
export function withAdded(extraction: Extraction, model: FoundReading | null): Extraction {
  return model === null || model.added.length === 0 ? extraction : { ...extraction, claims: [...extraction.claims, ...model.added] }
}

/** The slots of the claims it links to are among those that are read. */
export function linkedSlots(model: FoundReading | null): string[] {
  return model === null ? [] : [...new Set(model.links.flatMap(({ slotKey }) => slotKey ?? []))]
}
