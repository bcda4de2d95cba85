/**
 * What kind of statement a value is: actual, target, limit, forecast, scenario, a prior value cited; fact, plan,
 * possibility or obligation; and the words around it that dispute, correct or replace another statement.
 */

import { type Pattern, pattern } from './pattern.js'
import type { ClaimRole, ExtractedClaim } from './types.js'

const ROLES: [Pattern, ClaimRole][] = [
  [pattern(/\b(?:hypothetical|illustrative|what-if|example)\b/i), 'hypothetical'],
  [
    pattern(/\b(?:scenario|stress(?:ed)?|shock|sensitivity|adverse case|downside|upside case|reverse stress|worst case|best case)\b/i),
    'scenario',
  ],
  [pattern(/\b(?:target(?:ed|s)?|goal|objective|aim(?:s|ed)?|ambition)\b/i), 'target'],
  [pattern(/\b(?:minimum|floor|at least|no less than|not less than|lower bound)\b/i), 'minimum'],
  [pattern(/\b(?:maximum|ceiling|cap\b|capped|no more than|not more than|upper bound|not exceed)\b/i), 'maximum'],
  [
    pattern(
      /\b(?:limit|threshold|boundary|tolerance|trigger|covenant level|covenant limit|required (?:minimum|maximum|level|ratio|threshold|amount|value|rate|percentage|coverage|capital|margin)|requirement level|permitted|allowable|allowed (?!for\b|by\b|to\b)|(?:contract|agreement|permit|licen[cs]e|law|regulation|directive|standard|specification|policy|code|clause|guideline)s? (?:requires?|prescribes?|stipulates?|demands?))\b/i,
    ),
    'limit',
  ],
  [pattern(/\b(?:budget(?:ed)?|allocated|allocation|appropriation)\b/i), 'budget'],
  [
    pattern(
      /\b(?:forecasts?|project(?:ed|ion|ions)|guidance|outlook|expected|expects|expect|planned|anticipated|anticipates?|run[- ]rate|pipeline)\b|\((?:E|F|P)\)|\b20\d\d[EF]\b/i,
    ),
    'forecast',
  ],
  [pattern(/\b(?:proposed|proposal|recommended|recommends?|requested|indicative)\b/i), 'proposed'],
  [pattern(/\b(?:estimated?|estimates)\b|\best\./i), 'estimate'],
]

export function roleIn(text: string): ClaimRole | null {
  for (const [form, role] of ROLES) if (form.test(text)) return role
  return null
}

