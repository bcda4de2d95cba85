/** Differences that rest on words of a scan whose recognition is doubtful. */

import { cut } from '../../platform/storable-text.js'
import type { Relation } from '../types.js'
import type { Said } from './said.js'

/** How sure the least sure word of a scan was that either side rests on; null where none is in doubt. */
export function leastRecognised(a: Said, b: Said): number | null {
  const doubts = [a, b].flatMap(({ claims }) => claims.flatMap(({ recognised }) => recognised ?? []))
  return doubts.length === 0 ? null : Math.min(...doubts)
}

/** A misread figure is no contradiction: a person looks at the page. */
export function doubtful(relation: Relation, confidence: number): Relation {
  return { ...relation, reason: doubtfulReason(relation.reason, confidence) }
}

export function doubtfulReason(reason: string, confidence: number): string {
  return cut(`Recognised, ${Math.round(confidence * 100)} %: look at the page. ${reason}`, 400)
}
