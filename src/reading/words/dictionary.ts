/**
 * What a word is and what it has to do with another: lemma, part of speech, rarity, synonym, opposite, sibling. All of it
 * comes from the word table; only irregular forms are written down here, because the table has none.
 */
import { memo } from '../memo.js'
import { readTableFile } from './table-file.js'
import { findWord, type Lists, readWordTable, type WordTable, wordAt } from './table-format.js'

export const NOUN = 1
export const VERB = 2
export const ADJECTIVE = 4

const PROPER = 64
/** Of a word the sample documents do not have. */
const RAREST = 6

const IRREGULAR = new Map(
  `arose arisen=arise ate eaten=eat beaten=beat born=birth became=become began begun=begin bent=bend bit bitten=bite blew blown=blow broke broken=break
   brought=bring built=build burnt=burn bought=buy caught=catch chose chosen=choose came=come cost=cost cut=cut dealt=deal drew drawn=draw
   drove driven=drive drank drunk=drink dug=dig fed=feed fell fallen=fall felt=feel fought=fight found=find fled=flee flew flown=fly
   forbade forbidden=forbid froze frozen=freeze gave given=give went gone=go grew grown=grow held=hold heard=hear hid hidden=hide
   hit=hit hurt=hurt kept=keep knew known=know laid=lay led=lead learnt=learn left=leave lent=lend let=let lost=lose made=make
   meant=mean met=meet paid=pay put=put ran=run rang rung=ring read=read rode ridden=ride rose risen=rise said=say sat=sit saw seen=see
   sold=sell sent=send set=set shook shaken=shake shone=shine shot=shoot shrank shrunk=shrink shut=shut slept=sleep slid=slide
   spoke spoken=speak spent=spend split=split spread=spread stood=stand stole stolen=steal struck=strike stuck=stick sank sunk=sink
   swore sworn=swear swept=sweep swam=swim took taken=take taught=teach told=tell thought=think threw thrown=throw tore torn=tear
   understood=understand withdrew withdrawn=withdraw withheld=withhold woke=wake won=win wore worn=wear wrote written=write overran=overrun
   undertook undertaken=undertake oversaw overseen=oversee forgave=forgive borne bore=bear men=man women=woman children=child people=person
   feet=foot teeth=tooth indices=index criteria=criterion phenomena=phenomenon analyses=analysis bases=basis crises=crisis data=data
   lives=life wives=wife halves=half shelves=shelf media=medium staff=staff premises=premises series=series is=be are=be was=be were=be been=be
   has=have had=have did=do does=do done=do`
    .split(/\s+/)
    .join(' ')
    .split(/(?<==\S+) /)
    .flatMap(entry => {
      const [forms = '', lemma = ''] = entry.split('=')
      return forms.split(' ').map(form => [form, lemma] as const)
    }),
)

let table: WordTable | null = null

/** The table every thread reads; a host may hand in memory it shares between them. */
export function useWordTable(buffer: ArrayBufferLike): void {
  table = readWordTable(buffer)
}

function words(): WordTable {
  table ??= readWordTable(readTableFile())
  return table
}

const MOST_REMEMBERED = 50_000

/** Place of a lemma in the table, -1 for none. */
const numberOf = memo(MOST_REMEMBERED, (word: string) => findWord(words(), word))

export const isKnown = (word: string): boolean => numberOf(word) >= 0

/** Bits of the parts of speech a lemma can be; 0 for an unknown word. */
export function partsOf(lemma: string): number {
  const at = numberOf(lemma)
  return at < 0 ? 0 : words().parts[at]! & 15
}

/** The commonest part of speech of a lemma; a noun where nothing is known. */
export function partOf(lemma: string): number {
  const at = numberOf(lemma)
  return at < 0 ? NOUN : 1 << ((words().parts[at]! >> 4) & 3)
}

/** A word that is only ever written with a capital: London, Peter. */
export function isProper(lower: string): boolean {
  const at = numberOf(lower)
  return at >= 0 && (words().parts[at]! & PROPER) !== 0
}

/** How much it tells that two statements share a word: 0 for what every document says, 6 for what none does. */
export function rarity(lemma: string): number {
  const at = numberOf(lemma)
  const { documents, uses } = words()
  return at < 0 ? RAREST : Math.min(RAREST, Math.log(1 + documents / (1 + uses[at]!)))
}

