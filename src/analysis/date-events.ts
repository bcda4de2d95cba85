/** What the words of a sentence say happens at a date: the verb with its particle, or the noun a verb of no meaning leaves it to. */
import { eventIn, eventOf, happeningIn, tellingEvent } from './events.js'
import type { Tok } from './tagging.js'
import { AUXILIARIES, stem } from './words.js'

/** Verbs that leave it to a noun to say what happens: "came into force", "payment was made". */
export const LIGHT = new Set(
  'came come comes take takes took taken put puts enter enters entered made given gave placed goes went'.split(' '),
)

/** Of these nothing is left when the noun is none of happening: "the order was made", "was placed". */
const EMPTY = new Set('made given gave placed'.split(' '))

/** "put back into service", "go into operation" */
const PUT = new Set('put taken returned brought went goes go came come entered enters'.split(' '))
const INTO_USE = /\b(?:(out of)|(back)\s)?(?:in|into|to)?\s?(?:service|operation|use|production)\b/i

const TO_NOTICE = /^\s?to\s.{0,40}\b(?:attention|notice|knowledge)\b/i

/** Verbs that mean something else with the particle behind them. */
const PHRASAL: Record<string, string> = {
  'handed over': 'deliver',
  'taken over': 'deliver',
  'took over': 'deliver',
  'handed in': 'file',
  'broke out': 'start',
  'broke down': 'fail',
  'shut down': 'stop',
  'closed down': 'close',
  'turned down': 'refuse',
  'set up': 'found',
  'took up': 'appoint',
  'taken up': 'appoint',
  'took office': 'appoint',
  'moved out': 'depart',
  'carried out': 'held',
  'pulled down': 'remove',
  'torn down': 'remove',
  'paid out': 'pay',
  'taken down': 'remove',
  'took down': 'remove',
  'taken off': 'withdraw',
  'took off': 'depart',
  'switched off': 'stop',
  'turned off': 'stop',
  'shut off': 'stop',
  'switched on': 'start',
  'turned on': 'start',
  'went live': 'start',
  'goes live': 'start',
  'go live': 'start',
}
const PARTICLE =
  /^\s?(over|out(?! of\b)|off|on(?= (?:again|on|at|by|in)\b)|up|down|away|back|live|office|in(?= (?:on|to|at|by|from|with|until|before|after)\b))(?![\w-])/i

function phrasal(verb: string, said: string): string | null {
  const particle = PARTICLE.exec(said)?.[1]?.toLowerCase()
  if (!particle) return null
  const known = PHRASAL[`${verb} ${particle}`]
  if (known) return known
  return eventOf(verb) === null && particle !== 'over' && particle !== 'office' ? `${stem(verb)}-${particle}` : null
}

const CONTRACTS = /\b(?:agreement|contract|lease|treaty|deal|charter|settlement|memorandum|amendment|addendum|loan|purchase|sale)\b/i

/** What happens: the last telling verb, else a word of the phrase before it. */
export function happening(verbs: readonly Tok[], phrase: string, said: string, by: boolean): string | null {
  for (const verb of [...verbs].reverse()) {
    if (AUXILIARIES.has(verb.lower)) continue
    const put = PUT.has(verb.lower) ? INTO_USE.exec(said) : null
    if (put) return put[1] ? 'stop' : put[2] || verb.lower === 'returned' ? 'resume' : 'start'
    // "was brought to the attention of the board"
    if (TO_NOTICE.test(said) && /^(?:brought|came|come)$/.test(verb.lower)) return 'notify'
    // "our request went to you on"
    if (verb.lower === 'went' && /^\s?to\s/.test(said)) return 'send'
    const particle = phrasal(verb.lower, said)
    if (particle === 'held') return eventIn(phrase) ?? happeningIn(phrase) ?? particle
    return particle ?? toldBy(verb.lower, phrase, said, by)
  }
  return eventIn(phrase) ?? (verbs.length ? happeningIn(phrase) : null)
}

/** Verbs that only say that it came to pass: "completion was certified", "was achieved". */
const NOTED = new Set('achieved certified attained reached recorded declared effected granted'.split(' '))

function toldBy(verb: string, phrase: string, said: string, by: boolean): string {
  const noted = NOTED.has(verb) ? (happeningIn(phrase) ?? (verb === 'reached' ? eventIn(said) : null)) : null
  if (noted) return noted
  // "The ban has applied since", "the permit was applied for"
  if (verb === 'applied') return /^\s?for\b/.test(said) ? 'file' : 'start'
  const known = eventOf(verb)
  if (known === 'expire' && TERMS.test(phrase)) return 'due'
  // "The agreement was concluded" as it is signed, "the review was concluded" as it is done.
  if (/^conclude/.test(verb) && CONTRACTS.test(phrase)) return 'sign'
  if (known === 'complete' || known === 'close') return tellingEvent(phrase) ?? known
  if (known && known !== 'held') return known
  // "Completion is scheduled for": the noun says what.
  if (known) return eventIn(phrase) ?? happeningIn(phrase) ?? (by ? 'due' : known)
  if (!LIGHT.has(verb)) return stem(verb)
  if (/^enter/.test(verb) && CONTRACTS.test(phrase)) return 'sign'
  return eventIn(said) ?? eventIn(phrase) ?? happeningIn(phrase) ?? (EMPTY.has(verb) ? 'held' : stem(verb))
}

/** Nouns of a time that is set: when they are extended, the date is when something is due. */
const TERMS = /\b(?:deadline|time limit|time for|period|date|timetable|timeline|schedule)\b/i
const LASTING = /\b(?:lease|licence|license|permit|facility|agreement|contract|mandate|policy|certificate|waiver|maturity|accreditation)\b/i

/** What is meant by a date that was moved: the noun says it, not the moving. */
export function movedEvent(name: string): string | null {
  const known = eventIn(name)
  if (known) return known
  return LASTING.test(name) ? 'expire' : TERMS.test(name) ? 'due' : null
}

/** What stands still until a day goes on from the day after it. */
const STILL = new Set(['suspend', 'stop', 'close', 'fail'])
const ENDLESS = new Set(['notify', 'discover', 'receive', 'approve', 'sign', 'file', 'deliver', 'complete'])

/** "The tariff applies until", "the road is closed until", "the rent is payable from": the end or the beginning of what the verb says. */
export function edgeOf(event: string | null, by: string): string | null {
  if (event === null) return null
  if (by === 'from') return event === 'due' ? 'start' : event
  if (by !== 'until' && by !== 'till') return event
  if (STILL.has(event)) return 'pause'
  return ENDLESS.has(event) ? event : 'expire'
}
