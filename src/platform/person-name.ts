/**
 * Names of people: what can be one, and whether two are one person's. One person is one name however it is typed: neither case, spaces, nor
 * characters that cannot be seen make another one, or a single person could sign twice.
 */

import { canBeSeen, unseen } from './visible-text.js'

/** Answers name the service itself so, where something closed without anybody's word. */
const ownName = 'system'

const unseenEnds = new RegExp(`^[${unseen}]+|[${unseen}]+$`, 'gu')
const unseenParts = new RegExp(`[${unseen}]+`, 'gu')

/** What somebody is told whose name is none. */
export const nameAsked = `must be a name that can be seen, and not ${ownName}: that is what closes by itself`

/** How long one is, is asked beside this, and folding a body of accents would keep everybody waiting for minutes. */
const longestFolded = 1000

export function isPersonName(name: string): boolean {
  return canBeSeen(name) && (name.length > longestFolded || personKey(name) !== ownName)
}

/** As it is shown: without what cannot be seen before and behind it. */
export function shownName(name: string): string {
  return name.replace(unseenEnds, '')
}

/** Equal for the names of one person. Not to be shown. */
export function personKey(name: string): string {
  // Without what cannot be seen between them, letters and their accents become one character. Small, capital and small again: ẞ, ß and SS are one.
  const composed = name.replace(unseenParts, '').normalize('NFKC')
  const folded = composed.toLowerCase().toUpperCase().toLowerCase()
  return folded.normalize('NFKC').replace(unseenParts, '')
}
