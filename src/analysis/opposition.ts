/** Whether two statements exclude each other: one denies the core of the other, or says absent what the other says is there. */

import { anyRelated } from './names-alike.js'
import { narrowedApart, narrowedBeyond } from './narrowings.js'
import { pattern } from './pattern.js'
import type { Situation } from './relation.js'
import { termsOf } from './slots.js'
import { isTopic } from './topics.js'
import type { Core, Stated } from './unpacked.js'
import { actOf } from './verbs.js'
import type { View } from './view.js'
import { MONTH_NAMES, stem } from './words.js'

/** In words why the two exclude each other; null when they do not. */
export function opposition(a: View, b: View): string | null {
  if (apart(a, b)) return null
  const why = opposed(a, b)
  if (why === null) return inOtherOrder(a, b) && !narrowedApart(a, b) ? 'one says it was before, the other that it was after' : null
  return narrowedApart(a, b) || orderOf(a, b) ? null : why
}

const ORDER = pattern(
  /\b(before|prior to|ahead of|after|following)\s(?:the\s|its\s|their\s|his\s|her\s|any\s|an?\s)?((?:[\p{L}-]+\s?){1,4})/iu,
)

interface Order {
  after: boolean
  words: readonly string[]
}

function orderIn(quote: string): Order | null {
  const found = ORDER.exec(quote)
  // "until after the visit": not before it.
  return found && found.index > 12 ? { after: /^a?f/i.test(found[1]!) && !/^ahead/i.test(found[1]!), words: termsOf(found[2]!) } : null
}

/** One says when by what came after, the other by what came before, and both name the same. */
function orderOf(a: View, b: View): boolean {
  const x = a.ofQuote(orderIn)
  const y = x ? b.ofQuote(orderIn) : null
  return x !== null && y !== null && x.after !== y.after && x.words.some(term => term.length > 3 && y.words.includes(term))
}

/** "The water was tested before the pump ran", "the pump ran before the water was tested". */
function swapped(x: Core, y: Core, a: View, b: View): boolean {
  if (x.negated || y.negated || x.head === y.head || x.predicate === y.predicate) return false
  const [from, to] = [a.ofQuote(orderIn), b.ofQuote(orderIn)]
  if (!from || !to || from.after !== to.after || !isTopic(x.head) || !isTopic(y.head)) return false
  return from.words[0] === y.head && to.words[0] === x.head && from.words.includes(y.predicate) && to.words.includes(x.predicate)
}

/** "The filter was changed before the test", "it was changed after the test". */
function inOtherOrder(a: View, b: View): boolean {
  const x = a.stated.core
  const y = b.stated.core
  if (x && y && swapped(x, y, a, b)) return true
  if (!x || !y || x.negated || y.negated || x.head !== y.head || x.predicate !== y.predicate || x.part || y.part || !isTopic(x.head))
    return false
  return agentsMeet(x, y) && !ofOtherParts(x.about, y.about) && orderOf(a, b)
}

function opposed(a: View, b: View): string | null {
  const x = a.stated
  const y = b.stated
  if (x.core && y.core && (coresOppose(x.core, y.core, a, b) || nobodyDid(x.core, y.core) || nobodyDid(y.core, x.core)))
    return 'one affirms what the other denies'
  if (y.absent.some(words => doneThough(words, a, x)) || x.absent.some(words => doneThough(words, b, y)))
    return 'one says it is absent, the other that it happened'
  if (y.absent.some(words => absentThere(words, a, x, b)) || x.absent.some(words => absentThere(words, b, y, a)))
    return 'one says it is absent, the other that it is there'
  return null
}

const BY = pattern(/\b(?:is|are|was|were|been) (?:\p{L}+ly )?\p{L}+ (?:out )?by (?:the |an? |its |our |their )?((?:\p{L}+ ?){1,4})/iu)

/** "The auditor did not test it" and "it was tested by the control team": another one did. */
function byAnother(core: Core, other: View): boolean {
  // "was not signed by the tenant" and "was signed": perhaps by another.
  if (core.agent?.[0] === '=by' && !other.stated.core?.agent?.length) {
    const who = BY.exec(other.claim.quote)?.[1]
    return who === undefined || !termsOf(who).some(term => core.agent!.includes(term))
  }
  if (!core.negated || !core.agent?.length || other.stated.core?.agent?.length) return false
  const by = BY.exec(other.claim.quote)?.[1]
  return by !== undefined && !termsOf(by).some(term => core.agent!.includes(term))
}

