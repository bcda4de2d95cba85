/** Risks with the level the text gives them; without a stated level a risk is medium. */

import { cut } from '../../platform/storable-text.js'
import type { Block } from '../layout/blocks.js'
import { sentencesOf } from '../layout/sentences.js'
import { squeeze } from '../layout/squeeze.js'
import type { Risk } from '../types.js'

type FoundRisk = Omit<Risk, 'quote'>

const RISK = /\brisks?\b|\bexposure\b|\bthreat(?:en|s)?\b|\bvulnerab/i
const SECTION = /\brisks?\b/i
const LEVELS: [RegExp, FoundRisk['level']][] = [
  [/\b(?:critical|existential|severe|very high|extreme)\b/i, 'critical'],
  [/\b(?:low[- ](?:to[- ])?medium|medium|moderate)\b/i, 'medium'],
  [/\bhigh\b/i, 'high'],
  [/\b(?:low|minor|negligible|remote)\b/i, 'low'],
]
const ASSESSED =
  /\brisk\b[^.]{0,60}\b(?:low|medium|moderate|high|critical|severe|minor|negligible)\b|\b(?:low|medium|moderate|high|critical|severe|existential|material|significant)\b[^.]{0,30}\brisk\b|\bseverity\b/i

export function risksOf(text: string, blocks: readonly Block[]): FoundRisk[] {
  const risks: FoundRisk[] = []
  for (const block of blocks) {
    if (block.zone !== 'body' || block.kind === 'row') continue
    const listed =
      (block.kind === 'item' || block.kind === 'pair') && block.path.slice(-1).some(heading => SECTION.test(heading) && heading.length < 60)
    for (const span of sentencesOf(text, block.start, block.end)) {
      if (risks.length >= 200) return risks
      const words = squeeze(cut(text.slice(span.start, span.end), 500))
      if (words.length < 8 || !(listed ? span.start === block.start : RISK.test(words) && ASSESSED.test(words))) continue
      const level = LEVELS.find(([form]) => form.test(words))?.[1] ?? 'medium'
      risks.push({ start: span.start, end: span.end, what: cut(words, 240), level })
    }
  }
  return risks
}
