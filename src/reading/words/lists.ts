/** The few closed lists of words the reader keeps by hand: what binds a sentence together, and what the word table does not oppose. */
import { CUE } from './cues.js'

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

/** Words that tell nothing about what a statement is about. */
export const FUNCTION_WORDS = set(
  `a an the of in on at to for from by with and or as is are was were be been being am has have had having do does did done its it this that these those
   their his her our my your we they he she i you us them him me which who whom whose what how when where why will would shall should may might can could must
   there here then than so such also only just very quite both all any each every per into onto over under out up down off about above below after
   before during between within through throughout against while until till since upon along across around near via amid among beyond toward towards
   more most less least fewer other another some no not never none nor neither nobody nothing nil without own same too yet still already again once twice
   if unless whether because although though however therefore thus hence moreover meanwhile otherwise instead rather indeed namely
   according accordingly following respectively approximately about roughly around circa nearly almost exactly precisely altogether
   total totally overall whole entire full fully currently now today then s t etc eg ie vs versus mr mrs ms miss dr prof sir dame dear
   amount amounts come comes came stand stands stood reach reaches reached show shows showed shown state states stated report reports reported
   note notes noted say says said give gives gave given get gets got make makes made take takes took taken become becomes became remain remains remained
   find finds found record records recorded confirm confirms confirmed accord accords regard regards regarding concern concerning please see`,
)

export const PREPOSITION =
  /^(?:of|in|on|at|to|for|from|by|with|into|onto|over|under|after|before|during|between|within|through|against|until|since|near|via|as|about|per|without|than)$/

/** Units and parts of time name no thing. */
export const TIME_WORDS = set(
  `minute hour day night week weekend month quarter half year decade january february march april may june july august september october
   november december jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday
   morning afternoon evening noon midnight date time period end start beginning fiscal calendar annual annually monthly weekly daily quarterly yearly pm am`,
)

/** Words before which a number says what something is limited to, wished for or foreseen, not what it is. */
export const ROLES: readonly (readonly [role: string, cue: number, form: RegExp])[] = [
  [
    'target',
    CUE.target,
    /\b(?:targets?|targeted|targeting|aims?|aimed|aiming|goals?|quotas?|objectives|ambitions?|aspir\w+|wants?|wanted|wish(?:es|ed) (?:to|for)|set out to|hop(?:es?|ed|ing) (?:to|for|that)|needs(?= [€$£\d])|calls for|benchmark|bargain\w* for)\b/i,
  ],
  [
    'plan',
    CUE.plan | CUE.to,
    /^(?![^:]{0,60}\bfrom\b)[^:]{0,60}(?<!\b(?:due|relative|related|compared|according|subject|prior|next|close|adjacent|up|down|back|attributable|similar|thanks|owing) )\bto (?:be )?\p{Ll}+[^:]{0,20}:|\b(?:plan|plans|planned|planning|budget(?:s|ed)?|schedul\w+|intend(?:s|ed)?|intention|(?:is|are|was|were) to (?:be )?\p{L}+|(?:is|are|was|were) due (?:to|on|in|at|by|for)|(?:means?|meant|set|about|likely|hop\w+) to \p{L}+|reckon\w* (?:with|on)|count(?:s|ing) on|promis\w+|propos\w+|foreseen|envisaged?)\b/iu,
  ],
  [
    'forecast',
    CUE.forecast,
    /\b(?:forecasts?|forecasted|project(?:ed|ion|ions)|predict\w*|outlook|expect(?:s|ed|ation|ations)?|anticipat\w+)\b|^(?!.*\b(?:was|were|has|have|had)\b).*\b(?:will|would)\b/i,
  ],
  [
    'estimate',
    CUE.estimate,
    /\b(?:estimat\w+|preliminary|provisional|indicative|flash|interim|draft|guess\w*|early (?:count|figures?|reports?|returns?|results?|indications?)|first (?:count|figures?|reports?|returns?|results?|projections?|indications?)|at first|initial (?:reserve|estimate|figure|count)|unaudited)\b/i,
  ],
  [
    'limit',
    CUE.limit,
    /\b(?:limits?|limited|maximum|max\.?|minimum|min\.?|caps?|capped|ceiling|threshold|permitted|permissible|permits?|allowed|allowable|allowance|restricted|licensed for|(?:built|designed|made|meant|intended|approved|certified|registered|booked|reserved|catered) for [\p{L}\d]+ (?:\p{L}+ )?\p{L}+|by law|legal|capacity|tolerance|rated|nominal|must(?: not)?|shall(?: not)?|may not|not exceed)\b|\b(?:can|may) [^.;]{0,40}\b(?:up to|at most|no more than|as much as|as many as)\b/iu,
  ],
  [
    'condition',
    CUE.condition,
    /^Had (?:the|it|they|he|she|we)\b|\b(?:would have|if|unless|in (?:the )?(?:case|event) of|provided (?:that|the|it|they|you)|assum\w+|scenario|hypothetical\w*|should (?:the|any|it)|were (?:the|it)|stress(?:ed)?)\b/i,
  ],
  [
    'request',
    CUE.request,
    /\b(?:ask(?:s|ed|ing)?|request(?:s|ed)?|demand(?:s|ed)?|seeks?|sought|claim(?:s|ed)? (?:for|that)|offer(?:ed)? (?:of|to)|an offer|bid|bids|quot(?:e|es|ed|ation)|suggest\w*|recommend\w*)\b/i,
  ],
  [
    'hearsay',
    CUE.hearsay,
    /\b(?:accus\w+|maintain(?:s|ed)? that|insist(?:s|ed)? that|contend(?:s|ed)?|claim(?:s|ed) (?:that|the|it|he|she|they|to)|takes? it seriously|it (?:is|was|has been|had been) (?:said|claimed|suggested|rumou?red|put about|reported)|on (?:the internet|social media)|whether|alleg\w+|rumou?r\w*|critics|reportedly|supposedly|purported\w*|claims? (?:is|was|are)|not accept\w*|unfounded|nonsense|wrongly|mistaken\w*|incorrectly)\b/i,
  ],
  ['prior', CUE.prior, /\b(?:formerly|last year|a year (?:ago|earlier)|prior[- ]year|used to)\b/i],
]

