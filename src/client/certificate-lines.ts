/**
 * What a certificate says first, one thing a line: what is left open, who compared how many papers, who signed and when, what was not
 * read, what a model cleared, what gave way, what was left and what stays disputed. From its signed figures; whoever relies on it checks the signature.
 */

import { personKey, shownName } from '../platform/person-name.js'
import type { Schema } from './api.js'

export interface CertificateLine {
  text: string
  /** Named after the text, each with why; ids are for whoever shows them to find names for. */
  papers?: { document_id: string; why: string }[]
  /** Papers that are not named. */
  more?: number
}

interface Payload {
  examined?: Examined
  disputed?: { count: number; ids: string[] }
  contradictions?: { open: number; open_ids?: string[] }
  possible_conflicts?: { left_ids?: string[] }
  supersessions?: { standing: number }
  /** By their JSON pointer; what is not there is the default. */
  settings_changed?: Record<string, unknown>
}

interface Trial {
  planted: number
  named: number
  judged: number
  tried_at: string
}

interface Examined {
  setting: 'person' | 'model' | 'none'
  by_rules: { version: string; documents: number }[]
  by_model: { model: string; questions: string; documents: number; trial?: Trial }[]
  sign_offs: { by: string; vouched: boolean; current: boolean; signed_at: string }[]
  sign_offs_total: number
  not_read: {
    count: number
    listed: { document_id: string; status: string; how: 'read_by_eye' | 'set_aside' | null }[] | null
    /** Not in older ones. */
    how?: { read_by_eye: number; set_aside: number; none: number }
  }
  elsewhere: number
  cleared_by_model: { count: number; ids: string[] }
  possible_conflicts_left: number
}

/** As many as a line names; the whole lists are in the certificate. */
const named = 20

/** Of one that stands no more, in the past. Null in those made before certificates said so, and where it cannot be read. */
export function certificateLines({ certificate, status }: Pick<Schema['Certificate'], 'certificate' | 'status'>): CertificateLine[] | null {
  const payload = certificatePayload(certificate) as Payload | null
  if (payload?.examined === undefined) return null
  const { examined, disputed = { count: 0, ids: [] }, contradictions, possible_conflicts: possible, supersessions } = payload
  return [
    { text: `${leftWords(payload, examined.possible_conflicts_left, status === 'current')}${askedWords(examined)}` },
    ...comparedLines(examined),
    ...signedLines(examined),
    ...unreadLines(examined),
    ...openLine(contradictions),
    ...countedLine(examined.cleared_by_model, ['possible conflict', 'cleared by a model']),
    ...replacedLine(supersessions?.standing ?? 0),
    ...countedLine(
      { count: examined.possible_conflicts_left, ids: possible?.left_ids ?? [] },
      ['possible conflict', 'left undecided'],
      true,
    ),
    ...countedLine(disputed, ['contradiction', 'disputed'], true),
  ]
}

/** The members of a compact JWS; null where they cannot be read. */
export function certificatePayload(jws: string): unknown {
  try {
    const binary = atob((jws.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'))
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, letter => letter.charCodeAt(0))))
  } catch {
    return null
  }
}

/** As one text, with the names of papers where they are known. */
export function lineInWords({ text, papers = [], more = 0 }: CertificateLine, nameOf: (documentId: string) => string): string {
  const each = papers.map(({ document_id: id, why }) => `${nameOf(id)}${why === '' ? '' : ` (${why})`}`)
  return each.length === 0 ? text : `${text} ${each.join(', ')}${more === 0 ? '' : ` and ${more} more`}.`
}

/** Where a model did not compare all there is, a person had to sign for the rest. */
function askedWords(examined: Examined): string {
  const { setting, by_rules: rules, by_model: models } = examined
  if (setting === 'person') return ''
  if (setting === 'none') return ' The settings ask for no examination.'
  const isAllCompared = models.length > 0 && rules.length === 0 && unreadOf(examined) === 0
  return ` The settings ask for a comparison by a model${isAllCompared ? '; no person has to sign off' : ''}.`
}

/** What the settings let stand open; gates count contradictions from a severity on. */
function leftWords({ contradictions, settings_changed: changed }: Payload, possible: number, isCurrent: boolean): string {
  const open = contradictions?.open ?? 0
  const be = (count: number) => (isCurrent ? (count === 1 ? 'is' : 'are') : count === 1 ? 'was' : 'were')
  const counted = String(changed?.['/finality/veto_severity'] ?? 'medium')
  const severity = counted === 'medium' ? 'low severity' : `a severity below ${counted}`
  const left = [
    ...(open === 0
      ? []
      : [`${open} contradiction${open === 1 ? '' : 's'} of ${severity} ${be(open)} open: the gate counts from ${counted} up.`]),
    ...(possible === 0
      ? []
      : [`${possible} possible conflict${possible === 1 ? '' : 's'} ${be(possible)} undecided: the settings wait for none.`]),
  ]
  return left.length === 0 ? `Nothing ${isCurrent ? 'is' : 'was'} left to decide.` : left.join(' ')
}

function comparedLines({ by_rules: rules, by_model: models }: Examined): CertificateLine[] {
  if (rules.length + models.length === 0) return [{ text: 'No paper was compared.' }]
  return [
    ...rules.map(({ version, documents }) => ({ text: `Compared by rules alone: ${papersOf(documents)} (rules ${version}).` })),
    ...models.map(({ model, questions, documents, trial }) => ({
      text: `Compared by rules and ${model} (questions ${questions}): ${papersOf(documents)}.${trialWords(trial)}`,
    })),
  ]
}

