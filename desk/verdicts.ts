/** What a person can say of a contradiction: its words, its key, and the reasons people usually give. Pure. */

export type Side = 'a' | 'b'
export type Verdict = 'a' | 'b' | 'both' | 'neither' | 'disputed' | 'clerical_error' | 'not_the_same'

/** A slip of the pen names its side; until it does, nothing can be decided. */
export interface Chosen {
  verdict: Verdict
  side?: Side
}

interface Kind {
  verdict: Verdict
  text: string
  key: string
  reasons: readonly string[]
}

export const verdicts: readonly Kind[] = [
  {
    verdict: 'a',
    text: 'A is right',
    key: 'a',
    reasons: ['It is the later paper.', 'It is the signed paper.', 'It is the source itself.'],
  },
  {
    verdict: 'b',
    text: 'B is right',
    key: 'b',
    reasons: ['It is the later paper.', 'It is the signed paper.', 'It is the source itself.'],
  },
  {
    verdict: 'both',
    text: 'Both stand',
    key: 'o',
    reasons: ['Both can be true.', 'The difference is rounding.', 'The difference does not matter.'],
  },
  { verdict: 'neither', text: 'Neither', key: 'x', reasons: ['A third paper says otherwise.', 'Both were estimates.'] },
  { verdict: 'disputed', text: 'Disputed', key: 'd', reasons: ['The parties disagree.', 'No paper settles it.', 'It is for the court.'] },
  { verdict: 'clerical_error', text: 'Clerical error', key: 'c', reasons: ['A digit is wrong.', 'Copied wrongly.', 'The wrong year.'] },
  {
    verdict: 'not_the_same',
    text: 'Not the same',
    key: 'n',
    reasons: ['Different periods.', 'Different parties.', 'Different things of one name.'],
  },
]

export function asksForSide(chosen: Chosen | undefined): boolean {
  return chosen?.verdict === 'clerical_error' && chosen.side === undefined
}

/** While it is asked which side has the slip, the keys of the sides answer that. */
export function chosenByKey(verdict: Verdict, now: Chosen | undefined): Chosen {
  return asksForSide(now) && (verdict === 'a' || verdict === 'b') ? { verdict: 'clerical_error', side: verdict } : { verdict }
}

/** The same said of a finding whose sides stand the other way round. */
export function swapped({ verdict, side }: Chosen): Chosen {
  const other = (each: Side): Side => (each === 'a' ? 'b' : 'a')
  if (verdict === 'a' || verdict === 'b') return { verdict: other(verdict) }
  return side === undefined ? { verdict } : { verdict, side: other(side) }
}

export function reasonsFor(verdict: Verdict): readonly string[] {
  return verdicts.find(each => each.verdict === verdict)?.reasons ?? []
}

/** A usual reason takes the place of another one; what somebody wrote themselves stays before it. */
export function withReason(written: string, usual: string): string {
  const own = written.trim()
  if (own.endsWith(usual)) return own
  return own === '' || verdicts.some(each => each.reasons.includes(own)) ? usual : `${own} ${usual}`
}
