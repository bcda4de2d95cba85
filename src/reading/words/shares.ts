/** How many of a number of things, in words: "all of the boxes", "hardly any of the pallets", "two of the seven trustees". */
import { matchesOf } from '../matches.js'
import { NUMBER_WORDS } from '../values/unit-table.js'
import { CUE } from './cues.js'
import { lemmaOf, NOUN, partsOf } from './dictionary.js'

export interface Share {
  /** Per cent of them. */
  low: number
  high: number
  /** Lemma of what there are several of. */
  of: string
  text: string
}

const NUMBER = '\\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|twenty'
const SHARE = new RegExp(
  `\\b(?:(all|every(?: single)?(?: one)?|each(?: one)?|both|most|the majority|more than half|fewer than half|less than half|hardly any|barely any|scarcely any|only a few|just a few|a few|few|a handful|none|not one|barely half|only half|half|a third|two thirds|a quarter|three quarters)|(?:only |just |exactly )?(${NUMBER}))(?: of)?(?: the| our| its| their| these| those)?(?: (${NUMBER}))? ((?:\\p{Ll}[\\p{Ll}-]*|\\p{Lu}\\p{Ll}+)(?: \\p{Ll}[\\p{Ll}-]*){0,2})`,
  'giu',
)
/** What every share between two numbers has. */
const OF_SO_MANY = new RegExp(` of(?: the| our| its| their| these| those)? (?:${NUMBER}) `, 'i')
/** From and to how many per cent. */
const SIZES = new Map(
  `100 100 all, every, each, both
   50.5 99 most, the majority
   50.5 100 more than half
   0.1 49.5 fewer than half, less than half
   0.1 20 hardly any, barely any, scarcely any
   0.1 45 only a few, just a few, few, a handful
   0 0 none, not one
   45 52 barely half
   48 52 only half, half
   31 36 a third
   64 69 two thirds
   23 27 a quarter
   73 77 three quarters`
    .split('\n')
    .flatMap(line => {
      const [low, high, ...words] = line.trim().split(' ')
      return words
        .join(' ')
        .split(', ')
        .map(word => [word, [Number(low), Number(high)] as const] as const)
    }),
)

const PERCENT =
  /\b(\d{1,2}(?:\.\d+)?)\s?(?:%|per ?cent) of (?:all |the |our |its |their |those )*((?:\p{L}[\p{L}-]*)(?: \p{Ll}[\p{Ll}-]*){0,2})/u

/** The first one of a statement: a second is of something else. */
export function shareIn(text: string, { cues, digit }: { cues: number; digit: boolean }): Share | null {
  const isCounted = (cues & CUE.of) !== 0 && (digit || (cues & CUE.number) !== 0)
  const isNamed = (cues & CUE.share) !== 0
  if (!isCounted && !isNamed) return null
  const percent = isCounted ? PERCENT.exec(text) : null
  const what = (percent?.[2] ?? '')
    .split(' ')
    .map(lemmaOf)
    .find(lemma => (partsOf(lemma) & NOUN) !== 0)
  if (percent && what) return { low: Number(percent[1]) - 0.5, high: Number(percent[1]) + 0.5, of: what, text: `${percent[1]}%` }
  if (!isNamed && !OF_SO_MANY.test(text)) return null
  for (const match of matchesOf(SHARE, text)) {
    const [whole, word, count, total, phrase] = match
    const of = phrase!
      .split(' ')
      .map(lemmaOf)
      .find(lemma => (partsOf(lemma) & NOUN) !== 0)
    if (of === undefined) continue
    const number = (form: string): number => NUMBER_WORDS[form.toLowerCase()] ?? Number(form)
    if (count !== undefined) {
      // A count alone is a figure of its own; of so many it is a share.
      if (total === undefined || !/ of /.test(whole) || number(total) <= 0 || number(count) > number(total)) continue
      const share = (100 * number(count)) / number(total)
      return { low: share - 0.5, high: share + 0.5, of, text: `${count} of ${total}` }
    }
    const size = SIZES.get(word!.toLowerCase().replace(/^(every|each).*/, '$1'))
    if (size) return { low: size[0], high: size[1], of, text: word! }
  }
  return null
}
