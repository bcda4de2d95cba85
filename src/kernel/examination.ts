/**
 * Who has examined a scope, from round to round. A sign-off is about what counts: once a round changes that, those before cover it no
 * more. What a model compared is counted by document. Policies, modes, and who has to examine change nothing of what counts.
 */
import { digest } from './canonical.js'
import type { EffectParts } from './effect.js'
import type { RereadRound, RoundDocument, RoundInput, SettingsRound } from './round-types.js'
import type { ScopeSettings } from './settings.js'
import type { Examination, Outcome } from './types.js'

interface Changed {
  parts: EffectParts
  before: ScopeSettings
  after: ScopeSettings
}

/** Whether what counts after a round is something else than before it, or than what somebody signed. */
export function changesWhatCounts(input: RoundInput, outcome: Outcome, changed: Changed): boolean {
  if (outcome !== 'hold' && leavesUnread(input)) return true
  if (outcome !== 'admit') return false
  switch (input.kind) {
    case 'document':
      return input.content !== null
    case 'reread':
      return findsOtherwise(input, changed.parts)
    case 'review':
      return reviewChanges(input.held, changed)
    case 'settings':
      return glossaryDiffers(input) || settingsDiffer(changed)
    case 'erasure':
    case 'discard':
      return input.leaves.counted
    case 'given_up':
      return input.unread === true
    case 'sign_off':
      return false
    case 'resolution':
    case 'finding':
    case 'report':
    case 'settling':
    case 'arrival':
      return true
  }
}

/** A paper that was signed for as not read has been read: it is that no longer, whether it comes in or is refused. */
function leavesUnread(input: RoundInput): boolean {
  return input.kind !== 'reread' && documentOf(input)?.named === true
}

function documentOf(input: RoundInput): RoundDocument | null {
  if (input.kind === 'document' || input.kind === 'reread') return input.document
  return input.kind === 'review' && input.held.kind === 'document' ? input.held.document : null
}

/** What a scope that was examined before is after a round. */
export function examinedAfter(
  before: Examination,
  input: RoundInput,
  { outcome, changed, asksModel }: { outcome: Outcome; changed: boolean; asksModel: boolean },
): Examination {
  const said = input.kind === 'review' && input.held.kind === 'sign_off' ? input.held : input
  if (said.kind === 'sign_off') return outcome === 'admit' ? said.examination : before
  // Counted only where the settings ask for it, as what is read of a stored scope: rounds must not depend on how work was batched.
  const unexamined = asksModel ? Math.max(0, before.unexamined + moreUnexamined(input, outcome)) : 0
  return changed ? { signers: 0, readByEye: 0, unexamined } : { ...before, unexamined }
}

/**
 * Documents that wait for a reading are not among the unexamined, nor is what counts of them until then: each comes in, or is back, with
 * its round. Those in quarantine are.
 */
function moreUnexamined(input: RoundInput, outcome: Outcome): number {
  const document = documentOf(input)
  if (document !== null) {
    if (outcome === 'hold') return 0
    const isAdmitted = outcome === 'admit' && !(input.kind === 'review' && input.verdict === 'reject')
    return (isAdmitted ? document.unexamined.admitted : document.unexamined.refused) ? 1 : 0
  }
  if (outcome !== 'admit') return 0
  if (input.kind === 'review') return input.held.kind === 'settings' ? (input.held.unexamined ?? 0) : 0
  if (input.kind === 'settings') return input.unexamined ?? 0
  return input.kind === 'erasure' || input.kind === 'discard' ? -input.leaves.unexamined : 0
}

/** A new reading of the same text, with the findings of the one before, leaves what was signed as it was. */
function findsOtherwise({ content, withdrawn }: RereadRound, parts: EffectParts): boolean {
  const findings = parts.opened.length + parts.reopened.length + parts.closed.length + parts.possibleOpened + parts.possibleClosed
  return findings + content.supersessions.length + withdrawn.length > 0
}

function reviewChanges(held: Extract<RoundInput, { kind: 'review' }>['held'], changed: Changed): boolean {
  if (held.kind === 'document') return held.content !== null
  if (held.kind === 'settings') return held.glossaryChanges === true || settingsDiffer(changed)
  return held.kind === 'resolution' || held.kind === 'finding'
}

function glossaryDiffers({ glossaryDigest }: SettingsRound): boolean {
  return glossaryDigest.from !== glossaryDigest.to
}

/** Thresholds and bounds say what may be left open. Who has to examine it says nothing of that. */
function settingsDiffer({ before, after }: Changed): boolean {
  return digest(withoutExamination(before)) !== digest(withoutExamination(after))
}

function withoutExamination({ finality, ...settings }: ScopeSettings): object {
  const { examination, signatures, ...rest } = finality
  return { ...settings, finality: rest }
}
