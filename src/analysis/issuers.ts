/**
 * Whether two documents come from one house, and whether one says it takes the place of the other. A department, a person
 * who signs and the organisation they write for are one issuer; who acts for somebody is another.
 */
import { isOrganisationWord } from './entities.js'
import { findPeriods } from './periods.js'
import type { DocumentFacts } from './types.js'
import { FUNCTION_WORDS, stem, tokenize } from './words.js'

const OFFICE = new Set(
  'dr prof mr mrs ms miss herr frau sir office department team unit practice group division section function director head officer senior chief lead finance'
    .split(' ')
    .map(word => stem(word)),
)

/** Trades, posts and kinds of organisation: two that share only these are two. */
const COMMON = new Set(
  `analyst actuary auditor audit inspector inspection inspectorate surveyor surveyors valuer valuers engineer engineers engineering consultant consultants consulting adviser advisers advisor advisors
   advisory investigator examiner assessor adjuster adjusters evaluator expert manager management secretary chair chairman chairwoman deputy president partner partners associate associates principal coordinator
   controller treasurer registrar clerk rapporteur reviewer supervisor physician nurse surgeon professor project programme program site plant phase board committee council commission panel tribunal court agency
   authority ministry directorate regional national federal state county city municipal central general international bank insurance mutual assurance hospital clinic university school college institute laboratory
   laboratories registry trust fund foundation society association union federation chamber utility company holding holdings services service solutions systems technologies energy capital logistics legal law solicitors
   lawyers counsel risk quality safety compliance external internal independent medical clinical technical data operations corporate customer investor relations regulatory affairs asset property real estate
   accounting accountants forensic forensics ratings credit research test testing certification monitoring security development construction contractors shipping marine housing health care appointed body district high supreme county st saint north south east west vp ceo cia cisa fca frics cpa`
    .split(/\s+/)
    .map(word => stem(word)),
)

/** "Pike LLP on behalf of the vendor": whoever is acted for has not written it. */
const FOR_ANOTHER =
  /(?:[\s,(]+(?:acting )?(?:on behalf of|in the name of|instructed by|commissioned by|retained by|appointed by|engaged by|as adviser to|(?:financial |legal )?advis[eo]rs? to|solicitors? (?:to|for)|counsel (?:to|for))|,\s+(?:acting )?for)\s.*$/i

interface Party {
  /** Everything that says who it is. */
  all: string[]
  /** Names alone. */
  own: string[]
}

function partyOf(text: string): Party {
  const all = tokenize(text)
    .filter(token => !isForm(token.text))
    .map(token => stem(token.lower))
    .filter(word => word.length > 1 && !FUNCTION_WORDS.has(word) && !OFFICE.has(word))
  return { all, own: all.filter(word => !COMMON.has(word) && !/^\d/.test(word)) }
}

const isForm = (word: string): boolean =>
  /^(?:llp|ltd|limited|inc|plc|gmbh|ag|se|sa|bv|nv|kg|aps|asa|as|ab|oy|oyj|srl|sarl|sas|spa|dac|llc|pty|corp|co)$/i.test(word) &&
  isOrganisationWord(word.replace(/\./g, ''))

const shares = (a: readonly string[], b: readonly string[]): number =>
  new Set(a.filter(word => b.includes(word))).size / Math.min(new Set(a).size, new Set(b).size)

/** "EIOPA" and the words it is made of. */
function isAcronym(short: string, long: string): boolean {
  const letters = /^\p{Lu}{3,8}$/u.test(short.trim()) ? short.trim().toLowerCase() : ''
  const initials = tokenize(long)
    .filter(token => !/^(?:of|the|and|for|on|in|to)$/.test(token.lower))
    .map(token => token.lower[0])
  return letters.length > 2 && initials.join('') === letters
}

const partsOf = (issuer: string): string[] =>
  issuer
    .replace(FOR_ANOTHER, '')
    .split(/,\s|;\s|\s[–—-]{1,2}\s|[()]|\sand\s(?=\p{Lu})/u)
    .map(part => part.trim())
    .filter(Boolean)

/** Both name the same, though one may say more: "Kestle Brown", "Kestle Brown Engineers Ltd". */
function alike(a: Party, b: Party): boolean {
  if (!a.all.length || !b.all.length) return false
  // An office without a name must be the same but for a word.
  if (!a.own.length || !b.own.length) return shares(a.all, b.all) > 0.5
  return shares(a.own, b.own) >= 0.5 && shares(a.all, b.all) >= 0.5
}

/** The house both write for: "P. Novak, Mill Service Ltd", "J. Holt, Mill Service Ltd". */
function sameHouse(a: readonly string[], b: readonly string[]): boolean {
  const houses = (parts: readonly string[]): Party[] => parts.map(partyOf).filter(({ all, own }) => own.length > 0 && all.length > 1)
  const others = houses(b)
  return houses(a).some(one => others.some(other => shares(one.all, other.all) === 1 && shares(one.own, other.own) === 1))
}

/** "aldermutual", as an address has it. */
function isSqueezed(parts: readonly string[], others: readonly string[]): boolean {
  const long = parts.filter(part => /^\p{L}{8,}$/u.test(part)).map(part => part.toLowerCase())
  return long.some(part =>
    others.some(other =>
      other
        .toLowerCase()
        .replace(/[^\p{L}]/gu, '')
        .startsWith(part),
    ),
  )
}

/** The same house, office or person; unknown issuers are never the same. */
export function sameIssuer(a: DocumentFacts | null, b: DocumentFacts | null): boolean {
  if (!a?.issuer || !b?.issuer) return false
  const [left, right] = [partsOf(a.issuer), partsOf(b.issuer)]
  return (
    alike(partyOf(left.join(' ')), partyOf(right.join(' '))) ||
    sameHouse(left, right) ||
    isSqueezed(left, right) ||
    isSqueezed(right, left) ||
    left.some(x => right.some(y => isAcronym(x, y) || isAcronym(y, x)))
  )
}

/** The day an object names; without a year, the last such day before the document. */
function namesDay(text: string, day: string, issuedOn: string | null): boolean {
  const year = issuedOn ? Number(issuedOn.slice(0, 4)) : null
  const days = [...findPeriods(text, year), ...(year ? findPeriods(text, year - 1).filter(found => found.yearGuessed) : [])]
  return days.some(({ period }) => period.grain === 'day' && period.from === day && (!issuedOn || period.from <= issuedOn))
}

const KIND_OF_PAPER =
  /\b(report|letter|notice|memo|certificate|order|statement|schedule|invoice|offer|plan|tender|protocol|amendment|policy|bulletin|circular)\b/i

/** The new document says it replaces the old one: by reference, title or date. */
export function replacesDocument(fresh: DocumentFacts, old: DocumentFacts | null): boolean {
  if (!old) return false
  const title = old.title?.toLowerCase() ?? ''
  return (fresh.supersedes ?? []).some(text => {
    const lower = text.toLowerCase()
    // Several papers of one file may carry its reference.
    const kind = KIND_OF_PAPER.exec(lower)?.[1]
    const sameKind = !kind || !KIND_OF_PAPER.test(title) || title.includes(kind)
    if (old.reference && sameKind && lower.includes(old.reference.toLowerCase())) return true
    if (old.issuedOn && namesDay(text, old.issuedOn, fresh.issuedOn)) return true
    return title.length > 8 && lower.includes(title)
  })
}
