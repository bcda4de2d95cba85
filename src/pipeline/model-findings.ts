/**
 * What a model found, where planning takes it in: its claims behind those of the rules, the slots of the claims it links to
 * among those that are read, its findings merged with what the rules concluded. Pure, and the same in a replay.
 */

import { mergeReadings } from '../models/merge-readings.js'
import type { FoundReading } from '../models/model-read.js'
import type { DocumentFacts, ExistingFinding, Extraction, PlacedClaim, Reconciliation } from '../reading/types.js'

export function withAdded(extraction: Extraction, model: FoundReading | null): Extraction {
  return model === null || model.added.length === 0 ? extraction : { ...extraction, claims: [...extraction.claims, ...model.added] }
}

export function linkedSlots(model: FoundReading | null): string[] {
  return model === null ? [] : [...new Set(model.links.flatMap(({ slotKey }) => slotKey ?? []))]
}

export interface ConcludedByRules {
  concluded: Reconciliation
  claims: readonly PlacedClaim[]
  live: readonly PlacedClaim[]
  findings: readonly ExistingFinding[]
  documents: Readonly<Record<string, DocumentFacts>>
}

export function withModel(model: FoundReading | null, { concluded, claims, live, findings, documents }: ConcludedByRules): Reconciliation {
  if (model === null) return concluded
  return mergeReadings({
    concluded,
    reading: model,
    claims,
    known: new Map(live.map(claim => [claim.claimId, claim])),
    findings,
    issuerOf: documentId => documents[documentId]?.issuer ?? null,
    foundBy: model.foundBy,
  })
}
