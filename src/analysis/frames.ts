/**
 * The noun phrase a value in running text belongs to, by a small set of frames: "X was V", "X of V", "V of X", "X (V)",
 * "V x's", "X fell from V1 to V2". Looks at a bounded window around the value.
 */
import { EMPTY_HEADS } from './lexicon.js'
import { counted, isDone, isNoticed, type Phrase, phraseLeft, phraseRight } from './phrases.js'
import { fromPreposition, MOVED, skipVerbs } from './prepositions.js'
import { saidBefore, saidBehind } from './said-of.js'
import { beforeClause, beforeRelative, beforeSpan, describedBy, opening } from './subjects.js'
import { ACTS, BREAK, FORMS_VERBS, isParticiple, isPast, type Tok } from './tagging.js'
import { AUXILIARIES, stem } from './words.js'

/** Nouns that hold a number of other things and are not what is measured. */
const HOLDERS = new Set(
  'total number sum group set list range series pair team minimum maximum average majority rest remainder count'.split(' '),
)

/** Nouns that are measured in things: "a capacity of 3,000 meals". */
const MEASURES = new Set(
  'capacity volume output rate length area size height weight yield strength quota throughput production consumption demand supply turnover attendance enrolment enrollment intake occupancy score speed pressure temperature level density'.split(
    ' ',
  ),
)

const HOLLOW = new Set('estimate figure count calculation recalculation result assessment analysis finding'.split(' '))

/** "The dredging costs V", "the kiln emits V": the verb says what of it is measured. */
const DOES =
  /^(?:cost|last|weigh|consume|emit|produce|generate|earn|spend|lose|owe|pay|receive|borrow|invest|save|burn|use|discharge|deliver|treat|process|handle|store)(?:s|d|ed)?$|^(?:lost|spent|paid|loses|lasted)$/

const GIVES =
  /^(?:give|gives|gave|state|states|stated|put|puts|record|records|recorded|show|shows|showed|list|lists|listed|take|takes|took)$/

const COMES_TO = /^(?:amount(?:s|ed)?|fell|falls?|rose|rises?|increased|decreased|dropped|grew|came|comes?|corresponds?|equals)$/

const STATISTICS = new Set('median mean average total maximum minimum peak'.split(' '))

const ADJECTIVES = new Map([
  ['high', 'height'],
  ['tall', 'height'],
  ['wide', 'width'],
  ['long', 'length'],
  ['deep', 'depth'],
  ['thick', 'thickness'],
  ['old', 'age'],
])

/** What counted things are held in: "an inventory of 340 valves" counts valves. */
const COLLECTIONS = new Set('inventory stock fleet portfolio staff workforce backlog population network estate'.split(' '))

/** "represents EUR 9M revenue", "brings EUR 3M rent": what it is stands behind it. */
const BRINGS = /^(?:represent|bring|generate|contribute|yield|earn)s?$|^(?:represented|brought|generated|contributed|yielded|earned)$/
const HOLDING =
  /^(?:recorded|includes?|included|received|holds?|held|has|have|had|provisioned?|recogni[sz]ed|booked|charged|paid|invoiced|serves?|served|employs?|employed|operates?|operated|allocated|contains?|contained|provides?|requires?|covers?|[a-z]{4,}ing)$/

/** A bare count whose measure stands before it; its noun is then only the unit. */
function measureBefore(
  toks: readonly Tok[],
  j: number,
  given: { times: boolean; determined: boolean; noun: Phrase; left: (frame: Phrase['frame'], at: number) => Phrase | null },
): Phrase | null {
  const previous = j >= 0 ? toks[j]! : null
  const { left } = given
  if (!previous) return null
  // "The multiple is 7.1x ARR" measures the multiple.
  if (given.times && previous.tag === 'X' && AUXILIARIES.has(previous.lower)) {
    const multiple = left('verb', skipVerbs(toks, j))
    if (multiple) return multiple
  }
  if (given.determined) return null
  // "a kitchen capacity of 3,000 meals a day".
  const measure = previous.lower === 'of' ? left('of', j - 1) : null
  if (measure && COLLECTIONS.has(measure.head.lower)) return { ...given.noun, words: [...given.noun.words, ...measure.words], around: true }
  if (measure && MEASURES.has(measure.head.lower)) return measure
  // "Rejects were 1,204 vials".
  const subject = /^(?:is|are|was|were)$/.test(previous.lower) ? left('verb', skipVerbs(toks, j)) : null
  return subject && /s$/.test(subject.head.lower) && !HOLDERS.has(subject.head.lower) ? subject : null
}

