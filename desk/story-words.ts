/** What an event of a case tells a reader: which finding or paper, who, why, and what took the place of what. Pure. */

import { countOf } from '../src/contract/field-words.js'
import { decidedWords } from '../src/contract/finding-words.js'
import type { Schema } from '../src/contract/types.js'
import { saidValue, titleOf } from './finding-words'

export interface StoryEvent {
  type: string
  data: Record<string, unknown>
  time?: string
}

type Said = NonNullable<Schema['Decision']['said']>
type Contradiction = Schema['Contradiction']
type Assignment = NonNullable<Contradiction['assignment']>
type Hold = { by: string; reason: string | null; lifted: { by: string; reason: string | null } | null }

/** What the sentences are made of besides the events. */
export interface StoryContext {
  contradictions: ReadonlyMap<string, Contradiction>
  supersessions: ReadonlyMap<string, Schema['Supersession']>
  possible: ReadonlyMap<string, Schema['PossibleConflict']>
  comments: ReadonlyMap<string, Schema['Comment']>
  /** Who was to look at a contradiction, by it and the time of the event (`assignmentKey`). */
  assignments: ReadonlyMap<string, Assignment>
  holds: ReadonlyMap<string, Hold>
  /** What people said, by the round it made. */
  said: ReadonlyMap<number, Said>
  /** Papers by their id, as people know them. */
  names: ReadonlyMap<string, string>
}

export interface Sentence {
  text: string
  /** What the finding is called; links to it. */
  finding?: { id: string; title: string } | undefined
  by?: string | undefined
  reason?: string | undefined
}

const turns: Record<string, string> = {
  active: 'The case is open again',
  review: 'The case needs a person',
  resolved: 'The review is complete',
  escalated: 'The case was escalated',
  blocked: 'The case is blocked',
}

type Data = StoryEvent['data']

/** Those that only need themselves. */
const plain: Record<string, (data: Data) => string> = {
  'document.attached': () => 'was attached',
  'document.registered': () => 'was registered',
  'document.queued': data => {
    if (data['languages'] !== undefined) return `is read again with ${data['languages']}`
    return data['corrected_page'] === undefined ? 'was handed in' : `had a word on page ${data['corrected_page']} corrected`
  },
  'document.requeued': data => `went back into the queue: ${data['reason'] ?? ''}`,
  'document.indexed': data =>
    `was read: ${countOf(Number(data['claims']), 'statement')}, ${countOf(Number(data['contradictions']), 'contradiction')}${
      data['possible_conflicts'] === undefined ? '' : `, ${countOf(Number(data['possible_conflicts']), 'possible conflict')}`
    }`,
  'document.held': data => `is held for a person: ${data['reason'] ?? ''}`,
  'document.rejected': data => `was rejected: ${data['reason'] ?? ''}`,
  'document.quarantined': data => `could not be read: ${data['reason'] ?? ''}`,
  'document.erased': () => 'was erased',
  'document.reread_queued': () => 'will be read again',
  'document.reread': data =>
    `was read again: ${countOf(Number(data['claims']), 'statement')}, ${countOf(Number(data['contradictions']), 'new contradiction')}${
      Number(data['decisions_detached']) > 0
        ? `; ${countOf(Number(data['decisions_detached']), 'decision')} no longer fit its statements`
        : ''
    }`,
  'document.reread_failed': data => `could not be read again and keeps its reading: ${data['reason'] ?? ''}`,
  'finality.changed': data => turns[String(data['to'])] ?? 'The standing of the case changed',
  'certificate.issued': () => 'A certificate was issued',
  'certificate.withdrawn': () => 'The certificate was withdrawn',
  'legal_hold.set': data => (data['document_id'] ? 'A document was put on legal hold' : 'The case was put on legal hold'),
  'legal_hold.lifted': data => (data['document_id'] ? 'The legal hold of a document was lifted' : 'The legal hold was lifted'),
  'scope.signed_off': () => 'The case was signed off',
  'scope.sign_off_withdrawn': () => 'A sign-off was withdrawn',
  'scope.created': () => 'The case was created',
  'scope.changed': () => 'The settings of the case changed',
  'scope.reset': () => 'The case was reset',
  'scope.deleted': () => 'The case was deleted',
  'stream.gap': () => 'What happened before is no longer kept',
  'runtime.changed': data => `Processing is ${data['state'] ?? data['to'] ?? 'changed'}`,
}

/** Of an event that gave a contradiction to somebody. */
export function assignmentKey(contradictionId: string, time: string | undefined): string {
  return `${contradictionId} ${time}`
}

export function sentenceOf({ type, data, time }: StoryEvent, context: StoryContext): Sentence {
  const said = data['by'] === 'system' ? undefined : context.said.get(Number(data['round']))
  const person = said === undefined ? {} : { by: said.by, reason: said.reason ?? undefined }
  if (type === 'claim.superseded') return replacedWords(data, context)
  if (type.startsWith('supersession.')) return supersessionWords(type, data, context, person)
  if (type.startsWith('contradiction.')) return contradictionWords({ type, data, time: time ?? '' }, context, person)
  if (type.startsWith('possible_conflict.')) return possibleWords(type, data, context, person)
  if (type.startsWith('legal_hold.')) return holdWords(type, data, context)
  const isPersons = /^scope\.(signed_off|sign_off_withdrawn|changed)$/.test(type)
  return { text: plain[type]?.(data) ?? type, ...(isPersons ? person : {}) }
}

