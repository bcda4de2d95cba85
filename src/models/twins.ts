/**
 * Where the deterministic reader read the same value at the same place, its words of the statement are taken over; elsewhere
 * they are read from the quote when the claim is placed.
 */
import type { ClaimValue, ExtractedClaim } from '../analysis/types.js'
import type { ReadClaim } from '../reading/document/extract.js'

type Words = Omit<ReadClaim, keyof ExtractedClaim>

export interface TwinSource {
  wordsFor(claim: ExtractedClaim): Partial<Words>
}

export function twinSource(deterministic: readonly ExtractedClaim[]): TwinSource {
  const byValue = new Map<string, Partial<ReadClaim>[]>()
  for (const claim of deterministic) {
    const same = byValue.get(valueKey(claim.value))
    if (same === undefined) byValue.set(valueKey(claim.value), [claim])
    else same.push(claim)
  }
  return {
    wordsFor({ value, start, end }) {
      const twin = byValue.get(valueKey(value))?.find(other => (other.start ?? 0) < end && start < (other.end ?? 0))
      if (twin?.frame === undefined) return {}
      const { frame, bound, counted, of, near, tells, crowd, nth } = twin as ReadClaim
      return { frame, bound, counted, of, near, tells, crowd, nth }
    },
  }
}

/** Equal for values that say the same, however precisely they were read. */
function valueKey(value: ClaimValue): string {
  if (value.type === 'date') return JSON.stringify([value.type, value.from, value.to])
  if (value.type === 'category' || value.type === 'boolean' || value.type === 'name') return JSON.stringify([value.type, value.value])
  return JSON.stringify([value.type, value.low, value.high])
}
