/** Scales on which things are graded, and the words that say how something is graded instead of what. */
import { stem } from './words.js'

/** Sets of values one thing can have only one of at a time. */
export const GRADED = new Set([
  'level',
  'finding',
  'outlook',
  'loan standing',
  'credit rating',
  'numbered rating',
  'light',
  'grade',
  'consequence',
  'numbered class',
  'numbered category',
  'numbered tier',
  'numbered stage',
  'numbered level',
  'numbered band',
])

/** Scales so common that citing a value does not tell of what it is. */
export const COMMON_SCALES = new Set([
  'level',
  'finding',
  'numbered stage',
  'numbered level',
  'numbered category',
  'numbered class',
  'numbered tier',
  'numbered band',
])

const SCALE = new Set(
  `risk rating status outlook category classification class grade severity level standing score credit issuer corporate long-term long term senior
   internal external programme program project current overall company area matter facility view office data provisional`
    .split(/\s+/)
    .map(word => stem(word)),
).add('risk+rating')

/** "the overall risk rating": none of the words tells what is rated. */
export const isScaleWord = (term: string): boolean => SCALE.has(term)