function possibleWords(type: string, data: Data, { possible }: StoryContext, person: Partial<Sentence>): Sentence {
  const item = possible.get(String(data['possible_conflict_id'] ?? ''))
  const name = item === undefined ? 'A possible conflict' : `“${titleOf(item)}”`
  if (type === 'possible_conflict.detected')
    return { text: item === undefined ? `${name} was found` : `A possible conflict was found: ${titleOf(item)}` }
  if (data['by'] === 'system') return { text: `${name} closed by itself` }
  const done: Record<string, string> = {
    'possible_conflict.promoted': 'became a contradiction',
    'possible_conflict.accepted': 'was accepted as a replacement',
    'possible_conflict.dismissed': 'was dismissed',
    'possible_conflict.reopened': 'is undecided again',
  }
  return { ...person, text: `${name} ${done[type] ?? type}` }
}

function holdWords(type: string, data: Data, { holds }: StoryContext): Sentence {
  const hold = holds.get(String(data['hold_id'] ?? ''))
  const act = type === 'legal_hold.set' ? hold : hold?.lifted
  return { text: plain[type]?.(data) ?? type, by: act?.by, reason: act?.reason ?? undefined }
}

function contradictionWords(
  { type, data, time }: Required<StoryEvent>,
  { contradictions, comments, assignments }: StoryContext,
  person: Partial<Sentence>,
): Sentence {
  const id = String(data['contradiction_id'] ?? '')
  const item = contradictions.get(id)
  const finding = { finding: { id, title: item === undefined ? 'A contradiction' : titleOf(item) } }
  switch (type) {
    case 'contradiction.detected':
      return { ...finding, text: `was found (${data['severity']})` }
    case 'contradiction.reopened':
      return { ...finding, ...person, text: 'is open again' }
    case 'contradiction.resolved':
      if (data['by'] === 'system') return { ...finding, text: 'closed by itself: one side no longer counts' }
      return { ...finding, ...person, text: `was decided: ${verdictWords(String(data['verdict']), item)}` }
    case 'contradiction.commented': {
      const comment = comments.get(String(data['comment_id']))
      return { ...finding, text: 'was commented on', by: comment?.by, reason: comment?.text ?? undefined }
    }
    case 'contradiction.assigned': {
      const given = assignments.get(assignmentKey(id, time))
      if (given === undefined) return { ...finding, text: 'was given to somebody to look at' }
      return {
        ...finding,
        text: `was given to ${given.to} to look at${given.due === null ? '' : ` by ${given.due}`}`,
        by: given.by ?? undefined,
      }
    }
    case 'contradiction.unassigned':
      return { ...finding, text: 'was taken back from who was to look at it' }
    default:
      return { ...finding, text: type }
  }
}

/** By what the side says: who reads a story has no A and B before them. */
function verdictWords(verdict: string, item: Contradiction | undefined): string {
  if (item === undefined || (verdict !== 'a' && verdict !== 'b')) return decidedWords({ verdict })
  const [winner, loser] = verdict === 'a' ? [item.a, item.b] : [item.b, item.a]
  return `${saidValue(winner)} holds, not ${saidValue(loser)}`
}

/** A statement ends because another replaced it, because a person decided so, or because its paper no longer makes it. */
function replacedWords(data: Data, { supersessions, said, contradictions, names }: StoryContext): Sentence {
  const found = supersessions.get(String(data['supersession_id'] ?? ''))
  if (found !== undefined) return { text: replacement(found, names), reason: found.reason }
  const decided = said.get(Number(data['round']))
  if (decided !== undefined) {
    const item = decided.finding_id === null ? undefined : contradictions.get(decided.finding_id)
    const lost = [item?.a, item?.b].find(side => side !== undefined && 'claim_id' in side && side.claim_id === data['claim_id'])
    const what = lost === undefined ? 'A statement' : `${saidValue(lost)} in ${paperOf(lost, names)}`
    return { text: `${what} no longer counts: ${data['superseded_by'] === null ? 'it is replaced by nothing' : 'the other side holds'}` }
  }
  return { text: data['superseded_by'] === null ? 'A statement is no longer made by its paper' : 'A statement was replaced by a later one' }
}

function supersessionWords(type: string, data: Data, { supersessions, names }: StoryContext, person: Partial<Sentence>): Sentence {
  const found = supersessions.get(String(data['supersession_id'] ?? ''))
  const what = found === undefined ? 'a replacement' : `“${replacement(found, names)}”`
  if (type === 'supersession.objected') return { ...person, text: `Somebody objected to ${what}` }
  if (type === 'supersession.restored') return { ...person, text: `The objection to ${what} was withdrawn` }
  return { text: found === undefined ? 'A replacement no longer stands' : `It no longer stands that ${replacement(found, names)}` }
}

function replacement({ claim, superseded_by: by }: Schema['Supersession'], names: StoryContext['names']): string {
  return `${saidValue(claim)} in ${paperOf(claim, names)} was replaced by ${saidValue(by)} in ${paperOf(by, names)}`
}

function paperOf(side: Contradiction['a'], names: StoryContext['names']): string {
  return 'claim_id' in side ? (names.get(side.document_id) ?? side.document_id) : side.source
}
