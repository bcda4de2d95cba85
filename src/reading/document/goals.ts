/** Goals: what is to be done, by whom, by when, done or not. From sections of actions and goals, and sentences of duty. */

import { cut } from '../../platform/storable-text.js'
import type { Block } from '../layout/blocks.js'
import { sentencesOf } from '../layout/sentences.js'
import { squeeze } from '../layout/squeeze.js'
import type { Goal } from '../types.js'
import { findPeriods } from '../values/periods.js'

type FoundGoal = Omit<Goal, 'quote'>

const SECTION =
  /\b(?:goals?|objectives?|actions?|next steps|recommendations?|to-?do|deliverables|milestones|open items|required actions|commitments|follow-?up|remediation plan)\b/i
const DUTY =
  /\b(?:must|shall|should be|will (?:submit|deliver|complete|provide|implement|confirm|review|adopt|establish|prepare|require|include)|(?:is|are) (?:required|expected|requested) to|commits? to|has committed to|we recommend|recommended action)\b/i
const DONE = /\b(?:completed?|done|closed|delivered|implemented|achieved|finished|resolved|signed)\b/i
const NOT_DONE =
  /\b(?:not (?:yet )?(?:completed?|done|closed|delivered|implemented|achieved)|to be completed|incomplete|by end of|pending)\b/i
const OWNER = /\b(?:owner|responsible|assigned to|action(?: owner)?|by)\s*[:=]\s*([\p{Lu}][^,;.()\n]{2,60})/u
const NAMED =
  /^((?:Dr\.?|Prof\.?|Mr\.?|Ms\.?|Mrs\.?|Herr|Frau)\s[\p{Lu}][\p{L}. -]{1,40}|The [\p{Lu}][\p{L} ]{2,30}|Management|The Board)\b/u

const TASK = /\b(?:actions?|tasks?|measures?|recommendations?|deliverables?|milestones?|works?|steps?|subject|to-?do|follow-?up)\b/i
const DUE = /\b(?:due|target|deadline|by when|time limit|planned)\b/i
const WHO = /^(?:owner|responsible|who|action by|assigned(?: to)?|lead|in charge)\b/i
const STATE = /^(?:status|state|progress)\b/i

/** A row of an action register: what it is, who does it, until when, and whether it is done. */
function rowGoal(text: string, block: Block, year: number | null): FoundGoal | null {
  const cell = (form: RegExp): Block['cells'][number] | undefined => block.cells.find(({ header }) => form.test(header.trim()))
  const [who, due, state] = [cell(WHO), cell(DUE), cell(STATE)]
  const listed = TASK.test(block.labelHeader) || block.path.slice(-2).some(heading => SECTION.test(heading) && heading.length < 80)
  if (!listed || !(due || (who && state))) return null
  const what = squeeze(cut(text.slice(block.label!.start, block.label!.end), 240))
  if (what.length < 8) return null
  const day = due ? findPeriods(due.text, year)[0] : undefined
  const done = state !== undefined && DONE.test(state.text) && !NOT_DONE.test(state.text)
  return { start: block.start, end: block.end, what, owner: who?.text || null, due: day?.period.label ?? null, done }
}

export function goalsOf(text: string, blocks: readonly Block[], year: number | null): FoundGoal[] {
  const goals: FoundGoal[] = []
  for (const block of blocks) {
    if (block.zone !== 'body' || block.kind === 'heading') continue
    if (block.kind === 'row') {
      const goal = goals.length < 200 ? rowGoal(text, block, year) : null
      if (goal) goals.push(goal)
      continue
    }
    const listed = block.kind !== 'paragraph' && block.path.slice(-2).some(heading => SECTION.test(heading) && heading.length < 80)
    for (const span of sentencesOf(text, block.start, block.end)) {
      if (goals.length >= 200) return goals
      const words = squeeze(cut(text.slice(span.start, span.end), 600))
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
        what: cut(words, 240),
        owner: OWNER.exec(words)?.[1]?.trim() ?? NAMED.exec(words)?.[1] ?? null,
        due: due ? due.period.label : null,
        done: DONE.test(words) && !NOT_DONE.test(words) && !DUTY.test(words),
      })
      if (listed) break
    }
  }
  return goals
}
