/**
 * Marks: the numbers and codes that tell one thing from its neighbour ("Site 07", "Type 2", "IA-2025-009", "≥ 50", "12-month").
 * Two values whose marks of one kind differ are never about the same thing.
 */

import { matchesOf, pattern } from './pattern.js'
import { remembered } from './remember.js'
import { stem } from './words.js'

const KINDS = new Set(
  `site phase patient unit plant block line lot batch well tower building floor cohort arm tier type class grade stage scenario cycle cluster zone region
   project contract treaty claim policy account fund series tranche option model train reactor turbine substation feeder pump tank vessel stack borehole segment division
   case observation finding incident ticket level step part stream lane bay ward room clause schedule amendment round wave sample station milestone package work-package
   recommendation article item lease parcel plot vehicle aircraft ship route panel string array inverter boiler chiller server node release sprint question group
   gate door engine berth track cell silo dam kiln furnace conveyor crane elevator lift compressor generator transformer filter valve shaft tunnel bridge pier dock hangar runway hatch deck column reactor line container hall wing basin quay warehouse apartment shed`
    .split(/\s+/)
    .filter(Boolean),
)
const REFERENCES = new Set(
  'document section art article appendix annex page table figure note chapter guideline regulation directive exhibit attachment volume paragraph footnote slide version ref no'.split(
    ' ',
  ),
)
const ROMAN: Record<string, string> = { i: '1', ii: '2', iii: '3', iv: '4', v: '5', vi: '6', vii: '7', viii: '8', ix: '9', x: '10' }

