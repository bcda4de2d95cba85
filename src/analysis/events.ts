/**
 * What happens at a date: words for one kind of event folded to one, so that "expired on", "valid until" and "Lease expiry"
 * meet, while the day a thing is issued and the day it ends never do.
 */
import { stem, tokenize } from './words.js'

const KINDS: Record<string, string> = {
  expire:
    'expire expires expired expiry expiration expiring valid validity terminate terminates terminated termination lapse lapses lapsed mature matures matured maturity end ends ended until runs',
  due: 'due deadline payable repayable deadlines limit',
  start:
    'begin commence effective commences commenced commencement begins began begun start starts started force effect applies apply launched launch launches onset',
  complete: 'finish conclude close completed completion complete completes finished concluded closed closing closes practical',
  release: 'release released releases available availability',
  sign: 'sign signed signing signature executed',
  file: 'file submit lodge filed filing submitted submission lodged',
  issue: 'publish issued issue published publication dated',
  approve: 'approve grant approved approval granted authorised authorized',
  deliver: 'deliver ship delivered delivery shipped shipment redelivery handed handover takeover taking-over',
  install: 'install commission installed installation commissioned commissioning fitted',
  change: 'replace renew overhaul changed replaced renewed renewal replacement refurbished overhauled',
  held: 'hold conduct perform scheduled planned held conducted place carried performed rescheduled postponed expected foreseen fixed slated occur occurs occurred happened happens occurrence convened',
  notify: 'notify notified notification reported informed',
  arrive: 'arrive arrived arrives arrival',
  depart: 'depart sail leave departed departs departure sailed sails left',
  build: 'build built constructed erected construction',
  receive: 'receive received receipt',
  send: 'send sent',
  appoint: 'appoint appointed appointment joined hired became elected named',
  found: 'founded established incorporated incorporation',
  acquire: 'acquired acquisition purchased',
  pay: 'pay paid payment settled',
  discover: 'discovered detected',
  register: 'register registered registration',
  inspect: 'inspected audited',
  revise: 'revised revision updated',
  review: 'reviewed review',
  suspend: 'suspend suspended suspension',
  stop: 'stop stops stopped cease ceases ceased discontinued shut shutdown',
  withdraw: 'withdraw withdrawn withdrew withdrawal',
  resume: 'resume resumed resumption reinstated',
  open: 'open opens opened reopen reopens reopened opening reopening',
}

const BY_WORD = new Map<string, string>()
for (const [kind, words] of Object.entries(KINDS)) for (const word of words.split(' ')) BY_WORD.set(word, kind)

/** Nouns and participles that say little beside a more telling word: "the scheduled delivery" is a delivery. */
const MILD = new Set(['held', 'complete', 'change', 'revise'])

/** The kind of event a word speaks of; null when it is none we know. */
export function eventOf(lower: string): string | null {
  return BY_WORD.get(lower) ?? null
}

/** The kind of event a phrase names, the most telling first. */
export function eventIn(text: string): string | null {
  let mild: string | null = null
  for (const token of tokenize(text.slice(0, 160))) {
    const kind = eventOf(token.lower)
    if (kind && !MILD.has(kind)) return kind
    mild ??= kind
  }
  return mild
}

/** The kind of event a phrase names by a word of its own: "the installation was completed" is an installation. */
export function tellingEvent(text: string): string | null {
  const kind = eventIn(text)
  return kind === null || MILD.has(kind) || kind === 'due' || kind === 'expire' ? null : kind
}

export const isKnown = (event: string): boolean => Object.hasOwn(KINDS, event)

/** Nouns that say by themselves that something happens at the date behind them: "on course for completion by June". */
const NOUNS = new Set(
  `completion handover expiry expiration maturity termination commencement launch onset start delivery redelivery installation commissioning
   submission signature signing renewal opening closing hearing inspection review audit visit election`.split(/\s+/),
)

export const isEventNoun = (lower: string): boolean => NOUNS.has(lower)

/** A date that is set, whether it lies ahead or has passed: "valid until", "expired on", "built in". */
const SET = new Set(['expire', 'build', 'found'])

export const isSet = (event: string | null): boolean => event !== null && SET.has(event)

const STEMS = new Map(Object.entries(KINDS).map(([kind, words]) => [kind, new Set(words.split(' ').map(word => stem(word)))]))
const DATE_STEM = stem('date')

/** Stems that only name the event itself; the mark says it already. */
export const namesEvent = (term: string, event: string | null): boolean =>
  term === DATE_STEM || (event !== null && STEMS.get(event)?.has(term) === true)

/** What comes again and again: the day of one time is none of another. */
const RECURRENT = new Set([
  'held',
  'inspect',
  'review',
  'pay',
  'send',
  'receive',
  'deliver',
  'arrive',
  'depart',
  'issue',
  'change',
  'revise',
  ...'tested visited failed met sampled taken checked cleaned calibrated serviced repaired measured trained tripped called wrote'
    .split(' ')
    .map(word => stem(word)),
])

export const recurs = (event: string | null): boolean => event !== null && RECURRENT.has(event)
