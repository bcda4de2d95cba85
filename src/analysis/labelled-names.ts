/**
 * Claims whose value is a name or a short wording: "Governing law: England", "Beneficial owner: A. Novak", and labels of a
 * revised text whose wording changed. Only labels that ask for one answer are read; a list of records is not.
 */

import type { Block } from './blocks.js'
import { squeeze } from './characters.js'
import { type Draft, type ReadContext, surroundingsOf } from './draft.js'
import { pattern } from './pattern.js'
import { versionIn } from './roles.js'
import { termsOf } from './slots.js'
import { buildState } from './states.js'

/** Nouns that ask for one name: who or what holds the place. */
const ASKS = pattern(
  /\b(?:endpoints?|governing law|applicable law|jurisdiction|venue|court|arbitrat\w+|seat|registered (?:office|address)|domicile|nationality|citizenship|residen\w+|place of (?:birth|incorporation|business)|country|legal form|ownership|owners?|shareholder|parent|directors?|chair(?:man|woman|person)?|secretary|auditors?|counterpart\w+|manufacturer|supplier|vendor|contractor|operator|sponsor|investigator|landlord|tenant|lessor|lessee|borrower|lender|guarantor|beneficiary|trustee|custodian|depositary|insurer|reinsurer|buyer|purchaser|seller|licensor|licensee|currency|accounting (?:standard|policy|basis)|valuation method|method(?:ology)?|comparator|indication|diagnosis|blood group|allerg\w+|route of administration|dosage form|fuel|technology|turbine type|connection point|grid operator|site manager|project manager|source of (?:funds|wealth)|occupation|political exposure|pep status|tax residence|recommendation|conclusion|opinion|verdict|decision)\b/i,
)

/** Labels that ask for free words, or for something of the document itself. */
const FREE = pattern(
  /\b(?:scope|purpose|objectives?|aims?|background|approach|actions?|comments?|notes?|remarks?|reasons?|rationale|summary|impact|effects?|next|steps?|status|result|findings?|observations?|issues?|risks?|evidence|basis|source|details?|description|content|topic|subject|agenda|item|question|answer|response|request|requirements?|recommend\w*|conclu\w*|caus\w*|mitigation|treatment|assumptions?|limitations?|example|option|alternative|change|update|timeline|phase|stage|step|part|section|chapter|page|title|name|version|present|attend\w*|contact|distribution|copy|references?|q\d*|a\d*)\b/i,
)

/** Other words for one field. */
const LAW_OF =
  /^(?:(?:applicable|proper|governing)\s)?laws?(?:\s(?:of|governing)\s(?:the\s)?(?:contract|agreement|lease|trust|deed|charter))?$|^applicable law$/i

/** Points that end no sentence: "Capt. P. Orr". */
const TITLED = /\b(Dr|Mr|Ms|Mrs|Miss|Prof|Capt|St|\p{Lu})\.(?=\s\p{Lu})/gu

/** A short label with a short answer asks for one thing although we do not know the noun: "Heating: gas boilers". */
function asksShortly(label: string, written: string): boolean {
  const body = written.replace(TITLED, '$1')
  return (
    label.length <= 40 &&
    label.split(/\s+/).length <= 4 &&
    !/\d|[A-Z]{4,}/.test(label) &&
    !FREE.test(label) &&
    /^[\p{L}][^.;:!?]{0,60}\.?$/u.test(body) &&
    !/\d/.test(/^[^,(]*/.exec(body)![0]) &&
    (/^[^,(]*/.exec(body)?.[0].trim().split(/\s+/).length ?? 9) <= 4
  )
}

const NOT_A_NAME =
  /^(?:see|refer|as|per|to be|tbd|tbc|n\/a|not|no|none|yes|the following|various|multiple|all|by|on|from|until|before|after|since|within)\b/i

export function pairNames(context: ReadContext, block: Block): Draft[] {
  const label = block.label!.text.trim()
  const body = squeeze(context.text.slice(block.body.start, Math.min(block.body.end, block.body.start + 200)))
  const around = surroundingsOf(context, block)
  const version = versionIn(label) ?? around.version
  const bare = label
    .replace(/\([^()]{0,80}\)/g, ' ')
    .replace(LAW_OF, 'governing law')
    .trim()
  const asks = ASKS.test(bare)
  const shortly = !asks && version === null && asksShortly(bare, body)
  // A sum begins with letters too.
  if (/^["'“*_\s(~<>]*[A-Z]{3}\s?[-+(]?\d/.test(body)) return []
  if ((!asks && !shortly && version === null) || NOT_A_NAME.test(body) || !/^["'“*_\s]*[\p{L}]/u.test(body)) return []
  const wording =
    /^(?:(?:Dr|Mr|Ms|Mrs|Miss|Prof|Capt|Sir|St|Ing|Cllr)\.?\s|(?:\p{Lu}\p{Ll}+\s)?\p{L}\.\s?)*[^.;]{1,90}/u
      .exec(shortly ? body.replace(/[,(].*$/, '') : body.replace(/\s\(.*$/, ''))?.[0]
      .trim() ?? ''
  const words = wording.split(/\s+/).length
  if (!wording || words > (version === null ? 9 : 18) || (version === null && label.split(/\s+/).length > 6)) return []
  // A list of them excludes nobody.
  if (/[^s]s$/i.test(bare) && /(?:,|;|\sand|\s&)\s\p{Lu}/u.test(body)) return []
  const terms = termsOf(bare)
  const head = terms.at(-1)
  if (!head) return []
  const draft = buildState(context, block, {
    start: block.start,
    end: block.end,
    text: `${label}: ${body}`,
    name: label,
    terms,
    head,
    value: { type: 'name', value: wording },
    negated: false,
    confidence: 0.7,
  })
  draft.context = [...new Set([...draft.context, ...termsOf(wording), ...termsOf(context.profile.title ?? '')])].slice(0, 64)
  draft.subjectText = `${label}: ${body.replace(wording, ' ')}`
  return [draft]
}

/** A row of two columns is a label and its answer. */
export function rowNames(context: ReadContext, block: Block): Draft[] {
  const cell = block.cells[0]
  if (!cell || block.cells.length !== 1 || !block.label!.text || !ASKS.test(block.label!.text)) return []
  return pairNames(context, { ...block, kind: 'pair', body: { start: cell.start, end: cell.end } })
}
