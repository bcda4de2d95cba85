/** Words as they are written, and what is known of each by itself: worked out once, for words come again and again. */
import { memo } from '../memo.js'
import { kindAt, LETTER, MARK, SPACE, UPPER } from './characters.js'
import { FUNCTION_WORDS, stemOf } from './stems.js'

export interface Form {
  form: string
  lower: string
  /** Without a genitive. */
  bare: string
  stem: string
  /** Binds a sentence together, or is a day or a month: no thing. */
  idle: boolean
  /** May be the verb of a sentence, by itself or inside of one. */
  verb: boolean
  past: boolean
  capital: boolean
  genitive: boolean
  acronym: boolean
}

export interface FoundForm {
  form: Form
  start: number
  end: number
}

const VERB =
  /^(?:is|are|was|were|be|been|being|am|has|have|had|do|does|did|will|would|shall|should|may|might|can|could|must|cannot|comes?|came|stands?|stood|amounts?|amounted|costs?|lasts?|lasted|runs?|ran|ends?|ended|starts?|began|begins?|leaves?|left|takes?|took|holds?|held|employs?|owns?|weighs?|needs?|pays?|paid|gets?|got|gives?|gave|makes?|made|sells?|sold|sits?|lies|lay|goes|went|says?|said|sees?|saw|puts?|cuts?|rose|fell|grew|fell|met|lost|won|kept|sent|brought|bought|built|drove|wrote|found|led|broke|ist|sind|war|waren|wird|werden|wurde|hat|haben|est|sont|était|es|son|era|fue)$/
/** Days and months are times, not things. */
const TIMELY =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|june|july|august|september|october|november|december|today|yesterday|tomorrow)$/

export const formOf = memo(50_000, (form: string): Form => {
  const lower = form.toLowerCase()
  return {
    form,
    lower,
    bare: lower.replace(/['’]s?$/, ''),
    stem: stemOf(form),
    idle: FUNCTION_WORDS.has(lower) || TIMELY.test(lower),
    verb: VERB.test(lower),
    past: /^\p{Ll}{2,}ed$/u.test(form),
    capital: /^\p{Lu}/u.test(form),
    genitive: /['’]s$/.test(form),
    acronym: form.length > 1 && form.length <= 5 && form === form.toUpperCase(),
  }
})

export function formsIn(text: string): FoundForm[] {
  const forms: FoundForm[] = []
  for (let start = 0; start < text.length; ) {
    const end = wordEnd(text, start)
    if (end > start) forms.push({ form: formOf(text.slice(start, end)), start, end })
    start = Math.max(end, start + 1)
  }
  return forms
}

/** Letters, "don't", "A+"; where it begins if no word begins here. */
function wordEnd(text: string, start: number): number {
  const kind = kindAt(text, start)
  if ((kind & LETTER) === 0) return start
  if ((kind & UPPER) !== 0 && (kindAt(text, start - 1) & SPACE) !== 0) {
    const grade = gradeEnd(text, start)
    if (grade > 0) return grade
  }
  let at = start + 1
  for (;;) {
    while ((kindAt(text, at) & (LETTER | MARK)) !== 0) at++
    if (!isApostrophe(text, at) || (kindAt(text, at + 1) & LETTER) === 0) return at
    at += 2
  }
}

const isApostrophe = (text: string, at: number): boolean => text.charCodeAt(at) === 0x27 || text.charCodeAt(at) === 0x2019

function gradeEnd(text: string, start: number): number {
  let at = start + 1
  while (at < start + 3 && (kindAt(text, at) & UPPER) !== 0) at++
  if (text[at] !== '+' && text[at] !== '-') return 0
  return at + 1 === text.length || (kindAt(text, at + 1) & SPACE) !== 0 || '.,;)'.includes(text[at + 1]!) ? at + 1 : 0
}

/** Whether a line has a verb: it says something, and is no title. "May" is a month. */
export const hasVerb = (line: string): boolean =>
  line
    .split(/[\s,;:]+/)
    .slice(1)
    .some(word => VERB.test(word))
