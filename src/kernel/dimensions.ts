/** The four dimensions and the four severities in their fixed order: the first wins a tie. */
export type Dimension = 'claim_confidence' | 'contradiction_resolution' | 'goal_completion' | 'risk_inverse'
export type DimensionScores = Record<Dimension, number>

export type Severity = 'low' | 'medium' | 'high' | 'critical'
export type SeverityCounts = Record<Severity, number>

export const DIMENSIONS: readonly Dimension[] = ['claim_confidence', 'contradiction_resolution', 'goal_completion', 'risk_inverse']

export const SEVERITIES: readonly Severity[] = ['low', 'medium', 'high', 'critical']

export function perDimension(value: (dimension: Dimension) => number): DimensionScores {
  return {
    claim_confidence: value('claim_confidence'),
    contradiction_resolution: value('contradiction_resolution'),
    goal_completion: value('goal_completion'),
    risk_inverse: value('risk_inverse'),
  }
}

export function noSeverities(): SeverityCounts {
  return { low: 0, medium: 0, high: 0, critical: 0 }
}

export function totalOf(counts: SeverityCounts): number {
  return counts.low + counts.medium + counts.high + counts.critical
}

/** How many are of this severity or worse. */
export function atLeast(counts: SeverityCounts, severity: Severity): number {
  return SEVERITIES.slice(SEVERITIES.indexOf(severity)).reduce((sum, each) => sum + counts[each], 0)
}
