/** What came of asking a model about a document, as it travels to planning and is kept for replay. */
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
