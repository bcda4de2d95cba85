/**
 * Who does or does not do what: "The carrier did not give a single notice", "gave an oral instruction", "failed to check the
 * seals". Read as what is so of the object, so that it meets "no notice was ever given".
 */
import { ADVERBS, behindOpening, type Core, isNone, isOfAmount, nominal, PARTITIVE, PERFORM, saidOf, subjectOf } from './cores.js'
import { thingOf } from './nominals.js'
import { hasOpposite, meaningOf, phraseAt } from './opposites.js'
import { termOf } from './slots.js'
import { tag } from './tagging.js'
import { actOf, isPast, isTold } from './verbs.js'
import { AUXILIARIES, COUNTS, isNumeric, stem, type Token } from './words.js'

const DO = new Set(['do', 'does', 'did'])
const HAVE = new Set(['has', 'have', 'had'])
const BE = new Set(['is', 'are', 'was', 'were', 'be', 'been', 'being'])
const MODAL = new Set(['will', 'would', 'shall', 'should', 'can', 'could', 'may', 'might', 'must'])
const DENIES = new Set(['not', 'never', 'neither'])
/** "failed to check": what was to be done was not. */
const OMITS = new Set('failed fails fail refused refuses declined omitted neglected forgot'.split(' '))
/** Behind these a verb begins its own matter. */
const SUBORDINATE = new Set('that which who whom whose if whether when because unless while although though where'.split(' '))
const PERSONS = new Set('i we he she they it you who'.split(' '))
/** Present tenses that are no nouns: "holds a licence". */
const PRESENT = new Set(
  'contain include require provide possess employ carry lacks holds owns contains includes requires covers provides employs possesses carries keeps allows permits denies accepts rejects'.split(
    ' ',
  ),
)
/** "developed pneumonia": what follows is what somebody has. */
const BEFALLS = new Set(
  'developed suffered sustained experienced entered worked received missed exceeded lacked caused resumed attended provided supplied obtained gained refused requested heard detected discovered identified observed'.split(
    ' ',
  ),
)
const HAPPENS = new Set('occurred happened arose existed remained appeared emerged lapsed expired'.split(' '))
const CARRIES = new Set('carry carries carried carrying'.split(' '))
const PARTICLES = new Set('off out up down on in away back'.split(' '))
/** "were given access": what is given stands behind the verb. */
const GIVES = new Set('given granted offered refused denied shown sent handed'.split(' '))
const AWARE = new Set(['aware', 'unaware', 'ignorant'])
const VAGUE = new Set('single any each every such same own'.split(' '))
const WHICHEVER = new Set('all any each every'.split(' '))
const EMPTY = new Set('full complete entire whole free unrestricted'.split(' '))

interface Verb {
  /** Where the subject ends and where the object begins. */
  from: number
  to: number
  act: string
  negated: boolean
  /** Whoever hears it stands behind the verb, what is said behind "of". */
  told: boolean
}

/** What is done to what, or by whom when nothing is done to anything; null when no act can be told. */
export function actionOf(text: string, tokens: readonly Token[]): Core | null {
  const verb = verbIn(tokens)
  if (!verb) return null
  const before = behindOpening(text, tokens.slice(0, verb.from))
  if (tokens[verb.to]?.lower === 'place' && TAKES.has(tokens[verb.to - 1]!.lower)) return saidOf(before, 'took', verb.negated)
  const object = objectFrom(text, tokens, verb.told ? saidFrom(tokens, verb.to) : verb.to, verb.act === REPORT)
  const agent = subjectOf(before)
  const nobody = isNone(before)
  const negated = (verb.negated || nobody) !== object.none
  const late = lateIn(tokens, verb.to)
  if (late !== null && object.head)
    return {
      head: object.head,
      about: object.about.filter(term => term !== 'time'),
      predicate: 'punctual',
      negated: negated !== late,
      agent: agent ? [agent.head, ...agent.about] : [],
    }
  if (agent && verb.act === LACK) return { ...agent, predicate: 'complete', negated: !negated }
  if (object.head && verb.act === HOLD && LICENCES.has(object.head))
    return {
      head: object.head,
      about: object.about.filter(term => term !== 'valid'),
      predicate: 'valid',
      negated,
      none: object.none,
      agent: [],
    }
  const often = OFTEN.has(tokens[verb.to + 1]?.lower ?? '')
  if (!object.head) return agent && (verb.negated || often) ? { ...agent, predicate: verb.act, negated } : null
  const trait = verb.act === HOLD && !object.about.length ? HAD.get(object.head) : undefined
  if (trait !== undefined && agent) return { ...agent, predicate: trait, negated }
  const who = agent ? [agent.head, ...agent.about] : []
  const none = object.none || nobody || (verb.negated && object.vague)
  const acted = verb.act === PERFORM || verb.act === GIVE ? nominal(tokens.slice(verb.to, verb.to + 10)) : null
  const done = acted ? meaningOf(acted.verb) : null
  if (acted && done)
    return { head: acted.head, about: acted.about, predicate: done.predicate, negated: negated !== done.negated, none, agent: who }
  return { head: object.head, about: object.about, predicate: verb.act, negated, none, agent: who }
}

