/**
 * Names given in sentences: "The head of production is Marek Wilk", "Marek Wilk is the head of production", "the energy
 * class of the offices is B". The phrase is read like a label, the capitals behind the verb are its answer.
 */
import type { Block } from './blocks.js'
import { squeeze } from './characters.js'
import type { Draft, ReadContext } from './draft.js'
import { holderIn } from './holders.js'
import { pattern } from './pattern.js'
import { findPeriods } from './periods.js'
import { answeredIn, heldIn, ONLY, saidIn } from './said-names.js'
import { sentencesOf } from './sentences.js'
import { termsOf } from './slots.js'
import { buildState } from './states.js'

const NAME =
  "(?:(?:Dr|Mr|Ms|Mrs|Miss|Prof|Capt|Sir)\\.?\\s)?\\p{Lu}[\\p{L}\\p{M}'’&-]*(?:\\.(?=\\s\\p{Lu}))?(?:\\s(?:(?:of|and|de|van|von|&)\\s)?\\p{Lu}[\\p{L}\\p{M}'’&-]*\\.?(?=[\\s.,;]|$)){0,5}"
const LABEL = "(?:[Tt]he|[Ii]ts|[Oo]ur|[Tt]heir)\\s((?:[\\p{L}][\\p{L}\\p{N}'’/-]*\\s){0,8}?[\\p{Ll}][\\p{L}'’-]*)"
const FORWARD = pattern(
  new RegExp(
    `^(?:[^,]{0,40},\\s)?${LABEL}\\s(?:is|was|remains|are|will be)\\s(?:now\\s|still\\s|called\\s|named\\s|in\\s|located in\\s)?(${NAME}|[A-G][+-]?)(?=[.,;(]|\\s(?:and|with|since|from|who|which|in|at|\\()|$)`,
    'u',
  ),
)
const ROLE =
  "(?:the\\s|our\\s|its\\s|an?\\s)?((?:[\\p{Ll}][\\p{L}'’-]*\\s){0,8}?[\\p{Ll}][\\p{L}'’-]*)(?=[.,;(]|\\s(?:since|from|until|with effect)\\s|$)"