export const lemmaOf = memo(MOST_REMEMBERED, (form: string) => findLemma(form.toLowerCase().replace(/['’]s?$/, '')))

function findLemma(word: string): string {
  const irregular = IRREGULAR.get(word)
  if (irregular !== undefined) return irregular
  return (
    candidates(word).find(candidate => candidate.length > 1 && isKnown(candidate) && (candidate === word || !isProper(candidate))) ?? word
  )
}

/** Simpler forms first: "services" is a service although the table has "services" as well. */
function candidates(word: string): string[] {
  if (word.endsWith('ss') || word.endsWith('us') || word.endsWith('is')) return [word]
  if (word.endsWith('ies')) return [`${word.slice(0, -3)}y`, word.slice(0, -1), word]
  if (/(?:[sxz]|ch|sh)es$/.test(word)) return [word.slice(0, -2), word.slice(0, -1), word]
  if (word.endsWith('s')) return [word.slice(0, -1), word.slice(0, -2), word]
  if (word.endsWith('ied')) return [`${word.slice(0, -3)}y`, word]
  if (word.endsWith('ed')) return [...doubled(word.slice(0, -2)), word.slice(0, -1), word.slice(0, -2), word]
  // A meeting and a building are things before they are acts.
  if (word.endsWith('ing') && isKnown(word) && partOf(word) === NOUN) return [word]
  if (word.endsWith('ing')) return [...doubled(word.slice(0, -3)), `${word.slice(0, -3)}e`, word.slice(0, -3), word]
  return [word]
}

/** "planned" is of "plan", "billed" of "bill". */
function doubled(stem: string): string[] {
  if (!/([^aeiou])\1$/.test(stem)) return []
  return /(?:ll|ss)$/.test(stem) ? [stem, stem.slice(0, -1)] : [stem.slice(0, -1), stem]
}

const SAME = 1
const OPPOSITE = 2
const relationOf = memo(MOST_REMEMBERED * 4, (key: number) => findRelation(Math.floor(key / 0x20000), key % 0x20000))

function relation(a: string, b: string): number {
  const [x, y] = [numberOf(a), numberOf(b)]
  if (x < 0 || y < 0) return 0
  return relationOf(x < y ? x * 0x20000 + y : y * 0x20000 + x)
}

function findRelation(a: number, b: number): number {
  const { senses, derived, opposed, parents } = words()
  if (has(opposed, a, b) || has(opposed, b, a)) return OPPOSITE
  let found = 0
  if (has(derived, a, b) || has(derived, b, a)) found |= SAME
  const [fromA, toA] = rangeOf(senses, a)
  const [fromB, toB] = rangeOf(senses, b)
  for (let i = fromA; i < toA; i++)
    for (let k = fromB; k < toB; k++) {
      const x = senses.items[i]!
      const y = senses.items[k]!
      if (x === y) found |= SAME
      const up = parents[x >> 2]!
      const over = parents[y >> 2]!
      // Of verbs the more general one stands for the more special: "enrol" for "recruit".
      if ((x & 3) === 1 && (y & 3) === 1 && (up === y >> 2 || over === x >> 2)) found |= SAME
    }
  return found
}

function rangeOf({ ends }: Lists, at: number): [number, number] {
  return [at === 0 ? 0 : ends[at - 1]!, ends[at]!]
}

function has(lists: Lists, at: number, item: number): boolean {
  const [from, to] = rangeOf(lists, at)
  for (let i = from; i < to; i++) if (lists.items[i] === item) return true
  return false
}

const MOST_SYNONYMS = 60

/** Every lemma that may stand for this one, so that a set of words can be asked for it without going through the set. */
export const synonymsOf = memo(MOST_REMEMBERED, (lemma: string): readonly string[] => {
  const at = numberOf(lemma)
  if (at < 0) return []
  const { senses, derived, parents } = words()
  const { members, children } = inverted()
  const found = new Set<number>()
  const take = (lists: Lists, list: number, each: (item: number) => void): void => {
    const [from, to] = rangeOf(lists, list)
    for (let i = from; i < to; i++) each(lists.items[i]!)
  }
  const addMembers = (group: number): void => take(members, group, member => found.add(member))
  take(derived, at, item => found.add(item))
  take(senses, at, sense => {
    const group = sense >> 2
    addMembers(group)
    if ((sense & 3) !== 1) return
    if (parents[group]! >= 0) addMembers(parents[group]!)
    take(children, group, addMembers)
  })
  found.delete(at)
  return [...found]
    .map(number => wordAt(words(), number))
    .filter(word => !isOpposite(lemma, word))
    .slice(0, MOST_SYNONYMS)
})

let inverse: { members: Lists; children: Lists } | null = null

/** Which words have a sense, and which senses of verbs are kinds of another. */
function inverted(): { members: Lists; children: Lists } {
  if (inverse !== null) return inverse
  const { count, senses, parents } = words()
  const members = grouped(parents.length, put => {
    for (let word = 0, i = 0; word < count; word++) for (; i < senses.ends[word]!; i++) put(senses.items[i]! >> 2, word)
  })
  const children = grouped(parents.length, put => {
    const seen = new Uint8Array(parents.length)
    for (const sense of senses.items) {
      const group = sense >> 2
      if ((sense & 3) !== 1 || seen[group] === 1 || parents[group]! < 0) continue
      seen[group] = 1
      put(parents[group]!, group)
    }
  })
  inverse = { members, children }
  return inverse
}

/** Lists by key, each in the order of the pairs that `pairs` puts, twice the same: first they are counted. */
function grouped(keys: number, pairs: (put: (key: number, item: number) => void) => void): Lists {
  const ends = new Uint32Array(keys)
  pairs(key => ends[key]!++)
  let end = 0
  for (let key = 0; key < keys; key++) {
    const own = ends[key]!
    ends[key] = end
    end += own
  }
  const items = new Uint32Array(end)
  pairs((key, item) => {
    items[ends[key]!++] = item
  })
  return { ends, items }
}

/** Whether one lemma may stand for the other. */
export const isSame = (a: string, b: string): boolean => a === b || (relation(a, b) & (SAME | OPPOSITE)) === SAME

/** Few words have an opposite at all. */
export function isOpposite(a: string, b: string): boolean {
  const at = numberOf(a)
  if (at < 0) return false
  const { opposed } = words()
  const other = numberOf(b)
  return other >= 0 && (has(opposed, at, other) || has(opposed, other, at))
}
