/**
 * What happens at a date: words for one kind of event folded to one, so that "expired on", "valid until" and "Lease expiry"
 * meet, while the day a thing is issued and the day it ends never do.
 */
import { EVENTS, NOMINALS, thingOf } from './nominals.js'
import { stem, tokenize } from './words.js'

const KINDS: Record<string, string> = {
  expire:
    'expire expires expired expiry expiration expiring valid validity terminate terminates terminated termination lapse lapses lapsed mature matures matured maturity end ends ended ending expires expiring until runs',
  due: 'due deadline payable repayable deadlines limit',
  start:
    'begin commence effective commences commenced commencement begins began begun start starts started force effect applies apply launched launch launches onset starting beginning commencing incepting incepted inception operated introduced initiated go-live',
  complete: 'finish finishes conclude completed completion complete completes finished concluded practical',
  close: 'close closed closing closes closure',
  release: 'release released releases available availability ready',
  sign: 'sign signed signing signature executed countersigned',
  file: 'file submit lodge filed filing submitted submission lodged',
  issue: 'publish issued issue published publication dated',
  approve: 'approve grant approved approval granted authorised authorized adopted ratified',
  deliver: 'deliver delivered delivery shipped shipment redelivery handed handover takeover taking-over',
  serve: 'served',
  reach: 'reach reached reaches',
  install: 'install installed installation fitted',
  commission: 'commission commissioned commissioning',
  change:
    'replace renew overhaul changed replaced renewed renewal replacement refurbished overhauled renovated modernised modernized refurbishment renovation',
  held: 'hold conduct perform scheduled planned held conducted place carried performed rescheduled postponed expected foreseen fixed set slated falls occur occurs occurred happened happens occurrence convened',
  notify: 'notify notified notification reported informed',
  arrive: 'arrive arrived arrives arrival',
  depart: 'depart sail leave departed departs departure sailed sails left',
  build: 'build built constructed erected construction',
  receive: 'receive received receipt obtained',
  send: 'send sent dispatched despatched posted mailed forwarded',
  appoint: 'appoint appointed appointment joined hired became elected named engaged',
  found: 'founded established incorporated incorporation existed',
  acquire: 'acquired acquisition purchased bought',
  sell: 'sold',
  pay: 'pay paid payment settled',
  discover: 'discovered detected noticed spotted observed seen',
  appear: 'appeared',
  register: 'register registered registration',
  inspect: 'inspected audited',
  revise: 'revised revision updated',
  review: 'reviewed review',
  pause: 'pause paused',
  suspend: 'suspend suspended suspension',
  stop: 'stop stops stopped cease ceases ceased discontinued shut shutdown',
  withdraw: 'withdraw withdrawn withdrew withdrawal revoked rescinded',
  resume: 'resume resumed resumption reinstated reopen reopens reopened reopening',
  repair: 'repaired remedied rectified mended',
  refuse: 'refused declined rejected',
  remove: 'removed dismantled',
  recall: 'recalled',
  bear: 'born',
  die: 'died',
  admit: 'admitted',
  discharge: 'discharged',
  diagnose: 'diagnosed',
  fail: 'failed',
  collide: 'collided',
  explode: 'exploded',
  derail: 'derailed',
  collapse: 'collapsed',
  steal: 'stolen',
  calibrate: 'calibrated',
  enrol: 'enrolled',
  award: 'awarded',
  take: 'drawn collected',
  resign: 'resigned',
  dismiss: 'dismissed',
  open: 'open opens opened opening inaugurated',
}

const BY_WORD = new Map<string, string>()
for (const [kind, words] of Object.entries(KINDS)) for (const word of words.split(' ')) BY_WORD.set(word, kind)

/** Nouns and participles that say little beside a more telling word: "the scheduled delivery" is a delivery. */
const MILD = new Set(['held', 'complete', 'close', 'change', 'revise'])

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

/** Words of two kinds by which people speak of one day: "commissioned in", "in operation since". */
const KIN =
  `commission:start open:start open:found open:resume found:start close:complete close:stop close:expire stop:expire complete:expire pause:resume
   withdraw:recall appear:discover appear:start deliver:receive serve:deliver serve:receive reach:receive reach:deliver reach:arrive send:depart notify:file`
    .split(/\s+/)
    .map(pair => pair.split(':') as [string, string])

/** What is written goes from hand to hand: the day it is filed or sent is that on which it is received, or soon before. */
const HANDED = ['file', 'send', 'serve', 'reach', 'receive', 'deliver', 'arrive']

/** What is paid is received. */
const PAID = ['pay', 'receive']