/** "paid the rent late", "in time": whether it was late; null when nothing is said of it. */
function lateIn(tokens: readonly Token[], from: number): boolean | null {
  for (let i = from; i < tokens.length && i < from + 8; i++) {
    const { lower } = tokens[i]!
    if (lower === 'late' && tag(tokens[i + 1]?.lower ?? 'of') !== 'N') return true
    if (lower === 'time' && (tokens[i - 1]!.lower === 'on' || tokens[i - 1]!.lower === 'in')) return false
  }
  return null
}

const LACK = actOf('lack')
/** Who holds one has it in force. */
const LICENCES = new Set(
  'licence license permit certificate certification accreditation authorisation authorization insurance'.split(' ').map(word => stem(word)),
)
const TAKES = new Set('take takes took taken taking'.split(' '))
const HOLD = actOf('hold')
const GIVE = actOf('give')
const REPORT = actOf('report')
/** "has no staff": it is not staffed. */
const HAD = new Map(
  [
    ['staff', 'staffed'],
    ['insurance', 'insured'],
    ['signature', 'signed'],
    ['supervision', 'supervised'],
  ].map(([noun, participle]) => [stem(noun!), meaningOf(participle!).predicate]),
)

const JUDGES = new Set(
  'consider considers considered deem deems deemed regard regards regarded hold holds held judge judges judged find finds found'.split(' '),
)

/** "We consider the claim settled", "holds the seal to be broken": who thinks so is not what it is about. */
export function judgementOf(tokens: readonly Token[]): Core | null {
  for (let i = 1; i < tokens.length - 2 && i < 24; i++) {
    if (!JUDGES.has(tokens[i]!.lower)) continue
    const before = tokens[i - 1]!.lower
    if (tag(tokens[i + 1]!.lower) !== 'D' || (tag(before) !== 'N' && !PERSONS.has(before) && tag(before) !== 'A')) continue
    for (let k = i + 2; k < tokens.length && k < i + 10; k++) {
      const { lower } = tokens[k]!
      if (SUBORDINATE.has(lower) || AUXILIARIES.has(lower)) return null
      if (!hasOpposite(lower) || tag(tokens[k + 1]?.lower ?? 'of') === 'N') continue
      const denied = tokens.slice(Math.max(0, i - 2), k).some(token => DENIES.has(token.lower))
      const subject = tokens.slice(i + 1, k).filter(token => !/^(?:to|be|as)$/.test(token.lower))
      return saidOf(subject, lower, denied)
    }
    return null
  }
  return null
}

/** Verbs that say of their subject that it came to be so. */
const BECOMES = new Set(
  'started lapsed expired completed failed passed resumed ceased stopped leaked collapsed exploded burst sank stalled sounded'.split(' '),
)

/** "The licence lapsed on 3 May": so it is no longer valid. */
export function turnOf(tokens: readonly Token[]): Core | null {
  for (let i = 1; i < tokens.length && i < 16; i++) {
    const { lower } = tokens[i]!
    if (SUBORDINATE.has(lower) || AUXILIARIES.has(lower)) return null
    if (!BECOMES.has(lower) || tag(tokens[i - 1]!.lower) !== 'N') continue
    const next = tokens[i + 1]?.lower
    return next === undefined || /^(?:P|A)$/.test(tag(next)) ? saidOf(tokens.slice(0, i), lower, false) : null
  }
  return null
}

function made(from: number, to: number, lower: string, denied: boolean): Verb {
  const { predicate, negated } = meaningOf(lower)
  return { from, to, act: predicate, negated: denied !== negated, told: isTold(lower) }
}

const RETURNS = new Set('return returns returned go went gone'.split(' '))
const CANNOT = new Set(['could', 'can', 'cannot'])
const PRODUCES = new Set('produce present show locate find provide'.split(' '))

