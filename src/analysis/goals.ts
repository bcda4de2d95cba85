/** Goals: what is to be done, by whom, by when, done or not. From sections of actions and goals, and sentences of duty. */

import type { Block } from './blocks.js'
import { squeeze } from './characters.js'
import { pattern } from './pattern.js'
import { findPeriods } from './periods.js'
import { sentencesOf } from './sentences.js'

export interface FoundGoal {
  start: number
  end: number
  what: string
  owner: string | null
  due: string | null
  done: boolean
}

const SECTION = pattern(
  /\b(?:goals?|objectives?|actions?|next steps|recommendations?|to-?do|deliverables|milestones|open items|required actions|commitments|follow-?up|remediation plan)\b/i,
)
const DUTY = pattern(
  /\b(?:must|shall|should be|will (?:submit|deliver|complete|provide|implement|confirm|review|adopt|establish|prepare|require|include)|(?:is|are) (?:required|expected|requested) to|commits? to|has committed to|we recommend|recommended action)\b/i,
)
const DONE = pattern(/\b(?:completed?|done|closed|delivered|implemented|achieved|finished|resolved|signed)\b/i)
const NOT_DONE = pattern(
  /\b(?:not (?:yet )?(?:completed?|done|closed|delivered|implemented|achieved)|to be completed|incomplete|by end of|pending)\b/i,
)
const OWNER = pattern(/\b(?:owner|responsible|assigned to|action(?: owner)?|by)\s*[:=]\s*([\p{Lu}][^,;.()\n]{2,60})/u)
const NAMED =
  /^((?:Dr\.?|Prof\.?|Mr\.?|Ms\.?|Mrs\.?|Herr|Frau)\s[\p{Lu}][\p{L}. -]{1,40}|The [\p{Lu}][\p{L} ]{2,30}|Management|The Board)\b/u

export function goalsOf(text: string, blocks: readonly Block[], year: number | null): FoundGoal[] {
  const goals: FoundGoal[] = []
  for (const block of blocks) {
    if (block.zone !== 'body' || block.kind === 'heading' || block.kind === 'row') continue
    const listed = block.kind !== 'paragraph' && block.path.slice(-2).some(heading => SECTION.test(heading) && heading.length < 80)
    for (const span of sentencesOf(text, block.start, block.end)) {
      if (goals.length >= 200) return goals
      const words = squeeze(text.slice(span.start, Math.min(span.end, span.start + 600)))
      if (!listed && !DUTY.test(words)) continue
      if (words.length < 8) continue
      const due = findPeriods(words, year).find(found =>
        /\b(?:by|before|until|due|no later than|deadline|end of|within|in|on|for)\s(?:the\s)?(?:end of\s)?\(?$/i.test(
          words.slice(0, found.start),
        ),
      )
      goals.push({
        start: span.start,
        end: span.end,
        what: words.slice(0, 240),
        owner: OWNER.exec(words)?.[1]?.trim() ?? NAMED.exec(words)?.[1] ?? null,
        due: due ? due.period.label : null,
        done: DONE.test(words) && !NOT_DONE.test(words) && !DUTY.test(words),
      })
      if (listed) break
    }
  }
  return goals
}
