/**
 * What a certificate says: that this scope, with exactly these documents, claims, decisions, policies and settings, was
 * resolved with these scores. Built here without a key; signing is done by the holder of the key.
 */
import { digest, sha256 } from './canonical.js'
import type {
  Approval,
  CertificateDocument,
  CertificateV4,
  CertifiedSignOff,
  CertifiedTrial,
  PossibleFigures,
  StatedMember,
  UnreadDocument,
} from './certificate-payload.js'
import { certifiedExamination, type SignedUnread } from './certified-examination.js'
import { openContradictions } from './scores.js'
import { DEFAULT_SETTINGS, type ScopeSettings } from './settings.js'
import type { ConvergencePoint, FinalityVerdict, ScopeAggregates } from './types.js'

/** A list with more members is not in the certificate and is digested as a set, so that neither size nor cost grows with it. */
export const LISTED_MEMBERS = 500

/** What a certificate says of a list: how many members count as what, and the members or, of a long list, the digest of the set. */
export type CertifiedList<T> = { counts: Record<string, number> } & ({ members: readonly T[] } | { members: null; digest: string })

/** Documents are counted by reader, version and model, a JSON array of them, those without a reading by state; possible conflicts and supersessions by state. */
export interface CertifiedLists {
  documents: CertifiedList<CertificateDocument>
  unread: CertifiedList<UnreadDocument>
  possible: CertifiedList<StatedMember>
  supersessions: CertifiedList<StatedMember>
}

export interface CertificateInput extends CertifiedLists {
  issuer: string
  /** The round's recorded time in whole seconds. */
  issuedAt: number
  tenantId: string
  scopeId: string
  generation: number
  verdict: FinalityVerdict
  point: ConvergencePoint
  aggregates: ScopeAggregates
  /** Ids of open contradictions that no gate waits for, the most severe first. */
  leftOpen: readonly string[]
  /** Ids of possible conflicts that are left, the likeliest first. */
  possibleLeft: readonly string[]
  /** The first possible conflicts that a model cleared; how many there are is counted in `possible`. */
  cleared: readonly string[]
  /** Contradictions a person left disputed, whose sides both count: how many, and the first of them. */
  disputed: { count: number; ids: readonly string[] }
  /** Sign-offs that stand, the latest first; approvals that policies asked for; what was done about documents without a reading. */
  signOffs: readonly CertifiedSignOff[]
  /** Of all that stand. */
  signOffsTotal: number
  approvals: readonly Approval[]
  signedUnread: readonly SignedUnread[]
  /** How models did in their last trial, by name and version of the questions. */
  trials: ReadonlyMap<string, CertifiedTrial>
  claims: { count: number; digest: string }
  decisions: { length: number; head: string }
  /** Every policy set decisions since the last reset were made under. */
  policyHashes: readonly string[]
  settings: ScopeSettings
  /** The previous certificate's compact JWS. */
  previousJws: string | null
  /** How many there are before this one. */
  certificatesBefore: number
}

export function buildCertificate(input: CertificateInput): CertificateV4 {
  if (input.verdict.status !== 'resolved') throw new Error(`a scope that is ${input.verdict.status} is not certified`)
  const { point, settings, aggregates } = input
  const possible = possibleFigures(input)
  const previous = input.previousJws === null ? null : sha256(input.previousJws)
  const body = {
    iss: input.issuer,
    iat: input.issuedAt,
    version: 4 as const,
    tenant_id: input.tenantId,
    scope_id: input.scopeId,
    generation: input.generation,
    round: point.round,
    status: 'resolved' as const,
    examined: certifiedExamination(
      input,
      { ...membersOf(input.unread), total: totalOf(input.unread) },
      {
        left: possible.left,
        cleared: { count: possible.cleared ?? 0, ids: [...input.cleared] },
      },
    ),
    disputed: { count: input.disputed.count, ids: [...input.disputed.ids] },
    documents: documentFigures(input.documents),
    contradictions: {
      found: aggregates.contradictionsTotal,
      open: openContradictions(aggregates),
      by_model: aggregates.contradictionsByModel ?? 0,
      open_ids: [...input.leftOpen],
    },
    possible_conflicts: { ...possible, setting: settings.finality.possible_conflicts },
    supersessions: supersessionFigures(input),
    settings_changed: changedSettings(settings),
    claims: input.claims,
    decisions: input.decisions,
    scores: point.scores,
    convergence: { v: point.v, score: point.score, quality: point.quality },
    policy_hashes: [...new Set(input.policyHashes)].sort(),
    settings_digest: digest(settings),
    certificates: { length: input.certificatesBefore, head: previous },
    previous,
  }
  return { ...body, jti: `sha256:${digest(body)}` }
}

/** A set of documents, as certificates and sign-offs name it. */
export function documentFigures(list: CertifiedList<CertificateDocument>): CertificateV4['documents'] {
  const { members, digest: figure } = membersOf(list)
  return { count: totalOf(list), digest: figure, hashes: members }
}

function membersOf<T extends Identified>(list: CertifiedList<T>): { members: T[] | null; digest: string } {
  if (list.members === null) return { members: null, digest: list.digest }
  const members = [...list.members].sort(byId)
  return { members, digest: digest(members) }
}

/** One digest for many: the SHA-256 of the sorted lines, whatever order they were read in. */
export function listDigest(lines: Iterable<string>): string {
  return sha256([...lines].sort().join('\n'))
}

function totalOf({ counts }: CertifiedList<unknown>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

function digestOf<T>(list: CertifiedList<T>, ofMembers: (members: readonly T[]) => string): string {
  return list.members === null ? list.digest : ofMembers(list.members)
}

const stateDigest = (members: readonly StatedMember[]) => listDigest(members.map(({ id, state }) => `${id} ${state}`))

function possibleFigures({ possible, possibleLeft }: CertificateInput): PossibleFigures {
  const { open = 0, promoted = 0, dismissed = 0, closed = 0, cleared = 0 } = possible.counts
  return {
    left: open,
    promoted,
    dismissed,
    closed,
    ...(cleared > 0 && { cleared }),
    digest: digestOf(possible, stateDigest),
    left_ids: [...possibleLeft],
  }
}

function supersessionFigures({ supersessions, aggregates }: CertificateInput): CertificateV4['supersessions'] {
  const { standing = 0, objected = 0 } = supersessions.counts
  const byModel = aggregates.replacementsByModel ?? 0
  return { standing, objected, by_model: byModel, digest: digestOf(supersessions, stateDigest) }
}

function changedSettings(settings: ScopeSettings): Record<string, number | string> {
  const changed: Record<string, number | string> = {}
  for (const [group, members] of Object.entries(settings) as [keyof ScopeSettings, Record<string, number | string>][]) {
    const defaults = DEFAULT_SETTINGS[group] as unknown as Record<string, number | string>
    for (const [name, value] of Object.entries(members)) if (defaults[name] !== value) changed[`/${group}/${name}`] = value
  }
  return changed
}

type Identified = Pick<CertificateDocument, 'document_id' | 'revision'>

function byId(a: Identified, b: Identified): number {
  if (a.document_id !== b.document_id) return a.document_id < b.document_id ? -1 : 1
  return a.revision - b.revision
}