function verbIn(tokens: readonly Token[]): Verb | null {
  for (let i = 1; i < tokens.length - 1 && i < 24; i++) {
    const { lower } = tokens[i]!
    if (SUBORDINATE.has(lower)) return null
    if (BE.has(lower)) return heard(tokens, i)
    const helps = DO.has(lower) || HAVE.has(lower) || MODAL.has(tokens[i]!.text)
    if (!helps && !startsAct(tokens, i)) continue
    let k = helps ? i + 1 : i
    // "never received the notice".
    let negated =
      !helps && (DENIES.has(tokens[i - 1]!.lower) || (i > 1 && tag(tokens[i - 1]!.lower) === 'A' && DENIES.has(tokens[i - 2]!.lower)))
    while (helps && k < tokens.length && (DENIES.has(tokens[k]!.lower) || ADVERBS.has(tokens[k]!.lower) || tag(tokens[k]!.lower) === 'A')) {
      if (DENIES.has(tokens[k]!.lower)) negated = true
      k++
    }
    const said = tokens[k]
    // "have been told of the leak".
    if (said && HAVE.has(lower) && said.lower === 'been') return heard(tokens, k, negated)
    if (!said || BE.has(said.lower) || !/^[a-z]/.test(said.text)) return null
    // "has no permit", "has a permit": what somebody has.
    if (HAVE.has(lower) && (said.lower === 'no' || tag(said.lower) === 'D')) return made(i, k, 'hold', negated)
    // "has full access".
    if (HAVE.has(lower) && !isPast(said.lower))
      return tag(said.lower) === 'N' && tag(tokens[k + 1]?.lower ?? 'of') === 'N' ? made(i, k, 'hold', negated) : null
    // "does not accept that …": what follows says something itself.
    if (tokens[k + 1]?.lower === 'that') return null
    if (OMITS.has(said.lower) && tokens[k + 1]?.lower === 'to' && tokens[k + 2]) return made(i, k + 3, tokens[k + 2]!.lower, true)
    // "returned to work", "went back to work": it goes on.
    const back = tokens[k + 1]?.lower === 'back' ? k + 2 : k + 1
    if (RETURNS.has(said.lower) && tokens[back]?.lower === 'to' && tokens[back + 1]) return made(i, back + 1, 'resumed', negated)
    // Who cannot produce a thing does not have it.
    if (negated && CANNOT.has(lower) && PRODUCES.has(said.lower)) return made(i, k + 1, 'hold', true)
    const particle = PARTICLES.has(tokens[k + 1]?.lower ?? '') && tag(tokens[k + 2]?.lower ?? '') === 'D'
    const phrase = particle ? phraseAt(tokens, k) : null
    if (phrase) return { from: i, to: k + 2, act: phrase.predicate, negated: negated !== phrase.negated, told: false }
    return made(i, particle ? k + 2 : k + 1, particle && CARRIES.has(said.lower) ? 'performed' : said.lower, negated)
  }
  return null
}

/** "The office was told of the leak": what is said is what the act is done to. */
function heard(tokens: readonly Token[], at: number, denied = false): Verb | null {
  let k = at + 1
  let negated = denied || tokens[0]!.lower === 'no' || tokens[0]!.lower === 'none' || tokens[0]!.lower === 'nobody'
  while (k < tokens.length && (tag(tokens[k]!.lower) === 'A' || BE.has(tokens[k]!.lower) || DENIES.has(tokens[k]!.lower)))
    if (DENIES.has(tokens[k++]!.lower)) negated = true
  const said = tokens[k]?.lower
  if (said === undefined) return null
  const next = tokens[k + 1]
  // "was not given a copy of the deed": what is given stands behind the verb.
  if (
    GIVES.has(said) &&
    next &&
    (next.lower === 'no' || /^(?:an?|the)$/.test(next.lower)) &&
    tokens[k + 2] &&
    said !== 'refused' &&
    said !== 'denied'
  )
    return made(0, k + 1, 'give', negated)
  // Who is given access has it.
  if (GIVES.has(said) && next && tag(next.lower) === 'N')
    return made(at, k + 1, 'hold', negated !== (said === 'refused' || said === 'denied'))
  // "was aware of the leak".
  if (next?.lower === 'of' && AWARE.has(said)) return made(at, k + 1, 'known', negated !== said.startsWith('un'))
  return isTold(said) && saidFrom(tokens, k + 1) < tokens.length ? made(0, k + 1, said, negated) : null
}

/** A past tense between whoever acts and what it is done to: "The yard gave notice", "We told the …". */
function startsAct(tokens: readonly Token[], i: number): boolean {
  const { lower, text } = tokens[i]!
  if (PRESENT.has(lower) && /^(?:D|A|N)$/.test(tag(tokens[i + 1]!.lower))) return tag(tokens[i - 1]!.lower) === 'N'
  if (isPresent(tokens, i)) return true
  if (!isPast(lower) || !/^[a-z]/.test(text)) return false
  const before = tokens[i - 1]!.lower
  const next = tokens[i + 1]!
  if (tag(before) !== 'N' && !PERSONS.has(before) && tag(before) !== 'A') return false
  if (OMITS.has(lower) && next.lower === 'to') return true
  if (RETURNS.has(lower) && (next.lower === 'to' || next.lower === 'back')) return true
  // "noted that the valve was shut": what is noted says something itself.
  if (next.lower === 'that') return false
  const kind = tag(next.lower)
  if (PARTICLES.has(next.lower)) return tag(tokens[i + 2]?.lower ?? '') === 'D' && !HAPPENS.has(lower)
  if (kind === 'D' || next.lower === 'no' || isNumeric(next.lower)) return true
  return kind === 'N' && (!lower.endsWith('ed') || BEFALLS.has(lower))
}

