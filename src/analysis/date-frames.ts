/** Dates that stand with a noun and no verb of their own: "the fire in the shed on 1 May", "exclusivity until 30 April", "until 9 May to reply". */
import type { Group, Lead } from './date-verbs.js'
import { isVerb } from './date-verbs.js'
import { happeningIn } from './events.js'
import { phraseLeft, phraseRight } from './phrases.js'
import type { Tok } from './tagging.js'

/** What breaks in on people and is known by its day. */
const INCIDENTS = new Set(
  `fire explosion accident incident outage blackout flood flooding storm earthquake collision derailment theft burglary robbery spill leak leakage attack breach failure
   breakdown collapse crash death injury fall strike blaze capsizing grounding landslide eruption trip shutdown`.split(/\s+/),
)

/** "the power failure of 12 March", "the fire in the hydrotreater on 1 May": the noun says what happened. */
function incidentBefore(toks: readonly Tok[], lead: Lead): Group | null {
  if (lead.by !== 'on' && lead.by !== 'of') return null
  const phrase = phraseLeft(toks, lead.at - 1)
  if (!phrase || !INCIDENTS.has(phrase.head.lower)) return null
  if (toks.slice(phrase.from, lead.at).some(tok => tok.tag === 'T' || tok.tag === 'V') || phrase.words.some(isVerb)) return null
  const event = happeningIn(phrase.head.lower) ?? 'held'
  return { verbs: [], before: lead.at - 1, said: [], negated: false, event, words: phrase.words }
}

const HAVE = new Set(
  'has have had enjoys enjoyed holds held retains retained grants granted gives given gave obtained receives received'.split(' '),
)
const LEAVE = new Set('given granted allowed gave allows has have had'.split(' '))

/** "The buyer has exclusivity until": what somebody has ends then. */
function hadUntil(toks: readonly Tok[], lead: Lead): Group | null {
  const phrase = phraseLeft(toks, lead.at - 1)
  if (!phrase) return null
  const left = toks[phrase.from - 1]
  // "The buyer enjoys exclusivity": the verb may look like a noun.
  const own = phrase.words.slice(phrase.words.findLastIndex(word => HAVE.has(word.lower)) + 1)
  const verb = own.length < phrase.words.length ? phrase.words[0] : left?.tag === 'D' ? toks[phrase.from - 2] : left
  if (!verb || !own.length || (own.length === phrase.words.length && !HAVE.has(verb.lower)) || own.some(isVerb)) return null
  return { verbs: [], before: lead.at - 1, said: [], negated: false, event: 'expire', words: own }
}

/** "was given until 9 May to reply to the findings", "an extension until 9 May for the reply": what is due stands behind. */
function leftUntil(toks: readonly Tok[], i: number, lead: Lead): Group | null {
  let v = lead.at - 1
  while (v > 0 && lead.at - v < 6 && !LEAVE.has(toks[v]!.lower) && toks[v]!.tag !== 'T' && toks[v]!.tag !== 'V') v--
  const [joint, next] = [toks[i + 1], toks[i + 2]]
  if (!LEAVE.has(toks[v]?.lower ?? '') || !joint || joint.gap || !next) return null
  // Behind "to" the verb comes first.
  const from = joint.lower === 'to' && next.tag !== 'D' ? i + 3 : joint.lower === 'for' ? i + 2 : -1
  if (from < 0) return null
  let k = from
  while (toks[k]?.tag === 'D' || toks[k]?.lower === 'to') k++
  const words = phraseRight(toks, k)?.words
  return words?.length ? { verbs: [], before: v, said: [], negated: false, event: 'due', words } : null
}

const BEARS = new Set('bears bear bore carries carried'.split(' '))

/** "The certificate bears the date of 9 May": it was issued then. */
function borne(toks: readonly Tok[], i: number): Group | null {
  const at = toks[i - 1]?.lower === 'of' ? i - 2 : i - 1
  if (toks[at]?.lower !== 'date' || !BEARS.has(toks[at - 2]?.lower ?? '')) return null
  const words = phraseLeft(toks, at - 3)?.words.filter(word => !isVerb(word))
  return words?.length ? { verbs: [], before: at - 3, said: [], negated: false, event: 'issue', words } : null
}

/** The words for what happens at a date that has no verb; null where it needs one. */
export function frameOf(toks: readonly Tok[], i: number, lead: Lead): Group | null {
  const dated = borne(toks, i)
  if (dated || lead.at < 1) return dated
  if (lead.by === 'until' || lead.by === 'to') return leftUntil(toks, i, lead) ?? (lead.by === 'until' ? hadUntil(toks, lead) : null)
  return incidentBefore(toks, lead)
}