/** Words of which two of one line tell two things apart, whatever else is the same, as opposites of the word table do. */
const CONTRASTS = `first second third fourth fifth sixth seventh eighth ninth tenth last final next previous opening
  front rear back forward aft
  north south east west northern southern eastern western north-east north-west south-east south-west
  upper lower top bottom ground basement middle
  water air oil gas steam fuel
  before after pre post
  male female men women boy girl
  adult child infant
  inbound outbound import export incoming outgoing inward outward inflow outflow arrival departure
  domestic international foreign overseas local national regional
  input output
  winter summer spring autumn
  primary secondary tertiary backup standby
  buyer seller vendor purchaser
  tenant landlord lessee lessor
  claimant plaintiff defendant respondent applicant
  ceo cfo coo cto cio chief
  chair secretary treasurer
  empty full loaded laden unladen drained load drain
  opening closing winning losing starting asking
  peak average mean median maximum minimum highest lowest peak-hour
  fixed variable
  short-term long-term short long
  income expense revenue cost profit loss
  receivable payable
  principal interest
  paid unpaid outstanding
  treatment placebo control
  systolic diastolic
  morning afternoon evening night day
  weekday weekend
  red green blue yellow amber black white
  port starboard`
  .split('\n')
  .map(line => set(line.trim()))

/** Numbers of the lines a word stands in: most words stand in none, and asking is frequent. */
/** Of what can be only one or the other. The word table opposes much, and these it does not. */
const CONTRARIES = `pass fail
  approve reject refuse decline deny
  accept decline
  grant refuse deny reject
  active frozen freeze suspended suspend
  valid lapsed
  intact damaged broken
  rise drop decline decrease sink
  increase fall decline drop shrink
  grow shrink fall decline
  safe unsafe
  voluntary compulsory mandatory
  renew terminate
  occupied vacant empty
  permanent temporary
  compliant non-compliant noncompliant
  support oppose
  agree refuse
  confirm deny
  permit prohibit ban
  allow prohibit forbid ban
  resume suspend
  hire dismiss
  cure worsen
  port starboard
  single married divorced widowed
  upheld dismissed
  uphold dismiss
  freehold leasehold
  owned leased rented
  work broken fail
  working broken failed
  fail complete successfully
  broken repaired`
  .split('\n')
  .map(line => line.trim().split(' '))

/** Grades of one scale: what is given one of them is not given another. */
const SCALES = `critical severe high medium moderate low minor negligible
  outstanding excellent good fair satisfactory adequate inadequate unsatisfactory poor
  distinction merit pass fail
  platinum gold silver bronze
  green amber red
  major minor`
  .split('\n')
  .map(line => set(line.trim()))

