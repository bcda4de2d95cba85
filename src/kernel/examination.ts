/**
 * Who has examined a scope, from round to round. A sign-off is about what counts: once a round changes that, those before cover it no
 * more. What a model compared is counted by document. Policies, modes, and who has to examine change nothing of what counts.
 */
import { digest } from './canonical.js'
import type { EffectParts } from './effect.js'
import type { RereadRound, RoundInput, SettingsRound } from './round-types.js'
import type { ScopeSettings } from './settings.js'
import type { Examination } from './types.js'

interface Changed {
  parts: EffectParts
  before: ScopeSettings
  after: ScopeSettings
}

/** Of a round that holds: whether what counts afterwards is something else than before. */
export function changesWhatCounts(input: RoundInput, changed: Changed): boolean {
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

/** What a scope that was examined before is after a round. */
export function examinedAfter(
  before: Examination,
  input: RoundInput,
  { applied, changed, asksModel }: { applied: boolean; changed: boolean; asksModel: boolean },
): Examination {
  const said = input.kind === 'review' && input.held.kind === 'sign_off' ? input.held : input
  if (said.kind === 'sign_off') return applied ? said.examination : before
  // Counted only where the settings ask for it, as what is read of a stored scope: rounds must not depend on how work was batched.
  const unexamined = asksModel ? Math.max(0, before.unexamined + (applied ? moreUnexamined(input) : 0)) : 0
  return changed ? { signers: 0, readByEye: 0, unexamined } : { ...before, unexamined }
}

/** Documents that wait for a reading are not among the unexamined: each comes in, or is back, with its round. Those in quarantine are. */
function moreUnexamined(input: RoundInput): number {
  switch (input.kind) {
    case 'document':
    case 'reread':
      return input.document.byModel === true ? 0 : 1
    case 'review':
      if (input.held.kind === 'settings') return input.held.unexamined ?? 0
      return input.held.kind === 'document' && input.held.document.byModel !== true ? 1 : 0
    case 'settings':
      return input.unexamined ?? 0
    case 'erasure':
    case 'discard':
      return input.leaves.unexamined ? -1 : 0
    default:
      return 0
  }
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
