/**
 * Words by what they have in common whatever their ending: "completed", "completion" and "completes" are one stem. A stem
 * is for comparing and looking up, not for showing. Few words are written down: irregular forms.
 */
import { memo } from '../memo.js'

const IRREGULAR = new Map(
  `arose arisen=arise ate eaten=eat became=become began begun=begin bent=bend blew blown=blow broke broken=break brought=bring built=build
   bought=buy caught=catch chose chosen=choose came=come dealt=deal drew drawn=draw drove driven=drive fed=feed fell fallen=fall felt=feel
   fought=fight found=find flew flown=fly forbade forbidden=forbid froze frozen=freeze gave given=give went gone=go grew grown=grow held=hold
   heard=hear hid hidden=hide kept=keep knew known=know laid=lay led=lead lent=lend lost=lose made=make meant=mean met=meet paid=pay
   ran=run rang rung=ring rode ridden=ride rose risen=rise said=say sat=sit saw seen=see sold=sell sent=send shook shaken=shake shot=shoot
   shrank shrunk=shrink slept=sleep slid=slide spoke spoken=speak spent=spend stood=stand stole stolen=steal struck=strike stuck=stick
   sank sunk=sink swore sworn=swear swept=sweep took taken=take taught=teach told=tell thought=think threw thrown=throw tore torn=tear
   understood=understand withdrew withdrawn=withdraw withheld=withhold won=win wore worn=wear wrote written=write undertook undertaken=undertake
   borne bore=bear men=man women=woman children=child people=person feet=foot teeth=tooth indices=index criteria=criterion
   analyses=analysis lives=life halves=half shelves=shelf data=data born=birth`
    .split(/\s+/)
    .join(' ')
    .split(/(?<==\S+) /)
    .flatMap(entry => {
      const [forms = '', base = ''] = entry.split('=')
      return forms.split(' ').map(form => [form, base] as const)
    }),
)

const VOWEL = /[aeiouyäöüáéíóú]/

