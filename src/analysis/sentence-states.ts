/**
 * What sentences state: propositions of running text with their polarity ("no candidate has been identified", "the suit
 * is active"), ratings, thresholds reached or not, and how a thing is classed.
 */

import { actionOf, judgementOf, turnOf } from './actions.js'
import type { Block } from './blocks.js'
import { boundIn, boundName } from './bounds.js'
import { type Category, categoriesIn } from './categories.js'
import { squeeze } from './characters.js'
import { clausesOf } from './clauses.js'
import { type Core, coreOf, kindOf, PERFORM, quantityOf, resolved } from './cores.js'
import type { Draft, ReadContext } from './draft.js'
import { gradeStates } from './grade-states.js'
import { itemSaid } from './items.js'
import { liftedOf } from './lifted.js'
import { EVENTS } from './nominals.js'
import { isPolar } from './opposites.js'
import { pattern } from './pattern.js'
import { absentIn, presentIn } from './presence.js'
import { rhythmIn, withoutRhythm } from './rhythms.js'
import { modalityIn } from './roles.js'
import { type Span, sentencesOf } from './sentences.js'
import { contextTerms, termOf } from './slots.js'
import { partsOf, sumsIn, takenOver } from './statement-words.js'
import { buildState, categoryValue, isNegated } from './states.js'
import { tag } from './tagging.js'
import { isTopic } from './topics.js'
import { doneOutside, traitOf } from './traits.js'
import { treatmentIn } from './treatments.js'
import type { ClaimValue } from './types.js'
import { actOf } from './verbs.js'
import { FUNCTION_WORDS, isNumeric, stem, type Token, wordsOf } from './words.js'

/** Stems of verbs that make a sentence a statement one could deny. */
const PREDICATES = new Set(
  `identify disclose complete sign approve resolve implement initiate withdraw rescind renew factor include affect confirm close remediate apply require exist support exceed breach meet
   restate reclassify record recognise recognize classify treat incorporate submit file obtain receive report detect observe impact change modify remain occur comply satisfy trigger impose audit verify document maintain
   provide deliver suspend terminate cancel disburse pay settle own hold license infringe dispute contest agree accept reject depart resign leave join hire appoint replace transfer allocate update integrate test validate
   train notify respond consent authorise authorize permit prohibit restrict discontinue resume expire extend postpone delay schedule conclude available place effective adequate material valid active sound robust appropriate
   insured covered encrypt store delete retain share process monitor inspect calibrate repair ship store contaminate leak fail operate connect commission outage injure`
    .split(/\s+/)
    .filter(Boolean)
    .map(word => stem(word)),
)

/** A request states nothing: "Provide the results". */
const REQUEST =
  /^(?:\(?[a-z0-9]{1,3}[.)]\s)?(?:approve|describe|provide|identify|confirm|submit|ensure|explain|list|consider|specify|implement|prepare|establish|obtain|clarify|state|report|demonstrate|justify|summari[sz]e|include)\s(?:the|a|an|any|all|each|how|whether|details|results|copies|evidence|why|which|what|for)\b/i
const AFFIRMATIVE_ONLY =
  /^\s*(?:(?:we|i) (?:\p{L}+ly )?(?:still )?(?:ask|request|demand|need|urge|propose|suggest)\b|(?:whether|why|how|note|see|please|recommended|recommendation(?!\s\d)|proceed)\b|(?:sources?|background|purpose|scope)\s*:)/iu

interface Proposition {
  subject: string[]
  terms: string[]
  predicates: string[]
}

/** Splits a sentence into what it is about and what it says of it; null when it states nothing deniable. */
function propositionOf(text: string): Proposition | null {
  const terms: string[] = []
  const predicates: string[] = []
  const subject: string[] = []
  let verbSeen = false
  for (const token of wordsOf(text.slice(0, 500))) {
    if (terms.length >= 22) break
    if (FUNCTION_WORDS.has(token.lower) || isNumeric(token.lower)) {
      if (tag(token.lower) === 'X') verbSeen = true
      continue
    }
    for (const found of termOf(token.lower)) {
      const term = /^un./.test(found) && PREDICATES.has(found.slice(2)) ? found.slice(2) : found
      if (term.length < 2) continue
      if (PREDICATES.has(term)) {
        predicates.push(term)
        verbSeen = true
      } else if (!verbSeen) subject.push(term)
      if (!terms.includes(term)) terms.push(term)
    }
  }
  return predicates.length && terms.length >= 2 ? { subject, terms, predicates } : null
}

