/**
 * What sentences name of something without a label: its cause, where it took place, what paid for it, who holds a post, which
 * version ran. Each is a name given for an aspect, so that "traced the delay to the timer" meets "Cause: drift of the sensor".
 */
import type { Block } from './blocks.js'
import { squeeze } from './characters.js'
import type { Draft, ReadContext } from './draft.js'
import { kindAsked, kindIn } from './kinds.js'
import { marksOf } from './marks.js'
import { type Pattern, pattern } from './pattern.js'
import { type Span, sentencesOf } from './sentences.js'
import { termsOf } from './slots.js'
import { isSum } from './statement-words.js'
import { buildState } from './states.js'
import { MONTH_NAMES } from './words.js'

/** An aspect is a term of its own; it begins like no word does. */
export const isAspect = (term: string): boolean => term.charCodeAt(0) === 0x40

interface Form {
  aspect: string
  form: Pattern
  /** The value stands before the words, what it is of behind them. */
  turned?: boolean
  /** Only values like these, of things like these. */
  values?: RegExp
  of?: RegExp
}

const FORMS: Form[] = [
  {
    aspect: '@superior',
    form: pattern(/\breports?\s(?:directly\s|functionally\s|solely\s|straight\s)?to\s/i),
    of: /\b(?:officer|head|director|manager|function|team|unit|department|audit|controller|treasurer|secretary|engineer|lead)\b/i,
    values: /^(?:the\s)?\p{Lu}/u,
  },
  {
    aspect: '@method',
    form: pattern(
      /\b(?:is|are|was|were|be|been)\s(?:\p{L}+ly\s)?(?:calculated|measured|determined|valued|computed|derived|estimated|treated|modelled|accounted for)\s(?:with|using|by|under|on|according to|by means of)\s(?:the|an?)\s/iu,
    ),
    values: /\b(?:method|approach|model|basis|formula|technique|standard)\b/i,
  },
  {
    aspect: '@material',
    form: pattern(/\b(?:is|are|was|were)\s(?:not\s)?(?:made|built|constructed|cast)\s(?:of|from|out of)\s/i),
  },
  {
    aspect: '@cause',
    form: pattern(
      /\b(?:is|are|was|were|be|been|being)\s(?:not\s)?(?:\p{L}+ly\s)?(?:caused by|due to|attributable to|attributed to|ascribed to|traced (?:back )?to|put down to|triggered by|(?:the|a) (?:direct )?(?:result|consequence) of)\s/iu,
    ),
  },
  {
    aspect: '@cause',
    form: pattern(
      /\b(?:results? from|resulted from|arose from|arises? from|stems? from|stemmed from|originated (?:in|from)|(?:is|was|are|were) (?:because of|owing to|down to))\s/i,
    ),
  },
  {
    aspect: '@cause',
    turned: true,
    form: pattern(
      /\b(?:is|are|was|were|remains?)\s(?:not\s)?the\s(?:\p{L}+\s)?(?:cause|reason)\s(?:of|for|behind)\s|\b(?:led|leads) to\s|\b(?:is|was|are|were)\s(?:not\s)?responsible for\s|\b(?:did not cause|caused|explains?|explained)\s(?=(?:the|an?|all|each|every|these|this|those|that|its|their)\s)/iu,
    ),
  },
  {
    aspect: '@bearer',
    form: pattern(
      /\b(?:lies?|lay|rests?|rested|remains?|remained|sits?)\swith\s|\b(?:is|are|was|were)\s(?:\p{L}+ly\s)?(?:borne|carried|assumed)\sby\s/iu,
    ),
  },
  {
    aspect: '@bearer',
    turned: true,
    form: pattern(
      /\b(?:bears?|bore|carries|carry|carried|assumes?|assumed)\s(?=(?:the|all|any|this|that|its|their|full)\s(?:\p{L}+\s){0,3}(?:risks?|costs?|responsibility|liability|losses|loss|expenses?)\b)/iu,
    ),
  },
  {
    aspect: '@purpose',
    form: pattern(
      /\b(?:is|are|was|were|been)\s(?:not\s)?(?:(?:made|meant|intended|used|spent|paid|transferred|taken out)\s)?(?:(?:to pay|to be used)\s)?(?:for|to finance|to fund|to cover)\s(?=\p{L})/iu,
    ),
    of: /\b(?:payments?|loans?|transfers?|moneys?|money|funds|sums?|amounts?|grants?|invoices?|advances?|instalments?|proceeds)$/i,
    values:
      /^(?!(?:EUR|USD|GBP|CHF|one|two|three|four|five|six|ten|twelve|each|every|all|an?\s(?:year|month|total|period|sum|term)|the\s(?:years?|months?|period|first|second|third|whole|services?|works?|following|same|benefit|account|quarter|term)|services?|works?|goods|costs|expenses|review|approval|signature|discussion|him|her|them|it|us)\b)/i,
  },
  {
    aspect: '@funds',
    form: pattern(
      /\b(?:is|are|was|were|been|being)\s(?:not\s)?(?:\p{L}+ly\s)?(?:financed|funded|paid for)\s(?:by|from|with|through|out of)\s|\b(?:money|funds|wealth|capital)\s(?:comes?|came|originates?|originated|stems?|stemmed)\s(?:not\s)?from\s/iu,
    ),
  },
]

