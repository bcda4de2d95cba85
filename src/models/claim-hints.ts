/**
 * What placing a claim in its scope needs to know beyond the claim. Where the deterministic extractor read the same value at the same
 * place, its hints are taken over; elsewhere they are made from the names the model gave.
 */
import type { ClaimValue, ExtractedClaim } from '../analysis/types.js'

export type ClaimHints = NonNullable<ExtractedClaim['hints']>

/** Splits a name into the words that keys are made of. */
export type Terms = (name: string) => string[]

export interface HintSource {
  hintsFor(claim: ExtractedClaim): ClaimHints
}

const contextTerms = 48
const nearCharacters = 300

export function hintSource(deterministic: readonly ExtractedClaim[], terms: Terms): HintSource {
  const byValue = new Map<string, ExtractedClaim[]>()
  for (const claim of deterministic) {
    const same = byValue.get(valueKey(claim.value))
    if (same === undefined) byValue.set(valueKey(claim.value), [claim])
    else same.push(claim)
  }
  const { principals = '', restates = false } = deterministic[0]?.hints ?? {}
  return {
    hintsFor(claim) {
      const twin = byValue.get(valueKey(claim.value))?.find(other => other.start < claim.end && claim.start < other.end)
      if (twin?.hints !== undefined) return { ...twin.hints }
      const name = terms(claim.attribute)
      return {
        head: name.at(-1) ?? '',
        terms: name.join(' '),
        context: [...new Set(terms(claim.quote))].slice(0, contextTerms).join(' '),
        marks: '',
        above: '',
        frame: claim.value.type === 'category' || claim.value.type === 'boolean' ? 'state' : 'prose',
        explicit: claim.period !== null,
        version: null,
        priorLow: null,
        priorHigh: null,
        near: claim.subject.slice(0, nearCharacters),
        principals,
        restates,
      }
    },
  }
}

/** Equal for values that say the same, however precisely they were read. */
function valueKey(value: ClaimValue): string {
  if (value.type === 'date') return JSON.stringify([value.type, value.from, value.to])
  if (value.type === 'category' || value.type === 'boolean' || value.type === 'name') return JSON.stringify([value.type, value.value])
  return JSON.stringify([value.type, value.low, value.high])
}