const LABELLED =
  /\b([\p{L}]{3,14})\s(?:no\.?\s|nr\.?\s|#)?(\d{1,6}(?:[-/]\d{1,5}){0,2}[A-Za-z]?|[IVX]{1,4}|[A-Z])(?![\p{L}\p{N}%-]|[.,]\d|\s?%)/giu
const CODE = /\b(?:\p{Lu}[\p{L}]{0,11}[-/_]?(?=[\p{L}\d/_-]*\d)[\p{L}\d]+(?:[-/_.][\p{L}\d]+)*|\d{2,4}-\d{3,5}(?:-\d{1,5})?)\b(?!\s?%)/gu
const COMPARED = /(>=|<=|≥|≤|<|>)\s?(\d[\d.,]*)/g
const SPANNED = pattern(/\b(\d{1,3})[-\s](month|year|day|week|hour|quarter)s?\b/gi)
const ORDINAL = pattern(/\b(\d{1,3})(?:st|nd|rd|th)\s([\p{L}]{3,})/gu)
/** What must stand in a text for a kind to be numbered in it. */
const SOME_KIND = pattern(new RegExp(`\\b(?:${[...KINDS].join('|')})s?\\s`, 'iu'))
const SPLIT_RANGE = /\b(\d{1,3})\s?[-–]\s?(\d{1,3})\s?%/g

/** "CET1", "CO2", "FEV1", "P2R": a short word with a digit names what is measured, it numbers nothing. */
const MEASURE = /^(?:\p{L}{2,4}\d|\p{Lu}\d\p{Lu})$/u

/** "MJ/Nm3": one unit over another. */
const QUOTIENT = /^\p{L}{1,4}\/\p{L}{1,3}[23]?$/u

const PERIODIC = /^(?:[QH][1-4]|FY\d*|(?:19|20)\d{2}.*|\d{4}-\d{2}(?:-\d{2})?)$/i

/** Marks as "kind:number", without repeats. Text should be short: a label, a heading, a clause. */
export function marksOf(text: string, headings = false, codes = true): string[] {
  return text.length > 400 ? [] : [...(headings ? (codes ? inHeading : inTitle) : codes ? inText : inPlain)(text)]
}

/** Every mark has a number, or a capital that stands alone. */
const MARKED = /\d|\b[A-Z]\b|\b[IVX]{2,4}\b/
const NONE: readonly string[] = []

/** Labels and headings come again and again. */
const reading = (headings: boolean, codes: boolean): ((text: string) => readonly string[]) =>
  remembered(512, text => (MARKED.test(text) ? readMarks(text, headings, codes) : NONE))
const inHeading = reading(true, true)
const inTitle = reading(true, false)
const inText = reading(false, true)
const inPlain = reading(false, false)

function readMarks(text: string, headings: boolean, codes: boolean): string[] {
  const marks = new Set<string>()
  for (const match of SOME_KIND.possible(text) ? matchesOf(LABELLED, text) : []) {
    const kind = match[1]!.toLowerCase().replace(/s$/, '')
    if (REFERENCES.has(kind) || (headings && !KINDS.has(kind))) continue
    const raw = match[2]!
    // "New cases 2031": a year numbers nothing.
    if (/^(?:19|20)\d{2}$/.test(raw)) continue
    const number = /^\d/.test(raw) ? raw.replace(/^0+(?=\d)/, '').toLowerCase() : (ROMAN[raw.toLowerCase()] ?? raw.toLowerCase())
    if (!KINDS.has(kind)) continue
    if (!/^\d/.test(raw) && raw !== raw.toUpperCase()) continue
    marks.add(`${kind}:${number}`)
  }
  for (const match of codes && /\d/.test(text) ? matchesOf(CODE, text) : []) {
    const code = match[0]
    if (!/\d/.test(code) || code.length < 3 || PERIODIC.test(code) || MEASURE.test(code) || QUOTIENT.test(code)) continue
    const shape = code.replace(/\d+/g, '#').toLowerCase()
    marks.add(`code ${shape}:${code.toLowerCase()}`)
  }
  const size = text.includes('=') ? /\bn\s?=\s?(\d{1,6})\b/i.exec(text) : null
  if (size) marks.add(`n:${size[1]}`)
  for (const match of ORDINAL.all(text)) marks.add(`ord ${match[2]!.toLowerCase()}:${match[1]}`)
  if (!headings) {
    for (const match of matchesOf(COMPARED, text)) marks.add(`cmp:${match[1]!.replace('>=', '≥').replace('<=', '≤')}${match[2]}`)
    for (const match of SPANNED.all(text)) marks.add(`span ${match[2]!.toLowerCase()}:${match[1]}`)
    for (const match of text.includes('%') ? matchesOf(SPLIT_RANGE, text) : []) marks.add(`cmp:${match[1]}-${match[2]}`)
  }
  return [...marks].slice(0, 8)
}

/** A code long enough to name one thing alone: "IA-2025-009", not "F3". */
export const isTellingCode = (mark: string): boolean => mark.startsWith('code') && mark.length - mark.lastIndexOf(':') > 4

const OPENING =
  /^(?:the\s)?(\p{Lu}\p{L}{2,19})\s(?:no\.?\s|nr\.?\s|#)?(\d{1,6}(?:[-/]\d{1,5}){0,2}[A-Za-z]?|[A-Z](?:-?\d{1,4})?)\s(?:has|had|have|is|was|were|will|did|does|reports?|reported|records?|recorded|shows?|showed|posts?|posted|achieved|produces?|produced|generates?|generated|receives?|received|pays?|paid|holds?|held|contains?|contained|uses?|used|consumes?|consumed|sells|sold|earns?|earned|delivers?|delivered|spends?|spent|carries|carried|costs?|employs?|employed|processed|treated|enrolled|made|makes|lost|gained|owes?|owed|measures?|measured|weighs?|weighed)\b/u

/** Marks of whom a sentence is about: "Site 12-3 reported …", "Unit B had …", "In contract 77-1 …". */
export function subjectMarks(text: string): string[] {
  const bounded = text.slice(0, 160)
  const marks = marksOf(bounded, true, false).filter(isEntityMark)
  const opening = OPENING.exec(bounded)
  if (opening && !REFERENCES.has(opening[1]!.toLowerCase()) && !PERIODIC.test(opening[2]!)) {
    const mark = `${opening[1]!.toLowerCase()}:${opening[2]!.replace(/^0+(?=\d)/, '').toLowerCase()}`
    if (!marks.includes(mark)) marks.push(mark)
  }
  return marks
}

const IDENTIFIED = /\b(\p{L}{3,14})\s(?:no\.?\s|nr\.?\s|#)?(?:\d{1,6}[-/])*$/iu

/** Whether the number that starts here only tells one thing from its neighbours: the 77 and the 1 of "Contract 77-1". */
export function isIdentifier(text: string, start: number, end: number): boolean {
  const before = IDENTIFIED.exec(text.slice(Math.max(0, start - 40), start))
  if (!before || !KINDS.has(before[1]!.toLowerCase())) return false
  return /\d[-/]$/.test(before[0]) || /^[-/]\d/.test(text.slice(end, end + 2))
}

/** Kinds that name one thing among many; a value of one is no value of all. */
const ENTITY_KINDS = new Set(
  'site patient unit plant block lot batch well tower building floor zone region fund lease treaty batch parcel plot vehicle aircraft ship pump tank vessel ward room station turbine boiler substation feeder line gate engine generator transformer compressor crane berth container branch store'.split(
    ' ',
  ),
)

export const isEntityMark = (mark: string): boolean => ENTITY_KINDS.has(markKind(mark)) || /^code #-#/.test(mark)

const KIND_STEMS = new Set([...KINDS].map(kind => stem(kind)))

/** Words that only say which kind of mark follows: "Grade 3". */
export const isMarkKind = (term: string): boolean => KIND_STEMS.has(term)

/** Whether the number behind this word only names: "gate 4". */
export const namesByNumber = (lower: string): boolean => KINDS.has(lower)

export const markKind = (mark: string): string => mark.slice(0, mark.lastIndexOf(':'))