const TRACED = pattern(
  /\b(?:(?:traced|traces|attributed|attributes|ascribed|ascribes)\s((?:[^\s,;.]+\s){1,8}?)(?:back\s)?to|(?:puts?|blamed|blames)\s((?:the|this|that|these|both|all)\s(?:[^\s,;.]+\s){1,6}?)(?:down\sto|on))\s((?:[^\s,;.]+\s?){1,10})/i,
)
/** "The cause of the jam was salt in the gearbox". */
const CAUSED = pattern(
  /\b(?:cause|reason)\s(?:of|for|behind)\s((?:[^\s,;.]+\s){1,8}?)(?:is|was|lies in|lay in|were|are)\s(?:not\s)?((?:[^\s,;.]+\s?){1,10})/i,
)
const UNSURE = pattern(/\b(?:may|might|could|if|whether|possibly|probably|would|perhaps|appears?|seems?|suspected|alleged)\b/)
const DENIED = pattern(/\b(?:not|never|n't)\b/i)
/** Words that end the phrase something is said of, or the phrase that is said. */
const OPENS = /[,;:()]\s|\s(?:that|and|but|because|while|whereas)\s/g
const CLOSES =
  /[,;.:()]|\s(?:that|which|who|whose|and not|rather than|because|when|while|after|before|since|until|during|but|on|in (?:19|20)\d\d|for which|at the time)(?=\s|$)/

/** "The worst delay, on 12 January, was …": what is put in between two commas. */
const PUT_IN = /,\s(?:on|in|at|of|during|which|who)\s[^,]{2,60},\s?$/

const lastPhrase = (written: string): string => {
  const text = written.replace(PUT_IN, ' ')
  let from = 0
  for (const match of text.matchAll(OPENS)) from = match.index + match[0].length
  return text.slice(from).trim()
}
const firstPhrase = (text: string): string => {
  const end = CLOSES.exec(text)
  return (end ? text.slice(0, end.index) : text).trim().split(/\s+/).slice(0, 12).join(' ')
}

export interface Named {
  aspect: string
  /** What it is of; empty when the sentence only points to it. */
  of: string
  value: string
  negated: boolean
}

const BARE = /^(?:the\s|this\s|that\s|its\s|their\s)?(?:money|funds|wealth|capital|it|this|that|they|these)?$/i

const DIED = pattern(/\bdied\s(?:of|from)\s((?:[^\s,;.]+\s?){1,6})/i)

function tied(text: string): Named | null {
  const died = DIED.exec(text)
  if (died) return { aspect: '@cause', of: 'death', value: firstPhrase(died[1]!), negated: DENIED.test(text.slice(0, died.index)) }
  const traced = TRACED.exec(text)
  if (traced)
    return {
      aspect: '@cause',
      of: (traced[1] ?? traced[2]!).trim(),
      value: firstPhrase(traced[3]!),
      negated: DENIED.test(text.slice(0, traced.index)),
    }
  const caused = CAUSED.exec(text)
  if (caused)
    return {
      aspect: '@cause',
      of: caused[1]!.trim(),
      value: firstPhrase(caused[2]!),
      negated: /\s(?:is|was|were|are)\snot\s/i.test(caused[0]),
    }
  for (const { aspect, form, turned, values, of } of FORMS) {
    const match = form.exec(text)
    if (!match) continue
    const said = /^(?:money|funds|wealth|capital)\b/i.test(match[0])
    const before = said ? '' : lastPhrase(text.slice(0, match.index))
    const after = firstPhrase(text.slice(match.index + match[0].length))
    const value = turned ? before : after
    if ((values && !values.test(value)) || (of && !of.test(before))) continue
    const held = aspect === '@bearer' ? value.replace(/\s(?:under|for|pursuant|by)\s.*$/, '') : value
    return { aspect, of: turned ? after : before, value: held, negated: DENIED.test(match[0]) }
  }
  return null
}

/** What is done at a place: a ship is loaded here and discharged there. */
const ACTS =
  'loaded|discharged|signed|built|manufactured|produced|registered|incorporated|tested|analysed|treated|stored|erected|assembled|unloaded|delivered'
const HAPPENS = pattern(
  new RegExp(
    `\\b(?:took place|takes place|take place|taken place|(?:is|was|were|are|be|been) held|occurred|happened|(?:is|was|are|were) (?:located|situated|domiciled|based|kept|found|${ACTS}))\\s`,
    'i',
  ),
)
const ACT = new RegExp(ACTS, 'i')
const PLACE = /\b(?:in|at|of)\s(?:the\s)?(\p{Lu}[\p{L}\p{M}'’-]+(?:\s(?:\p{Lu}[\p{L}\p{M}'’-]+\.?|on|am|upon))*)/gu
const MONTH = new RegExp(`^(?:${MONTH_NAMES}|Q\\d)\\b`)