/** "The tenant disputes the invoice": a noun of one, a word with an s, and what it is done to. */
function isPresent(tokens: readonly Token[], i: number): boolean {
  const { lower, text } = tokens[i]!
  if (!/^[a-z]{4,}[^s]s$/.test(text) || NOUNS.test(lower)) return false
  const before = tokens[i - 1]!.lower
  return (
    tokens[i + 1]!.start - tokens[i]!.end === 1 &&
    tag(before) === 'N' &&
    !before.endsWith('s') &&
    tag(lower) === 'N' &&
    /^(?:the|a|an|its|their|his|her|our|every|each|all|no)$/.test(tokens[i + 1]!.lower)
  )
}
/** Words with an s that are hardly ever verbs. */
const NOUNS =
  /(?:ments|tions|sions|ities|ships|ances|ences|ages|ings|ists|ers|ors|days|weeks|months|years|hours|times|cases|units|items|terms|sales|costs|funds|rights|plans|tests|results)$/

/** "informed the owner of the leak": where what was said begins. */
export function saidFrom(tokens: readonly Token[], start: number): number {
  for (let i = start; i < tokens.length && i < start + 8; i++) if (tokens[i]!.lower === 'of' || tokens[i]!.lower === 'about') return i
  return tokens.length
}

interface Acted {
  head: string | null
  about: string[]
  none: boolean
  /** "a single notice", "any notice": whichever. */
  vague: boolean
}

const GROUNDS = new Set('strength basis grounds ground account advice request part behalf condition understanding'.split(' '))
const OFTEN = new Set(['times', 'occasions'])
const JOINED = new Set('of to for about on'.split(' '))

/** The noun something is done to, with what is said of it. */
export function objectFrom(text: string, tokens: readonly Token[], start: number, heard = false): Acted {
  const found: Acted = { head: null, about: [], none: false, vague: false }
  const terms: string[] = []
  let passes = false
  for (let i = start; i < tokens.length && i < start + 10; i++) {
    const { lower } = tokens[i]!
    if (i > start && /[,.;:()]/.test(text.slice(tokens[i - 1]!.end, tokens[i]!.start))) break
    if (lower === 'no' && !terms.length) found.none = true
    if (VAGUE.has(lower)) found.vague = true
    const kind = tag(lower)
    // "for all parameters": whichever they are.
    if (found.head && WHICHEVER.has(lower) && tokens[i - 1]!.lower !== 'of') passes = true
    // "the declaration mentioned to the bank": what is said of it besides.
    if (terms.length && isPast(lower) && tag(tokens[i + 1]?.lower ?? 'of') === 'P' && lower.endsWith('ed')) break
    if (kind === 'P') {
      // "reported the leak to the agent": who hears it is not what is said.
      if (heard && lower === 'to') break
      // "on the strength of the study" says why.
      if (lower === 'on' && GROUNDS.has(tokens[i + 2]?.lower ?? '')) break
      passes = false
      // "told of the injury": the preposition brings the object.
      if (!JOINED.has(lower) || isNumeric(tokens[i + 1]?.lower ?? '0') || (!terms.length && lower !== 'of' && lower !== 'about')) break
      // "14 boxes of flares": what they hold is meant.
      if (lower === 'of' && terms.length === 1 && (isNumeric(tokens[start]!.lower) || PARTITIVE.has(terms[0]!))) terms.length = 0
      if (terms.length) found.head ??= terms.at(-1)!
      continue
    }
    if (kind === 'C' || kind === 'X' || lower === 'without' || lower === 'late') break
    // "met four times": how often is no object.
    if (OFTEN.has(lower) && (isNumeric(tokens[i - 1]!.lower) || COUNTS.has(tokens[i - 1]!.lower))) break
    if (
      kind === 'N' &&
      !passes &&
      !isOfAmount(tokens, i) &&
      !isNumeric(lower) &&
      !COUNTS.has(lower) &&
      !VAGUE.has(lower) &&
      !EMPTY.has(lower)
    )
      terms.push(...termOf(lower).filter(term => term.length > 2))
  }
  found.head ??= terms.at(-1) ?? null
  found.about = [...new Set(terms.filter(term => term !== found.head))].slice(0, 8)
  if (found.head) found.head = thingOf(found.head)
  return found
}
