/**
 * Numeric claims of running text. Each value gets the name, role, period and cited older value that the words around it
 * give; a value without a name is not claimed.
 */
import { asOfFor } from './as-of.js'
import type { Block } from './blocks.js'
import { type Clause, clauseOf, periodFor } from './clause.js'
import { type Draft, type ReadContext, surroundingsOf } from './draft.js'
import { partOf, phraseFor } from './frames.js'
import { NEUTRAL } from './lexicon.js'
import { isEntityMark, isIdentifier, markKind, marksOf, subjectMarks } from './marks.js'
import { type Named, named, OF_WHAT } from './names.js'
import { build, cited, type Grouped, INTERVAL, STATISTIC, sameUnit, tiePriors } from './number-draft.js'
import { pattern } from './pattern.js'
import { type Phrase, phraseLeft } from './phrases.js'
import { sentencesOf } from './sentences.js'
import { contextTerms, nameTerms } from './slots.js'
import { isPast, type Tok } from './tagging.js'
import { NUMBER_WORD } from './units.js'
import type { FoundValue } from './values.js'
import { stem } from './words.js'

const PART = pattern(
  /\b(?:includ(?:es|ed|ing)|contain(?:s|ed|ing)|compris(?:es|ed|ing)|of which|thereof)\s(?:approximately\s|about\s|an?\s|the\s)?$/i,
)
const CITES_OLD = pattern(/\b(?:original(?:ly)?|previously|initially|formerly)\b(?![^.;]*\b(?:now|revised|restated|corrected)\b)/i)
/** Two sources in one sentence: "recorded as V1 but the contract states V2". */
const SETS_AGAINST = pattern(
  /\b(?:but|whereas|while|however|yet|versus|vs\.?|against)\b[^.;]{0,60}\b(?:states?|stated|shows?|showed|says?|reports?|reported|records?|recorded|indicates?|lists?|gives?|has|is|was)\s(?:as\s|at\s|only\s|approximately\s|the\s)?$/i,
)

/** Who recommends a value does not state it. */
const PROPOSES = pattern(
  /\b(?:recommends?|recommended|propos(?:es?|ed|ing)|suggests?|suggested|requests?|demands?|demanded|asks? for|asked for|seeks?|sought)\s(?!no\b)[^.;]{0,80}$/i,
)

const REFERS = pattern(/(?:^|[;,]\s|\b(?:and|but)\s)(?:it|this|they|these)\s(?:[a-z]+\s){1,4}(?:[A-Z]{3}\s)?$/i)

/** The name a phrase gives to a value. */
function nameOf(clause: Clause, phrase: Pick<Phrase, 'words' | 'head' | 'around'>): Named | null {
  const words = phrase.words.filter(word => word.tag === 'N')
  const terms = words.flatMap(word => termsOfWord(word))
  const did = words.filter(word => word.said && !word.lower.startsWith('non')).flatMap(termsOfWord)
  const heads = nameTerms(measuredIn(clause, words, phrase.head).lower)
  const head = terms.includes('change') ? 'change' : (heads.at(-1) ?? terms.at(-1))
  // "The budget is raised to": the role is all the name there is.
  if (!head && words.length) return bareRole(clause, words)
  if (!head || !terms.length) return null
  const text = phrase.around ? words.map(word => word.text).join(' ') : clause.text.slice(words[0]!.start, words.at(-1)!.end)
  // What happened to the thing tells no role: "64% support the proposed increase".
  const nameText = phrase.around && did.length ? words.flatMap(word => (word.said ? [] : [word.text])).join(' ') : text
  return {
    terms: terms.slice(0, 12),
    head,
    attribute: text.slice(0, 120),
    marks: marksOf(text),
    nameText,
    did,
    ofPart: words.some(word => word.said === 'part'),
  }
}

/** "64% support the increase" is no increase. */
const termsOfWord = (word: Tok): readonly string[] => {
  const terms = nameTerms(word.lower)
  return word.said ? terms.filter(term => term !== 'change') : terms
}

/** "The share of deposits not covered": the deposits are what is measured. */
function measuredIn(clause: Clause, words: readonly Tok[], head: Tok): Tok {
  let at = words.indexOf(head)
  const isOf = (i: number): boolean =>
    words[i + 1] !== undefined && /^ of (?:the |its |our |their |all )?$/.test(clause.text.slice(words[i]!.end, words[i + 1]!.start))
  if (at < 0 || !OF_WHAT.test(head.lower) || !isOf(at) || words.slice(0, at).some(word => !NEUTRAL.has(stem(word.lower)))) return head
  at++
  while (words[at + 1] && clause.text.slice(words[at]!.end, words[at + 1]!.start) === ' ' && !isPast(words[at + 1]!)) at++
  return words[at]!
}

