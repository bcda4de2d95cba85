/**
 * A claim unpacked for comparing. Most claims that are fetched are compared with nothing, and most comparisons end at the
 * first look, so every part is unpacked when it is first asked for and then kept as long as the claim is.
 */
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
}

export interface Stated {
  core: Core | null
  absent: string[]
  present: ReadonlySet<string>
}

export class View {
  readonly claim: PlacedClaim
  readonly head: string
  // Declared one by one and all at once: views then share one shape, whatever was asked of them first.
  private knownTerms: string[] | null = null
  private knownTermSet: Set<string> | null = null
  private knownContext: Set<string> | null = null
  private knownPredicates: Set<string> | null = null
  private knownMarks: string[] | null = null
  private knownAbove: string[] | null = null
  private knownAllMarks: Set<string> | null = null
  private knownOwner: Set<string> | null = null
  private knownPrincipals: string[] | null = null
  private knownSubject: string[] | null = null
  private knownTopics: string[] | null = null
  private knownTopicSet: Set<string> | null = null
  private knownAbout: string[] | null = null
  private knownStated: Stated | null = null

  constructor(claim: PlacedClaim) {
    this.claim = claim
    this.head = this.text('head')
  }

  get terms(): string[] {
    this.knownTerms ??= this.words('terms', ' ')
    return this.knownTerms
  }

  get termSet(): Set<string> {
    this.knownTermSet ??= new Set(this.terms)
    return this.knownTermSet
  }

  /** Words of the name, of its sentence and headings, and of whom it is about. */
  get context(): Set<string> {
    this.knownContext ??= new Set([...this.words('context', ' '), ...this.terms, ...(this.ofDocument ? this.ofPrincipals : this.subject)])
    return this.knownContext
  }

  get predicates(): Set<string> {
    this.knownPredicates ??= new Set(predicatesIn(this.text('context')))
    return this.knownPredicates
  }

  /** Marks of the name itself. */
  get marks(): string[] {
    this.knownMarks ??= this.words('marks', ';')
    return this.knownMarks
  }

  get above(): string[] {
    this.knownAbove ??= this.words('above', ';')
    return this.knownAbove
  }

  /** Marks of the name and above it. */
  get allMarks(): Set<string> {
    this.knownAllMarks ??= new Set([...this.marks, ...this.above])
    return this.knownAllMarks
  }

  /** Words that name whom the claim is about. */
  get owner(): Set<string> {
    this.knownOwner ??= new Set(this.ofDocument ? [...this.subject, ...this.ofPrincipals] : this.subject)
    return this.knownOwner
  }

  get principals(): string[] {
    this.knownPrincipals ??= this.words('principals', ';')
    return this.knownPrincipals
  }

  /** The subject's words. */
  get subject(): string[] {
    this.knownSubject ??= this.claim.subjectKey.split(' ')
    return this.knownSubject
  }

  /** Words that tell what a statement is about, as often as it says them. */
  get topics(): string[] {
    this.knownTopics ??= this.terms.filter(isTopic)
    return this.knownTopics
  }

  get topicSet(): Set<string> {
    this.knownTopicSet ??= new Set(this.topics)
    return this.knownTopicSet
  }

  /** What a statement is about, as against what it says of it. */
  get about(): string[] {
    this.knownAbout ??= this.words('about', ' ')
    return this.knownAbout
  }

  get stated(): Stated {
    this.knownStated ??= {
      core: coreIn(this.text('core')),
      absent: this.words('absent', ' '),
      present: new Set(this.words('present', ' ')),
    }
    return this.knownStated
  }

  private get ofDocument(): boolean {
    return this.claim.hints?.['subjectFrom'] === 'document'
  }

  private get ofPrincipals(): string[] {
    return this.principals.flatMap(key => key.split(' '))
  }

  private text(key: string): string {
    return String(this.claim.hints?.[key] ?? '')
  }

  private words(key: string, by: string): string[] {
    const text = this.text(key)
    return text === '' ? [] : text.split(by).filter(Boolean)
  }
}

function coreIn(text: string): Core | null {
  const [head, about, predicate, negated] = text.split('|')
  if (!head || !predicate) return null
  return {
    head,
    about: (about ?? '').split(' ').filter(Boolean),
    predicate,
    negated: negated === 'not' || negated === 'none',
    none: negated === 'none',
  }
}

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

const views = new WeakMap<PlacedClaim, View>()

/** Documents of one batch meet the same live claims. */
export function viewOf(claim: PlacedClaim): View {
  const known = views.get(claim)
  if (known) return known
  const view = new View(claim)
  views.set(claim, view)
  return view
}