type Kind = 'money' | 'percent' | 'quantity' | 'date'

/** A value among the words of its sentence. */
class Placed {
  private readonly toks: readonly Tok[]
  private readonly i: number
  private readonly kind: Kind
  private readonly hasUnit: boolean
  /** The word before the value and the determiners and adverbs at it. */
  private readonly j: number
  private readonly determined: boolean
  private readonly previous: Tok | null
  private readonly next: Tok | undefined
  private readonly rightOpen: boolean
  private readonly rightNoun: ReturnType<typeof phraseRight>
  private readonly rightPrep: ReturnType<typeof phraseRight>

  constructor(toks: readonly Tok[], i: number, kind: Kind, hasUnit: boolean) {
    let j = i - 1
    let determined = false
    while (j >= 0 && (toks[j]!.tag === 'D' || toks[j]!.tag === 'A') && !BREAK.test(toks[j + 1]!.gap)) {
      if (toks[j]!.tag === 'D') determined = true
      j--
    }
    const next = toks[i + 1]
    const rightOpen = next !== undefined && !BREAK.test(next.gap)
    // "parking spaces" and "contaminated units" are nouns, "12 remaining" and "40 paid" are not.
    const adjective = rightOpen && toks[i + 2]?.tag === 'N' && !BREAK.test(toks[i + 2]!.gap)
    const isNoun = rightOpen && next.tag === 'N' && (adjective || !(/^[a-z]+(?:ing|ed)$/.test(next.lower) || isPast(next)))
    this.toks = toks
    this.i = i
    this.kind = kind
    this.hasUnit = hasUnit
    this.j = j
    this.determined = determined
    this.previous = j >= 0 ? toks[j]! : null
    this.next = next
    this.rightOpen = rightOpen
    this.rightNoun = isNoun ? phraseRight(toks, i + 1) : null
    this.rightPrep = rightOpen && next.tag === 'P' && /^(?:of|in|for)$/.test(next.lower) ? phraseRight(toks, i + 2) : null
  }