/** What was done there belongs to the place. */
const actIn = (said: string): string => {
  const act = ACT.exec(said)
  return act ? ` ${act[0]}` : ''
}

/** "The hearing takes place in person in Zurich": the last name tells where. */
function placed(text: string): Named | null {
  const match = HAPPENS.exec(text)
  if (!match) return null
  const rest =
    /^[^,;.]{0,120}?(?=[,;.]|\s(?:on|from|because|since|until|during|after|before|between)\s|$)/.exec(
      text.slice(match.index + match[0].length).replace(/\s(?:in place of|instead of|rather than|and not)\s[^,;.]{2,60}/i, ''),
    )?.[0] ?? ''
  const names = [...rest.matchAll(PLACE)].map(found => found[1]!).filter(name => !MONTH.test(name))
  const value = names.at(-1)
  return value
    ? {
        aspect: '@place',
        of: `${lastPhrase(text.slice(0, match.index)).replace(/\s(?:will|shall|has|have|had)$/i, '')}${actIn(match[0])}`,
        value,
        negated: false,
      }
    : null
}

const DONE_BY = pattern(
  /\b(?:is|was|were|are|been)\s(?:not\s)?(performed|conducted|carried out|written|prepared|drafted|drawn up|issued|inspected|tested|installed|designed|built|supplied|delivered|driven|commissioned|valued|repaired|calibrated|sealed|loaded|packed|translated|invoiced|fashioned|erected|fitted|fabricated|laid|mounted|welded|drilled|dredged|towed|administered)\sby\s(?:the\s(?:[\p{Ll}-]+\s){1,2})?((?:(?:Dr|Mr|Ms|Mrs|Miss|Prof|Capt)\.?\s)?(?:\p{Lu}\.\s?){0,3}\p{Lu}[\p{L}\p{M}'’&-]+(?:\s(?:&\s)?\p{Lu}[\p{L}\p{M}'’&-]+){0,4})/u,
)

const DOES = pattern(
  /^((?:(?:Dr|Mr|Ms|Mrs|Prof|Capt)\.?\s)\p{Lu}[\p{L}\p{M}'’&-]+(?:\s\p{Lu}[\p{L}\p{M}'’&-]+){0,3})\s(performed|conducted|carried out|wrote|prepared|drafted|issued|inspected|tested|installed|designed|built|delivered|drove|valued|repaired|calibrated|sealed|loaded|packed|translated)\s(?:the|an?)\s((?:[^\s,;.]+\s?){1,8})/u,
)

/** Whoever is named beside somebody else excludes nobody. */
const SEVERAL = /^(?:,|\sand|\s&)\s(?:the\s)?\p{Lu}/u

/** "Tower erection is by the crane ship Titan". */
const IS_BY = pattern(
  /^((?:[\p{L}-]+\s){1,5})(?:is|was|are|were)\sby\s(?:the\s(?:[\p{Ll}-]+\s){1,2})?(\p{Lu}[\p{L}\p{M}'’&-]+(?:\s\p{Lu}[\p{L}\p{M}'’&-]+){0,3})(?=[.,;]|$)/u,
)

