/** Who acts on a date and where something goes then: two dates are apart where both say it and it differs. */
import type { Group } from './date-verbs.js'
import { eventOf } from './events.js'
import type { Tok } from './tagging.js'
import { AUXILIARIES, stem } from './words.js'

/** Who may do one and the same thing on different days; bodies that watch over others go by too many names. */
const ACTORS = new Map(
  `board council committee court tribunal parliament senate cabinet assembly buyer purchaser:buyer vendor seller:vendor landlord tenant shareholders creditors claimant respondent plaintiff defendant insurer insured lender borrower employer employee contractor supplier charterer lessor lessee`
    .split(' ')
    .map(word => word.split(':'))
    .map(([word, called]) => [word!, called ?? word!] as const),
)
const GOES_TO = new Set('transfer move mov transferr admit sell award appoint send deliver'.split(' '))

/** Who acts, and where to: "the board approved", "approved by the council", "was transferred to a ward". */
export function sidesOf(toks: readonly Tok[], { verbs }: Group, said: string): string[] {
  const by = /\bby (?:the |an? )?((?:\p{L}+ ){0,2}\p{L}+)/u.exec(said)?.[1]?.toLowerCase().split(' ') ?? []
  const v = verbs.length ? toks.indexOf(verbs.at(-1)!) : -1
  const left =
    by.length || v < 1 || AUXILIARIES.has(toks[v]!.lower) || toks[v - 2]?.tag === 'P' || AUXILIARIES.has(toks[v - 1]!.lower)
      ? []
      : [toks[v - 1]!.lower]
  const actor = [...by, ...left].map(word => ACTORS.get(word)).find(Boolean)
  const event = verbs.length ? (eventOf(verbs.at(-1)!.lower) ?? stem(verbs.at(-1)!.lower)) : ''
  const to = GOES_TO.has(event)
    ? /^\s?to (?:the |an? )?((?:\p{L}+ ){0,2}?\p{L}+)(?= (?:on|in|at|by|from|of)\b)/u.exec(said)?.[1]
    : undefined
  return [...(actor ? [`by:${actor}`] : []), ...(to ? [`to:${stem(to.toLowerCase().split(' ').at(-1)!)}`] : [])]
}
