/**
 * A claim unpacked for comparing. Most claims that are fetched are compared with nothing, and most comparisons end at the
 * first look, so every part is unpacked when it is first asked for and then kept.
 */
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

const NOTHING: readonly string[] = []

const split = (text: string, by: string): readonly string[] => (text === '' ? NOTHING : text.split(by).filter(Boolean))

/** The claims of a scope use the same names again and again, and come from the store as text each time. */
const wordsIn = remembered(4_000, (text): Words => {
  const list = split(text, ' ')
  const topics = list.filter(isTopic)
  return { list, set: new Set(list), topics, topicSet: new Set(topics) }
})
const marksIn = remembered(2_000, (text): readonly string[] => split(text, ';'))

export class View {
  readonly claim: PlacedClaim
  readonly head: string
  // Declared one by one and all at once: views then share one shape, whatever was asked of them first.
  private knownWords: Words | null = null
  private knownContext: ReadonlySet<string> | null = null
  private knownPredicates: readonly string[] | null = null
  private knownAllMarks: ReadonlySet<string> | null = null
  private knownOwner: ReadonlySet<string> | null = null
  private knownSubject: readonly string[] | null = null
  private knownStated: Stated | null = null

  constructor(claim: PlacedClaim) {
    this.claim = claim
    this.head = textOf(claim.hints?.['head'])
  }

  private get words(): Words {
    this.knownWords ??= wordsIn(textOf(this.claim.hints?.['terms']))
    return this.knownWords
  }

  get terms(): readonly string[] {
    return this.words.list
  }

  get termSet(): ReadonlySet<string> {
    return this.words.set
  }

  /** Words that tell what a statement is about, as often as it says them. */
  get topics(): readonly string[] {
    return this.words.topics
  }

  get topicSet(): ReadonlySet<string> {
    return this.words.topicSet
  }

  /** Words of the name, of its sentence and headings, and of whom it is about. */
  get context(): ReadonlySet<string> {
    this.knownContext ??= new Set([
      ...split(textOf(this.claim.hints?.['context']), ' '),
      ...this.terms,
      ...(this.ofDocument ? this.ofPrincipals : this.subject),
    ])
    return this.knownContext
  }

  /** Verbs by which a statement could be denied. */
  get predicates(): readonly string[] {
    this.knownPredicates ??= predicatesIn(textOf(this.claim.hints?.['context']))
    return this.knownPredicates
  }

  /** Marks of the name itself. */
  get marks(): readonly string[] {
    return marksIn(textOf(this.claim.hints?.['marks']))
  }

  get above(): readonly string[] {
    return marksIn(textOf(this.claim.hints?.['above']))
  }

  /** Marks of the name and above it. */
  get allMarks(): ReadonlySet<string> {
    this.knownAllMarks ??= new Set([...this.marks, ...this.above])
    return this.knownAllMarks
  }

  /** Words that name whom the claim is about. */
  get owner(): ReadonlySet<string> {
    this.knownOwner ??= new Set(this.ofDocument ? [...this.subject, ...this.ofPrincipals] : this.subject)
    return this.knownOwner
  }

  get principals(): readonly string[] {
    return marksIn(textOf(this.claim.hints?.['principals']))
  }

  /** The subject's words. */
  get subject(): readonly string[] {
    this.knownSubject ??= this.claim.subjectKey.split(' ')
    return this.knownSubject
  }

  /** What a statement is about, as against what it says of it. */
  get about(): readonly string[] {
    return wordsIn(textOf(this.claim.hints?.['about'])).list
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

  private get ofDocument(): boolean {
    return this.claim.hints?.['subjectFrom'] === 'document'
  }

  private get ofPrincipals(): string[] {
    return this.principals.flatMap(key => key.split(' '))
  }
}

type Hint = string | number | boolean | null | undefined

const textOf = (hint: Hint): string => (typeof hint === 'string' ? hint : String(hint ?? ''))

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

export const viewOf = (claim: PlacedClaim): View => new View(claim)
