/**
 * Words as the reader sees them: tokens with offsets, stems that fold inflection, and the small closed classes
 * (function words, auxiliaries, verbs that tie a value to its name). No scope, no state.
 */

import { isWordAt, widthAt, wordEnd } from './characters.js'
import { remembered } from './remember.js'

export interface Token {
  text: string
  lower: string
  start: number
  end: number
}

/** Between the parts of one word: "look-through", "Q/Q", "S.A". */
const JOINERS = new Set([..."-'’&./_"].map(char => char.charCodeAt(0)))
const PLUS = 0x2b

/** End of the word that begins at the offset. */
function tokenEnd(text: string, start: number): number {
  let end = wordEnd(text, start)
  while (JOINERS.has(text.charCodeAt(end)) && isWordAt(text, end + 1)) end = wordEnd(text, end + 1)
  return text.charCodeAt(end) === PLUS ? end + 1 : end
}

/** Words and numbers with their offsets in `text`, shifted by `base`. */
export function tokenize(text: string, base = 0): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < text.length; ) {
    if (!isWordAt(text, at)) {
      at += widthAt(text, at)
      continue
    }
    const end = tokenEnd(text, at)
    const word = text.slice(at, end)
    tokens.push({ text: word, lower: word.toLowerCase(), start: base + at, end: base + end })
    at = end
  }
  return tokens
}

/** The words of a text that several readers go over; the last few are kept. */
export const wordsOf = remembered(64, (text): readonly Token[] => tokenize(text))

const list = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).filter(Boolean))

export const FUNCTION_WORDS = list(`
  a an the this that these those its their our his her your my it they we he she you i us them there here
  of in on at to for from by with without within into onto over under between among against across through during per via as than
  upon about below above after before since until till while when where which who whom whose what how why whether if then thus so also
  and or but nor yet both either neither each every all any some such same other another more most less least few many much own
  is are was were be been being am has have had having do does did doing will would shall should can could may might must
  not no none nil never n't only just even still already again very too quite rather however therefore hence moreover further furthermore
  respectively approximately about around roughly circa nearly almost some up down out off et al eg ie i.e e.g etc vs versus
  p.a pa p.a. per-annum
  please following followed including included includes include excluding based due according regarding concerning relating related
`)

/** Months as people write them, to stand in an expression. */
export const MONTH_NAMES = 'January|February|March|April|May|June|July|August|September|October|November|December'

/** Words that count. */
export const COUNTS = list('one two three four five six seven eight nine ten eleven twelve several some many multiple')

export const AUXILIARIES = list(
  'is are was were be been being has have had do does did will would shall should can cannot could may might must am remains remain',
)

export const PREPOSITIONS = list(
  'of in on at to for from by with within into over under between against across through during per via as than upon after before since until about below above',
)

/** Verbs after which a value names its subject: "revenue reached 5m". */
export const LINK_VERBS = list(`
  is are was were be been being remains remain remained stands stand stood equals equalled amounts amounted totals totalled totaled totalling totaling
  reached reaches reach came comes come grew grows grow rose rises fell falls dropped drops declined declines decreased decreases
  increased increases improved improves reported reports recorded estimated estimates assessed assesses measured measures
  averaged averages averaging represents represent represented constitutes constitute comprised comprises exceeds exceed exceeded
  shows showed shown indicates indicated has have had holds hold held includes include included contains contained
  set fixed capped limited agreed confirmed confirms stated states put valued priced raised raises lowered reduced reduces
  revised restated corrected adjusted updated recalculated expected projected planned budgeted proposed recommended approved allocated
  invoiced paid received recognised recognized booked charged provisioned submitted filed signed dated scheduled due effective
  completed begins began begin starts started ends ended expires expired runs run ran moved moves went goes
  yields yielded gives gave produced produces achieved achieves delivered delivers serves served employs employed operates operated
  calculated calculates computed computes determined determines recalculates attributes granted grants identified found observed noted listed covers covered bears provides provided requires required
  will would shall should can could may might must being ranging ranges ranged
  show give gives list lists reveals revealed counted lasted lasts took takes consists consisted weighs weighed becomes became lies
  make makes made bear bears bore carry carries carried accept accepts accepted exceeds generate generates generated
  consume consumes consumed emit emits emitted earn earns earned spend spends spent lose loses lost contribute contributes contributed
  receive receives pay pays obtain obtains obtained maintain maintains maintained retain retains retained assume assumes assumed
  allow allows allowed apply applies applied cause causes caused attributed owes owed owns owned
  sells sold buys bought invests invested borrowed lends lent stored handled treated processed
  concludes concluded finds believes believed considers considered claimed alleges alleged submits asserts asserted denies denied
  admits admitted concedes conceded argues argued contends contended announced issued delivers installs installed
  reset resets corresponds correspond corresponded equates equated translates
  replaces replaced removes removed withdraws withdrew withdrawn suffers suffered experienced
`)