  phrase(times: boolean): Phrase | null {
    const { toks, j, previous } = this
    const lead = toks[j + 1]!
    const behind = this.behind(times, lead)
    if (behind) return behind
    if (/[(]/.test(lead.gap)) return previous ? this.left('paren', j) : null
    if (BREAK.test(lead.gap) && !/[:=]/.test(lead.gap)) return this.inside()
    if (previous?.lower === 'as' && toks[j - 1]?.tag === 'X') return this.left('verb', skipVerbs(toks, j - 1))
    // "the failure is accepted as 31 hours"
    if (previous?.lower === 'as' && isParticiple(toks[j - 1]) && toks[j - 2]?.tag === 'X') return this.left('verb', skipVerbs(toks, j - 2))
    // "The report gives the age of the boiler as 22 years."
    if (previous?.lower === 'as' && toks[j - 1]?.tag === 'N' && toks.slice(0, j).some(tok => GIVES.test(tok.lower)))
      return this.left('direct', j - 1)
    if (this.isShareOf()) return this.inside()
    const statistic = previous?.lower === 'of' && STATISTICS.has(toks[j - 1]?.lower ?? '') ? this.inside() : null
    // "a median of 48 minutes for the transfer": of what, and which.
    if (statistic) return { ...statistic, words: [toks[j - 1]!, ...statistic.words], around: true, stated: true }
    if (previous?.tag === 'P') return this.unlessHollow(fromPreposition(toks, j, (frame, at) => this.left(frame, at)))
    if (previous?.tag === 'X') return this.said(previous)
    if (previous?.tag === 'N') return (/:/.test(lead.gap) ? opening(toks, this.i) : null) ?? this.left('direct', j)
    return this.inside() ?? (this.rightNoun ? this.right('right', this.rightNoun) : null)
  }

  /** What a count counts, and what a sum or share stands before. */
  private behind(times: boolean, lead: Tok): Phrase | null {
    const { toks, i, j, kind, determined, previous, rightNoun } = this
    if (kind === 'quantity' && !this.hasUnit) {
      const whole = this.rightOpen ? outOf(toks, i) : null
      if (whole) return { ...this.right('right', counted(toks, whole)), stated: true }
      if (!rightNoun) return null
      const left = (frame: Phrase['frame'], at: number): Phrase | null => this.left(frame, at)
      const noun = this.right('right', counted(toks, rightNoun))
      return measureBefore(toks, j, { times, determined, noun, left }) ?? noun
    }
    // "six weeks' notice"
    if (kind === 'quantity' && /^['’]$/.test(this.next?.gap ?? '') && rightNoun) return this.right('right', rightNoun)
    if ((kind !== 'money' && kind !== 'percent') || !rightNoun) return null
    const opens = BREAK.test(lead.gap) && !/[:=]/.test(lead.gap)
    const holds =
      (previous?.tag === 'X' && HOLDING.test(previous.lower)) || (previous !== null && BRINGS.test(previous.lower) && this.next?.gap === '')
    // "a ratio of 14.2% compares with": its name stands before it.
    const isNamed =
      previous?.lower === 'of' &&
      j > 0 &&
      toks[j - 1]!.tag === 'N' &&
      (/^[a-z]+s$/.test(rightNoun.words[0]!.text) || isPast(rightNoun.words[0]!))
    const isFirst = determined || !previous || previous.tag === 'C' || (previous.tag === 'P' && !isNamed)
    return isFirst || holds || opens ? this.right('right', rightNoun) : null
  }

  /** "X is V", "it gave V of X". */
  private said(verb: Tok): Phrase | null {
    const { toks, i, next } = this
    const ofWhat = (this.hasUnit || ACTS.has(verb.lower)) && next?.lower === 'of' && !AUXILIARIES.has(verb.lower)
    if (this.rightPrep && (ofWhat || HOLDING.test(verb.lower))) return this.inside()
    const found = this.left('verb', skipVerbs(toks, this.j))
    // "The scheme is 70% pre-let": what it is to that extent.
    const extent =
      this.kind === 'percent' &&
      next?.tag === 'N' &&
      next.lower !== 'compared' &&
      next.gap === '' &&
      toks[i + 2]?.tag !== 'N' &&
      FORMS_VERBS.has(verb.lower)
    if (found && extent) return { ...found, words: [...found.words, next], head: next, around: true }
    // "The dam is 62 m high": its height.
    const measure = this.hasUnit && next?.gap === '' ? ADJECTIVES.get(next.lower) : undefined
    if (found && measure) {
      const noun: Tok = { ...next!, text: measure, lower: measure, tag: 'N' }
      return { ...found, words: [noun, ...found.words], head: noun, around: true }
    }
    if (found === null || !(this.hasUnit || this.kind === 'money') || !(DOES.test(verb.lower) || ACTS.has(verb.lower)))
      return this.unlessHollow(found)
    // "The insurer has reserved V for the claim"
    const purpose = next?.lower === 'for' ? (this.rightPrep?.words ?? []) : []
    const said = [{ ...verb, tag: 'N' as const }, ...purpose].map(tok => ({ ...tok, said: 'whole' as const }))
    return this.unlessHollow({ ...found, words: [...found.words, ...said], around: true })
  }

  /** "Our estimate stands at V of running costs": of what it is. */
  private unlessHollow(found: Phrase | null): Phrase | null {
    const says = found !== null && !(this.next?.lower === 'of' && HOLLOW.has(found.head.lower))
    return says ? found : (this.inside() ?? found)
  }

  /** "applies it to 78% of its holdings": the share is of what follows. */
  private isShareOf(): boolean {
    const { toks, j, previous } = this
    if (this.next?.lower !== 'of' || !this.rightPrep || (this.kind !== 'percent' && previous?.tag !== 'N')) return false
    // "According to our analysis 54 % of the minutes": where it is from does not name it.
    if (previous?.tag === 'N')
      return (toks[0]!.tag === 'P' || toks[0]!.lower === 'according') && !toks.slice(0, j).some(tok => tok.tag === 'X' || tok.tag === 'V')
    // "The ten largest tenants account for 38% of the rent": they are named.
    if (previous?.tag !== 'P' || toks[j - 1]?.lower.startsWith('account')) return false
    // "They amount to 18% of the portfolio", "output fell to 78% of capacity": what does so is named.
    const particle = toks[j - 1]?.tag === 'A'
    const moves = toks[particle ? j - 2 : j - 1]?.lower ?? ''
    if (previous.lower === 'to' && (COMES_TO.test(moves) || MOVED.has(moves) || (particle && /^(?:up|down)$/.test(toks[j - 1]!.lower))))
      return false
    return !/^(?:of|at|from|than)$/.test(previous.lower) && !toks.slice(Math.max(0, j - 6), j).some(tok => tok.lower === 'from')
  }

  /** "V of X", with what is said of it. */
  private inside(): Phrase | null {
    const { toks, rightPrep, kind } = this
    if (!rightPrep) return null
    const found = this.right('in', rightPrep)
    if (this.next?.lower !== 'of') return found
    const bare = kind === 'quantity' && !this.hasUnit
    // "EUR 2M of the loan was repaid": of a part of it.
    const part = !bare && kind !== 'percent' && toks[this.i + 2]?.tag === 'D'
    const said = saidBehind(toks, rightPrep.to + 1, part ? 'part' : 'whole').slice(0, bare ? 1 : 4)
    if (said.length) return { ...found, words: [...found.words, ...said], around: true }
    const before = kind === 'percent' && this.previous?.tag === 'P' ? saidBefore(toks, this.j) : null
    if (!before) return found
    // "in 81% of cases": it is of what the sentence is about.
    return EMPTY_HEADS.has(stem(found.head.lower))
      ? { ...found, ...before, around: true }
      : { ...found, words: [...found.words, ...before.words], around: true }
  }

  private right(frame: Phrase['frame'], found: { words: Tok[]; head: Tok; to: number }): Phrase {
    const { toks, i } = this
    const after = found.to + 1
    const told =
      this.previous?.tag === 'X' ||
      isNoticed(toks, after) ||
      isDone(toks, after) ||
      (toks[after]?.tag === 'X' && (i === 0 || (i === 2 && IN_ALL.test(`${toks[0]!.lower} ${toks[1]!.lower}`))))
    return { ...found, frame, from: i, to: found.to, stated: !this.determined && !isNarrowed(toks[after], toks[after + 1]) && told }
  }

  private left(frame: Phrase['frame'], from: number): Phrase | null {
    const { toks } = this
    const at = beforeRelative(toks, from)
    // A verb behind it, or behind its value, makes it a subject.
    const isSubject = frame === 'verb' ? toks.slice(at + 1, this.i).some(tok => tok.tag === 'X') : toks[this.i + 1]?.tag === 'X'
    const near = at >= 0 ? phraseLeft(toks, frame === 'verb' ? beforeSpan(toks, at) : at, frame === 'of', isSubject) : null
    const found = near && frame === 'verb' ? ((isSubject ? beforeClause(toks, at) : null) ?? describedBy(toks, near.from) ?? near) : near
    return found ? { ...found, frame, to: this.i, stated: true } : null
  }
}

/** The phrase that names the value at `i`. */
export function phraseFor(toks: readonly Tok[], i: number, kind: Kind, hasUnit: boolean, times = false): Phrase | null {
  return new Placed(toks, i, kind, hasUnit).phrase(times)
}

/** "Of the total delay, 164 days were caused by", "of the 1,231 cases 1,007 were seen": what the figure is a part of. */
export function partOf(toks: readonly Tok[], i: number, isCount: boolean): Phrase | null {
  if (toks[0]?.lower !== 'of' || i < 2 || toks.slice(1, i).some(tok => BREAK.test(tok.gap))) return null
  const counts = toks.slice(1, i).some(tok => tok.tag === 'V')
  if (!toks[i]!.gap.includes(',') && !(counts && toks[i - 1]!.tag === 'N')) return null
  const from = toks.findIndex((tok, k) => k > 0 && tok.tag === 'N')
  const found = counts && from > 0 ? phraseRight(toks, from) : phraseLeft(toks, i - 1)
  if (!found) return null
  const said = saidBehind(toks, i + 1, isCount ? 'whole' : 'part')
  return { words: [...found.words, ...said], head: found.head, from: 0, frame: 'direct', to: i, stated: true, around: said.length > 0 }
}

/** "In all 214 servers were encrypted" counts all of them. */
const IN_ALL = /^(?:in all|in total|all told)$/

/** "eight patients with", "three tenants who": the count is of some of them. */
const isNarrowed = (next: Tok | undefined, then: Tok | undefined): boolean =>
  next !== undefined &&
  next.gap === '' &&
  (/^(?:with|without|who|whose|that|which|aged|under|over|whom|where)$/.test(next.lower) || then?.lower === 'which')

/** "four of the 25 files were incomplete" counts files. */
function outOf(toks: readonly Tok[], i: number): { words: Tok[]; head: Tok; to: number } | null {
  if (toks[i + 1]?.lower !== 'of') return null
  const k = toks[i + 2]?.tag === 'D' ? i + 3 : i + 2
  return toks[k]?.tag === 'V' && toks[k]!.gap === '' ? phraseRight(toks, k + 1) : null
}