/** Whose people did it, where the words set own ones against others. */
const DONE_BY_WHOM = pattern(
  /\b(?:is|was|were|are|been)\s(?:not\s)?(?:\p{L}+\sand\s)?(performed|conducted|carried out|written|prepared|drafted|drawn up|inspected|tested|designed|valued|calibrated|verified|audited|reviewed|assessed|taken|analysed|analyzed)\sby\s((?:an?|the|its|our|their)\s(?:[\p{L}'’-]+\s){0,3}?(?:independent|external|outside|third-party|own|in-house|internal)\s(?:[\p{Ll}-]+\s){0,2}?[\p{Ll}-]+)(?=[.,;)]|\s(?:and|in|on|at|from|with|for|which|who|under|between)\s|$)/iu,
)

/** "The crane was inspected by Ms Holt", "Ms Holt inspected the crane": who did it. */
function doneBy(text: string): Named | null {
  const match = DONE_BY.exec(text)
  const does = match ? null : DOES.exec(text)
  if (does)
    return {
      aspect: '@by',
      of: `${does[2] === 'wrote' ? 'written' : does[2] === 'drove' ? 'driven' : does[2]!} ${firstPhrase(does[3]!)}`,
      value: does[1]!,
      negated: false,
    }
  const by = match ? null : IS_BY.exec(text)
  if (by) return { aspect: '@by', of: by[1]!.trim(), value: by[2]!, negated: false }
  const whose = match ? null : DONE_BY_WHOM.exec(text)
  if (whose)
    return {
      aspect: '@by',
      of: `${whose[1]!} ${lastPhrase(text.slice(0, whose.index))}`,
      value: whose[2]!,
      negated: /\snot\s/.test(whose[0]),
    }
  if (!match || SEVERAL.test(text.slice(match.index + match[0].length))) return null
  const of = `${match[1]!} ${lastPhrase(text.slice(0, match.index))}`
  return { aspect: '@by', of, value: match[2]!, negated: /\snot\s/.test(match[0]) }
}

const VERSION = pattern(
  /\b(firmware|software|release|revision|build|version)\s(?:version\s)?v?(\d{1,3}(?:\.\d{1,4}){1,3})(?![\d.]*\d|\s?(?:to|-|–)\s?\d|\.x)/i,
)

/** "was running firmware 4.2.1": of the one numbered thing the words are about. */
function versioned(text: string, before: string): { named: Named; marks: string[] } | null {
  const match = VERSION.exec(text)
  if (!match || /\b(?:will|install|update|upgrade|available|from version)\b/i.test(text)) return null
  const codes = (words: string): string[] =>
    marksOf(words.slice(0, 400)).filter(mark => mark.startsWith('code') && mark.length - mark.lastIndexOf(':') > 4)
  const own = codes(text)
  const marks = own.length ? own : codes(before)
  return marks.length === 1 ? { named: { aspect: '@version', of: match[1]!, value: match[2]!, negated: false }, marks } : null
}

/** What follows the value in another clause is not what is said here. */
function endOf(context: ReadContext, span: Span, value: string): number {
  const raw = context.text.slice(span.start, span.end)
  const last = value.slice(value.lastIndexOf(' ') + 1)
  const at = raw.lastIndexOf(last)
  const next = at < 0 ? null : /;\s|,\s(?:which|who|where|so|but)\s/.exec(raw.slice(at + last.length))
  return next ? span.start + at + last.length + next.index : span.end
}

function draftOf(context: ReadContext, block: Block, span: Span, text: string, named: Named, marks: string[] | null): Draft | null {
  const words = named.value.split(/\s+/).length
  if (!named.value || words > 12 || named.of.split(/\s+/).length > 14) return null
  const of = BARE.test(named.of) ? [] : termsOf(named.of)
  if (named.aspect !== '@funds' && !of.length) return null
  const draft = buildState(context, block, {
    start: span.start,
    end: endOf(context, span, named.value),
    text,
    name: `${named.aspect.slice(1)} ${of.length ? `of ${named.of}` : ''}`.trim(),
    terms: [named.aspect, ...of],
    head: named.aspect,
    value: { type: 'name', value: named.value },
    negated: named.negated,
    confidence: 0.6,
  })
  draft.valueText = named.value
  draft.subjectText = text.replace(named.value, ' ')
  draft.marks = marks ?? draft.marks.filter(mark => !isSum(mark))
  draft.context = [...new Set([...draft.context, ...termsOf(named.value)])].slice(0, 64)
  return draft
}

/** "The outage lasted an hour. It was caused by …": what the sentence before is about. */
const ABOUT =
  /^(?:[^,]{0,40},\s)?((?:The|An?|This)\s(?:[^\s,;.]+\s){1,6}?)(?:is|was|were|are|has|had|have|lasted|began|occurred|started|happened|affected|took|hit|stopped|broke|led|came)\s/

/** "The cause was a failed router", of what the sentence before is about. */
const THE_CAUSE = pattern(
  /^(?:The|Its)\s(?:root\s|main\s|immediate\s|probable\s|direct\s)?cause\s(?:is|was)\s(?!not\s|unknown|unclear|found|that)((?:[^\s,;.]+\s?){1,10})/,
)

function causeIn(text: string, before: string): Named | null {
  const match = THE_CAUSE.exec(text)
  return match ? referred({ aspect: '@cause', of: 'it', value: firstPhrase(match[1]!), negated: false }, before) : null
}

function referred(named: Named | null, before: string): Named | null {
  if (named?.aspect !== '@cause' || !/^(?:it|this|that|they)$/i.test(named.of)) return named
  const about = ABOUT.exec(before)
  return about ? { ...named, of: about[1]!.trim() } : named
}

/** Names that sentences give for an aspect of something. */
export function sentenceAspects(context: ReadContext, block: Block, start: number, end: number): Draft[] {
  const drafts: Draft[] = []
  let before = ''
  for (const span of sentencesOf(context.text, start, end)) {
    if (span.end - span.start > 400) continue
    const text = squeeze(context.text.slice(span.start, span.end))
    if (!/\?$/.test(text) && !UNSURE.test(text)) {
      for (const named of [referred(tied(text), before) ?? causeIn(text, before), placed(text), doneBy(text), kindIn(text)]) {
        const draft = named ? draftOf(context, block, span, text, named, null) : null
        if (draft) drafts.push(draft)
      }
      const version = versioned(text, before)
      const draft = version ? draftOf(context, block, span, text, version.named, version.marks) : null
      if (draft) drafts.push(draft)
    }
    before = text
  }
  return drafts
}

const CAUSE_LABEL = /^(?:(?:root|main|probable|immediate|direct|likely)\s)?causes?(?:\s(?:of|for)\s(.{3,60}))?$/i
const PLACE_LABEL = /^(?:place|venue|location|port|country|site|town|city|jurisdiction|state)\s(?:of|for)\s(?:the\s)?(.{3,60})$/i
const PURPOSE_LABEL = /^(?:stated |declared )?purpose of (?:the )?((?:payments?|loans?|transfers?|funds|advance|grant)(?:\s.{1,30})?)$/i
const BY_LABEL =
  /^(\p{L}[\p{L}\s-]{3,40}?)\s(?:operator|surgeon|(?:carried out|performed|done|undertaken|executed|supplied|installed|designed|built|fitted)\sby)$/iu
const FUNDS_LABEL = /^(?:source|origin) of (?:the )?(?:funds|money|wealth|capital)$|^(?:financed|funded) by$/i

/** "Root cause: wear of the seal", "Source of funds: sale of a house". */
export function pairAspect(context: ReadContext, block: Block): Draft[] {
  const label = block.label!.text.trim()
  const cause = CAUSE_LABEL.exec(label)
  const place = PLACE_LABEL.exec(label)
  const purpose = PURPOSE_LABEL.exec(label)
  const by = BY_LABEL.exec(label)
  const body = squeeze(context.text.slice(block.body.start, Math.min(block.body.end, block.body.start + 200)))
  const kind = kindAsked(label, body)
  if (!cause && !place && !purpose && !kind && !by && !FUNDS_LABEL.test(label)) return []
  const aspect = kind ? '@kind' : cause ? '@cause' : place ? '@place' : purpose ? '@purpose' : by ? '@by' : '@funds'
  const value = kind?.value ?? (by ? body.replace(/\s?[,(;].*$/, '') : firstPhrase(body))
  if (!value || /^(?:unknown|not|none|no|n\/a|tbc|tbd|under|see|to be|pending)\b/i.test(value)) return []
  const said = kind?.of ?? cause?.[1] ?? place?.[1] ?? purpose?.[1] ?? by?.[1]
  const of = said ? termsOf(said) : []
  const draft = buildState(context, block, {
    start: block.start,
    end: block.end,
    text: `${label}: ${body}`,
    name: label,
    terms: [aspect, ...of],
    head: aspect,
    value: { type: 'name', value },
    negated: false,
    confidence: 0.7,
  })
  draft.valueText = value
  return [draft]
}