const KIN_OF = new Map<string, Set<string>>()
const relate = (a: string, b: string): void => {
  KIN_OF.set(a, (KIN_OF.get(a) ?? new Set()).add(b))
}
for (const [a, b] of KIN) {
  relate(a, b)
  relate(b, a)
}

/** Other kinds of event that a date of this one may be told as. */
export const kinOf = (event: string | null, isPaper: boolean, isMoney: boolean): string[] =>
  event === null
    ? []
    : [...(KIN_OF.get(event) ?? []), ...(isPaper && HANDED.includes(event) ? HANDED : []), ...(isMoney && PAID.includes(event) ? PAID : [])]

export const isKnown = (event: string): boolean => Object.hasOwn(KINDS, event)

/** Nouns that name what happened only where they head a name: "date of purchase", but not "the purchase price". */
const HAPPENINGS = new Map(
  `purchase:acquire sale:sell disposal:sell birth:bear death:die admission:admit discharge:discharge diagnosis:diagnose failure:fail breakdown:fail collision:collide
   explosion:explode derailment:derail collapse:collapse theft:steal calibration:calibrate enrolment:enrol enrollment:enrol repair:repair repairs:repair
   removal:remove dismantling:remove refusal:refuse rejection:refuse resignation:resign dismissal:dismiss discovery:discover detection:discover adoption:approve
   award:award recall:recall drawdown:take`
    .split(/\s+/)
    .map(pair => pair.split(':') as [string, string]),
)

/** The event a noun names by itself, a noun for what is done included: "calibration". */
function happeningOf(noun: string): string | null {
  const kind = HAPPENINGS.get(noun) ?? eventOf(noun)
  if (kind) return kind
  const done = NOMINALS.get(noun)
  return done ? (eventOf(done) ?? stem(done)) : null
}

/** "The last drill was in June": a noun for what takes place. */
export const isOccasion = (name: string): boolean => {
  const head = tokenize(name.split(/\s(?:of|for|in|on|to|from|with|at|by|under|near)\s/i, 1)[0]!.slice(0, 160)).at(-1)
  return head !== undefined && EVENTS.has(thingOf(stem(head.lower)))
}

/** Nouns by which a happening is named without saying to what: "the next inspection". */
const NAMING = new Set([...NOMINALS.keys(), ...HAPPENINGS.keys()].filter(noun => !BY_WORD.has(noun)).map(noun => stem(noun)))

export const namesHappening = (term: string): boolean => NAMING.has(term)

/** The event named by the noun that heads a name: what stands before its first preposition. */
export function happeningIn(name: string): string | null {
  const own = name.replace(/^(?:the\s)?(?:date|day|time|year)\sof\s(?:the\s|an?\s)?/i, '')
  const head = own.split(/\s(?:of|for|in|on|to|from|with|at|by|under|near)\s/i, 1)[0]!
  return happeningOf(tokenize(head.slice(0, 160)).at(-1)?.lower ?? '')
}

/** Nouns that say by themselves that something happens at the date behind them: "on course for completion by June". */
const NOUNS = new Set(
  `completion handover expiry expiration maturity termination commencement launch onset start delivery redelivery installation commissioning
   submission signature signing renewal opening closing hearing inspection review audit visit election`.split(/\s+/),
)

export const isEventNoun = (lower: string): boolean => NOUNS.has(lower)

/** What happens once to a person or a thing, so that a form need not say to which: "Date of birth", "Date of discovery". */
const ONCE = new Set('bear die admit discharge diagnose found build collide explode derail steal collapse discover commission'.split(' '))

export const isOnce = (event: string | null): event is string => event !== null && ONCE.has(event)

/** A date that is set, whether it lies ahead or has passed: "valid until", "expired on", "built in". */
const SET = new Set(['expire', 'pause', 'build', 'found'])

export const isSet = (event: string | null): boolean => event !== null && SET.has(event)

const STEMS = new Map(Object.entries(KINDS).map(([kind, words]) => [kind, new Set(words.split(' ').map(word => stem(word)))]))
for (const [noun, kind] of HAPPENINGS) STEMS.get(kind)?.add(stem(noun))
for (const [noun, done] of NOMINALS) {
  const kind = eventOf(done) ?? stem(done)
  // "The review", "the test" are things of their own; "transfer of the patient" is what happens to the patient.
  if (!eventOf(noun)) STEMS.set(kind, (STEMS.get(kind) ?? new Set()).add(stem(noun)))
}
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
  'repair',
  'fail',
  'calibrate',
  'reach',
  'serve',
  ...'tested visited met sampled taken checked cleaned serviced measured trained tripped called wrote'.split(' ').map(word => stem(word)),
])

export const recurs = (event: string | null): boolean => event !== null && RECURRENT.has(event)
