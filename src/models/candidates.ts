/**
 * Pairs of passages that a model is asked to confirm, from everywhere: what it proposed itself, and what the rules hold for
 * contradictions or possible conflicts. One list, the best first. Code looks at facts alone: passages were listed, two are two.
 */
import type { Answer, ProposedPair } from './answer-schema.js'
import type { Proposing, ShownDocument, ShownPassage } from './question.js'
import { findWords } from './typed-value.js'

export interface Side {
  document: ShownDocument
  /** Code points of the document; `text` is exactly that slice. */
  start: number
  end: number
  text: string
  /** The claim it is, where the rules made one of it. */
  claimId: string | null
}

export interface Candidate {
  /** In the document that is asked about. */
  own: Side
  /** In another one, or in the same. */
  other: Side
  /** The words that differ; null for the whole passage. */
  ownWords: string | null
  otherWords: string | null
  subject: string
  attribute: string
  /** What the rules hold it for; null where a model alone named it. */
  rules: 'contradiction' | 'possible' | null
  /** Possible conflicts of the rules within the same two passages: cleared with it. */
  twins?: readonly Candidate[]
}

export type DropReason = 'malformed' | 'passage_not_listed' | 'one_passage' | 'repeated' | 'too_many' | 'pair_not_listed' | 'unanswered'

export type Dropped = Partial<Record<DropReason, number>>

/** More than that is confirmed for no document. */
export const mostCandidates = 120

export function proposedCandidates(
  { pairs, malformed }: Answer<ProposedPair>,
  question: Pick<Proposing, 'listed' | 'own'>,
  { document, documents }: { document: ShownDocument; documents: ReadonlyMap<string, ShownDocument> },
): { candidates: Candidate[]; dropped: Dropped } {
  const dropped: Dropped = malformed === 0 ? {} : { malformed }
  const drop = (reason: DropReason): [] => {
    dropped[reason] = (dropped[reason] ?? 0) + 1
    return []
  }
  const passageOf = (id: string): ShownPassage | undefined =>
    (id.startsWith('D') ? question.own : id.startsWith('S') ? question.listed : [])[Number(id.slice(1)) - 1]
  const candidates = pairs.flatMap((pair): Candidate[] => {
    // Whichever is named first: one of them is of the document.
    const { a, b, a_words, b_words } = pair.a.startsWith('D')
      ? pair
      : { a: pair.b, b: pair.a, a_words: pair.b_words, b_words: pair.a_words }
    const [own, other] = [a.startsWith('D') ? passageOf(a) : undefined, passageOf(b)]
    if (own === undefined || other === undefined) return drop('passage_not_listed')
    if (own === other) return drop('one_passage')
    const of = other.documentId === document.documentId ? document : documents.get(other.documentId)
    if (of === undefined) return drop('passage_not_listed')
    return [
      {
        own: sideOf(own, document),
        other: sideOf(other, of),
        ownWords: wordsIn(own, a_words),
        otherWords: wordsIn(other, b_words),
        subject: pair.subject,
        attribute: pair.attribute,
        rules: null,
      },
    ]
  })
  return { candidates, dropped }
}

function sideOf({ start, end, text }: ShownPassage, document: ShownDocument): Side {
  return { document, start, end, text, claimId: null }
}

/** What is not there is not what differs: then the passage as a whole is. */
function wordsIn({ text }: ShownPassage, words: string | null): string | null {
  return words !== null && findWords(text, words) !== null ? words : null
}

/** Contradictions of the rules come first, then what the model named, then the possible conflicts of the rules, each once. */
export function joinCandidates(rules: readonly Candidate[], proposed: readonly Candidate[]): { candidates: Candidate[]; dropped: Dropped } {
  const first = rules.filter(each => each.rules === 'contradiction')
  const last = rules.filter(each => each.rules === 'possible')
  const kept: Candidate[] = []
  let repeated = 0
  for (const candidate of [...first, ...proposed, ...last]) {
    const at = kept.findIndex(each => isSame(each, candidate))
    const same = kept[at]
    if (same === undefined) kept.push(candidate)
    // What the rules hold it for decides what may become of it.
    else if (same.rules === null && candidate.rules !== null) kept[at] = candidate
    else {
      repeated++
      if (candidate.rules === 'possible' && within(candidate.own, same.own) && within(candidate.other, same.other))
        kept[at] = { ...same, twins: [...(same.twins ?? []), candidate] }
    }
  }
  const over = Math.max(0, kept.length - mostCandidates)
  return {
    candidates: kept.slice(0, mostCandidates),
    dropped: { ...(repeated > 0 && { repeated }), ...(over > 0 && { too_many: over }) },
  }
}

/** The same two places, as far as both say which words they mean. */
function isSame(a: Candidate, b: Candidate): boolean {
  const straight =
    overlaps(a.own, b.own) && overlaps(a.other, b.other) && sameWords(a.ownWords, b.ownWords) && sameWords(a.otherWords, b.otherWords)
  const crossed =
    overlaps(a.own, b.other) && overlaps(a.other, b.own) && sameWords(a.ownWords, b.otherWords) && sameWords(a.otherWords, b.ownWords)
  return straight || crossed
}

function sameWords(a: string | null, b: string | null): boolean {
  return a === null || b === null || findWords(a, b) !== null || findWords(b, a) !== null
}

function within(inner: Side, outer: Side): boolean {
  return inner.document.documentId === outer.document.documentId && inner.start >= outer.start && inner.end <= outer.end
}

function overlaps(a: Side, b: Side): boolean {
  return a.document.documentId === b.document.documentId && a.start < b.end && b.start < a.end
}
