/** A claim while it is being read: offsets of the normalized text, names still as ordered terms. */
import type { Block } from './blocks.js'
import type { Core } from './cores.js'
import { marksOf } from './marks.js'
import { pattern } from './pattern.js'
import { findPeriods, mergeRanges } from './periods.js'
import type { ReadProfile } from './profile.js'
import type { Mood, Times } from './relate-dates.js'
import { roleIn, versionIn } from './roles.js'
import { contextTerms } from './slots.js'
import type { ClaimRole, ClaimValue, ExtractedClaim, Period } from './types.js'

export interface Draft {
  start: number
  end: number
  /** Content terms of the name in order; the head is the term that says what is measured. */
  terms: string[]
  head: string
  attribute: string
  /** Marks of the name itself, and of what stands above it. */
  marks: string[]
  aboveMarks: string[]
  /** Further words around: the sentence, the headings. */
  context: string[]
  role: ClaimRole
  period: Period | null
  /** Written at the value, its column or its section, not only on the document. */
  periodExplicit: boolean
  polarity: ExtractedClaim['polarity']
  modality: ExtractedClaim['modality']
  value: ClaimValue
  valueText: string
  confidence: number
  stance: ExtractedClaim['stance']
  /** An older value of the same thing that the text cites beside this one. */
  prior: { low: number; high: number } | null
  version: 'old' | 'new' | null
  frame: 'pair' | 'cell' | 'prose' | 'state'
  /** Where the words are that may name the subject, nearest first. */
  subjectText: string
  part: string | null
  /** What stands above the name, nearest first; it completes names that occur more than once. */
  parents: string[]
  /** "9/116": the 116. */
  denominator: number | null
  /** States: whether the words leave the matter open or settle it; mild words settle only what the same words left open. */
  valence?: 'open' | 'done' | 'mild' | 'plain'
  /** The section is about a disagreement. */
  disputed?: boolean
  /** States: telling words of what the statement is about. */
  about?: string[]
  /** States: what is so or not so of what, and what is said to be absent or there. */
  core?: Core | null
  absent?: string[][]
  /** States: the clause of its sentence that says it, where the sentence says more. */
  clause?: string
  present?: string[]
  /** States: the numbered entry whose status it is. */
  item?: string | null
  /** Values of a scale: what it was before, in the same scale. */
  priorGrade?: string
  /** Values of a scale: the words say what is graded, and that this is its value. */
  graded?: boolean
  /** Values of a scale: words for who gives it. */
  rater?: string[]
  /** States: the value stands behind a label. */
  labelled?: boolean
  /** The words at the value present it as the newest one. */
  update?: boolean
  /** An earlier period's value beside a later one. */
  comparative?: boolean
  /** "No more than 96 were there": a bound stated as a fact, not a limit somebody sets. */
  bounded?: boolean
  /** The sentence sets this value against the one before it. */
  rival?: boolean
  /** Bare counts: what the rest of the sentence says of them. */
  said?: string[]
  /** Terms of the name that say what happened to the thing, and whether only to a part of it. */
  did?: string[]
  ofPart?: boolean
  /** Dates: whether it tells what was, what is planned, until when it is due or the last day allowed. */
  mood?: Mood
  /** Dates: the event may have happened more than once, to some of many things or over the years. */
  times?: Times
  /** Dates: the event happens once, and the name does not say to which of several things. */
  once?: string
  /** Dates: the label names the event alone. */
  bare?: boolean
  /** Too loosely named to accuse anyone. */
  weak: boolean
}

/** What every block of a section shares, read once per path. */
export interface Surroundings {
  context: string[]
  marks: string[]
  role: ClaimRole | null
  period: Period | null
  version: 'old' | 'new' | null
  text: string
  /** The headings or the title speak of a disagreement. */
  disputed: boolean
}

const DISAGREES = pattern(/\b(?:discrepan|conflict|disput|disagree|contradict|versus|vs\b)/i)

export interface ReadContext {
  text: string
  profile: ReadProfile
  surroundings: Map<string, Surroundings>
}

/** Only these roles are inherited from a heading; a heading "Targets and results" would mislabel results. */
const INHERITED = new Set<ClaimRole>(['scenario', 'forecast', 'budget', 'hypothetical', 'proposed'])

export function surroundingsOf(context: ReadContext, block: Block): Surroundings {
  const key = block.path.join('\n')
  const known = context.surroundings.get(key)
  if (known) return known
  const text = block.path.join(' — ').slice(-400)
  let role: ClaimRole | null = null
  let period: Period | null = null
  let version: 'old' | 'new' | null = null
  for (let i = block.path.length - 1; i >= 0; i--) {
    const heading = block.path[i]!.slice(0, 200)
    const found = roleIn(heading)
    if (role === null && /\b(?:baseline|actual|reported|current position|starting position|status quo)\b/i.test(heading)) role = 'actual'
    if (role === null && found && INHERITED.has(found) && !/\bguidance\b/i.test(heading)) role = found
    if (role === null && /^if\b/i.test(heading)) role = 'hypothetical'
    if (period === null) {
      const periods = mergeRanges(heading, findPeriods(heading, context.profile.year)).filter(item => item.period.grain !== 'range')
      const usable = periods.filter(
        item => item.period.grain !== 'day' || /\b(?:as (?:of|at)|at|ended|ending|position)\s*$/i.test(heading.slice(0, item.start)),
      )
      if (usable.length === 1) period = usable[0]!.period
    }
    version ??= versionIn(heading)
  }
  const made = {
    context: contextTerms(text, 40),
    marks: block.path.flatMap(heading => marksOf(heading.slice(0, 300), true, true)),
    role,
    period,
    version,
    text,
    disputed: DISAGREES.test(`${text} ${context.profile.titleTerms}`),
  }
  context.surroundings.set(key, made)
  return made
}