const WHEN = pattern(
  new RegExp(
    `\\b(?:(since)|in|during|for|of)\\s(?:the\\s)?(?:early\\s|late\\s|(?:spring|summer|autumn|winter|end|course)\\sof\\s)?(?:(${MONTH_NAMES}|Q[1-4])(?:\\s((?:19|20)\\d\\d))?|((?:19|20)\\d\\d))\\b`,
    'g',
  ),
)

const NEVER = pattern(/\b(?:never|at no time|on no occasion|at no point)\b/i)

interface When {
  months: readonly string[]
  years: readonly string[]
  /** "not inspected since 2028": of no later time either. */
  since: boolean
}

function whenOf(quote: string): When {
  // "was never asked before the plan of May was adopted": at no time, whatever the plan is of.
  const ever = NEVER.test(quote)
  const found = WHEN.all(quote.slice(0, 400)).filter(match => !ever || !match[0].startsWith('of'))
  const all = (part: (match: RegExpExecArray) => string | undefined): string[] => found.flatMap(match => part(match) ?? [])
  return { months: all(match => match[2]), years: all(match => match[3] ?? match[4]), since: found.some(match => match[1] !== undefined) }
}

/** Both say when, by the year or by the month, and mean other times. */
function atOther(a: View, b: View): boolean {
  const from = a.ofQuote(whenOf)
  if (!from.months.length && !from.years.length) return false
  const to = b.ofQuote(whenOf)
  const differ = (x: readonly string[], y: readonly string[]): boolean =>
    x.length > 0 &&
    y.length > 0 &&
    !x.some(time => y.includes(time) || b.ofQuote(itself).includes(time)) &&
    !y.some(time => a.ofQuote(itself).includes(time))
  if (from.since || to.since) return false
  return differ(from.years, to.years) || differ(from.months, to.months)
}
const itself = (quote: string): string => quote

/** Of different holders, different things of one kind, or different times: both can be so. */
export function apart(a: View, b: View): boolean {
  const x = a.stated.core
  const y = b.stated.core
  if (x && y) {
    if (x.predicate === y.predicate && (!agentsMeet(x, y) || byAnother(x, b) || byAnother(y, a))) return true
    // The same is said of different things.
    const strange = x.predicate === y.predicate && x.head !== y.head && !x.whole && !y.whole && !x.none && !y.none
    if (strange && !b.context.has(x.head) && !a.context.has(y.head)) return true
    // "Six of the seven are manned", "one of the seven is not".
    if (x.head === y.head && (x.part || y.part) && !x.whole && !y.whole && !x.none && !y.none) return true
    const parts = x.head === y.head && !(x.none || y.none) && ofOtherParts(x.about, y.about)
    if (parts && !x.about.some(term => b.context.has(term)) && !y.about.some(term => a.context.has(term))) return true
  }
  return atOther(a, b)
}

/** Both say of which part of it, and of different ones. */
function ofOtherParts(x: readonly string[], y: readonly string[]): boolean {
  const telling = (about: readonly string[]): readonly string[] => about.filter(term => !OCCASIONS.has(term))
  const [left, right] = [telling(x), telling(y)]
  return left.length > 0 && right.length > 0 && !left.some(term => right.includes(term))
}

/** "There were no injuries" and "two were injured": what is absent is what was done. */
function doneThough(absent: readonly string[], other: View, stated: Stated): boolean {
  const core = stated.core
  return (
    core !== null &&
    !core.negated &&
    other.claim.polarity !== 'negated' &&
    other.claim.modality !== 'plan' &&
    core.predicate === absent.at(-1) &&
    (absent.length === 1 ? isTopic(core.predicate) : absent.includes(core.head) && absent.some(isTopic))
  )
}

/** "Nobody was injured" and "two workers were injured". */
function nobodyDid(nobody: Core, some: Core): boolean {
  return (
    nobody.negated &&
    !some.negated &&
    /^(?:nobod|noth|no-one|noone)$/.test(nobody.head) &&
    nobody.predicate === some.predicate &&
    isTopic(some.predicate)
  )
}

/** Both say or deny the same; what is missing is not complete either. */
const sameSaid = (x: Core, y: Core): boolean => x.predicate === y.predicate || lacks(x, y) || lacks(y, x)
const lacks = (x: Core, y: Core): boolean => x.predicate === 'exist' && x.negated && y.predicate === 'complete' && !y.negated

/** "the cooling unit": what it is for says more. */
export const APPLIANCES = new Set(
  'unit system plant equipment station device installation facility machine process service programme scheme'
    .split(' ')
    .map(word => stem(word)),
)