function bareRole(clause: Clause, words: readonly Tok[]): Named | null {
  const role = words.at(-1)!
  if (!/^(?:budget|forecast|target|limit|threshold|estimate|guidance|maximum|minimum)s?$/.test(role.lower)) return null
  const term = stem(role.lower)
  return { terms: [term], head: term, attribute: clause.text.slice(role.start, role.end), marks: [], nameText: role.lower }
}

/** What a sentence is about: the phrase before its first verb. */
function subjectOf(clause: Clause, until: number): Named | null {
  const verb = clause.toks.findIndex(tok => tok.tag === 'X')
  if (verb < 1 || clause.toks[verb]!.start >= until) return null
  const phrase = phraseLeft(clause.toks, verb - 1)
  return phrase ? nameOf(clause, phrase) : null
}

/** What reading a block carries from sentence to sentence. */
interface Reading {
  context: ReadContext
  block: Block
  lead: string
  /** Names values the first sentence itself does not name. */
  fallback: Named | null
  topic: string
  /** Codes and numbered things named before hold until others are named. */
  standing: string[]
  /** What the sentence before was about, for one that says "it". */
  spoken: Named | null
}

interface Sentence {
  clause: Clause
  span: { start: number; end: number }
  owners: string[]
  first: boolean
  lastName: Named | null
}

/** Sentences of running text. `fallback` names values the sentence itself does not name. */
export function sentenceClaims(context: ReadContext, block: Block, start: number, end: number, fallback: Named | null, lead = ''): Draft[] {
  const reading: Reading = { context, block, lead, fallback, topic: '', standing: [], spoken: null }
  const drafts: Draft[] = []
  for (const span of sentencesOf(context.text, start, end)) {
    const clause = clauseOf(context.text, span.start, span.end, context.profile.year)
    const owners = clause.values.length ? subjectMarks(clause.text) : []
    const sentence: Sentence = { clause, span, owners, first: span.start === start, lastName: null }
    const group: Grouped[] = []
    for (const value of clause.values) {
      const found = valueClaim(reading, sentence, value)
      if (!found) continue
      setAgainst(group.at(-1), found, clause)
      group.push(found)
    }
    reading.topic = clause.text.slice(0, 120)
    reading.spoken = (span.end < end ? subjectOf(clause, clause.text.length) : null) ?? reading.spoken
    const named = clause.values.length || span.end < end ? tellers(clause.text) : []
    if (named.length) reading.standing = [...named, ...unlike(reading.standing, named)]
    drafts.push(...tiePriors(group))
  }
  return drafts
}

/** "three of the four deviations": four is what the three are out of. */
const OUT_OF = new RegExp(`\\b(?:\\d+|${NUMBER_WORD}|none|all|both|most|some) of (?:(?:the|these|those|its|our|their) )?$`, 'i')
/** "Seven of them were incomplete": what they are was said before. */
const OF_THEM = /^ of (?:them|these|those|which)\b/i
/** "Mortality at 30 days was 9.4%": the span says which mortality. */
const SPAN = /\b(?:at|after|over|within|for) (\d{1,3})[- ](day|week|month|year|hour)s? (?:is|was|are|were)\b/i
const isSpan = (text: string, value: FoundValue): boolean => SPAN.test(text.slice(Math.max(0, value.start - 8), value.end + 6))

/** "its 30-day mortality for 2031 to 11.8%": which mortality, where another figure says how much. */
function isQualifier(clause: Clause, value: FoundValue): boolean {
  return (
    /^\d{1,3}-\p{L}+$/u.test(value.text) &&
    /^ \p{L}/u.test(clause.text.slice(value.end)) &&
    clause.values.some(other => other.start > value.end)
  )
}

const QUALIFIED = /\b(\d{1,3})-(day|week|month|year|hour) \p{L}/iu

/** "Receivables more than 90 days overdue" */
const AGED = /\b(\d{1,3}) (day|week|month|year)s? (?:overdue|past due|in arrears|old)\b/i

function spanIn(left: string): string[] {
  const span = SPAN.exec(left) ?? QUALIFIED.exec(left) ?? AGED.exec(left)
  return span ? [`span ${span[2]!.toLowerCase()}:${span[1]}`] : []
}

const BY = /\bby\s(?:only\s|some\s|approximately\s|about\s|around\s|up to\s|just\s|almost\s|nearly\s|a further\s)?$/i
const WAS = /\b(?:it|this|they|these) (?:was|were|had been) (?:[A-Z]{3} )?$/i

