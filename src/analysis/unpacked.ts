/**
 * What the texts of a claim unpack to. Every document of a scope is compared with the same live claims, which come from the
 * store as text each time: what they unpack to is kept in a bounded table by claim, and used again only when every text it
 * was made from is the same. Each part is unpacked when it is first asked for; many are never.
 */
import type { Numbers } from './numbers.js'
import { remembered } from './remember.js'
import { isTopic } from './topics.js'
import type { PlacedClaim } from './types.js'

/** What is so or not so of what. */
export interface Core {
  head: string
  about: string[]
  predicate: string
  negated: boolean
  /** Of none of them: "no passwords were stolen". */
  none: boolean
  /** Of all of them; of some and not of others. */
  whole: boolean
  part: boolean
  /** Who acts; null where the statement is of no act. */
  agent: string[] | null
}

export interface Stated {
  core: Core | null
  /** Each thing that is said to be absent, by its words. */
  absent: readonly (readonly string[])[]
  present: ReadonlySet<string>
}

/** The words of a name and what of them tells the matter. */
interface Words {
  list: readonly string[]
  set: ReadonlySet<string>
  topics: readonly string[]
  topicSet: ReadonlySet<string>
}

/** Words as numbers of a table, in their order: what two statements share is then counted in one walk along both. */
interface Numbered {
  by: Numbers
  topics: readonly number[]
  predicates: readonly number[]
}

const NOTHING: readonly string[] = []

const split = (text: string, by: string): readonly string[] => (text === '' ? NOTHING : text.split(by).filter(Boolean))

/** The claims of a scope use the same names again and again. */
const wordsIn = remembered(4_000, (text): Words => {
  const list = split(text, ' ')
  const topics = list.filter(isTopic)
  return { list, set: new Set(list), topics, topicSet: new Set(topics) }
})
const marksIn = remembered(2_000, (text): readonly string[] => split(text, ';'))

type Hint = string | number | boolean | null | undefined

const textOf = (hint: Hint): string => (typeof hint === 'string' ? hint : String(hint ?? ''))

const unitOf = ({ value }: PlacedClaim): string | null => (value.type === 'quantity' ? value.unit : null)

export class Unpacked {
  /** The claim it was made of; of its texts only those that `isOf` compares are ever read. */
  private readonly claim: PlacedClaim
  // Declared one by one and all at once: all then share one shape, whatever was asked of them first.
  private knownWords: Words | null = null
  private knownContext: ReadonlySet<string> | null = null
  private knownDid: ReadonlySet<string> | null = null
  private knownPredicates: readonly string[] | null = null
  private knownMarks: readonly string[] | null = null
  private knownAbove: readonly string[] | null = null
  private knownAllMarks: ReadonlySet<string> | null = null
  private knownOwner: ReadonlySet<string> | null = null
  private knownSubject: readonly string[] | null = null
  private knownPrincipals: readonly string[] | null = null
  private knownAbout: readonly string[] | null = null
  private knownStated: Stated | null = null
  private knownNumbered: Numbered | null = null
  /** By the function that made it. */
  private derived: Map<unknown, unknown> | null = null

  constructor(claim: PlacedClaim) {
    this.claim = claim
  }

  /** Whether the claim has the very texts this was made from. */
  isOf(claim: PlacedClaim): boolean {
    const mine = this.claim
    if (mine === claim) return true
    if (mine.quote !== claim.quote || mine.subjectKey !== claim.subjectKey || mine.value.type !== claim.value.type) return false
    if (unitOf(mine) !== unitOf(claim)) return false
    const x = mine.hints
    const y = claim.hints
    if (x === undefined || y === undefined) return x === y
    return (
      x['terms'] === y['terms'] &&
      x['context'] === y['context'] &&
      x['marks'] === y['marks'] &&
      x['above'] === y['above'] &&
      x['principals'] === y['principals'] &&
      x['subjectFrom'] === y['subjectFrom'] &&
      x['about'] === y['about'] &&
      x['core'] === y['core'] &&
      x['clause'] === y['clause'] &&
      x['absent'] === y['absent'] &&
      x['present'] === y['present'] &&
      x['item'] === y['item'] &&
      x['did'] === y['did']
    )
  }

  get words(): Words {
    this.knownWords ??= wordsIn(textOf(this.claim.hints?.['terms']))
    return this.knownWords
  }

  get context(): ReadonlySet<string> {
    this.knownContext ??= new Set([
      ...split(textOf(this.claim.hints?.['context']), ' '),
      ...this.words.list,
      ...(this.ofDocument ? this.ofPrincipals : this.subject),
    ])
    return this.knownContext
  }

  get did(): ReadonlySet<string> {
    this.knownDid ??= wordsIn(textOf(this.claim.hints?.['did'])).set
    return this.knownDid
  }

  get predicates(): readonly string[] {
    this.knownPredicates ??= predicatesIn(textOf(this.claim.hints?.['context']))
    return this.knownPredicates
  }