const IRREGULAR = new Map(
  Object.entries({
    men: 'man',
    supplement: 'supplement',
    supplements: 'supplement',
    department: 'department',
    departments: 'department',
    apartment: 'apartment',
    apartments: 'apartment',
    compartment: 'compartment',
    compartments: 'compartment',
    basement: 'basement',
    garment: 'garment',
    sale: 'sale',
    tender: 'tender',
    tenders: 'tender',
    tenderer: 'tenderer',
    tenderers: 'tenderer',
    bidder: 'bidder',
    bidders: 'bidder',
    owner: 'owner',
    holder: 'holder',
    holders: 'holder',
    shareholder: 'shareholder',
    shareholders: 'shareholder',
    unitholder: 'unitholder',
    unitholders: 'unitholder',
    investor: 'investor',
    investors: 'investor',
    owners: 'owner',
    lessee: 'lessee',
    lessees: 'lessee',
    lessor: 'lessor',
    lessors: 'lessor',
    valuation: 'valuation',
    valuations: 'valuation',
    organisation: 'organisation',
    organisations: 'organisation',
    organization: 'organisation',
    organizations: 'organisation',
    operation: 'operation',
    operations: 'operation',
    operating: 'operating',
    operational: 'operational',
    international: 'international',
    generation: 'generation',
    general: 'general',
    material: 'material',
    materials: 'materials',
    interest: 'interest',
    interim: 'interim',
    capital: 'capital',
    capacity: 'capacity',
    community: 'community',
    communication: 'communicate',
    liability: 'liability',
    liabilities: 'liability',
    security: 'security',
    securities: 'securities',
    personal: 'personal',
    personnel: 'personnel',
    equity: 'equity',
    policy: 'policy',
    police: 'police',
    university: 'university',
    universe: 'universe',
    marginal: 'marginal',
    national: 'national',
    station: 'station',
    stations: 'station',
    state: 'state',
    states: 'state',
    status: 'status',
    patient: 'patient',
    patients: 'patient',
    patent: 'patent',
    patents: 'patent',
    women: 'woman',
    children: 'child',
    people: 'person',
    persons: 'person',
    analyses: 'analysis',
    indices: 'index',
    indexes: 'index',
    criteria: 'criterion',
    data: 'data',
    paid: 'pay',
    fell: 'fall',
    fallen: 'fall',
    grew: 'grow',
    grown: 'grow',
    rose: 'rise',
    risen: 'rise',
    left: 'leave',
    held: 'hold',
    sold: 'sell',
    bought: 'buy',
    made: 'make',
    met: 'meet',
    withdrew: 'withdraw',
    withdrawn: 'withdraw',
    broke: 'break',
    broken: 'break',
    wrote: 'write',
    written: 'write',
    chose: 'choose',
    chosen: 'choose',
    began: 'begin',
    begun: 'begin',
    lost: 'loss',
    lose: 'loss',
    loses: 'loss',
    losses: 'loss',
    died: 'death',
    dies: 'death',
    deaths: 'death',
    gave: 'give',
    given: 'give',
    sent: 'send',
    took: 'take',
    taken: 'take',
    found: 'find',
    kept: 'keep',
    led: 'lead',
    built: 'build',
    spent: 'spend',
  }),
)