/** "goes to outfall 2", "occurred 4 and 6 days after": in a sentence a number behind its noun tells which, not how many. */
function numbersThing(toks: readonly Tok[], i: number): boolean {
  const [before, noun, next] = [toks[i - 2], toks[i - 1], toks[i + 1]]
  if (noun?.tag !== 'N' || toks[i]!.gap !== '' || !/^\p{Ll}+$/u.test(noun.text) || next?.tag === 'N') return false
  if (isPast(noun)) return true
  return !noun.lower.endsWith('s') && /[PD]/.test(before?.tag ?? '') && toks.some(tok => tok.tag === 'X')
}

/** "taken by 11 samplers", "held by 58% of the crew": who did it is no change. */
function isAgent(toks: readonly Tok[], i: number, phrase: Phrase | null): boolean {
  if (phrase?.frame !== 'right' && phrase?.frame !== 'in') return false
  let k = i - 1
  while (k >= 0 && toks[k]!.lower !== 'by') k--
  const verb = toks[k - 1]
  return verb !== undefined && isPast(verb) && nameTerms(verb.lower)[0] !== 'change'
}

function valueClaim(reading: Reading, sentence: Sentence, value: FoundValue): Grouped | null {
  const { context, block, lead } = reading
  const { clause } = sentence
  const i = clause.toks.findIndex(tok => tok.tag === 'V' && tok.start <= value.start && tok.end >= value.end)
  const left = clause.text.slice(0, value.start)
  if (i < 0 || STATISTIC.test(left.slice(-40)) || INTERVAL.test(clause.text.slice(value.end, value.end + 14))) return null
  const quantity = value.value.type === 'quantity' ? value.value : null
  if (quantity && OUT_OF.test(left.slice(-24))) return null
  if (quantity && (isSpan(clause.text, value) || isQualifier(clause, value))) return null
  const bare = quantity !== null && (quantity.unit === null || quantity.unit === 'x' || quantity.unit === 'FTE')
  // "Of the 1,231 cases 1,007 were closed": what it counts stands before it only there.
  const part = clause.toks[i + 1]?.tag === 'X' ? partOf(clause.toks, i, bare) : null
  const read = part ?? phraseFor(clause.toks, i, value.value.type, quantity !== null && !bare, quantity?.unit === 'x')
  const phrase = read ?? partOf(clause.toks, i, bare)
  if (bare && phrase?.frame === 'direct' && numbersThing(clause.toks, i)) return null
  const isCited = cited(clause, value)
  let name = phrase ? nameOf(clause, phrase) : null
  if (!name && isCited) name = sentence.lastName
  if (bare && OF_THEM.test(clause.text.slice(value.end, value.end + 12))) name = sentence.lastName ?? reading.spoken ?? reading.fallback
  if (!name && REFERS.test(left)) name = subjectOf(clause, value.start) ?? reading.spoken
  if (!name && value === clause.values[0] && sentence.first && value.start < 40) name = reading.fallback
  if (!name || isEnumerator(clause.text, value) || isIdentifier(clause.text, value.start, value.end)) return null
  if (bare && !phrase && !isCited && !OF_THEM.test(clause.text.slice(value.end, value.end + 12))) return null
  if (value.value.type === 'percent') name = holdingIn(clause, value) ?? name
  if (!isCited) sentence.lastName = name
  if (BY.test(left) && !phrase?.measured && !name.terms.includes('change') && !isAgent(clause.toks, i, phrase))
    name = { ...name, terms: [...name.terms, 'change'], head: 'change' }
  const asOf = asOfFor(clause, value)
  const period = periodFor(clause, value) ?? asOf?.period ?? null
  const draft = build(context, {
    block,
    clause,
    value,
    name,
    span: sentence.span,
    around: surroundingsOf(context, block),
    frame: 'prose',
    confidence: phrase ? (phrase.frame === 'right' || phrase.frame === 'in' ? 0.65 : 0.75) : 0.5,
    period,
    roleText: `${PROPOSES.test(left) ? 'proposed ' : ''}${name.nameText} ${nearby(clause, value, name)} ${saidOf(clause, value)}`,
    subjectText: `${lead} ${withoutSpeaker(clause.text, value)}`,
    parents: [...(lead ? [lead] : []), ...[...block.path].reverse()],
    weak: (bare && phrase !== null && phrase.frame === 'right' && !phrase.stated) || name.terms.every(term => term === 'change'),
  })
  surround(draft, reading, sentence, left)
  draft.marks = [...draft.marks, ...spanIn(left), ...(asOf?.marks ?? [])]
  if (name.did?.length) Object.assign(draft, { did: name.did, ofPart: name.ofPart })
  if (bare) draft.said = contextTerms(clause.text, 16).filter(term => !draft.terms.includes(term))
  return { draft, value, cited: isCited, ownPeriod: period !== null }
}

