/**
 * Where the caches of a case are not `standing` of its facts: the claims that begin and cease to count, the findings that open and
 * close, and what that is in figures. Whoever changes a fact writes this difference with it, and nothing else about what counts.
 */

import { type EffectParts, noParts } from './effect.js'
import type { SlotClaim, SlotStanding } from './slots.js'
import {
  type ContradictionFact,
  type Ending,
  isDismissal,
  type PossibleFact,
  type ReplacementFact,
  type Standing,
  type StandingFacts,
  type StatementFact,
  standing,
} from './standing.js'
import type { Severity } from './types.js'

/** A statement with a claim that holds it now, or held it last; several of one passage are as many of these. */
export interface KeptStatement extends StatementFact, SlotClaim {
  claimNo: number
  documentId: string
  live: boolean
  /** Id of the claim it is kept as replaced by. */
  supersededBy: string | null
  /** Rounds that recorded and ended it. */
  recordedRound: number
  supersededRound: number | null
}

export interface KeptContradiction extends ContradictionFact {
  id: string
  severity: Severity
  /** Decided: by a person. Null for one that opens with the act. */
  kept: 'open' | 'closed' | 'decided' | null
  /** What was decided is kept as without effect, because a side was no longer said. */
  onRecord: boolean
  /** Why what its verdict ends no longer counts. */
  why: string
}

export interface KeptReplacement extends ReplacementFact {
  id: string
  kept: 'standing' | 'objected' | 'withdrawn'
  why: string
}

export interface KeptPossible extends PossibleFact {
  id: string
  kept: 'open' | 'closed' | 'decided'
}

export interface KeptCase extends StandingFacts {
  statements: readonly KeptStatement[]
  contradictions: readonly KeptContradiction[]
  replacements: readonly KeptReplacement[]
  possible: readonly KeptPossible[]
}

export interface Difference {
  ended: { claim: KeptStatement; byClaimId: string | null; why: string | null }[]
  revived: KeptStatement[]
  /** Claims that stay ended, by another claim than the one that is kept. */
  handed: { claim: KeptStatement; byClaimId: string; why: string }[]
  /** Contradictions that close by themselves; about these nobody has said a word. */
  closes: KeptContradiction[]
  reopens: KeptContradiction[]
  /** What a word puts away that was open: it decides now, or is on record because a side is no longer said. */
  decides: KeptContradiction[]
  /** Words that lose their effect because a side is no longer said, and those that apply again because it is. */
  words: { lapse: KeptContradiction[]; again: KeptContradiction[] }
  possible: { closes: string[]; reopens: string[] }
  withdrawn: KeptReplacement[]
  /** Everything but slots. */
  figures: Pick<EffectParts, 'begun' | 'ended' | 'opened' | 'reopened' | 'closed' | 'possibleOpened' | 'possibleClosed'>
}

/** What of it a round keeps, so that a replay does it again without asking: ids alone. */
export function recordOf({ ended, revived, reopens, decides }: Difference) {
  const isDismissed = ({ word }: KeptContradiction) => word !== null && isDismissal(word.verdict)
  return {
    retired: ended.map(({ claim }) => claim.claimId),
    revived: revived.map(({ claimId }) => claimId),
    reopens: reopens.map(({ id }) => id),
    resolves: decides.filter(each => !isDismissed(each)).map(({ id }) => id),
    dismisses: decides.filter(isDismissed).map(({ id }) => id),
  }
}

export function differenceOf(kept: KeptCase): Difference {
  const found = standing(kept)
  const { statements, contradictions, possible, replacements } = kept
  const isOpen = (each: KeptContradiction) => found.contradictions.get(each.no) === 'open'
  const isClosed = (each: KeptContradiction) => found.contradictions.get(each.no) === 'closed'
  const ended = endedOf(kept, found)
  const revived = statements.filter(each => each.endedElsewhere !== true && !each.live && found.counts.has(each.no))
  const reopens = contradictions.filter(each => each.kept !== null && each.kept !== 'open' && isOpen(each))
  // What a person decided stays on record as decided when a side is no longer said, whether it had effect before or not.
  const closes = contradictions.filter(each => isClosed(each) && each.word === null && (each.kept === 'open' || each.kept === 'decided'))
  const decides = contradictions.filter(each => each.kept === 'open' && each.word !== null && !isOpen(each))
  const opened = contradictions.filter(each => each.kept === null && isOpen(each))
  const spoken = contradictions.filter(each => each.kept !== null && each.word !== null && !isOpen(each))
  // Kept as decided where the word is being taken back.
  const isUndecided = ({ kept, word }: KeptPossible) => kept === 'open' || (kept === 'decided' && word === null)
  const left = possible.filter(each => each.kept === 'open' && found.possible.get(each.no) !== 'open')
  const back = possible.filter(each => each.kept !== 'open' && found.possible.get(each.no) === 'open')
  return {
    ended,
    revived,
    handed: handedOf(kept, found),
    closes,
    reopens,
    decides,
    words: {
      lapse: spoken.filter(each => !each.onRecord && isClosed(each)),
      again: spoken.filter(each => each.onRecord && !isClosed(each)),
    },
    possible: {
      closes: possible.filter(each => found.possible.get(each.no) === 'closed' && isUndecided(each)).map(each => each.id),
      reopens: back.filter(each => each.kept === 'closed').map(each => each.id),
    },
    withdrawn: replacements.filter(each => each.kept === 'standing' && found.replacements.get(each.no) === 'withdrawn'),
    figures: {
      begun: revived,
      ended: ended.map(each => each.claim),
      opened: opened.map(each => each.severity),
      reopened: reopens.map(each => each.severity),
      closed: [...closes, ...decides].filter(each => each.kept === 'open').map(each => each.severity),
      possibleOpened: back.length,
      possibleClosed: left.length,
    },
  }
}

/** What it leaves out, whether a word has effect, changes no figure. */
export function isNothing({ ended, revived, handed, closes, reopens, decides, possible, withdrawn }: Difference): boolean {
  const lists = [ended, revived, handed, closes, reopens, decides, possible.closes, possible.reopens, withdrawn]
  return lists.every(list => list.length === 0)
}

/** `slots` are those of the claims that begin and end, as they stand before. */
export function partsOf({ figures }: Difference, slots: readonly SlotStanding[]): EffectParts {
  return { ...noParts(), ...figures, slots }
}

function endedOf(kept: KeptCase, found: Standing): Difference['ended'] {
  return kept.statements
    .filter(each => each.live && !found.counts.has(each.no))
    .map(claim => ({ claim, ...enderOf(kept, found.ended.get(claim.no)) }))
}

/** Only where what it is kept as ended by is no longer said: any other answer of before stays good. */
function handedOf(kept: KeptCase, found: Standing): Difference['handed'] {
  const said = new Set(kept.statements.filter(each => each.said).map(each => each.claimId))
  return kept.statements.flatMap(claim => {
    if (!claim.said || claim.live || claim.supersededBy === null || said.has(claim.supersededBy)) return []
    const { byClaimId, why } = enderOf(kept, found.ended.get(claim.no))
    return byClaimId === null || why === null ? [] : [{ claim, byClaimId, why }]
  })
}

function enderOf(kept: KeptCase, ending: Ending | undefined): { byClaimId: string | null; why: string | null } {
  if (ending === undefined) return { byClaimId: null, why: null }
  const { of, no } = ending.because
  const because = of === 'contradiction' ? kept.contradictions.find(each => each.no === no) : kept.replacements.find(each => each.no === no)
  const by = kept.statements.find(each => each.no === ending.by)
  return { byClaimId: by?.claimId ?? null, why: because?.why ?? null }
}
