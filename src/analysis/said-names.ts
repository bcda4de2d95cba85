/**
 * What a form asks for in one field, said in a sentence: "sails under the flag of X", "is tax resident in Y", "insured with Z",
 * "N retired as trustee". The field is the label, so that the sentence meets the form.
 */
import { NOBODY } from './holders.js'
import { type Pattern, pattern } from './pattern.js'
import { MONTH_NAMES } from './words.js'

export interface Said {
  label: string
  value: string
  negated: boolean
}

const PLACE = "(?:the\\s)?(\\p{Lu}[\\p{L}\\p{M}'’-]+(?:\\s(?:of\\s(?:the\\s)?|and\\s)?\\p{Lu}[\\p{L}\\p{M}'’-]+){0,3})"
const TITLE = '(?:(?:Dr|Mr|Ms|Mrs|Miss|Prof|Capt|Sir)\\.?\\s)?'
const PERSON = `${TITLE}(?:\\p{Lu}\\.\\s?){0,3}\\p{Lu}[\\p{L}\\p{M}'’-]+(?:\\s(?:(?:de|van|von)\\s)?\\p{Lu}[\\p{L}\\p{M}'’-]*\\.?){0,4}`
const FIRM = `(?:the\\s)?(${TITLE}(?:\\p{Lu}\\.\\s?){0,3}\\p{Lu}[\\p{L}\\p{M}'’&-]+(?:\\s(?:&\\s|and\\s|of\\s)?\\p{Lu}[\\p{L}\\p{M}'’&-]*){0,4})(?=[.,;()]|\\s\\p{Ll}|$)`
/** A post as a sentence writes it: "protector", "head of internal audit". */
const POST =
  "(?:the\\s|our\\s|its\\s|an?\\s)?((?:\\p{Ll}[\\p{L}'’-]*\\s){0,3}?\\p{Ll}[\\p{L}'’-]*(?:\\sof\\s(?:the\\s)?(?:\\p{Ll}[\\p{Ll}'’-]*\\s){0,2}?\\p{Ll}[\\p{Ll}'’-]*)?)"
const STOP = '(?=[.,;()]|\\s(?:since|from|until|with|for|on|in|at|as|and|to|under|after|before|by)\\s|$)'
const BE = '(?:is|are|was|were|has been|have been|had been)\\s(?:now\\s|still\\s|again\\s)?'
const BE_DONE = `((?:\\p{L}[\\p{L}'’-]*\\s){1,6})${BE}`

const form = (source: string): Pattern => pattern(new RegExp(source, 'u'))

/** Fields whose answer is a place or a law. */
const PLACED: [label: string, form: Pattern][] = [
  ['governing law', form(`\\bunder\\sthe\\slaws?\\sof\\s${PLACE}`)],
  ['governing law', form(`\\bunder\\s(\\p{Lu}\\p{Ll}{3,})\\slaw\\b`)],
  ['tax residence', form(`\\btax[- ]resident\\s(?:in|of)\\s${PLACE}`)],
  ['tax residence', form(`\\bresident\\sfor\\stax\\spurposes\\sin\\s${PLACE}`)],
  ['tax residence', form(`\\bresident\\s(?:in|of)\\s${PLACE}\\sfor\\stax\\spurposes`)],
  ['tax residence', form(`\\btax\\sresidence\\s(?:is\\s|was\\s)?(?:now\\s)?in\\s${PLACE}`)],
  ['flag', form(`\\b(?:under|flying|flies|flew|flown|hoisted)\\sthe\\sflag\\sof\\s${PLACE}`)],
  ['flag', form(`\\b(?:under|flying|flies|flew|flown)\\s(?:the|an?)\\s(\\p{Lu}\\p{Ll}{3,})\\sflag\\b`)],
  [
    'registered office',
    form(`\\bregistered\\s(?:office|seat)\\s(?:is\\s|was\\s)?(?:now\\s)?(?:located\\s|situated\\s)?(?:in|at)\\s${PLACE}`),
  ],
  [
    'country of residence',
    form(
      `^(?:He|She|The\\s(?:client|applicant|customer|settlor|insured|claimant|patient|tenant|owner|director|shareholder))\\s(?:lives|resides|is\\sresident|has\\slived)\\sin\\s${PLACE}(?!\\sfor\\stax)`,
    ),
  ],
  ['nationality', form(`\\b(?:is|was)\\san?\\s(?:national|citizen)\\sof\\s${PLACE}`)],
  ['place of birth', form(`\\bborn\\s(?:[^,.;]{0,30}\\s)?in\\s${PLACE}`)],
  ['seat of arbitration', form(`\\bseat\\sof\\s(?:the\\s)?arbitration\\s(?:is|was|shall be|will be)\\s(?:in\\s)?${PLACE}`)],
]