const HOLDS = pattern(/\b(?:holds?|held|owns?|owned)\s(?:about\s|some\s|only\s|directly\s|indirectly\s)?$/i)
const IN_WHOM = pattern(/^\sof\s(?:the\s)?((?:\p{Lu}[\p{L}\p{M}.&'’-]*\s?){1,6})/u)

/** "The trustee holds 80 % of Larch Ltd": a holding in it. */
function holdingIn(clause: Clause, value: FoundValue): Named | null {
  if (!HOLDS.test(clause.text.slice(Math.max(0, value.start - 40), value.start))) return null
  const whom = IN_WHOM.exec(clause.text.slice(value.end, value.end + 80))?.[1]?.trim()
  return whom ? named(`holding in ${whom}`) : null
}

/** What the words before the value and the sentences before add to a claim. */
function surround(draft: Draft, reading: Reading, sentence: Sentence, left: string): void {
  const { owners } = sentence
  const { lead, standing, topic } = reading
  if (owners.length) draft.aboveMarks = [...draft.aboveMarks, ...owners]
  const told = tellers(left)
  draft.aboveMarks = [...draft.aboveMarks, ...told, ...unlike(standing, [...told, ...owners, ...draft.marks])]
  if (lead) draft.aboveMarks = [...draft.aboveMarks, ...marksOf(lead.slice(0, 200))]
  if (PART.test(left)) draft.part = 'part'
  if (draft.version === null && (CITES_OLD.test(left) || WAS.test(left))) draft.version = 'old'
  if (topic) draft.context = [...new Set([...draft.context, ...contextTerms(topic, 12)])].slice(0, 60)
}

/** Two sources in one sentence speak of one thing. */
function setAgainst(before: Grouped | undefined, found: Grouped, clause: Clause): void {
  const { draft } = found
  if (!before || found.cited || before.draft.value.type !== draft.value.type || !sameUnit(before.draft, draft)) return
  if (!SETS_AGAINST.test(clause.text.slice(before.value.end, found.value.start))) return
  Object.assign(draft, {
    terms: before.draft.terms,
    head: before.draft.head,
    attribute: before.draft.attribute,
    marks: before.draft.marks,
    role: before.draft.role,
    rival: true,
  })
}

/** Marks by which a stretch of text says which thing it is about. */
function tellers(text: string): string[] {
  return marksOf(text.slice(-300)).filter(mark => mark.startsWith('code') || isEntityMark(mark))
}

/** Those of a kind the others do not have. */
function unlike(marks: readonly string[], others: readonly string[]): string[] {
  return marks.filter(mark => !others.some(other => markKind(other) === markKind(mark)))
}

const SPEAKS = pattern(
  /^[^,;]{2,60}?\s(?:reported|reports|said|says|stated|states|confirmed|confirms|claimed|claims|told \p{L}[^,;]{1,30}|informed \p{L}[^,;]{1,30}|noted|notes|found|finds|argued|argues|maintains|announced|agreed|accepted)\sthat\s/iu,
)

/** "Holm reported that 17 hatches leak": who says so is not whose they are. */
function withoutSpeaker(text: string, value: FoundValue): string {
  const speaks = SPEAKS.exec(text)
  return text.slice(speaks && speaks[0].length <= value.start ? speaks[0].length : 0, value.end + 40)
}

/** The few words that can qualify a value: back to the last value or stop, and a little beyond it. */
function nearby(clause: Clause, value: FoundValue, name: Named): string {
  const left = clause.text.slice(Math.max(0, value.start - 40), value.start)
  const right = clause.text.slice(value.end, value.end + 18)
  const stop = Math.max(
    left.lastIndexOf('. '),
    left.lastIndexOf('; '),
    left.lastIndexOf(') '),
    left.lastIndexOf(', '),
    left.search(/\d[^\d]*$/) + 1,
    // What stands before the name is said of something else.
    left.lastIndexOf(name.nameText),
  )
  return `${left.slice(Math.max(0, stop))} ${/^\s?[\p{L}-]+/u.exec(right)?.[0] ?? ''}`
}

/** "EUR 46 million a year are expected": what the verb behind a value says of it. */
function saidOf(clause: Clause, value: FoundValue): string {
  return (
    /^(?: (?:per|a|an|each) \p{L}+)? (?:is|are|was|were) (expected|planned|forecast|projected|budgeted|estimated)\b/u.exec(
      clause.text.slice(value.end, value.end + 50),
    )?.[1] ?? ''
  )
}

/** "(1) first, (2) second" counts nothing. */
function isEnumerator(text: string, value: FoundValue): boolean {
  return value.value.type === 'quantity' && text[value.start - 1] === '(' && text[value.end] === ')' && value.text.length <= 2
}
