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

type Sides = Pick<Finding, 'a' | 'b'> & Partial<Pick<Finding, 'supporters_a' | 'supporters_b'>>

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
 * Statements of one fact with other values that count together although nothing about these two is open or decided; that two other papers with the
 * same values are told of says nothing of these. Of documents that two versions read, those between which it was found once: what was
 * never compared is when the older one is read again, which the case says.
 */
export function silentPairs({ live, findings, possible, readers }: Shown): string[] {
  const counting = live.flatMap(claim => {
    const figure = figureOf(claim)
    return figure === undefined ? [] : [{ figure, statement: statementOf(claim), reader: readers.get(claim.document_id) }]
  })
  const told = pairsOf([
    // A verdict for a side leaves no room for the other.
    ...findings.filter(
      each => each.status === 'open' || (isPersons(each) && !['a', 'b', 'clerical_error'].includes(each.resolution?.verdict ?? '')),
    ),
    ...possible.filter(each => each.status === 'open' || each.decision?.by !== 'system'),
  ])
  const found = pairsOf([...findings, ...possible])
  const together = counting.flatMap((one, index) =>
    counting.slice(index + 1).flatMap(two => {
      const pair = [one.statement, two.statement].sort().join(' / ')
      const disagree = one.figure !== two.figure && one.figure.split(' ')[0] === two.figure.split(' ')[0]
      return disagree && !told.has(pair) && (one.reader === two.reader || found.has(pair)) ? [pair] : []
    }),
  )
  return [...new Set(together)].sort()
}

/** The fact and its value, whatever words name it. */
function figureOf({ quote }: Claim): string | undefined {
  const [, fact, value] = /(Revenue|pier|Keys)\b.*?(\d+)/.exec(quote) ?? []
  return fact === undefined ? undefined : `${fact} ${value}`
}

/** A paper says a fact once: its value there is the statement, whatever reading holds it. */
const statementOf = (claim: Claim): string => `${claim.document_id}: ${figureOf(claim)}`

/** Whoever is on one side with whoever is on the other. */
function pairsOf(found: readonly Sides[]): Set<string> {
  const pairs = found.flatMap(({ a, b, supporters_a = [], supporters_b = [] }) =>
    [a, ...supporters_a].flatMap(one => [b, ...supporters_b].map(two => [statementOf(one), statementOf(two)].sort().join(' / '))),
  )
  return new Set(pairs)
}
