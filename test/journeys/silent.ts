/** Conflicts of a case that nobody is told of, as its lists show it. */

export interface Claim {
  document_id: string
  quote: string
  superseded_at: string | null
}

export interface Finding {
  contradiction_id: string
  status: string
  resolution?: { by: string; verdict: string }
  kind: string
  a: Claim
  b: Claim
  supporters_a: Claim[]
  supporters_b: Claim[]
}

export interface PossibleConflict {
  possible_conflict_id: string
  status: string
  decision?: { by: string }
  a: Claim
  b: Claim
}

export const isPersons = ({ status, resolution }: Finding) => status !== 'open' && resolution !== undefined && resolution.by !== 'system'

interface Shown {
  live: readonly Claim[]
  findings: readonly Finding[]
  possible: readonly PossibleConflict[]
  /** By document, the version of the reader that read it. */
  readers: ReadonlyMap<string, string>
}

/**
 * Values of one fact that count together although nothing about the two is open or decided. Of documents that two versions read, those
 * between which they were found once: what was never compared is when the older one is read again, which the case says.
 */
export function silentPairs({ live, findings, possible, readers }: Shown): string[] {
  const counting = live.flatMap(claim => {
    const figure = figureOf(claim)
    return figure === undefined ? [] : [{ figure, document: claim.document_id, reader: readers.get(claim.document_id) }]
  })
  const told = namesOf([
    // A verdict for a side leaves no room for the other.
    ...findings.filter(
      each => each.status === 'open' || (isPersons(each) && !['a', 'b', 'clerical_error'].includes(each.resolution?.verdict ?? '')),
    ),
    ...possible.filter(each => each.status === 'open' || each.decision?.by !== 'system'),
  ])
  const found = new Set([...findings, ...possible].flatMap(({ a, b }) => [ofTwo(a, b), ofTwo(b, a)]))
  const together = counting.flatMap((one, index) =>
    counting.slice(index + 1).flatMap(two => {
      const pair = `${one.figure} / ${two.figure}`
      const disagree = one.figure !== two.figure && one.figure.split(' ')[0] === two.figure.split(' ')[0]
      return disagree &&
        !told.has(pair) &&
        (one.reader === two.reader || found.has(`${one.document} ${one.figure} / ${two.document} ${two.figure}`))
        ? [pair]
        : []
    }),
  )
  return [...new Set(together)].sort()
}

/** The fact and its value, whatever words name it. */
function figureOf({ quote }: Claim): string | undefined {
  const [, fact, value] = /(Revenue|pier|Keys)\b.*?(\d+)/.exec(quote) ?? []
  return fact === undefined ? undefined : `${fact} ${value}`
}

const ofTwo = (a: Claim, b: Claim): string => `${a.document_id} ${figureOf(a)} / ${b.document_id} ${figureOf(b)}`

function namesOf(found: readonly { a: Claim; b: Claim }[]): Set<string> {
  return new Set(found.flatMap(({ a, b }) => [`${figureOf(a)} / ${figureOf(b)}`, `${figureOf(b)} / ${figureOf(a)}`]))
}