const PRIOR_LEFT = pattern(
  /(?:\bpreviously|\bformerly|\boriginally|[([]\s?(?:was|were)|\bprior|\bearlier|\bdown from|\bup from|\bfrom|\bcompared (?:with|to)|\bversus|\bvs\.?|\binstead of|\brather than|\bnot(?: the)?|\bagainst|\bhad been|\b(?:increased|raised|reduced|lowered|revised|restated|changed|corrected) from|\bpreviously (?:stated|reported)(?: as| at)?|\boriginal(?: value| figure)?)\s{0,2}(?:the\s|a\s|an\s)?(?:original\s|previous\s|prior\s|reported\s|approximately\s|about\s|~)?[:=]?\s?$/i,
)

/** The value is cited as an old one, not claimed: "(was V)", "from V to …", "not the V". */
export function citedAsPrior(left: string): 'prior' | 'denied' | null {
  const match = PRIOR_LEFT.exec(left.slice(-60))
  if (!match) return null
  return /^(?:not|instead of|rather than)/i.test(match[0].trim()) ? 'denied' : 'prior'
}

const OLD_LABEL = pattern(
  /\b(?:as (?:printed|published|first \w+)|previous(?:ly)?|prior (?:version|value|text|wording|schedule|calculation)|original|old|former|superseded|pre-?correct(?:ion|ed)?|pre-(?:restatement|harmoni[sz]ation|amendment|change|revision|adjustment|update|reclassification|remediation|migration)|before)\b/i,
)
const NEW_LABEL = pattern(
  /(?:^|· )correct$|\b(?:revised|restated|corrected|new|updated|amended|post-?correct(?:ion|ed)?|post-(?:restatement|harmoni[sz]ation|amendment|change|revision|adjustment|update|reclassification|remediation|migration)|after|recalculated|recalibrated|replacement)\b/i,
)

/** Whether a label or heading marks its value as the old or the new version. */
export function versionIn(text: string): 'old' | 'new' | null {
  const old = OLD_LABEL.test(text)
  const fresh = NEW_LABEL.test(text)
  return old === fresh ? null : old ? 'old' : 'new'
}

const DISPUTES = pattern(
  /\b(?:disput(?:e|es|ed|ing)|contradict(?:s|ed|ory)?|inconsistent with|does not (?:support|agree|match|reconcile)|do not (?:support|agree|accept|match|reconcile)|did not match|not supported|contrary to|overstat(?:es|ed|ement)|understat(?:es|ed)|misstat(?:es|ed|ement)|discrepanc(?:y|ies)|incorrect(?:ly)?|erroneous|inaccurate|disagree(?:s|d)?|cannot (?:confirm|verify)|unable to (?:confirm|verify)|differs? from|at odds|challenge(?:s|d)|reject(?:s|ed)|mismatch|no evidence|not substantiated|unsubstantiated|higher than (?:reported|reflected|stated)|lower than (?:reported|reflected|stated))\b|, not (?:the )?[\d€$£(A-Z]/i,
)
const CORRECTS = pattern(
  /\b(?:restat(?:e|es|ed|ement)|correct(?:ed|s|ion)|revis(?:e|es|ed|ing|ion)|amend(?:ed|s|ment)|updated?|recalculat(?:ed|ion)|recalibrat(?:ed|ion)|reclassif(?:y|ied|ication)|adjusted (?:from|to|down|up)|re-?assess(?:ed|ment)|has been (?:increased|reduced|raised|lowered|extended|moved|postponed|brought forward|changed)|raised from|reduced from|increased from|lowered from|changed from|extended (?:from|to)|postponed|rescheduled|now (?:stands|is|expected|scheduled|classified|provision)|no longer|overridden|adjudicat(?:ed|ion)|harmoni[sz]ed|after all|should read|cut (?:from|to)|put back|postpones|we overlooked)\b/i,
)
const REPLACES = pattern(
  /\b(?:supersed(?:e|es|ed|ing)|replac(?:e|es|ed|ing)|withdrawn|withdraws?|rescind(?:ed|s)|cancel(?:led|ed|s)|revoked|lifted|no longer|resolv(?:e|es|ed)|remediat(?:e|es|ed|ion)|mitigated|addressed|closed|moot|repealed|suspended|overridden)\b/i,
)

export function stanceIn(text: string, echoes: boolean): ExtractedClaim['stance'] {
  return { disputes: DISPUTES.test(text), corrects: CORRECTS.test(text), echoes, supersedes: REPLACES.test(text) }
}

/** "Could not operate" happened. */
const CONDITIONAL = pattern(
  /\b(?:if|would|could(?! not\b)|might|were to|unless|assuming|in the event|should the|potential(?:ly)?|possible|possibly|hypothetical(?:ly)?)\b/i,
)
/** Lower case or shouted: "May 2026" is a month. */
const MAY = pattern(/\b(?:may|MAY|might)\b/)
const PLAN = pattern(
  /\b(?:will|shall be|plans? to|intends? to|expects? to|is expected|are expected|scheduled|planned|upcoming|going forward|next (?:year|quarter|month)|to be (?:completed|submitted|implemented|issued|delivered)|proposed|recommend(?:s|ed)?)\b/i,
)
const OBLIGATION = pattern(
  /\b(?:must|shall|should|required to|is to be|are to be|obliged|need(?:s)? to|requests? that|is requested|ensure that)\b/i,
)

/** "could not be found", "no deed could be produced": that is a fact. */
const UNABLE = pattern(/\b(?:no|none of|neither|nor|nobody)\s[^,.;]{2,60}?\scould\b|\bcould\s(?:not|never)\b/gi)

/** "I would put the risk at 8 %": who says so says it. */
const WOULD_SAY = pattern(/\b(?:I|we) would (?:put|estimate|place|say|assess|value|rate|describe|regard)\b/gi)

export function modalityIn(written: string): ExtractedClaim['modality'] {
  const text = WOULD_SAY.replace(UNABLE.replace(written, ' '), ' ')
  if (CONDITIONAL.test(text) || MAY.test(text)) return 'possibility'
  if (OBLIGATION.test(text)) return 'obligation'
  if (PLAN.test(text)) return 'plan'
  return 'fact'
}
