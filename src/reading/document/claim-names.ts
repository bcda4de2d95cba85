/** What a claim is about, in the words of its statement: the subject, from what is named in it or above it, and the attribute. */

import { cut } from '../../platform/storable-text.js'
import { memo } from '../memo.js'
import { lemmaOf } from '../words/dictionary.js'
import type { FoundNumber, Tokens, Word } from '../words/tokens.js'
import type { Frame } from './frames.js'
import type { Profile } from './profile.js'
import type { Above } from './read-lines.js'
import type { Statement } from './statements.js'

interface Subject {
  text: string
  key: string
  certain: boolean
}

/** What a statement is about that names nothing, and nothing is named above it. */
export function topicSubject({ topic }: Profile): Subject {
  const key = [...topic.names.slice(0, 3), ...topic.identifiers.slice(0, 1)].join(' ')
  return { text: key.split(' ').map(capitalized).join(' '), key, certain: key !== '' }
}

export function subjectOf(tokens: Tokens, frame: Frame, statement: Statement, topic: Subject): Subject {
  const { words } = tokens
  const isSentence = statement.kind === 'sentence'
  const named = words.some(word => word.name)
    ? ((isSentence ? runOfNames(words.filter(word => !word.predicate)) : null) ?? runOfNames(words))
    : null
  const identifier = tokens.identifiers[0]?.key
  const text = [named, identifier].filter(Boolean).join(' ')
  if (text !== '') return { text: cut(text, 120), key: cut(text.toLowerCase(), 120), certain: true }
  return subjectAbove(frame.above) ?? topic
}

/** The same lines stand above many statements. */
const known = new WeakMap<Above, Subject | null>()

function subjectAbove(above: Above): Subject | null {
  let subject = known.get(above)
  if (subject === undefined) {
    const key = [...above.names.slice(-3), ...above.identifiers.slice(-1)].join(' ')
    subject = key === '' ? null : { text: cut(key.split(' ').map(capitalized).join(' '), 120), key: cut(key, 120), certain: true }
    known.set(above, subject)
  }
  return subject
}

export const capitalized = (word: string): string => (word ? word[0]!.toUpperCase() + word.slice(1) : word)

function runOfNames(words: readonly Word[]): string | null {
  const first = words.findIndex(word => word.name)
  if (first < 0) return null
  const run = [words[first]!]
  for (const word of words.slice(first + 1)) {
    if (!word.name || word.start - run.at(-1)!.end > 5 || run.length >= 5) break
    run.push(word)
  }
  return run.map(word => word.form.replace(/['’]s?$/, '')).join(' ')
}

/** A label is what is asked; in a sentence it is what stands before the figure, with what is counted. */
export function attributeOf(statement: Statement, tokens: Tokens, at: number, found: FoundNumber | null): { text: string; key: string } {
  if (statement.labelEnd > 0) {
    const label = statement.text.slice(0, statement.labelEnd - 1)
    return { text: cut(label, 120), key: lemmaKey(label) }
  }
  const near = tokens.words.filter(word => !word.name && (found === null || word.start < at)).slice(-4)
  const forms = near.map(word => word.form.toLowerCase())
  if (found?.counted) forms.push(found.counted)
  if (forms.length === 0) forms.push(...tokens.words.slice(0, 4).map(word => word.form.toLowerCase()))
  return { text: cut(forms.join(' '), 120), key: keyOf(forms) }
}

export const lemmaKey = memo(5_000, (text: string) => keyOf(text.match(/\p{L}[\p{L}'’-]*|\d+/gu) ?? []))

const keyOf = (words: readonly string[]): string => cut([...new Set(words.map(lemmaOf))].sort().join(' '), 120)
