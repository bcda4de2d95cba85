/**
 * Runs the reader over a folder of documents in memory, as the pipeline does one document after the other, and compares
 * what it finds with gold pairs by overlap of text spans.
 */

import { pickRivals } from '../../src/pipeline/planning/rivals.js'
import { extract } from '../../src/reading/document/extract.js'
import { lookupWeights, placeClaims } from '../../src/reading/relations/place.js'
import { reconcile } from '../../src/reading/relations/reconcile.js'
import type { DocumentFacts, ExistingFinding, Glossary, PlacedClaim } from '../../src/reading/types.js'
import { type TermRow, termRows } from '../../src/store/claims/claim-terms.js'

export interface GoldSide {
  doc: string
  quote: string
  start: number
  end: number
}

export interface GoldPair {
  a: GoldSide
  b: GoldSide
  kind: 'numeric' | 'categorical' | 'negation' | 'date'
  verdict: 'contradiction' | 'supersession' | 'consistent'
  derived?: boolean
  note?: string
}

export interface ScoredFinding {
  verdict: 'contradiction' | 'supersession'
  a: GoldSide[]
  b: GoldSide[]
  label: string
  reason: string
}

export interface FolderResult {
  claims: number
  badQuotes: number
  findings: ScoredFinding[]
  unsure: ScoredFinding[]
}

/** A scope in memory: claims found by their words as the pipeline finds them, findings, who replaced whom. */
class MemoryScope {
  readonly all = new Map<string, PlacedClaim>()
  readonly documents: Record<string, DocumentFacts> = {}
  private readonly numbered: PlacedClaim[] = []
  private readonly terms = new Map<string, TermRow[]>()
  readonly pairs: { claimId: string; by: string; reason: string }[] = []
  readonly endedBy = new Map<string, { by: string; reason: string }>()
  readonly findings: (ExistingFinding & { label: string; reason: string })[] = []

  fetch(claims: readonly PlacedClaim[]): PlacedClaim[] {
    const picked = pickRivals(lookupWeights(claims), term => this.terms.get(term) ?? [])
    return [...picked]
      .sort((a, b) => b - a)
      .map(claimNo => {
        const claim = this.numbered[claimNo]!
        // The words of a passage are not fetched with what it says.
        return { ...claim, quote: '', superseded: this.endedBy.has(claim.claimId) }
      })
  }

  add(claims: readonly PlacedClaim[]): void {
    const first = this.numbered.length
    for (const claim of claims) {
      this.all.set(claim.claimId, claim)
      this.numbered.push(claim)
    }
    for (const row of termRows(claims.map((claim, index) => ({ claimNo: first + index, terms: claim.lookupKeys }))))
      this.terms.set(row.term, [...(this.terms.get(row.term) ?? []), row])
  }

  end(claimId: string, by: string, reason: string): void {
    this.endedBy.set(claimId, { by, reason })
    this.pairs.push({ claimId, by, reason })
    // As in the service: a finding closes when a side has no live claim left.
    for (const finding of this.findings)
      if (![finding.claimIdsA, finding.claimIdsB].every(ids => ids.some(id => !this.endedBy.has(id)))) finding.status = 'closed'
  }
}

