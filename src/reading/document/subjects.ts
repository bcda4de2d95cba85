/** What a claim is about, in words as a person would write them: the subject, from what is named in it or above it, and the attribute. */
import { cut } from '../../platform/storable-text.js'
import type { Tokens, Word } from '../words/tokens.js'
import type { Profile } from './profile.js'
import { stemsOf } from './says.js'
import type { Statement } from './statements.js'

export interface Subject {
  text: string
  key: string
}

const LONGEST = 120
const named = (text: string): Subject => ({ text: cut(text, LONGEST), key: cut(text.toLowerCase(), LONGEST) })

/** A name in the statement, else one above it, else what the document is about, else the heading it stands under. */
export function subjectOf(statement: Statement, tokens: Tokens, above: { text: string } | null, profile: Profile): Subject {
  const own = nameIn(statement, tokens)
  if (own !== null) return named(own)
  if (above !== null) return named(above.text)
  if (profile.called !== '') return named(profile.called)
  return named(quietly(statement.heading || profile.title || ''))
}

/** Names and numbered things beside each other, as they are written. A name that is the answer is not what is asked about. */
function nameIn({ text, kind, labelEnd }: Statement, { words, identifiers }: Tokens): string | null {
  const asked = kind === 'sentence' ? words : words.filter(({ start }) => start < labelEnd)
  const run = runOfNames(asked.filter(word => !word.predicate))
  // "Turbine 12": the number belongs to the name.
  const end = identifiers.find(({ start }) => start - 1 === run?.end)?.end ?? run?.end ?? 0
  const own = run === null ? null : withNoun(text, { ...run, end }, words)
  if (own !== null) return own
  const id = identifiers.find(({ start }) => kind === 'sentence' || start < labelEnd)
  if (!id) return null
  const noun = words.filter(word => word.end <= id.start).at(-1)
  const said = text.slice(noun && id.start - noun.end <= 2 ? noun.start : id.start, id.end)
  return /\p{L}/u.test(said) ? said : null
}

/** "cellar B": a letter alone names nothing without the word before it. */
function withNoun(text: string, run: { start: number; end: number }, words: readonly Word[]): string | null {
  const said = text.slice(run.start, run.end).replace(/['’]s?$/, '')
  if (said.length > 1) return said
  const noun = words.find(word => word.end === run.start - 1)
  return noun ? text.slice(noun.start, run.end) : null
}

function runOfNames(words: readonly Word[]): { start: number; end: number } | null {
  const first = words.findIndex(({ name }) => name)
  if (first < 0) return null
  let last = words[first]!
  for (const word of words.slice(first + 1)) {
    if (!word.name || word.start - last.end > 5 || word.start - words[first]!.start > 60) break
    last = word
  }
  return { start: words[first]!.start, end: last.end }
}

/** The names of the nearest line above that has one. */
export function subjectAbove(lines: readonly string[], read: (line: string) => Tokens): { text: string } | null {
  for (const line of lines.slice(-6).reverse()) {
    const { words } = read(line)
    const run = runOfNames(words)
    const said = run === null ? null : withNoun(line, run, words)
    if (said !== null) return { text: said }
  }
  return null
}

/** "KEY OUTCOMES": a heading in capitals names nothing louder than others do. */
const quietly = (heading: string): string =>
  /^\p{Lu}[^\p{Ll}]{4,}$/u.test(heading) ? heading[0]! + heading.slice(1).toLowerCase() : heading

const VERB =
  /\s(?:is|are|was|were|has|have|had|will|shall|would|should|must|may|can|could|does|do|did|cannot|comes? to|came to|amounts? to|amounted to|stands? at|stood at|(?<!(?:^|\s)(?:[Tt]he|[Aa]n?|[Oo]f|[Oo]ur|[Ii]ts|[Tt]heir|and|or|[Ii]n|[Ff]or|[Aa]ll|[Nn]o|[Aa]ny|[Ee]ach)\s)\p{Ll}{2,}ed|costs?|lasts?|runs?|takes?|holds?|employs?|weighs?|pays?|rose|fell|grew|ist|sind|war|wird|beträgt|est|sont)\s/u
const LEADING = /^(?:(?:the|a|an|our|its|their|this|that|in|on|at(?! (?:most|least))|for|of|der|die|das|le|la|les|el)\s)+/i

/** A label is what is asked; in a sentence it is what stands before the verb, or before the value where nothing does. */
export function attributeOf(statement: Statement, valueAt: number): { text: string; key: string } {
  const { text, labelEnd } = statement
  const said = labelEnd > 0 ? text.slice(0, labelEnd - 1) : phraseOf(text, valueAt)
  return { text: cut(said, LONGEST), key: lemmaKey(said) }
}

/** Without words that lead to what follows. */
const bare = (phrase: string): string =>
  phrase
    .replace(LEADING, '')
    .replace(/(?:[\s,;:(]+(?:that|which|who|at|in|on|of|to|the|an?|for|by|from|with|within|and|only))*[\s,;:(]*$/i, '')

function phraseOf(text: string, valueAt: number): string {
  const verb = VERB.exec(text)
  const head = verb && verb.index >= 3 ? text.slice(0, verb.index) : ''
  const phrase = bare(head)
  if (/\p{L}{3}/u.test(phrase) && phrase.length <= 80 && !/^(?:i|we|they|he|she|it|this|that|there)$/i.test(phrase)) return phrase
  const before = valueAt > 8 ? text.slice(0, valueAt) : text
  return bare(cut(before.replace(LEADING, ''), 80).replace(/\s\S*$/, last => (before.length > 80 ? '' : last)))
}

export function lemmaKey(text: string): string {
  const stems = stemsOf(text).sort()
  return cut(stems.filter((stem, at) => stem !== stems[at - 1]).join(' '), LONGEST)
}
