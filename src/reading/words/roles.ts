/** In which sense a statement gives what it says: as a plan, a limit, a wish, a guess, per piece; by words that say so. */
import { matchesOf } from '../matches.js'
import { stemOf } from './stems.js'

const ROLES: readonly (readonly [role: string, form: RegExp])[] = [
  [
    'target',
    /\b(?:targets?|targeted|aims?|aimed|aiming|goals?|quotas?|objectives|ambitions?|aspir\w+|wants?|wanted|wish(?:es|ed) (?:to|for)|set out to|hop(?:es?|ed|ing) (?:to|for|that)|needs(?= [€$£\d])|calls for|benchmark)\b/i,
  ],
  [
    'plan',
    /\b(?:plan|plans|planned|planning|budget(?:s|ed)?|schedul\w+|intend(?:s|ed)?|intention|(?:is|are|was|were) to (?:be )?\p{L}+|(?:means?|meant|set|about|likely) to \p{L}+|count(?:s|ing) on|promis\w+|propos\w+|foreseen|envisaged?|geplant\w*|soll(?:en)?|prévu\w*|will be \p{L}+ed)\b/iu,
  ],
  [
    'forecast',
    /\b(?:forecasts?|forecasted|project(?:ed|ions?)|predict\w*|outlook|expect(?:s|ed|ation|ations)?|anticipat\w+|erwartet\w*)\b|^(?!.*\b(?:was|were|has|have|had)\b).*\bwould\b/i,
  ],
  [
    'estimate',
    /\b(?:estimat\w+|preliminary|provisional|indicative|flash|interim|draft|guess\w*|early (?:count|figures?|reports?|returns?|results?)|first (?:count|figures?|returns?|results?|projections?)|at first|initial (?:reserve|estimate|figure|count)|unaudited)\b/i,
  ],
  [
    'limit',
    /\b(?:limits?|limited|maximum|max\.?|minimum|(?<![\d/] ?)min\.?|caps?|capped|ceiling|threshold|permitted|permissible|permits?|allowed|allowable|allowance|restricted|licensed for|(?:built|designed|made|meant|intended|approved|certified|registered) for [\p{L}\d]+ (?:\p{L}+ )?\p{L}+|by law|capacity|tolerance|rated|nominal|not exceed)\b/iu,
  ],
  [
    'condition',
    /^Had (?:the|it|they|he|she|we)\b|\b(?:would have|if|unless|in (?:the )?(?:case|event) of|provided (?:that|the|it|they|you)|assum\w+|scenario|hypothetical\w*|should (?:the|any|it)|were (?:the|it)|stress(?:ed)?)\b/i,
  ],
  [
    'request',
    /\b(?:ask(?:s|ed|ing)?|request(?:s|ed)?|demand(?:s|ed)?|seeks?|sought|claim(?:s|ed)? (?:for|that)|offer(?:ed)? (?:of|to)|an offer|bid|bids|quot(?:e|es|ed|ation)|suggest\w*|recommend\w*)\b/i,
  ],
  [
    'hearsay',
    /\b(?:accus\w+|maintain(?:s|ed)? that|insist(?:s|ed)? that|contend(?:s|ed)?|claim(?:s|ed) (?:that|the|it|he|she|they|to)|it (?:is|was|has been|had been) (?:said|claimed|suggested|rumou?red|reported)|whether|alleg\w+|rumou?r\w*|reportedly|supposedly|purported\w*|not accept\w*|unfounded|nonsense|wrongly|mistaken\w*|incorrectly)\b/i,
  ],
  [
    'prior',
    /\b(?:formerly|previously|last year|(?:a|one|two) years? (?:ago|earlier)|prior[- ]year|used to|(?:years?|months?|weeks?|days?) (?:later|earlier|ago)|for comparison|back in|had been|(?:on the day|at the time) (?:of|you|we|he|she|they|it)|when (?:you|we|he|she|they|I) )\b|^(?:\p{L}+ ){1,3}(?:years?|months?|weeks?|days?) (?:after|before)\b/iu,
  ],
  [
    'part',
    /\b(?:(?<!\b(?:all|both|each) )of (?:which|these|them|those|whom)|in part|partly|thereof|the (?:rest|remainder|others?|other (?:\p{L}+ )?\p{L}+)|among (?:them|these|those)|aged|(?:over|under) the age|towards|contribut\w+|additional|further|extra|remaining)\b|^Of (?:the|all|these|those|this)\b|\b(?:\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) of (?:its|their|our|your|his|her|the|these|those) \p{L}/iu,
  ],
  ['average', /\b(?:averag\w+|mean|median|typical(?:ly)?|im Schnitt|Durchschnitt\w*|durchschnittlich\w*|en moyenne)\b/i],
  ['with', /\b(?:including|incl\.?|inclusive of|plus|together with|brutto)(?=\s|$)|^With \p{Ll}+ the\b/iu],
]

export const rolesIn = (text: string): string[] => ROLES.filter(([, form]) => form.test(text)).map(([role]) => role)

const RATE =
  /(?:\bper (?!the |cent|annum|our |its )|\bfor (?:each|every) |\bpro )(\p{L}+)|\b(?:[Ee]ach|every) (month|day|week|hour|night|user|person|patient|unit|head|piece|item|share|claim|visit)s?\b|(?<=\d )(each|apiece)\b|\ba (month|day|week|head|piece|person|unit|night|hour)\b|\/\s?(m²|m2|kg|day|h|hour|month|unit)\b|\b([Mm]onth|[Ww]eek|[Hh]our)ly\b/gu

/** Per what a figure is given: "each month", "per square foot". A year is what most figures are of. */
export function ratesIn(text: string): string[] {
  const rates = new Set<string>()
  for (const match of matchesOf(RATE, text))
    rates.add((match.slice(1).find(part => part !== undefined) ?? 'each').toLowerCase().replace(/s$/, ''))
  if (/^(?:Each|Every|One) (?!of)\p{Ll}/u.test(text) || /^An? [^.;]{3,60}\b(?:costs?|weighs?|sells? for)\b/u.test(text)) rates.add('each')
  for (const idle of ['year', 'cent', 'annum', 'se', 'diem']) rates.delete(idle)
  return [...rates].sort()
}

const BASIS =
  /\b(before|after|since|excluding|excl\.?|exclusive of|without|net of|less|including|incl\.?|inclusive of|with|plus)[\s-](?:the\s|any\s|its\s)?([\p{L}-]{3,})|\b([\p{L}-]{3,}) (?:(?:is|are) )?(not included|excluded|included)\b/giu

/** With or without what a figure is given: "before VAT", "including service". */
export const basesIn = (text: string): string[] =>
  matchesOf(BASIS, text)
    .slice(0, 4)
    .map(([, way, of, own, told]) => `${/^(?:after|since|incl|with$|plus)/i.test((way ?? told)!) ? '+' : '-'}${stemOf((of ?? own)!)}`)