/** Numbers of the lines a word stands in: most words stand in none, and asking is frequent. */
function linesOf(lines: readonly Iterable<string>[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>()
  for (const [at, line] of lines.entries()) for (const word of line) found.set(word, [...(found.get(word) ?? []), at])
  return found
}

const CONTRAST_LINES = linesOf(CONTRASTS)
const CONTRARY_LINES = linesOf(CONTRARIES)
const SCALE_LINES = linesOf(SCALES)

const LAST = set('last final')

export function isContrast(a: string, b: string): boolean {
  const lines = CONTRAST_LINES.get(a)
  if (lines === undefined || a === b || (LAST.has(a) && LAST.has(b))) return false
  return CONTRAST_LINES.get(b)?.some(line => lines.includes(line)) ?? false
}

/** The first word of a line against the others of it. */
export function isContrary(a: string, b: string): boolean {
  const lines = CONTRARY_LINES.get(a)
  if (lines === undefined || a === b) return false
  return CONTRARY_LINES.get(b)?.some(line => lines.includes(line) && (CONTRARIES[line]![0] === a || CONTRARIES[line]![0] === b)) ?? false
}

export function isOtherGrade(a: string, b: string): boolean {
  const lines = SCALE_LINES.get(a)
  return lines !== undefined && a !== b && (SCALE_LINES.get(b)?.some(line => lines.includes(line)) ?? false)
}

/** What changes from day to day: another figure on another day is another state of it. */
export const CHANGING = set(
  `balance headcount employee staff workforce status price stock inventory level temperature occupancy exposure debt cash rating ticket position
   backlog queue condition state share population member customer client subscriber user rate yield value valuation utilisation utilization
   reserve provision receivable overdraft pressure weight score grade rank open outstanding vacancy director shareholder tenant owner chair
   manager holder occupant register enrolment enrollment patient resident progress complete completion`,
)

/** What makes another figure or day of one. */
export const ALTERING = set('raise reduce lower cut increase decrease extend postpone restate revise amend')

/** Events that happen again and again: another day is another of them. */
export const RECURRING = set(
  `meeting visit inspection audit review test payment delivery call check session hearing report shipment order invoice transfer training drill
   maintenance sample reading measurement dose treatment appointment voyage flight trip election assessment survey interview
   reminder letter email mail notice update withdrawal deposit repair`,
)

/** Words before a noun that take nothing away from it. */
export const NEUTRAL = set(
  `total overall single sole only one new whole entire full complete final actual exact aggregate combined reported recorded current respective said
   alone solely exclusively personally throughout certain own main general usual known estimated stated measured official registered annual yearly monthly audited
   restate revise correct original previous update confirm result round recalculate amend present prior adjust figure value amount number`,
)

/** Labels that say no more than what kind of answer follows. */
export const GENERIC = set(
  `status state condition result outcome rating grade judgement judgment category class classification type level score severity priority
   decision verdict finding conclusion sex gender answer assessment opinion band amount value figure number`,
)

/** Which of many values a figure is. */
export const STATISTICS = set('highest lowest high low least most greatest largest smallest mean average maximum minimum peak median')

/** Which version of a document it is, in its title: another one is about the same. */
export const VERSIONS = set(
  `draft final preliminary interim provisional revised corrected amended restated initial updated update original version revision edition issue
   copy extract summary report reports part section annex appendix notice review`,
)

/** Anybody who is counted. */
export const PEOPLE = set(
  'person people employee staff worker individual man woman adult resident participant member passenger attendee visitor volunteer subject inhabitant colleague',
)

export const NEGATION =
  /\b(?:no|not|never|none|nobody|nothing|neither|nor|without|cannot|nil|zero|failed to|fails to|unable to|lacks?|lacked|absence of|free of|no longer|yet to|non(?=-))\b|n['’]t\b/gi

/** A document or sentence that says it puts another one right. */
export const CORRECTION =
  /\b(?:correct(?:s|ed|ing|ion|ions)|erratum|errata|corrigendum|supersed(?:es|ed|ing)|replac(?:es|ed|ing)|restate(?:s|d|ment)|revis(?:es|ed|ion)|amend(?:s|ed|ment|ing)|withdrawn|rectif\w+|(?:should|must) read|in (?:place|lieu) of|instead of|misprint\w*|misstated|typing error|typo)\b/i

/** Verbs behind which "to" leads to what is done all the same. */
export const DOING = set('go come get use have begin start continue manage happen seem appear prove turn help tend amount add cause do')

/** Taxes and the like, with or without which an amount is given. */
export const CHARGES = set(
  'tax vat fee duty service interest tip cost expense reinsurance deduction discount charge surcharge insurance postage depreciation rebate',
)
