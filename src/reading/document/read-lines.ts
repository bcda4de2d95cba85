/**
 * What stands above a statement and is said of it as well: headings, labels that name something, and the sentences before.
 * The same lines stand above many statements of a document; each is read once.
 */
import { cut } from '../../platform/storable-text.js'
import type { Period, Slot } from '../types.js'
import type { FoundPeriod } from '../values/periods.js'
import type { Identifier } from '../words/identifiers.js'
import { VERSIONS } from '../words/lists.js'
import { NO_YEAR, type Tokens, tokensOf, type Word } from '../words/tokens.js'

export interface Above {
  words: string[]
  names: string[]
  identifiers: string[]
  periods: Period[]
  slots: Slot[]
}

type Titled = readonly [role: string, form: RegExp]

/** A heading or title under which every figure has a role. */
const TITLED_ROLES: readonly Titled[] = [
  ['target', /\b(?:targets|goals|objectives)\b/i],
  ['plan', /\b(?:budget|business plan|planned)\b/i],
  ['forecast', /\b(?:forecast|projections?|outlook|guidance)\b/i],
  ['limit', /\b(?:limits|thresholds)\b/i],
  ['condition', /\b(?:scenario|stress test|assumptions?)\b/i],
]

/** A document of nothing but wishes or guesses says so in the first words of its title. */
const WHOLE_ROLES: readonly Titled[] = [
  ['target', /^(?:\p{L}+ ){0,2}(?:targets?|goals?|objectives?|promise|pledge|commitments?|ambitions?)\b/iu],
  ['plan', /^(?:\p{L}+ ){0,1}(?:budget|timetable|schedule|plan) (?:for|of|19|20)/iu],
  ['forecast', /^(?:\p{L}+ ){0,2}(?:forecast|projections?|outlook)\b/iu],
  ['estimate', /^(?:\p{L}+ ){0,2}(?:estimate|preliminary|provisional|draft|interim)\b/iu],
]

export class ReadLines {
  private readonly year: number | null
  private readonly plain = new Map<string, Tokens>()
  private readonly sections = new Map<string, string[]>()
  private readonly rolesBelow = new Map<readonly string[], readonly string[]>()
  private readonly titleRoles: readonly string[]
  private readonly headed = new Map<string, Above>()

  constructor(year: number | null, title: string) {
    this.year = year
    this.titleRoles = rolesIn(title, WHOLE_ROLES)
  }

  /** Only what has no label stands above anything. */
  tokens(text: string, labelEnd = 0): Tokens {
    if (labelEnd > 0) return tokensOf(text, this.year, labelEnd)
    return remembered(this.plain, text, () => tokensOf(text, this.year))
  }

  /** Lemmas of a heading. */
  section(heading: string): string[] {
    return remembered(this.sections, heading, () => {
      const lemmas = tokensOf(cut(heading, 160), this.year, 1000).words.map(word => word.lemma)
      return [...new Set(lemmas)].filter(lemma => lemma.length > 1).slice(0, 8)
    })
  }

  /** Roles of all that stands below the nearest of these lines; the statements of a block share the list of them. */
  titledRoles(above: readonly string[]): readonly string[] {
    return remembered(this.rolesBelow, above, () => {
      const headings = above.slice(-3).filter(heading => heading.length < 90)
      return [...TITLED_ROLES.filter(([, form]) => headings.some(heading => form.test(heading))).map(([role]) => role), ...this.titleRoles]
    })
  }

  /** What was said before in a paragraph names what is spoken of, but dates nothing behind it. */
  above(headings: readonly string[], before: readonly string[]): Above {
    const above = remembered(this.headed, headings.join('\0'), () => this.below(NOTHING_ABOVE, headings, true))
    return before.length === 0 ? above : this.below(above, before, false)
  }

  private below(above: Above, lines: readonly string[], areHeadings: boolean): Above {
    const words = new Set(above.words)
    const names = new Set(above.names)
    const identifiers = new Set(above.identifiers)
    const periods = [...above.periods]
    const slots = [...above.slots]
    for (const line of lines) {
      const tokens = this.tokens(areHeadings ? line.slice(-400) : line)
      for (const word of tokens.words) {
        words.add(word.lemma)
        if (word.name) names.add(word.lemma)
      }
      for (const each of tokens.identifiers) identifiers.add(each.key)
      if (!areHeadings) continue
      for (const each of tokens.dates) periods.push(periodOf(each))
      const slot = slotOf(tokens.words, tokens.identifiers)
      if (slot) slots.push(slot)
    }
    return {
      words: [...words].slice(0, 40),
      names: [...names].slice(0, 16),
      identifiers: [...identifiers].slice(0, 8),
      periods: periods.slice(0, 4),
      slots: slots.slice(-6),
    }
  }
}

const NOTHING_ABOVE: Above = { words: [], names: [], identifiers: [], periods: [], slots: [] }

const rolesIn = (line: string, forms: readonly Titled[]): string[] => forms.filter(([, form]) => form.test(line)).map(([role]) => role)

function remembered<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  let found = known.get(key)
  if (found === undefined) {
    found = make()
    known.set(key, found)
  }
  return found
}

/** A date without a year is compared without one. */
export function periodOf({ period, yearGuessed }: FoundPeriod): Period {
  return yearGuessed && Number(period.from.slice(0, 4)) === NO_YEAR ? { ...period, label: period.from.slice(5) } : period
}

/** The words of a line that are no names, and the names and numbers it gives. */
export function slotOf(words: readonly Word[], identifiers: readonly Identifier[]): Slot | null {
  const named = words.filter(word => word.name && word.lemma.length > 1 && !VERSIONS.has(word.lemma))
  const names = [...named.map(word => word.lemma), ...identifiers.map(each => each.key)]
  const plain = [...new Set(words.filter(word => !word.name && word.lemma.length > 1).map(word => word.lemma))].sort()
  const kinds = identifiers.map(each => each.key.split(' ')[0]!).filter(word => /^\p{L}+$/u.test(word))
  const key = [...plain, ...kinds].slice(0, 6).join(' ')
  return names.length === 0 || key === '' ? null : [key, names.slice(0, 8)]
}