/** Deeds by which somebody has a post with what it is done to. */
const DEEDS: [post: string, form: Pattern][] = [
  ['insurer', form(`${BE_DONE}insured\\s(?:with|through|at)\\s${FIRM}`)],
  ['bank', form(`\\b((?:bank\\s|current\\s|client\\s|escrow\\s)?accounts?\\s)${BE}(?:held|kept|maintained)\\s(?:with|at)\\s${FIRM}`)],
  ['contractor', form(`${BE_DONE}awarded\\sto\\s${FIRM}`)],
  ['supplier', form(`${BE_DONE}(?:supplied|provided|delivered)\\sby\\s${FIRM}`)],
  ['laboratory', form(`\\b((?:[\\p{L}-]+\\s){0,3}samples?\\s)${BE}(?:analysed|analyzed|tested|examined)\\s(?:by|at)\\s${FIRM}`)],
  ['carrier', form(`${BE_DONE}(?:carried|shipped|transported|conveyed)\\sby\\s${FIRM}`)],
  ['surgeon', form(`\\b((?:operation|procedure|surgery)\\s)${BE}(?:performed|done|carried out|undertaken)\\sby\\s${FIRM}`)],
  ['anaesthetist', form(`\\b(anaesthe(?:sia|tic)\\s)${BE}(?:given|administered|provided)\\sby\\s${FIRM}`)],
  ['landlord', form(`${BE_DONE}(?:leased|rented|let)\\sfrom\\s${FIRM}`)],
  ['tenant', form(`${BE_DONE}(?:leased|rented|let|sublet)\\sto\\s${FIRM}`)],
  ['custodian', form(`\\b(custody\\s(?:of\\s(?:the\\s)?[\\p{Ll}-]+\\s)?)(?:lies|rests|is)\\swith\\s${FIRM}`)],
  ['employer', form(`${BE_DONE}employed\\sby\\s${FIRM}`)],
  ['manufacturer', form(`${BE_DONE}made\\sby\\s${FIRM}`)],
]

/** What there is one of in a matter: its name adds nothing to the post. */
export const ONLY =
  /^(?:(?:the|its|our|all|whole|entire|annual|financial|bank|current|client)\s)*(?:accounts?|statements|company|contracts?|agreement|works?|project|building|property|premises|vessel|ship|yacht|cargo|goods|shipment|consignment|samples?|operation|procedure|surgery|anaesthesia|anaesthetic|trust|scheme|fund|policy|loan|plant|site|lease|order|equipment|assets|he|she|patient|client|farm|mine|factory|school|hospital)$/i

const HELD = form(
  `(?:^|[,;]\\s)(?:Since\\s[^,]{3,30},?\\s)?(${PERSON})\\s(?:has\\s|had\\s)?(?:held|holds|occupies|occupied|fills|filled)\\sthe\\s(?:office|post|role|position)\\sof\\s${POST}${STOP}`,
)
/** Posts that one person holds. */
const OFFICE =
  '(?:director|manager|chair|chairman|chairwoman|officer|engineer|investigator|valuer|auditor|trustee|administrator|custodian|secretary|president|treasurer|controller|supervisor|registrar|actuary|surveyor|architect|pharmacist|captain|master|executor|liquidator|receiver|protector|settlor|headteacher|surgeon|anaesthetist|rector|dean|mayor|notary|matron|editor|superintendent|ombudsman|coroner|arbitrator|landlord|tenant)'
const ACTED = form(
  `(?:^|[,;]\\s)(?:Since\\s[^,]{3,30},?\\s)?(${PERSON})\\s(?:has\\s|had\\s)?(?:acted|acts|serves|served|works|worked)\\sas\\s${POST}${STOP}`,
)
/** "The yard manager, Tam Brody, signed": a post and its holder between commas. */
const BESIDE = form(`\\b[Tt]he\\s((?:\\p{Ll}[\\p{L}'’-]*\\s){0,3}?${OFFICE}),\\s(${PERSON}),\\s(?!and\\s)`)
const NONE = form(
  `\\b[Tt]here\\s(?:is|was|has been|had been)\\s(?:currently\\s)?no\\s((?:\\p{Ll}[\\p{L}'’-]*\\s){0,3}?${OFFICE})(?=[.,;]|\\s(?:since|at present|in post|in place)(?=[\\s.,;]))`,
)
const LEFT = form(
  `(?:^|[,;]\\s|\\sthat\\s)(${PERSON})\\s(?:has\\s|had\\s)?(?:retired|resigned|stepped down|stood down|withdrew|withdrawn|been removed|been dismissed|was removed|was dismissed|ceased to act|ceased)\\sas\\s${POST}${STOP}`,
)
const NO_LONGER = form(`(?:^|[,;]\\s|\\sthat\\s)(${PERSON})\\s(?:is|was)\\s(?:no longer|not|never)\\sthe\\s${POST}${STOP}`)
const STILL = form(`\\b[Tt]he\\s((?:\\p{Ll}[\\p{L}'’-]*\\s){0,3}?\\p{Ll}[\\p{L}'’-]*)\\s(?:is|was|remained)\\sstill\\s(${PERSON})`)
const HEADED = form(
  `^((?:Chair|Head|Director|Manager|Secretary|Master|Owner|Trustee|Protector|Auditor|President|Principal|Leader|Treasurer|Clerk)(?:\\s(?:of|to|for)\\s(?:the\\s)?(?:\\p{L}[\\p{L}'’-]*\\s){0,3}?\\p{Ll}[\\p{L}'’-]*)?)\\s(?:is|was|remains|has been)\\s(?:now\\s|still\\s)?(${PERSON})`,
)

