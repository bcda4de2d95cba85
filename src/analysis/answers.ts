/**
 * Labels that ask for yes or no: "Alarm armed: no", "Sprinklers installed: yes". Read as the sentence they stand for, so that
 * they meet whoever says so in prose.
 */
import type { Block } from './blocks.js'
import { squeeze } from './characters.js'
import { type Core, subjectOf } from './cores.js'
import type { Draft, ReadContext } from './draft.js'
import { hasOpposite, meaningOf } from './opposites.js'
import { termsOf } from './slots.js'
import { buildState } from './states.js'
import { isTopic } from './topics.js'
import { isPast } from './verbs.js'
import { wordsOf } from './words.js'

const ANSWER = /^(yes|no)\b(?!\.?\s?\d)\s*(?:[.,;(–—-]|$)/i

/** "Alarm armed", "Alarm armed?": what is so of what. */
function asked(label: string): Core | null {
  const tokens = wordsOf(label.replace(/\?+$/, ''))
  const last = tokens.at(-1)
  if (!last || tokens.length < 2 || tokens.length > 8) return null
  if (!isPast(last.lower) && !hasOpposite(last.lower)) return null
  const { predicate, negated } = meaningOf(last.lower)
  const subject = subjectOf(tokens.slice(0, -1).filter(token => !/^(?:was|were|is|are|has|have|been|the)$/.test(token.lower)))
  return subject ? { ...subject, predicate, negated } : null
}

export function pairAnswer(context: ReadContext, block: Block): Draft[] {
  const label = block.label!.text.trim()
  const body = squeeze(context.text.slice(block.body.start, Math.min(block.body.end, block.body.start + 160)))
  const answer = ANSWER.exec(body)
  if (!answer || label.length > 90) return []
  const core = asked(label)
  const terms = termsOf(label)
  if (!core || !terms.some(isTopic)) return []
  const no = answer[1]!.toLowerCase() === 'no'
  const draft = buildState(context, block, {
    start: block.start,
    end: block.end,
    text: `${label}: ${answer[1]!}`,
    name: label,
    terms,
    head: core.head,
    value: { type: 'boolean', value: !no },
    negated: no,
    confidence: 0.7,
  })
  draft.core = { ...core, negated: core.negated !== no }
  draft.valence = 'plain'
  return [draft]
}