  get marks(): readonly string[] {
    this.knownMarks ??= marksIn(textOf(this.claim.hints?.['marks']))
    return this.knownMarks
  }

  get above(): readonly string[] {
    this.knownAbove ??= marksIn(textOf(this.claim.hints?.['above']))
    return this.knownAbove
  }

  get allMarks(): ReadonlySet<string> {
    this.knownAllMarks ??= new Set([...this.marks, ...this.above])
    return this.knownAllMarks
  }

  get owner(): ReadonlySet<string> {
    this.knownOwner ??= new Set(this.ofDocument ? [...this.subject, ...this.ofPrincipals] : this.subject)
    return this.knownOwner
  }

  get principals(): readonly string[] {
    this.knownPrincipals ??= marksIn(textOf(this.claim.hints?.['principals']))
    return this.knownPrincipals
  }

  get subject(): readonly string[] {
    this.knownSubject ??= this.claim.subjectKey.split(' ')
    return this.knownSubject
  }

  get about(): readonly string[] {
    this.knownAbout ??= wordsIn(textOf(this.claim.hints?.['about'])).list
    return this.knownAbout
  }

  get stated(): Stated {
    const hints = this.claim.hints
    this.knownStated ??= {
      core: hints?.['core'] ? coreIn(textOf(hints['core'])) : null,
      absent: split(textOf(hints?.['absent']), ';').map(words => words.split(' ')),
      present: new Set(split(textOf(hints?.['present']), ' ')),
    }
    return this.knownStated
  }

  /** Telling words and predicates as numbers. */
  in(numbers: Numbers): Numbered {
    if (this.knownNumbered?.by === numbers) return this.knownNumbered
    const sorted = (words: Iterable<string>): number[] => Array.from(words, word => numbers.of(word)).sort((x, y) => x - y)
    this.knownNumbered = { by: numbers, topics: sorted(this.words.topicSet), predicates: sorted(this.predicates) }
    return this.knownNumbered
  }

  get item(): string | null {
    const item = this.claim.hints?.['item']
    return typeof item === 'string' ? item : null
  }

  get unit(): string | null {
    return unitOf(this.claim)
  }

  get isDate(): boolean {
    return this.claim.value.type === 'date'
  }

  /** What a function makes of it, made once. */
  once<T>(derive: (unpacked: Unpacked) => T): T {
    this.derived ??= new Map()
    const known = this.derived.get(derive)
    if (known !== undefined) return known as T
    const made = derive(this)
    this.derived.set(derive, made)
    return made
  }

  /** What a function makes of it with words as numbers of a table, made once for the table. */
  numbered<T>(numbers: Numbers, derive: (unpacked: Unpacked, numbers: Numbers) => T): T {
    this.derived ??= new Map()
    const known = this.derived.get(derive) as { numbers: Numbers; made: T } | undefined
    if (known?.numbers === numbers) return known.made
    const made = derive(this, numbers)
    this.derived.set(derive, { numbers, made })
    return made
  }

  /** What a function makes of its quote, or of the clause of it that says it; made once. */
  ofQuote<T>(derive: (quote: string) => T): T {
    this.derived ??= new Map()
    const known = this.derived.get(derive)
    if (known !== undefined) return known as T
    const made = derive(textOf(this.claim.hints?.['clause'] ?? this.claim.quote))
    this.derived.set(derive, made)
    return made
  }

  private get ofDocument(): boolean {
    return this.claim.hints?.['subjectFrom'] === 'document'
  }

  private get ofPrincipals(): string[] {
    return this.principals.flatMap(key => key.split(' '))
  }
}

const coreIn = remembered(4_000, (text): Core | null => {
  const [head, about, predicate, said, agent] = text.split('|')
  if (!head || !predicate) return null
  const [negated, of] = (said ?? '').split('+')
  return {
    head,
    about: (about ?? '').split(' ').filter(Boolean),
    predicate,
    negated: negated === 'not' || negated === 'none',
    none: negated === 'none',
    whole: of === 'all',
    part: of === 'some',
    agent: agent === undefined ? null : agent.split(' ').filter(Boolean),
  }
})

/** Words that begin with "=", without taking the others apart. */
function predicatesIn(text: string): string[] {
  const found: string[] = []
  for (let at = text.indexOf('='); at >= 0; at = text.indexOf('=', at + 1)) {
    if (at > 0 && text[at - 1] !== ' ') continue
    const end = text.indexOf(' ', at)
    found.push(text.slice(at, end < 0 ? text.length : end))
  }
  return found
}

/** A few kilobytes each: of a crowded scope the claims of some documents, of others all. */
const MOST = 4_096
const table = new Map<string, Unpacked>()

export function unpackedOf(claim: PlacedClaim): Unpacked {
  const known = table.get(claim.claimId)
  if (known?.isOf(claim)) return known
  const made = new Unpacked(claim)
  if (table.size >= MOST) table.clear()
  table.set(claim.claimId, made)
  return made
}