/** "All stations are staffed" and of one place that stands among stations that it is not. */
function isExample(all: Core, one: Core, other: View): boolean {
  return (
    !one.none &&
    isTopic(all.predicate) &&
    isTopic(all.head) &&
    all.head !== one.head &&
    other.context.has(all.head) &&
    all.about.every(term => other.context.has(term))
  )
}

const HARMS = new Set(
  'wiped deleted erased destroyed damaged lost stolen encrypted corrupted contaminated infected flooded burnt breached compromised delayed injured'
    .split(' ')
    .map(word => actOf(word)),
)

/** "No backups were affected" and "the backup store was wiped". */
function unharmed(none: Core, harm: Core): boolean {
  if (none.predicate !== AFFECT || !none.negated || !none.none || harm.negated || !HARMS.has(harm.predicate) || !isTopic(none.head))
    return false
  const all = [harm.head, ...harm.about]
  return [none.head, ...none.about].every(term => all.includes(term))
}

const AFFECT = actOf('affected')

/** "Cover for the incident", "cover for this event": what a case is about goes by several names. */
const OCCASIONS = new Set('incident event occurrence matter case'.split(' ').map(word => stem(word)))

/** Verbs that only say that something is done or there: what it is stands in the noun. */
const LIGHT = new Set(['perform', 'give', 'hold', 'make'].map(word => actOf(word))).add('exist')

/** "No reservation of rights was made" and "has reserved its rights". */
const sameDeed = (noun: Core, verb: Core): boolean =>
  noun.negated !== verb.negated &&
  LIGHT.has(noun.predicate) &&
  noun.head === verb.predicate &&
  noun.about.includes(verb.head) &&
  isTopic(noun.head)

const CONFINED = new Set(['confined', 'limited', 'restricted'].map(word => actOf(word)))

/** "The damage was confined to the cellar" and "damage to the whole house was found". */
const confinedThough = (x: Core, y: Core): boolean =>
  CONFINED.has(x.predicate) && !x.negated && !x.whole && y.whole && !y.part && x.head === y.head && isTopic(x.head)

const ANYONE = new Set(['person', 'individual', 'entity', 'party'].map(word => stem(word)))

/** "is a politically exposed person" says what "is politically exposed" says. */
function asState(kind: Core, other: Core): Core {
  if (kind.predicate !== '=kind' || other.predicate === '=kind' || !ANYONE.has(kind.head) || !kind.about.length) return kind
  const [head, ...about] = kind.agent ?? []
  return { ...kind, head: head ?? kind.head, about, predicate: kind.about.at(-1)!, agent: null }
}

/** "None of the persons is insured" and "Mr Holt is insured". */
const nobodyIs = (none: Core, one: Core): boolean =>
  none.none && none.negated && !one.negated && PEOPLE.has(none.head) && none.predicate === one.predicate && isTopic(none.predicate)

function coresOppose(first: Core, second: Core, a: View, b: View): boolean {
  const [x, y] = [asState(first, second), asState(second, first)]
  if (nobodyIs(x, y) || nobodyIs(y, x)) return true
  if (unharmed(x, y) || unharmed(y, x)) return true
  if (sameDeed(x, y) || sameDeed(y, x) || confinedThough(x, y) || confinedThough(y, x)) return true
  if (!sameSaid(x, y) || !agentsMeet(x, y)) return false
  // "Nine of the ten pumps run" denies that all run, and leaves one that does not.
  const partly = (x.part && y.whole) || (y.part && x.whole)
  if (x.negated === y.negated ? !(partly && !x.negated) : (x.part || y.part) && !partly && !x.none && !y.none) return false
  if (noneIsSome(x, y, b) || noneIsSome(y, x, a)) return true
  const exempt = (x.whole && y.negated && isExample(x, y, b)) || (y.whole && x.negated && isExample(y, x, a))
  if (exempt) return true
  if (x.head !== y.head) {
    // "The cooling" and "the cooling unit".
    if ((APPLIANCES.has(x.head) && x.about.includes(y.head)) || (APPLIANCES.has(y.head) && y.about.includes(x.head)))
      return isTopic(APPLIANCES.has(x.head) ? y.head : x.head)
    // "The permit" and "the application for the permit": one head within the other, and enough besides.
    const nested = x.about.includes(y.head) || y.about.includes(x.head)
    const all = new Set([y.head, ...y.about])
    return nested && [x.head, ...x.about].filter(term => all.has(term) && isTopic(term)).length >= 3
  }
  const [few, many, other] = x.about.length <= y.about.length ? [x, y, b] : [y, x, a]
  // "did not pay the rent" and "paid the rent of May": one act of several, unless none was done.
  if ((x.agent || y.agent) && !few.about.length && many.about.length && !(few.none && few.negated)) return false
  const meets = few.about.every(term => many.about.includes(term) || other.context.has(term) || OCCASIONS.has(term))
  const telling = [x.head, ...few.about].filter(term => isTopic(term)).length
  // "No risk assessment was made": plain words, yet all of them on both sides.
  const same = few.about.length > 0 && few.about.length === many.about.length && few.about.every(term => many.about.includes(term))
  // "All matters are closed", "two matters remain open".
  if (!meets) return false
  // "The data were encrypted", "the data were not encrypted": no word besides.
  const bare = !x.about.length && !y.about.length && isTopic(x.predicate)
  return telling >= 1 || same || bare || x.whole !== y.whole || (isTopic(x.predicate) && sharedTopics(a, b) >= 2)
}

