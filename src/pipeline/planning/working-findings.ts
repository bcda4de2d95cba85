/**
 * Contradictions and possible conflicts of a scope in memory. A side keeps every claim that joined it; those that ended are
 * left out when it is read, and are back when a person revives them.
 */

import type { FindingStanding, PossibleStanding } from '../../kernel/document-content.js'
import type { ExistingFinding, Reconciliation } from '../../reading/types.js'
import type { StoredFinding } from '../../store/findings/claims-findings.js'

export interface AdmittedFindings {
  reconciliation: Reconciliation
  contradictions: readonly { contradictionNo: number; contradictionId: string }[]
  possible: readonly PossibleStanding[]
  closes: readonly string[]
  possibleCloses: readonly string[]
}

interface KnownClaims {
  isLive: (claimId: string) => boolean
  numberOf: (claimId: string) => number | undefined
}

export class WorkingFindings {
  private readonly contradictions = new Map<string, StoredFinding>()
  /** What people decided, also where it closes a circle, has no effect and is open for that: it stays on record when a side goes. */
  private readonly words = new Map<string, 'resolved' | 'dismissed'>()
  private readonly possible = new Map<string, PossibleStanding>()
  /** Decided or closed; a person may open them again. */
  private readonly closedPossible = new Map<string, PossibleStanding>()
  private readonly claims: KnownClaims

  constructor(input: { findings: readonly StoredFinding[]; possible: readonly PossibleStanding[] }, claims: KnownClaims) {
    for (const stored of input.findings) this.contradictions.set(stored.finding.contradictionId, stored)
    for (const each of input.possible) this.possible.set(each.possibleConflictId, each)
    this.claims = claims
  }

  existing(): ExistingFinding[] {
    return [...this.contradictions.values()].map(({ finding }) => ({
      ...finding,
      claimIdsA: this.live(finding.claimIdsA),
      claimIdsB: this.live(finding.claimIdsB),
    }))
  }

  standings(): FindingStanding[] {
    return [...this.contradictions.values()].map(({ standing }) => ({
      ...standing,
      a: { ...standing.a, live: this.live(standing.a.live) },
      b: { ...standing.b, live: this.live(standing.b.live) },
    }))
  }

  openPossible(): PossibleStanding[] {
    return [...this.possible.values()]
  }

  contradictionNo(contradictionId: string): number | undefined {
    return this.contradictions.get(contradictionId)?.contradictionNo
  }

  /** Whether a person's word on it stands, whatever it says: also that there is none applies again once both sides are said. */
  isDecided(contradictionId: string): boolean {
    const status = this.contradictions.get(contradictionId)?.finding.status
    return status === 'resolved' || status === 'dismissed'
  }

  /** Folds an admitted round in. */
  admit({ reconciliation, contradictions, possible, closes, possibleCloses }: AdmittedFindings): void {
    for (const id of possibleCloses) this.closePossible(id)
    for (const each of possible) this.possible.set(each.possibleConflictId, each)
    for (const id of closes) this.setStatus(id, this.words.get(id) ?? 'closed')
    for (const supporter of reconciliation.supporters) this.addSupporter(supporter)
    reconciliation.contradictions.forEach((found, index) => {
      const { slotKey, groupA, groupB, severity } = found
      const ids = contradictions[index]
      const a = this.newestFirst([found.a, ...found.supportersA])
      const b = this.newestFirst([found.b, ...found.supportersB])
      if (ids !== undefined) this.open({ ...ids, slotKey, groupA, groupB, severity, a, b })
    })
  }

  open(opened: OpenedContradiction): void {
    const { contradictionNo, contradictionId, slotKey, groupA, groupB, severity, a, b } = opened
    const status = 'open'
    this.contradictions.set(contradictionId, {
      contradictionNo,
      finding: { contradictionId, slotKey, status, groupA, groupB, claimIdsA: a, claimIdsB: b },
      standing: { contradictionId, status, severity, a: { live: a, more: false }, b: { live: b, more: false } },
    })
  }

  setStatus(contradictionId: string, status: ExistingFinding['status']): void {
    const stored = this.contradictions.get(contradictionId)
    if (stored === undefined) return
    if (status === 'resolved' || status === 'dismissed') this.words.set(contradictionId, status)
    const { finding, standing } = stored
    this.contradictions.set(contradictionId, { ...stored, finding: { ...finding, status }, standing: { ...standing, status } })
  }

  /** What a person decided of it is taken back. */
  takeBack(contradictionId: string): void {
    this.words.delete(contradictionId)
    this.setStatus(contradictionId, 'open')
  }

  closePossible(id: string): void {
    move(this.possible, this.closedPossible, id)
  }

  reopenPossible(id: string): void {
    move(this.closedPossible, this.possible, id)
  }

  private addSupporter({ contradictionId, side, claimId }: Reconciliation['supporters'][number]): void {
    const stored = this.contradictions.get(contradictionId)
    const key = side === 'a' ? 'claimIdsA' : 'claimIdsB'
    if (stored === undefined || stored.finding[key].includes(claimId)) return
    const { finding, standing } = stored
    this.contradictions.set(contradictionId, {
      ...stored,
      finding: { ...finding, [key]: [claimId, ...finding[key]] },
      standing: { ...standing, [side]: { ...standing[side], live: [claimId, ...standing[side].live] } },
    })
  }

  private live(claimIds: readonly string[]): string[] {
    return claimIds.filter(this.claims.isLive)
  }

  private newestFirst(claimIds: readonly string[]): string[] {
    const no = (claimId: string) => this.claims.numberOf(claimId) ?? 0
    return [...new Set(claimIds)].sort((a, b) => no(b) - no(a))
  }
}

export interface OpenedContradiction extends Pick<ExistingFinding, 'contradictionId' | 'slotKey' | 'groupA' | 'groupB'> {
  contradictionNo: number
  severity: FindingStanding['severity']
  a: string[]
  b: string[]
}

function move<T>(from: Map<string, T>, to: Map<string, T>, key: string): void {
  const value = from.get(key)
  if (value !== undefined) to.set(key, value)
  from.delete(key)
}
