/**
 * Which word on a finding an act of a person answers. An act that policy holds was said of the finding as it stood then: once somebody
 * else has said something newer, approving it would undo what nobody held or looked at. So its round names the word, and it is overtaken where another stands.
 */

import { overtaken } from '../act.js'

/** A person's word, or that it closed by itself; each is given in a round of its own. */
type Word = { round?: number } | null

/** What the round of an act keeps of it. */
export function answering(word: Word): { answers: number | null } {
  return { answers: word?.round ?? null }
}

export function requireAnswered(recorded: Record<string, unknown>, word: Word): void {
  if (recorded['answers'] !== answering(word).answers)
    throw overtaken('Since it was held the finding was decided anew, or what was decided then was taken back.')
}
