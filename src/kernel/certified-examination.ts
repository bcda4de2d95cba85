/** What a certificate says of who examined what it certifies, in figures and in words. */
import type { Approval, CertifiedSignOff, CertifiedTrial, Examined, UnreadDocument, UnreadHow } from './certificate-payload.js'
import { inWords } from './examined-words.js'
import type { ScopeSettings } from './settings.js'

const LISTED_UNREAD = 100
const LISTED_OTHERS = 20

/** What a sign-off says of a paper that was not read. */
export interface SignedUnread {
  document_id: string
  revision: number
  how: 'read_by_eye' | 'set_aside'
}

interface Examiners {
  documents: { counts: Record<string, number> }
  unread: { counts: Record<string, number> }
  supersessions: { counts: Record<string, number> }
  signOffs: readonly CertifiedSignOff[]
  /** Of all that stand. */
  signOffsTotal: number
  approvals: readonly Approval[]
  /** What they say of papers that are not read, of each once. */
  signedUnread: readonly SignedUnread[]
  settings: ScopeSettings
  /** Trials of models, by name and version of the questions. */
  trials: ReadonlyMap<string, CertifiedTrial>
}

export function certifiedExamination(
  { documents, unread, supersessions, signOffs, signOffsTotal, approvals, signedUnread, settings, trials }: Examiners,
  notRead: { members: UnreadDocument[] | null; digest: string; total: number },
  possible: { left: number; cleared: Examined['cleared_by_model'] },
): Examined {
  const { examination: setting, signatures } = settings.finality
  const compared = comparedBy(documents.counts, trials)
  const howOf = new Map(signedUnread.map(each => [keyOf(each), each.how]))
  const listed = notRead.members?.map(each => ({ ...each, how: howOf.get(keyOf(each)) ?? null })) ?? null
  const { registered = 0, elsewhere = 0, erased = 0 } = unread.counts
  const how = countedHow(signedUnread, notRead.total - registered - elsewhere - erased)
  const standing = signOffs.slice(0, LISTED_OTHERS)
  return {
    setting,
    words: inWords({
      setting,
      ...compared,
      signOffs: standing,
      more: signOffsTotal - standing.length,
      ...{ notRead: how, registered, elsewhere, erased },
      cleared: possible.cleared.count,
      replaced: supersessions.counts['standing'] ?? 0,
    }),
    by_rules: compared.by_rules.slice(0, LISTED_OTHERS),
    by_model: compared.by_model.slice(0, LISTED_OTHERS),
    signatures,
    sign_offs: standing,
    sign_offs_total: signOffsTotal,
    approvals: approvals.slice(-LISTED_OTHERS),
    not_read: {
      count: notRead.total,
      digest: notRead.digest,
      listed: listed !== null && listed.length <= LISTED_UNREAD ? listed : null,
      how,
    },
    elsewhere: registered + elsewhere,
    cleared_by_model: possible.cleared,
    possible_conflicts_left: possible.left,
  }
}

function countedHow(signed: readonly SignedUnread[], total: number): UnreadHow {
  const byEye = signed.filter(({ how }) => how === 'read_by_eye').length
  return { read_by_eye: byEye, set_aside: signed.length - byEye, none: total - signed.length }
}

/** A paper was seen as it was: of another revision that says nothing. */
function keyOf({ document_id: id, revision }: { document_id: string; revision: number }): string {
  return `${revision} ${id}`
}

/** The most used first. Keys are JSON arrays of reader, version and model; the model is absent in those counted before it was noted. */
function comparedBy(counts: Record<string, number>, trials: Examiners['trials']): Pick<Examined, 'by_rules' | 'by_model'> {
  const rules: Examined['by_rules'] = []
  const models = new Map<string, number>()
  const keyed = Object.entries(counts).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  for (const [key, documents] of keyed) {
    const [reader = '', version = '', model] = JSON.parse(key) as (string | null)[]
    if (model == null) rules.push({ reader: reader ?? '', version: version ?? '', documents })
    else models.set(model, (models.get(model) ?? 0) + documents)
  }
  const byModel = [...models].map(([name, documents]) => {
    const trial = trials.get(name)
    return { ...modelOf(name), documents, ...(trial !== undefined && { trial }) }
  })
  return { by_rules: rules, by_model: byModel }
}

/** `name@version of its questions`; names may hold an at sign themselves. */
export function modelOf(compared: string): { model: string; questions: string } {
  const at = compared.lastIndexOf('@')
  return at < 0 ? { model: compared, questions: '' } : { model: compared.slice(0, at), questions: compared.slice(at + 1) }
}