const SUFFIXES = [
  'ifications',
  'ification',
  'izations',
  'isations',
  'ization',
  'isation',
  'ational',
  'ations',
  'ation',
  'ating',
  'ated',
  'ates',
  'ate',
  'ising',
  'izing',
  'ised',
  'ized',
  'ness',
  'itions',
  'ition',
  'ified',
  'ifies',
  'ments',
  'ment',
  'ances',
  'ance',
  'ences',
  'ence',
  'ities',
  'ity',
  'ions',
  'ion',
  'ures',
  'ure',
  'ages',
  'age',
  'ings',
  'ing',
  'als',
  'al',
  'ive',
  'ives',
  'ies',
  'ied',
  'ed',
  'ers',
  'er',
  'ors',
  'or',
  'es',
  's',
  'e',
  'y',
]

/** Nouns whose stem is not that of their verb: subscription and subscribe, production and produce, submission and submit. */
const LATINATE: readonly (readonly [ending: RegExp, verb: string])[] = [
  [/scriptions?$/, 'scrib'],
  [/ductions?$/, 'duc'],
  [/missions?$/, 'mit'],
  [/cisions?$/, 'cid'],
  [/tensions?$/, 'tend'],
  [/pansions?$/, 'pand'],
  [/ceptions?$/, 'ceiv'],
  [/sumptions?$/, 'sum'],
]

function fold(word: string): string {
  const irregular = IRREGULAR.get(word)
  if (irregular) return irregular
  if (word.length > 7 && /ions?$/.test(word))
    for (const [ending, verb] of LATINATE) if (ending.test(word)) return word.replace(ending, verb)
  if (word.length < 4 || /[\d]/.test(word))
    return word.length > 2 && /^[a-z]+s$/.test(word) && !/(ss|us|is)$/.test(word) && word.length > 3 ? word.slice(0, -1) : word
  for (const suffix of SUFFIXES) {
    if (!word.endsWith(suffix)) continue
    if (suffix === 's' && /(ss|us|is)$/.test(word)) continue
    const rest = word.slice(0, -suffix.length)
    // "order" is no "ord", as "orders" is none.
    if (rest.length < (suffix.length > 2 || suffix === 'er' || suffix === 'or' ? 4 : 3)) continue
    if (suffix.startsWith('if')) return `${rest}if`
    // "planned" and "plan" meet when the doubled letter goes.
    return /(.)\1$/.test(rest) && !/(ll|ss|zz)$/.test(rest) ? rest.slice(0, -1) : rest
  }
  return word
}

/** Inflection and common derivation folded away. */
export const stem = remembered(20_000, lower => {
  const clean = lower.replace(/['’]s?$/, '')
  let folded = fold(clean)
  const again = fold(folded)
  if (again !== folded && again.length >= 4 && folded.length - again.length === 1) folded = again
  return folded
})

export function isNumeric(word: string): boolean {
  const code = word.charCodeAt(0)
  return code >= 0x30 && code <= 0x39
}

export function isShouting(word: string): boolean {
  return word.length > 1 && /\p{Lu}/u.test(word) && word === word.toUpperCase()
}

/** Joins the parts of a compound: "inter-company" and "intercompany" meet. */
export function splitCompound(lower: string): string[] {
  if (!/[-/&_]/.test(lower)) return [lower]
  const parts = lower.split(/[-/&_]+/).filter(Boolean)
  const first = parts[0] ?? ''
  if (parts.length === 2 && /^(inter|intra|pre|post|re|co|non|sub|multi|anti|semi|un|over|under|self|cross)$/.test(first))
    return [parts.join('')]
  return parts
}