function trialWords(trial: Trial | undefined): string {
  if (trial === undefined) return ''
  const { planted, named, judged, tried_at: at } = trial
  return ` In a trial on ${at.slice(0, 10)} it named ${named} of ${planted} planted pairs and judged ${judged} right.`
}

function signedLines({ sign_offs: signed, sign_offs_total: total }: Examined): CertificateLine[] {
  const more = total - signed.length
  return [
    ...byPerson(signed).map(({ by, vouched, times }) => ({
      text: `Signed off by ${by} (${vouched ? 'own key or sign-in' : 'name given with a key'}) ${times.join(' and ')}.`,
    })),
    ...(more > 0 ? [{ text: more === 1 ? '1 more sign-off stands.' : `${more} more sign-offs stand.` }] : []),
  ]
}

/** Each person once, with every time they signed; a name that was only given may be somebody else's. */
function byPerson(signed: Examined['sign_offs']): { by: string; vouched: boolean; times: string[] }[] {
  const people = new Map<string, { by: string; vouched: boolean; times: string[] }>()
  for (const { by, vouched, current, signed_at: at } of signed) {
    const time = `on ${at.slice(0, 10)} at ${at.slice(11, 16)} UTC${current ? '' : ', for what counted before'}`
    const key = JSON.stringify([personKey(by), vouched])
    const person = people.get(key) ?? { by: shownName(by), vouched, times: [] }
    people.set(key, { ...person, times: [...person.times, time] })
  }
  return [...people.values()]
}

/**
 * Where they are not listed, those compared elsewhere are counted with those that are only registered, and in older certificates erased ones
 * with the others.
 */
function unreadLines(examined: Examined): CertificateLine[] {
  const { count, listed, how } = examined.not_read
  const { elsewhere } = examined
  if (listed === null) {
    const unread = unreadOf(examined)
    return [
      ...(how === undefined
        ? namedLine('Not read, or erased', unread, null, whyUnread)
        : [
            ...(unread === 0 ? [] : [{ text: `Not read: ${papersOf(unread)} (${howWords(how)}).` }]),
            ...namedLine('Erased', count - elsewhere - unread, null, whyUnread),
          ]),
      ...namedLine('Compared elsewhere, or only registered', elsewhere, null, whyUnread),
    ]
  }
  const groups = Object.entries(apart).map(([status, what]) => ({ what, of: listed.filter(each => each.status === status) }))
  const others = listed.filter(({ status }) => !Object.hasOwn(apart, status))
  return [
    ...namedLine('Not read', others.length, others, whyUnread),
    ...groups.flatMap(({ what, of }) => namedLine(what, of.length, of, () => '')),
  ]
}

const apart: Record<string, string> = { registered: 'Registered and not compared', elsewhere: 'Compared elsewhere', erased: 'Erased' }

/** Papers that somebody had to look at; of those not listed in older certificates, with erased ones. */
function unreadOf({ not_read: { count, listed, how }, elsewhere }: Examined): number {
  if (listed !== null) return listed.filter(({ status }) => !Object.hasOwn(apart, status)).length
  return how === undefined ? count - elsewhere : how.read_by_eye + how.set_aside + how.none
}

function howWords({ read_by_eye: byEye, set_aside: aside, none }: NonNullable<Examined['not_read']['how']>): string {
  return [
    ...(byEye === 0 ? [] : [`${byEye} read by eye`]),
    ...(aside === 0 ? [] : [`${aside} set aside`]),
    ...(none === 0 ? [] : [`${none} with nothing said of ${none === 1 ? 'it' : 'them'}`]),
  ].join(', ')
}

type Unread = NonNullable<Examined['not_read']['listed']>[number]

function namedLine(what: string, count: number, listed: Unread[] | null, why: (paper: Unread) => string): CertificateLine[] {
  if (count === 0) return []
  if (listed === null || listed.length === 0) return [{ text: `${what}: ${papersOf(count)}.` }]
  const papers = listed.slice(0, named).map(paper => ({ document_id: paper.document_id, why: why(paper) }))
  return [{ text: `${what}:`, papers, more: count - papers.length }]
}

function whyUnread({ status, how }: Unread): string {
  const state = status === 'quarantined' ? 'could not be read' : status
  return how === null ? state : `${state}, ${how === 'read_by_eye' ? 'read by eye' : 'set aside'}`
}

/** Which are open; how many the first line says, of older certificates it alone. */
function openLine({ open = 0, open_ids: ids = [] }: { open?: number; open_ids?: string[] } = {}): CertificateLine[] {
  return ids.length === 0 ? [] : countedLine({ count: open, ids }, ['contradiction', 'left open'])
}

/** Pairs of statements in which one gave way without anybody's word; a statement may be in several. */
function replacedLine(count: number): CertificateLine[] {
  if (count === 0) return []
  return [{ text: count === 1 ? '1 statement gave way to a later one.' : `Statements gave way to later ones ${count} times.` }]
}

/** With ids; where there are none, that is said only of what a reader would look for. */
function countedLine({ count, ids }: { count: number; ids: string[] }, [thing, what]: [string, string], isSaid = false): CertificateLine[] {
  if (count === 0) return isSaid ? [{ text: `No ${thing} ${what}.` }] : []
  const shown = ids.slice(0, named)
  const more = count - shown.length
  const which = shown.length === 0 ? '' : `: ${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}`
  return [{ text: `${count} ${thing}${count === 1 ? '' : 's'} ${what}${which}.` }]
}

function papersOf(count: number): string {
  return `${count} paper${count === 1 ? '' : 's'}`
}
