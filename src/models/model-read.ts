/** What came of asking a model about a document, as it travels to planning and is kept for replay, and how planning takes it in. */
import type { Extraction } from '../reading/types.js'
import type { Dropped } from './candidates.js'
import type { TokenUsage } from './chat-client.js'
import { ordered } from './passage-claims.js'
import type { VerifiedReading } from './verdicts.js'

export interface ModelRead {
  /** `model:<name>`. */
  foundBy: string
  promptVersion: string
  /** `answered` where every part was answered, every pair it named could be read and every candidate was confirmed, or why not. */
  outcome: string
  /** Whether the questions showed the whole case or the passages nearest to each part; null where nothing was asked. */
  wholeCase: boolean | null
  /** Other documents of which the questions showed something. */
  shown: string[]
  reading: KeptReading | null
  dropped: Dropped
  usage: TokenUsage
}

export type KeptReading = VerifiedReading

/** As planning and replay take it. */
export interface FoundReading extends KeptReading {
  foundBy: string
}

/** The model that compared the document in full, with the version of its questions; null where it did not. */
export function comparedBy({ outcome, foundBy, promptVersion }: Pick<ModelRead, 'outcome' | 'foundBy' | 'promptVersion'>): string | null {
  return outcome === 'answered' ? `${foundBy.replace(/^model:/, '')}@${promptVersion}` : null
}

export const noReading: KeptReading = { added: [], lent: [], links: [], acquitted: [], cleared: [] }

/** As it was stored: readings of earlier questions lack some of its lists. */
export function keptReading(stored: unknown): KeptReading {
  const { added, lent, ...reading } = { ...noReading, ...(stored as Partial<KeptReading>) }
  return { ...reading, added: added.map(ordered), lent: lent.map(each => ({ ...each, claim: ordered(each.claim) })) }
}

/** Its claims stand behind those of the rules. */
export function withAdded(extraction: Extraction, model: FoundReading | null): Extraction {
  return model === null || model.added.length === 0 ? extraction : { ...extraction, claims: [...extraction.claims, ...model.added] }
}

/** The slots of the claims it links to are among those that are read. */
export function linkedSlots(model: FoundReading | null): string[] {
  return model === null ? [] : [...new Set(model.links.flatMap(({ slotKey }) => slotKey ?? []))]
}

/** Other documents it speaks of: what they are is among what is read. */
export function linkedDocuments(model: KeptReading | null): string[] {
  if (model === null) return []
  const { links, lent, acquitted, cleared } = model
  const named = [...links, ...acquitted, ...cleared].flatMap(each => each.document ?? [])
  return [...new Set([...named, ...lent.map(each => each.documentId)])]
}