export const stemOf = memo(50_000, (form: string): string => {
  const word = plainLetters(form.toLowerCase().normalize('NFC')).replace(/['’]s?$/, '')
  return derived(IRREGULAR.get(word) ?? inflected(word))
})

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ø: 'oe', å: 'aa', ü: 'ue', ß: 'ss', æ: 'ae', œ: 'oe' }

/** As passports and machines write them: "Jürgen" is "JUERGEN", "José" is "JOSE". */
function plainLetters(word: string): string {
  if (/^[\0-\x7f’]*$/.test(word)) return word
  const spelt = word.replace(/[äöøåüßæœ]/g, letter => UMLAUTS[letter]!)
  return spelt
    .normalize('NFD')
    .replace(/(?<=[a-z])\p{M}+/gu, '')
    .normalize('NFC')
}

/** Without the ending of a plural, a person or a time. */
function inflected(word: string): string {
  if (word.length < 4 || !/^[a-z'’-]+$/.test(word)) return word
  if (/(?:ss|us|is|ous)$/.test(word)) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(?:[sxz]|ch|sh)es$/.test(word)) return word.slice(0, -2)
  if (word.endsWith('s')) return word.slice(0, -1)
  if (word.endsWith('ied')) return `${word.slice(0, -3)}y`
  if (word.endsWith('eed')) return word
  if (word.endsWith('ed')) return undoubled(word, word.slice(0, -2))
  if (word.endsWith('ing') && word.length > 5) return undoubled(word, word.slice(0, -3))
  return word
}

function undoubled(word: string, rest: string): string {
  if (rest.length < 3 || !VOWEL.test(rest)) return word
  return /([bdfgmnprt])\1$/.test(rest) ? rest.slice(0, -1) : rest
}

/** "delivery" and "deliver", "completion" and "complete", "payment" and "pay". */
function derived(word: string): string {
  if (word.length < 5) return word.endsWith('e') && word.length === 4 ? word.slice(0, -1) : word
  const rest = word.replace(/(?:ations?|ements?|ments?|ances?|als?|able|ly)$/, '')
  const short = rest.length >= 4 ? rest : word
  const bare = /[st]ion$/.test(short) && short.length >= 8 ? short.slice(0, -3) : short
  return bare.replace(/[ey]$/, '')
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

/** Words that bind a sentence together and tell nothing of what it is about, in the languages most often met. */
export const FUNCTION_WORDS = set(
  `a an the of in on at to for from by with and or as is are was were be been being am has have had having do does did done its it this that these those
   their his her our my your we they he she i you us them him me which who whom whose what how when where why will would shall should may might can could must
   there here then than so such also only just very quite both all any each every per into onto over under out up down off about above below after
   before during between within through throughout against while until till since upon along across around near via amid among beyond toward towards
   more most less least fewer other another some no not never none nor neither nobody nothing nil without own same too yet still already again
   if unless whether because although though however therefore thus hence moreover meanwhile otherwise instead rather indeed namely myself yourself itself
   according accordingly following respectively approximately roughly circa nearly almost exactly precisely altogether currently now today
   s t etc eg ie vs versus mr mrs ms miss dr prof sir dame dear please ok note notes noted see
   der die das dem den des ein eine einer eines einem einen und oder ist sind war waren wird werden wurde wurden im am zum zur vom von mit bei auf für aus
   le la les un une des du et ou est sont était étaient dans par pour avec sur au aux el los las una del y o es son era en por con para al`,
)

/** Words that do not change what is asked or told: they are neither shared nor missed. */
const NEUTRAL: ReadonlySet<string> = new Set(
  `total overall whole entire full current actual real present new figure value exact precise own certain finally fully even well together really clearly
   presently official formal formally respective regard concern relate include accord follow list describe according information
   detail fact item kind sort way bit thing approx approximate number amount give take make get come stand reach show find record confirm state report say become remain amount`
    .split(/\s+/)
    .map(word => stemOf(word)),
)

export const isNeutral = (stem: string): boolean => NEUTRAL.has(stem)

/** Each line: words that tell one place, turn, time, kind, measure or party from another. */
const CONTRASTS =
  contrastsOf(`first second third fourth fifth sixth seventh eighth ninth tenth last next previous final earlier later|front rear back|left right|north south east west
   |northern southern eastern western|upper lower top bottom ground|before after|morning afternoon evening|day night|weekday weekend|inbound outbound
   |import export|spring summer autumn winter|indoor outdoor inside outside|inner outer|arrive depart|arrival departure|entry exit|start end|begin end
   |moving-in moving-out|lunch dinner breakfast
   |gross net|male female|man woman boy girl|domestic international foreign|input output|primary secondary tertiary|internal external|old new|senior junior
   |adult child youth|buyer seller|tenant landlord|plaintiff defendant claimant respondent|chair secretary treasurer director|inward outward
   |average maximum minimum mean median peak highest lowest total|mother father|husband wife|debit credit|asset liability|income expense|opening closing
   |planned actual budgeted forecast target|single double|hot cold|wet dry|air water oil gas soil|roof floor wall ceiling|small medium large|short long
   |short-term long-term|public private|permanent temporary|part-time full-time|editor author publisher|doctor nurse|driver passenger|supplier customer
   |sender receiver recipient|ceo cfo coo cto|capital interest|principal interest|mobile landline|original copy|fixed variable`)

function contrastsOf(lines: string): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>()
  for (const [line, words] of lines.split('|').entries())
    for (const word of words.trim().split(/\s+/)) {
      const stem = stemOf(word)
      found.set(stem, [...(found.get(stem) ?? []), line])
    }
  return found
}

/** First and second, gross and net, upper and lower: they name two parts, unless they are what is told. */
export function isContrast(a: string, b: string): boolean {
  const other = a === b ? undefined : CONTRASTS.get(b)
  return other !== undefined && CONTRASTS.get(a)?.some(line => other.includes(line)) === true
}

export const isContrasting = (stem: string): boolean => CONTRASTS.has(stem)

export const NEGATION =
  /\b(?:no|not|never|none|nobody|nothing|neither|nor|without|cannot|nil|zero|failed to|fails to|unable to|lacks?|lacked|absence of|free of|no longer|yet to|non(?=-)|nicht|kein(?:e|en|er|em|es)?|nie|niemals|ohne|ne|pas|jamais|aucune?|sans|nunca|ningun[ao]?|sin)\b|n['’]t\b/gi

/** A sentence that puts a figure right; a filter that was replaced is no correction. */
export const PUTS_RIGHT =
  /\b(?:corrections?|corrects?|corrected|erratum|corrigendum|supersed\w+|restate[sd]?|restatement|should (?:have )?read|misprint\w*|misstated|typing error|typo|(?:this|which|and) replaces|(?:is|are|was|were) (?:hereby )?(?:replaced|amended|revised) (?:by|to|with|from))\b/i
