/**
 * Puts a model's claims in the place of the deterministic ones, keeping profile, goals and risks. Only claims that stand in the text
 * survive: the quote is a slice of it, figures have their digits in the quote, names their words. The rest is counted.
 */
import type { EntityMention, ExtractedClaim, Extraction } from '../analysis/types.js'
import type { ModelClaim } from './claims-schema.js'
import { type LocatedQuote, quoteFinder } from './quotes.js'
import { twinSource } from './twins.js'

export interface MergeInput {
  text: string
  claims: readonly ModelClaim[]
  deterministic: Extraction
  extractor: string
  version: string
}

export function mergeClaims(input: MergeInput): { extraction: Extraction; dropped: number } {
  const finder = quoteFinder(input.text)
  const entities = entityKeys(input.deterministic.profile.entities)
  const twins = twinSource(input.deterministic.claims)
  const claims: ExtractedClaim[] = []
  const seen = new Set<string>()
  let dropped = 0
  for (const claim of input.claims) {
    const place = finder.find(claim.quote)
    if (place === null || !isGrounded(claim, place.quote)) {
      dropped++
      continue
    }
    const merged = extractedClaim(claim, place, entities)
    const identity = JSON.stringify([
      merged.start,
      merged.end,
      merged.subjectKey,
      merged.attributeKey,
      merged.role,
      merged.period,
      merged.value,
    ])
    if (seen.has(identity)) continue
    seen.add(identity)
    claims.push({ ...merged, ...twins.wordsFor(merged) })
  }
  claims.sort((a, b) => a.start - b.start || a.end - b.end)
  const { profile, goals, risks } = input.deterministic
  return { extraction: { extractor: input.extractor, version: input.version, profile, claims, goals, risks }, dropped }
}

/** Words in lower case: the same for every way of spacing and punctuating a name. */
function fold(name: string): string {
  return (
    name
      .normalize('NFKD')
      .toLowerCase()
      .match(/[\p{L}\p{N}%]+/gu) ?? []
  ).join(' ')
}

function entityKeys(entities: readonly EntityMention[]): ReadonlyMap<string, string> {
  return new Map(entities.flatMap(({ key, name, aliases }) => [name, ...aliases].map((other): [string, string] => [fold(other), key])))
}

function extractedClaim(claim: ModelClaim, place: LocatedQuote, entities: ReadonlyMap<string, string>): ExtractedClaim {
  return {
    ...place,
    subject: claim.subject,
    subjectKey: entities.get(fold(claim.subject)) ?? fold(claim.subject),
    subjectCertain: claim.subject_certain,
    attribute: claim.attribute,
    attributeKey: fold(claim.attribute),
    role: claim.role,
    basis: [...new Set(claim.basis)].sort(),
    part: claim.part,
    unit: claim.unit,
    period: claim.period,
    polarity: claim.polarity,
    modality: claim.modality,
    value: claim.value,
    valueText: claim.value_text,
    confidence: claim.confidence,
    stance: { disputes: claim.disputes, corrects: claim.corrects, echoes: claim.echoes, supersedes: claim.supersedes },
  }
}

const numberWords =
  /\b(?:nil|none|no|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|dozens?|hundreds?|thousands?|millions?|billions?|half|third|quarter|double|twice|single|sole)\b/i

function isGrounded({ value }: ModelClaim, quote: string): boolean {
  if (value.type === 'name') return fold(quote).includes(fold(value.value)) && fold(value.value) !== ''
  if (value.type !== 'money' && value.type !== 'percent' && value.type !== 'quantity') return true
  if (value.low > value.high) return false
  const digits = quote.replace(/(?<=\d)[\s.,'’](?=\d)/g, '').normalize('NFKC')
  if (!/\d/.test(digits)) return numberWords.test(quote)
  // A bound written alone ("at least 40") leaves one side open, so one side found is enough.
  return [value.low, value.high].some(figure => digits.includes(significantDigits(figure)))
}

/** 12,400,000 and 12.4 million share the digits 124. */
function significantDigits(figure: number): string {
  const [mantissa = ''] = Math.abs(figure).toExponential().split('e')
  return mantissa.replace('.', '').replace(/(?<=\d)0+$/, '')
}