export function analyseFolder(
  documents: readonly { name: string; text: string; type?: string }[],
  glossary: Glossary = { terms: {}, entities: {} },
): FolderResult {
  const scope = new MemoryScope()
  let badQuotes = 0
  const unsure: ScoredFinding[] = []
  const side = (claim: PlacedClaim): GoldSide => ({ doc: claim.documentId, quote: claim.quote, start: claim.start, end: claim.end })
  for (const document of documents) {
    const type = document.type ?? document.name.slice(document.name.lastIndexOf('.') + 1)
    const extraction = extract({ documentId: document.name, revision: 1, name: document.name, type, source: null, text: document.text })
    const points = [...document.text]
    for (const claim of extraction.claims) if (points.slice(claim.start, claim.end).join('') !== claim.quote) badQuotes++
    const placed = placeClaims({
      extraction,
      documentId: document.name,
      revision: 1,
      name: document.name,
      glossary,
      claimId: index => `${document.name}#${index}`,
    })
    const live = scope.fetch(placed.claims)
    const result = reconcile({
      document: { ...placed.facts, documentId: document.name },
      claims: placed.claims,
      live,
      previousRevision: [],
      findings: scope.findings,
      documents: scope.documents,
    })
    scope.add(placed.claims)
    scope.documents[document.name] = placed.facts
    for (const item of result.supersessions) if (item.byClaimId) scope.end(item.claimId, item.byClaimId, item.reason)
    for (const item of result.contradictions) {
      scope.findings.push({
        contradictionId: `c${scope.findings.length}`,
        slotKey: item.slotKey,
        status: 'open',
        groupA: item.groupA,
        groupB: item.groupB,
        claimIdsA: [item.a, ...item.supportersA],
        claimIdsB: [item.b, ...item.supportersB],
        label: `${item.kind} ${item.severity} ${item.slotKey}`,
        reason: item.reason,
      })
    }
    for (const item of result.supporters) {
      const finding = scope.findings.find(other => other.contradictionId === item.contradictionId)!
      ;(item.side === 'a' ? finding.claimIdsA : finding.claimIdsB).push(item.claimId)
    }
    for (const item of result.unsure)
      unsure.push({
        verdict: 'contradiction',
        a: [side(scope.all.get(item.a)!)],
        b: [side(scope.all.get(item.b)!)],
        label: 'unsure',
        reason: item.reason,
      })
  }
  const sides = (ids: string[]): GoldSide[] => ids.map(id => side(scope.all.get(id)!))
  const findings: ScoredFinding[] = [
    ...scope.findings
      .filter(item => item.status === 'open')
      .map(item => ({
        verdict: 'contradiction' as const,
        a: sides(item.claimIdsA.filter(id => !scope.endedBy.has(id))),
        b: sides(item.claimIdsB.filter(id => !scope.endedBy.has(id))),
        label: item.label,
        reason: item.reason,
      })),
    ...scope.pairs.map(({ claimId: id, by, reason }) => ({
      verdict: 'supersession' as const,
      a: sides([id]),
      b: sides([by]),
      label: scope.all.get(id)!.slotKey,
      reason,
    })),
  ]
  return { claims: scope.all.size, badQuotes, findings, unsure }
}

const touches = (x: GoldSide, y: GoldSide): boolean => x.doc === y.doc && x.start < y.end && y.start < x.end
const some = (sides: GoldSide[], wanted: GoldSide): boolean => sides.some(side => touches(side, wanted))
const links = (finding: ScoredFinding, pair: GoldPair): boolean =>
  (some(finding.a, pair.a) && some(finding.b, pair.b)) || (some(finding.a, pair.b) && some(finding.b, pair.a))
const base = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

export interface CorpusScore {
  wanted: GoldPair[]
  consistent: GoldPair[]
  found: GoldPair[]
  right: GoldPair[]
  falseAlarms: { pair: GoldPair; finding: ScoredFinding }[]
  unjudged: ScoredFinding[]
  contradictions: number
  superseded: number
  byKind: Record<string, string>
  unsureHits: number
}

export function scoreCorpus(result: FolderResult, goldPairs: readonly GoldPair[]): CorpusScore {
  const gold = goldPairs
    .filter(pair => !pair.derived)
    .map(pair => ({ ...pair, a: { ...pair.a, doc: base(pair.a.doc) }, b: { ...pair.b, doc: base(pair.b.doc) } }))
  const wanted = gold.filter(pair => pair.verdict !== 'consistent')
  const consistent = gold.filter(pair => pair.verdict === 'consistent')
  const hits = (pair: GoldPair): ScoredFinding[] => result.findings.filter(finding => links(finding, pair))
  const found = wanted.filter(pair => hits(pair).length)
  const right = wanted.filter(pair => hits(pair).some(finding => finding.verdict === pair.verdict))
  const falseAlarms = consistent.flatMap(pair => {
    const finding = hits(pair).find(item => item.verdict === 'contradiction')
    return finding ? [{ pair, finding }] : []
  })
  const kinds = [...new Set(wanted.map(pair => pair.kind))]
  return {
    wanted,
    consistent,
    found,
    right,
    falseAlarms,
    unjudged: result.findings.filter(finding => !gold.some(pair => links(finding, pair))),
    contradictions: result.findings.filter(finding => finding.verdict === 'contradiction').length,
    superseded: result.findings.filter(finding => finding.verdict === 'supersession').length,
    byKind: Object.fromEntries(
      kinds.map(kind => [kind, `${found.filter(pair => pair.kind === kind).length}/${wanted.filter(pair => pair.kind === kind).length}`]),
    ),
    unsureHits: wanted.filter(pair => !found.includes(pair) && result.unsure.some(finding => links(finding, pair))).length,
  }
}