/** "Interface under evaluation": a status without a verb. */
function openItem(text: string): Proposition | null {
  if (text.length > 160 || !categoriesIn(text, false).some(item => item.set === 'progress')) return null
  const terms = contextTerms(text, 16)
  return terms.length >= 2 ? { subject: terms.slice(0, 2), terms, predicates: [] } : null
}

/** "No dual entry", "without a contract": something is absent, said without a verb. */
const ABSENT = pattern(/(?:^|[(,;:\u2014-]\s?|\bwith\s)(?:no|without|lack of|absence of|missing)\s+\p{L}/iu)

function absence(text: string): Proposition | null {
  if (text.length > 200 || !ABSENT.test(text)) return null
  const terms = contextTerms(text, 16)
  return terms.filter(isTopic).length >= 2 ? { subject: terms.slice(0, 2), terms, predicates: ['exist'] } : null
}

/** "The seals were intact": whatever is so of something can be denied. */
function plainCore(core: Core | null, tokens: readonly Token[]): Proposition | null {
  if (!core) return null
  const terms = tokens.filter(token => !FUNCTION_WORDS.has(token.lower) && !isNumeric(token.lower)).flatMap(token => termOf(token.lower))
  return { subject: [core.head], terms: [...new Set(terms.filter(term => term.length > 1))].slice(0, 22), predicates: [core.predicate] }
}

function plainAbsence(absent: readonly string[][], text: string): Proposition {
  return { subject: absent.flat(), terms: contextTerms(text, 16), predicates: ['exist'] }
}

/** A note of a few sentences is read whole: whatever it states of something counts. */
const SHORT_DOCUMENT = 2_000

function plainStatement(text: string): Proposition | null {
  const words = wordsOf(text.slice(0, 300))
  const verb = words.findIndex(word => tag(word.lower) === 'X')
  if (verb < 1) return null
  const subject = contextTerms(text.slice(0, words[verb]!.start), 8)
  const said = contextTerms(text.slice(words[verb]!.end), 12)
  return subject.length && said.length ? { subject, terms: [...new Set([...subject, ...said])], predicates: said.slice(0, 1) } : null
}

/** What sentences state of their subject; at most one proposition and one rating for each part of a sentence. */
export function sentenceStates(context: ReadContext, block: Block, start: number, end: number): Draft[] {
  const drafts: Draft[] = []
  let before = ''
  for (const span of sentencesOf(context.text, start, end)) {
    const text = squeeze(context.text.slice(span.start, Math.min(span.end, span.start + 900)))
    if (text.length >= 12 && !AFFIRMATIVE_ONLY.test(text) && !REQUEST.test(text) && !/\?$/.test(text))
      drafts.push(...partsStates(context, block, span, partsOf(text), before))
    before = text
  }
  return drafts
}

function partsStates(context: ReadContext, block: Block, span: Span, parts: string[], before: string): Draft[] {
  return parts.flatMap((part, i) => {
    // "classified as equity there but as a loan here": the verb serves both.
    const text = i > 0 && /^(?:but|and)\sas\s/.test(part) ? `classified ${part}` : part
    const earlier = i > 0 ? parts[i - 1]! : before
    return partStates(context, block, span, text, earlier, takenOver(text, earlier, i > 0))
  })
}

/** A part of a sentence, and what it takes over from what stands before it. */
interface Part {
  /** As written, and with what a pronoun stands for. */
  written: string
  text: string
  over: string[]
}

const AT_NO_TIME = /\b(?:at no time|on no occasion|in no case|in no way|by no means|at no point)\b/i
const COMPLIES = /\b(?:(does|do|did) not comply|(fails?|failed) to comply|compl(?:y|ies|ied))(?= with\b)/i

const UNREADY = /\b(?:is|are|was|were) not (?:prepared|willing|ready|able|in a position) to (?!be\b)/i
const NEEDS = /\b(?:need|needs|have|has|had) to be\b/i

/** Roundabout words for what is said more plainly: "was at no time asked", "complies with", "is not prepared to attend". */
function plainly(written: string): string {
  const ready = UNREADY.test(written) ? written.replace(UNREADY, 'did not ') : written
  const text = NEEDS.test(ready) ? ready.replace(NEEDS, 'be') : ready
  const denied = AT_NO_TIME.test(text) ? text.replace(AT_NO_TIME, 'never') : text
  return COMPLIES.test(denied) ? denied.replace(COMPLIES, (_, not, fails) => (not || fails ? 'is not compliant' : 'is compliant')) : denied
}

type Push = (name: string, terms: string[], head: string, value: ClaimValue, denies: boolean, confidence: number, clause?: string) => Draft

function partStates(context: ReadContext, block: Block, span: Span, written: string, before: string, over: string[]): Draft[] {
  const drafts: Draft[] = []
  const text = plainly(over.length ? resolved(written, before, wordsOf(before.slice(0, 160))) : written)
  const push: Push = (name, terms, head, value, negated, confidence, clause = text) => {
    const all = [...new Set([...terms, ...over])].slice(0, 26)
    const draft = buildState(context, block, {
      start: span.start,
      end: span.end,
      text: clause,
      name,
      terms: all,
      head,
      value,
      negated,
      confidence,
    })
    if (over.length) draft.marks = [...new Set([...draft.marks, ...sumsIn(before)])]
    if (before) draft.context = [...new Set([...draft.context, ...contextTerms(before, 16)])].slice(0, 64)
    drafts.push(draft)
    return draft
  }
  drafts.push(...gradeStates(context, block, span, text, before))
  pushValues(text, push)
  const at = drafts.length
  pushProposition({ written, text, over }, context.text.length <= SHORT_DOCUMENT, push)
  pushClauses(text, drafts[at], push)
  return drafts
}

/** Thresholds, classes and rhythms. */
function pushValues(text: string, push: Push): void {
  for (const found of [boundIn(text), treatmentIn(text), rhythmIn(text)]) {
    if (!found) continue
    const terms = contextTerms(found.set === 'frequency' ? withoutRhythm(text) : text, 18)
    const key = terms.filter(isTopic).at(-1)
    if (!key) continue
    const draft = push(text.slice(0, 120), terms, key, categoryValue(found), false, 0.6)
    if (found.set === 'threshold') draft.about = boundName(boundPhrase(text, found))
  }
}

/** What is so or not so, absent or there. */
function pushProposition({ written, text, over }: Part, short: boolean, push: Push): void {
  // What a clause of concession denies is not what the sentence says.
  const negated = isNegated(
    text.replace(/^(?:while|although|though|despite|whereas)\b[^,]{0,160},\s*/i, '').replace(/,\s(?:which|who|whose)\s.*$/, ''),
  )
  const tokens = wordsOf(text.slice(0, 300))
  const core = owned(text, tokens)
  const quantity = quantityOf(tokens)
  // "14 of the 20 shops had no rival": some of them had.
  const lacking = negated && !quantity.part ? absentIn(tokens) : []
  // "no inspection of the hull was made": it was not inspected, which the core says.
  const absent = core?.negated ? lacking.filter(words => !EVENTS.has(words.at(-1)!) || words.at(-1) === core.head) : lacking
  const found =
    propositionOf(text) ??
    openItem(text) ??
    absence(text) ??
    plainCore(core, tokens) ??
    (absent.length ? plainAbsence(absent, text) : null) ??
    (short ? plainStatement(text) : null)
  if (!found) return
  const name = text.slice(0, 120)
  const status = categoriesIn(text, false)[0]
  const value: ClaimValue = status ? categoryValue(status) : { type: 'boolean', value: !negated }
  const draft = push(name, found.terms, found.subject.at(-1) ?? found.terms[0]!, value, negated, 0.55)
  if (status?.set === 'progress') draft.item = itemSaid(text)
  if (core) draft.core = over.length && core.head.length < 3 ? null : { ...core, ...quantity }
  if (draft.modality === 'fact')
    Object.assign(draft, thereIs(core, absent, text === written ? tokens : wordsOf(written.slice(0, 300)), negated))
  else draft.absent = absent
  draft.context = [...new Set([...found.predicates.map(word => `=${word}`), ...draft.context])].slice(0, 64)
  const outside = doneOutside(text, tokens)
  if (outside) push(name, found.terms, outside.head, { type: 'boolean', value: !outside.negated }, false, 0.55).core = outside
  const besides = relativeCore(text)
  if (besides) push(name, found.terms, besides.head, { type: 'boolean', value: !besides.negated }, besides.negated, 0.5).core = besides
  // "no claims or disputes": each is found by its own word.
  for (const words of absent.slice(1))
    push(name, found.terms, words.at(-1)!, { type: 'boolean', value: false }, true, 0.55).absent = [words]
  if (absent.length > 1) draft.absent = absent.slice(0, 1)
}

const sameCore = (x: Core, y: Core): boolean => x.head === y.head && x.predicate === y.predicate && x.negated === y.negated

/** What the clauses of a long sentence say besides the core that was read of it as a whole. */
function pushClauses(text: string, whole: Draft | undefined, push: Push): void {
  const known: Core[] = []
  for (const clause of clausesOf(text)) {
    const tokens = wordsOf(clause.slice(0, 300))
    const core = stated(clause, tokens)
    const negated = isNegated(clause)
    const quantity = quantityOf(tokens)
    const absent = negated && !quantity.part ? absentIn(tokens) : []
    if (core ? core.head.length < 3 || known.some(other => sameCore(core, other)) : !absent.length || whole?.absent?.length) continue
    const read = core && whole?.core && sameCore(core, whole.core)
    if (read && whole.polarity === (negated ? 'negated' : 'affirmed') && whole.modality === modalityIn(clause)) {
      whole.clause = clause
      continue
    }
    if (core) known.push(core)
    const found = plainCore(core, tokens) ?? plainAbsence(absent, clause)
    const draft = push(clause.slice(0, 120), found.terms, found.subject.at(-1)!, { type: 'boolean', value: !negated }, negated, 0.5, clause)
    draft.clause = clause
    if (core) draft.core = { ...core, ...quantity }
    if (draft.modality === 'fact') Object.assign(draft, thereIs(core, absent.slice(0, 1), tokens, negated))
    draft.context = [...new Set([...found.predicates.map(word => `=${word}`), ...draft.context])].slice(0, 64)
  }
}

const RELATIVE = pattern(
  /((?:[\p{L}'’-]+\s){0,3}[\p{L}-]+),\s(?:which|who)\s((?:has|have|had|held|holds|is|are|was|were|lapsed|expired)\s[^;]{5,160})/iu,
)

/** "by the yard, which held a diving licence": what a clause says of the noun before it, where that has an opposite. */
function relativeCore(text: string): Core | null {
  const found = RELATIVE.exec(text)
  if (!found) return null
  const said = `${found[1]!} ${found[2]!}`
  const tokens = wordsOf(said.slice(0, 240))
  const core = actionOf(said, tokens) ?? coreOf(said, tokens)
  return core && isPolar(core.predicate) ? { ...core, ...quantityOf(tokens) } : null
}

/** What is said to be absent and what to be there. */
function thereIs(core: Core | null, absent: string[][], tokens: readonly Token[], negated: boolean): Pick<Draft, 'absent' | 'present'> {
  if (core?.negated && !absent.length && LACKED.has(core.predicate) && [core.head, ...core.about].some(isTopic))
    return { absent: [[...core.about, core.head]] }
  // "does not contain any traces": there are none in it.
  if (core?.negated && core.none && !absent.length && core.predicate === CONTAIN && isTopic(core.head))
    return { absent: [[...core.about, core.head]] }
  const named = core && !core.negated && THERE.has(core.predicate) ? [...core.about, core.head] : []
  return negated ? { absent } : { absent, present: [...new Set([...presentIn(tokens), ...named])] }
}

/** "Alarm levels are not defined": there are none. */
const LACKED = new Set(['exist', ...['defined', 'established', 'introduced', 'created', 'foreseen'].map(word => actOf(word))])
const CONTAIN = actOf('contain')
/** "A response plan is in force": there is one. */
const THERE = new Set(['exist', 'valid', 'use', PERFORM, actOf('triggered')])

const DISOWNS = pattern(
  /\b(?:not|never|cannot)\s(?:\p{L}+\s)?(?:accept|agree|believe|think|consider)\sthat\b|\b(?:deny|denies|denied|disputes?|disputed|rejects?|rejected)\sthat\b|\b(?:incorrect|untrue|wrong|not true|not correct|not the case)\sthat\b/iu,
)
const UNPROVEN = pattern(
  /\b(?:not|never|cannot|unable to)\s(?:\p{L}+\s)?(?:show|prove|confirm|establish|say|mean|follow|demonstrate|verify|state|claim)\sthat\b/iu,
)

const GUESSED = pattern(/\b(?:seems?|appears?|suspects?|assumes?|fears?|hopes?|hoped|wonders?)\s(?:to\s\p{L}+\s)?that\b/iu)

/** "The log shows that …", "we do not accept that …": who says so is not what it is about. */
const SPOKEN = pattern(
  /^.{2,90}?\b(?:accepts?|agrees?|believes?|thinks?|considers?|den(?:y|ies|ied)|disput(?:es?|ed)|reject(?:s|ed)?|incorrect|untrue|wrong|true|the case|shows?|showed|shown|not(?:es|ed)|confirm(?:s|ed)?|stat(?:es|ed)|maintain(?:s|ed)?|finds?|found|report(?:s|ed)?|conclude[sd]?|claim(?:s|ed)?|says?|said|learn(?:ed|t)|indicates?|indicated|records?|recorded|reveal(?:s|ed)?|(?:told|informed|assured|advised|notified)(?:\s[\p{L}'’-]+){1,4})\sthat\s/iu,
)

/** What is so or not so of what. "We do not accept that the seals are intact" says they are not; "it does not show that …" nothing. */
function owned(text: string, tokens: readonly Token[]): Core | null {
  if (GUESSED.test(text)) return null
  const spoken = SPOKEN.exec(text)
  if (!spoken) return stated(text, tokens)
  if (UNPROVEN.test(text)) return null
  const said = text.slice(spoken[0].length)
  const core = stated(said, wordsOf(said.slice(0, 300)))
  if (!core || !DISOWNS.test(spoken[0])) return core
  // Perhaps only that this one did it, or why, is not accepted.
  return /\b(?:by|because|due|for)\b/.test(said) ? null : { ...core, negated: !core.negated, none: false }
}

/** "Payments to the yard: all stages have been paid": the sentence stands behind the colon. */
const LED_IN = /^[^:.;]{3,70}:\s(?=(?:[\p{L}'’-]+\s){1,8}(?:is|are|was|were|has|have|had|will|did|does|do)\s)/u

function stated(written: string, given: readonly Token[]): Core | null {
  const lead = LED_IN.exec(written)
  const text = lead ? written.slice(lead[0].length) : written
  const tokens = lead ? wordsOf(text.slice(0, 300)) : given
  return saidIn(text, tokens)
}

const saidIn = (text: string, tokens: readonly Token[]): Core | null =>
  liftedOf(text) ??
  traitOf(text, tokens) ??
  kindOf(text, tokens) ??
  judgementOf(tokens) ??
  actionOf(text, tokens) ??
  coreOf(text, tokens) ??
  turnOf(tokens)

/** "stopping boundary of 8%" after the verb; "Efficacy threshold met" before it. */
function boundPhrase(text: string, found: Category): string {
  const first = /\b(?:met|exceeded|reached|breached|crossed|satisfied|achieved|triggered|fulfilled)$/i.test(
    text.slice(found.start, found.end),
  )
  return first ? text.slice(Math.max(0, found.start - 32), found.end) : text.slice(found.start, found.end + 16)
}