const UNSURE = pattern(/\b(?:may|might|could|if|whether|would|should|must|shall|unless|formerly|previously|once|until|before|used to|or)\b/)
const MENTIONS = pattern(/\b(?:lives|lived|resides|law|laws|resident|residence|flag|office|seat|national|citizen|born|arbitration)\b/)
const MONTH = new RegExp(`^(?:${MONTH_NAMES})\\b`)

const clean = (value: string): string => value.replace(/[.,]$/, '')

/** The field a sentence answers; null when it answers none. */
export function saidIn(text: string): Said | null {
  if (UNSURE.test(text)) return null
  const held = HELD.exec(text)
  if (held) return { label: held[2]!, value: clean(held[1]!), negated: false }
  const acted = ACTED.exec(text)
  if (acted) return { label: acted[2]!, value: clean(acted[1]!), negated: false }
  const none = NONE.exec(text)
  if (none) return { label: none[1]!, value: NOBODY, negated: false }
  const left = LEFT.exec(text) ?? NO_LONGER.exec(text)
  if (left) return { label: left[2]!, value: clean(left[1]!), negated: true }
  const named = STILL.exec(text) ?? HEADED.exec(text) ?? BESIDE.exec(text)
  if (named) return { label: named[1]!, value: clean(named[2]!), negated: false }
  if (MENTIONS.test(text))
    for (const [label, form] of PLACED) {
      const match = form.exec(text)
      if (match && !MONTH.test(match[1]!)) return { label, value: match[1]!, negated: denied(text, match.index) }
    }
  for (const [post, form] of DEEDS) {
    const match = form.exec(text)
    if (!match || MONTH.test(match[2]!)) continue
    const of = match[1]!.replace(/^.*\b(?:the|its|our)\s/iu, '').trim()
    return { label: ONLY.test(of) ? post : `${post} of ${of}`, value: clean(match[2]!), negated: false }
  }
  return null
}

/** "The diagnosis is bronchitis": a noun that asks for one wording, and the wording. */
const ANSWERED = pattern(
  /^(?:[^,]{0,40},\s)?(?:[Tt]he|[Hh]is|[Hh]er|[Ii]ts|[Oo]ur)\s((?:[\p{Ll}-]+\s){0,2}?(?:diagnosis|blood group|indication|comparator|cause of death|legal form|occupation|currency|fuel|contract form|form of contract|mode of transport|method of payment|route of administration))\s(?:is|was|remains)\s(?:now\s|still\s)?(?:the\s|an?\s)?(\p{L}[^\s.,;()]*(?:\s[^\s.,;()]+){0,3})(?=[.,;(]|\s\(|$)/u,
)

/** The wording a sentence gives to a noun that asks for one. */
export function answeredIn(text: string): Said | null {
  const match = ANSWERED.exec(text)
  if (
    !match ||
    UNSURE.test(text) ||
    /^(?:not|no|unknown|unclear|open|correct|wrong|right|based|made|given|confirmed|disputed|under|\p{L}+ed)\b/iu.test(match[2]!)
  )
    return null
  return { label: match[1]!, value: match[2]!, negated: false }
}

const HELD_SINCE = form(
  `^(?:Since\\s[^,]{3,30},?\\s)?(${PERSON})\\s(?:has\\s)?(?:held|holds|taken|took)\\s(?:the|that|this)\\s(?:office|post|role|position)\\b(?!\\sof\\s)`,
)
const POST_NAMED = new RegExp(`(?<![\\p{L}-])((?:\\p{Ll}+\\s)?${OFFICE})(?![\\p{L}-])`, 'giu')

/** "N has held the office since May", of the post named just before. */
export function heldIn(text: string, before: string): Said | null {
  const held = HELD_SINCE.exec(text)
  if (!held || UNSURE.test(text)) return null
  const posts = new Set(
    [...before.slice(-300).matchAll(POST_NAMED)].map(match => match[1]!.toLowerCase().replace(/^(?:the|a|an|our|its|as|of)\s/, '')),
  )
  return posts.size === 1 ? { label: [...posts][0]!, value: clean(held[1]!), negated: false } : null
}

const denied = (text: string, at: number): boolean =>
  /\b(?:not|never|no longer)\s(?:\S+\s){0,3}$/.test(text.slice(Math.max(0, at - 40), at))