function sharedTopics(a: View, b: View): number {
  let shared = 0
  for (const term of a.topicSet) if (b.topicSet.has(term)) shared++
  return shared
}

/** Where both say who acts, it is the same one. */
function agentsMeet(x: Core, y: Core): boolean {
  // Whether one is of a kind says nothing of another.
  if (x.predicate === '=kind' && !x.none && !y.none && (!x.agent?.length || !y.agent?.length)) return false
  return !x.agent?.length || !y.agent?.length || x.agent.some(term => y.agent!.includes(term))
}

/** "No injury to a patient": whoever is injured is one. */
const PEOPLE = new Set('patient person people employee worker participant customer anyone member staff'.split(' ').map(word => stem(word)))

/** "No passwords were stolen" against the hashes of passwords that were. */
function noneIsSome(none: Core, some: Core, other: View): boolean {
  const all = [some.head, ...some.about]
  if (!none.none || !all.includes(none.head) || !(isTopic(none.head) || (none.head === some.head && none.about.some(isTopic)))) return false
  return none.about.every(term => all.includes(term) || (none.head === some.head && (PEOPLE.has(term) || other.context.has(term))))
}

/** Both say of whom, and of different ones: "the shed has no hose", "all boats carry a hose". */
function strangers(none: View, stated: Stated, other: View): boolean {
  const [who, whom] = [none.stated.core?.agent, stated.core?.agent]
  if (!who?.length || !whom?.length) return false
  return !who.some(term => whom.includes(term) || other.context.has(term)) && !whom.some(term => none.context.has(term))
}

const ASKED = new Set('requested proposed claimed sought demanded offered recommended planned'.split(' ').map(word => actOf(word)))

/** Everything said to be absent is said of the other, and it is counted or found there. */
function absentThere(absent: readonly string[], other: View, stated: Stated, none: View): boolean {
  if (other.claim.polarity === 'negated' || stated.absent.length) return false
  // What is only asked for is not there.
  if (stated.core && ASKED.has(stated.core.predicate)) return false
  const head = absent.at(-1)!
  if (strangers(none, stated, other)) return false
  if (
    !absent.every(
      term => other.termSet.has(term) || stated.present.has(term) || (term !== head && stated.present.has(head) && other.context.has(term)),
    )
  )
    return false
  const telling = absent.filter(isTopic)
  // The other says hardly anything but that.
  if (telling.length >= 2 && other.topicSet.size - telling.length <= 1) return true
  // "no shop within reach" leaves shops elsewhere.
  return telling.length >= 1 && stated.present.has(head) && (telling.length > 1 || !narrowedBeyond(none, other))
}

/** One of the two documents names whom the other is about: they belong to one matter. */
export function acquainted(a: View, b: View, s: Situation): boolean {
  return anyRelated(s.newDocument.organisations ?? [], a.principals) || anyRelated(s.oldDocument?.organisations ?? [], b.principals)
}

const ALLOWS = pattern(/\b(?:may|can)\s(?:still\s|continue to\s)?(?:be|remain|stay|continue)\b/i)
const FORBIDS = pattern(/\b(?:must|shall|may|can|should)\snot\b|\bcannot\b|\bno longer\b/i)

/** One allows what the other forbids: neither is a fact, yet they exclude each other. */
export const permission = (a: View, b: View): boolean =>
  (a.ofQuote(allows) && b.ofQuote(forbids)) || (b.ofQuote(allows) && a.ofQuote(forbids))

const forbids = (quote: string): boolean => FORBIDS.test(quote)
const allows = (quote: string): boolean => ALLOWS.test(quote) && !forbids(quote)