const BACKWARD = pattern(
  new RegExp(
    `^(?:(?:Since|From|As of|Until|In|On)\\s[^,\\p{Lu}]{0,12}(?:\\p{Lu}\\p{Ll}{2,8}\\s)?\\d{4},?\\s)?(${NAME})\\s(?:is|was|remains|became|has been|acts as|serves as|has been appointed|was appointed)\\s(?:as\\s)?${ROLE}`,
    'u',
  ),
)
const APPOINTED = pattern(
  new RegExp(`\\b(?:appointed|elected|designated|named|nominated|engaged)\\s(${NAME})\\s(?:as\\s|to be\\s)${ROLE}`, 'u'),
)
/** "The works committee is chaired by the engineer, Ms Holt": the verb is the label. */
const HELD = pattern(
  new RegExp(
    `((?:\\p{L}[\\p{L}'’-]*\\s){1,6})(?:is|was|are|were|has been|had been|will be)\\s(?:now\\s)?(chaired|headed|led|managed|owned|operated|audited|insured|supervised|manufactured|represented)\\sby\\s(?:(?:the|its|our)\\s[\\p{Ll} -]{3,40},\\s)?(${NAME})(?=[\\s.,;(]|$)`,
    'u',
  ),
)
/** "The contract is governed by Swiss law", "subject to the law of Ireland". */
const GOVERNED = pattern(
  /\b(?:governed by|subject to)\s(?:the\s)?(?:laws?\sof\s(?:the\s)?)?(\p{Lu}[\p{L}-]+(?:\s\p{Lu}[\p{L}-]+)?)(?:\slaw\b)?/u,
)
const LAW = pattern(/\b(?:law|laws)\b/)
const RATED = pattern(
  /((?:\p{L}[\p{L}'’-]*\s){1,6})(?:is|was|are|were|has been)\s(?:now\s)?(?:rated|graded)\s([A-D]{1,3}[+-]?)(?![\p{L}\d])/u,
)
const POSTS: Record<string, string> = {
  chaired: 'chair',
  headed: 'head',
  led: 'head',
  managed: 'manager',
  owned: 'owner',
  operated: 'operator',
  audited: 'auditor',
  insured: 'insurer',
  supervised: 'supervisor',
  manufactured: 'manufacturer',
  represented: 'representative',
}

/** "is classified in consequence class 3": the class is the label, its number the answer. */
const CLASSED = pattern(
  /\b(?:is|are|was|were|remains?|classified|classifies|placed|places|lists?|listed|registered|rated|rates|assigned|falls?|belongs?|graded|puts?)\b[^.;]{0,50}?\b(?:in|as|to|under|of|is|rated|into)\s(?:the\s)?((?:[\p{Ll}-]+\s){0,2}(?:class|category|grade|tier|group|zone|stage|rating))\s(\d{1,2}|[A-F][+-]?|[IVX]{1,4})(?![\p{L}\d])/u,
)

/** "The building has energy class D". */
const HAS_CLASS = pattern(
  /\b(?:has|have|holds|received|reaches|achieves|achieved)\s(?:an?\s|the\s)?((?:[\p{Ll}-]+\s){1,2}(?:class|category|grade|tier|rating))\s(?:of\s)?([A-G][+-]?)(?![\p{L}\d+-])/u,
)

interface Found {
  label: string
  value: string
  negated?: boolean
}

export function sentenceNames(context: ReadContext, block: Block, start: number, end: number): Draft[] {
  const drafts: Draft[] = []
  let before = ''
  for (const span of sentencesOf(context.text, start, end)) {
    if (span.end - span.start > 300) continue
    const text = squeeze(context.text.slice(span.start, span.end))
    const found: Found | null =
      holderIn(text, writerOf(context)) ??
      namedIn(text) ??
      saidIn(text) ??
      answeredIn(text) ??
      heldIn(text, `${block.path.at(-1) ?? ''}. ${before}`)
    before = text
    if (!found || isWord(found.value)) continue
    const { value } = found
    const label = bareOf(found.label)
    const terms = termsOf(label)
    const head = terms.at(-1)
    if (!head) continue
    const draft = buildState(context, block, {
      start: span.start,
      end: span.end,
      text,
      name: label,
      terms,
      head,
      value: { type: 'name', value },
      negated: found.negated === true,
      confidence: 0.6,
    })
    draft.context = [...new Set([...draft.context, ...termsOf(value)])].slice(0, 64)
    // Who is named is the answer, not whom it is about.
    draft.subjectText = text.replace(value, ' ')
    drafts.push(draft)
  }
  return drafts
}

/** Whose letterhead it is, else whoever prepared the document. */
function writerOf({ profile }: ReadContext): string | null {
  return profile.headLine ?? profile.issuer?.slice(profile.issuer.lastIndexOf('—') + 1).trim() ?? null
}

/** "The primary endpoint is the time to first fracture": a label of two words that asks for one wording. */
const WORDED = pattern(
  /^(?:[^,]{0,40},\s)?(?:[Tt]he|[Ii]ts|[Oo]ur)\s((?:primary|secondary|main|principal|accounting|valuation|sampling|test|governing|applicable)\s(?:efficacy\s|safety\s)?(?:endpoint|outcome|method|methodology|basis|standard|comparator|indication|law|measure))\s(?:is|was|remains|will be)\s(?:now\s)?(?:the\s|an?\s)?(\p{Ll}[^.;]{8,90})/u,
)

/** "The valuation is based on the comparison method". */
const BASED = pattern(
  /\b(valuation|calculation|estimate|assessment|measurement|analysis|forecast|depreciation|allocation)\s(?:is|was|are|were|has been)\s(?:based on|carried out by|performed with|made by|prepared using|done by|derived by)\s(?:the|an?)\s((?:[\p{L}-]+\s){1,4}?)(?:method|approach|model|technique)\b/iu,
)

function namedIn(text: string): { label: string; value: string } | null {
  const made = (label: string, value: string): { label: string; value: string } => ({ label, value: value.replace(/[.,]$/, '') })
  const forward = FORWARD.exec(text)
  if (forward) return made(forward[1]!, forward[2]!)
  const backward = BACKWARD.exec(text)
  // "This is not a post" and "Both were late": nobody is named.
  if (backward && !/^(?:not|no|an?)\s/.test(backward[2]!) && !NOBODY.test(backward[1]!)) return made(backward[2]!, backward[1]!)
  const appointed = APPOINTED.exec(text)
  if (appointed) return made(appointed[2]!, appointed[1]!)
  const held = HELD.exec(text)
  if (held) return made(postOf(POSTS[held[2]!]!, held[1]!.replace(/^.*\b(?:the|its|our)\s/iu, '').trim()), held[3]!)
  const worded = WORDED.exec(text)
  if (worded) return made(worded[1]!, worded[2]!)
  const based = BASED.exec(text)
  if (based) return made(`${based[1]!} method`, based[2]!.trim())
  const law = LAW.test(text) ? GOVERNED.exec(text) : null
  if (law) return made('governing law', law[1]!)
  const rated = RATED.exec(text)
  if (rated) return made(`rating of ${rated[1]!.replace(/^.*\b(?:the|its|our)\s/iu, '')}`.trim(), rated[2]!)
  const classed = CLASSED.exec(text) ?? HAS_CLASS.exec(text)
  return classed ? made(classed[1]!, classed[2]!) : null
}

/** "the master of the vessel" is the master where there is one vessel. */
function bareOf(label: string): string {
  const tail = /^(.{3,60}?)\s(?:of|at|for)\s(?:the|this|our)\s(\p{L}+)$/u.exec(label)
  return tail && ONLY.test(tail[2]!) ? tail[1]! : label
}

/** "The accounts were audited by N": there is one auditor of them. */
const postOf = (post: string, of: string): string => (ONLY.test(of) ? post : `${post} of ${of}`)

const NOBODY =
  /^(?:The|This|That|These|Those|It|He|She|We|They|You|I|Both|All|None|Each|Some|Most|Such|There|What|Which|One|Two|Three|No|A|An|Any|Other|Our|Its|Their|My|Your|His|Her)\b/

/** Capitals that name nothing: a shouted word, a month. */
function isWord(value: string): boolean {
  return (
    (/^\p{Lu}{4,}$/u.test(value) && !/\s/.test(value)) ||
    findPeriods(`${value} 2000`, 2000).length > 1 ||
    /^(?:January|February|March|April|May|June|July|August|September|October|November|December|Q[1-4]|EUR|USD|GBP|CHF)\b/.test(value)
  )
}
