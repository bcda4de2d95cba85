/**
 * Labels by which a document speaks of itself: who wrote it, when, about what, under which reference. Shared by those who
 * read the header and those who must know where it ends.
 */

import { memo } from '../memo.js'

export const ISSUER =
  /^(?:(?:prepared|issued|authored|kept|maintained|compiled|drafted|filed|recorded|submitted|written|reported|taken|completed|created|exported|generated|produced|printed|extracted|offered|logged|dictated|certified|served|sent|published|minuted|surveyed|minutes) by|issuer|author(?:s|ity)?|on behalf of|contracting authority|(?:issuing|competent|licensing|awarding) (?:authority|body|office|bank|court)|certification body|from|source(?! of| for)|agent|report(?:er|ing (?:entity|officer|party))|originator|signed)\b(?!.*\b(?:opinion|fee|comment|rating)\b)/i
/** Who has done the work a document tells of; below a letterhead, or in one entry of several, perhaps somebody else. */
export const WRITER =
  /^(?:(?:lead|senior|chief|principal|duty|case|claims?|shift|loss|responsible|site|project|quality|safety|compliance|independent|external|internal|appointed|approved|certified|licensed|reporting) ){0,2}(?:analyst|examiner|auditor|inspector|surveyor|valuer|appraiser|assessor|adjuster|evaluator|expert|handler|fee earner|rapporteur|reviewer|pathologist|radiologist|chemist|note taker|minute taker|secretary|clerk|registrar|proposer|presenter|engineer|supervisor)s?(?: name)?$/i
/** Who may write a document, and is what it is about when somebody else does. */
export const PARTY = /^(?:regulator|consultants?|investigators?|tenderer|applicant|claimant|witness|responsible|document owner|owner)$/i
/** Where who writes belongs. */
export const HOUSE = /^(?:department|office|division|directorate|firm|practice|organi[sz]ation|institution|laboratory)$/i
const PAPERS =
  'report|letter|notice|memo|memorandum|note|statement|decision|order|invoice|certificate|quotation|quote|offer|tender|bid|agreement|contract|deed|document|minutes|filing|submission|publication|release|revision|version|issue|print|export|extract|extraction|status|analysis|review|circular|bulletin|policy|opinion|award|judge?ment|ruling|determination|form|record|file note|attendance|meeting|hearing|session|signature|signing|preparation|notification|claim|assessment|message|log'
const DONE =
  'dated|(?:re-?)?issued|published|printed|exported|generated|extracted|filed|lodged|adopted|sent|served|held|signed|released|delivered|submitted|updated|last updated|last revised|revised|prepared|drafted|typed|created|circulated|rendered|executed|sworn|written|compiled'
const DAY_OF_PAPER = new RegExp(
  `^(?:date(?:\\s?(?:/|and|,)\\s?(?:time|place|venue))?|(?:place and )?(?:date|day|date(?:\\s?/\\s?| and )time) of (?:the |this )?(?:${PAPERS})|(?:${PAPERS}|effective) date|date (?:finali[sz]ed|${DONE})|(?:(?:${PAPERS}) )?(?:${DONE})(?: (?:on|at|date))?)$`,
  'iu',
)
/** Letters of any script without regard to case take long to compile: only where somebody met. */
const MEETING = /^(?!next|previous|last|earlier|first)(?:(?!of |the )\p{L}+ ){0,3}meeting(?: of| held| held on)?$/iu
export const DATE = { test: (label: string): boolean => DAY_OF_PAPER.test(label) || (/meeting/i.test(label) && MEETING.test(label)) }
/** What a report is about took place on this day; it was written then or soon after. */
export const OCCASION =
  /^(?:date of (?:the )?(?:inspection|visit|survey|examination|assessment|audit|test|valuation|interview)|(?:inspection|visit|survey|audit|assessment|examination|test) date)$/i
export const PERIOD =
  /^(?:(?:reporting|reference|valid(?:ity)?|review|accounting|financial|coverage|statement|analysis|pay|billing)\s)?(?:period|quarter|month|week|year)\b|^(?:reporting|reference|validity|valuation|accounting|statement|analysis|balance sheet|key|review)\sdate\b|\bperiod (?:covered|under review|ended|ending)|^as[- ](?:of|at)\b|\b(?:data )?cut-?off\b|^(?:fiscal|financial) year|^year end|^position(?: (?:date|as)|$)/i
/** Whose answer may say what a paper covers, and nothing more. A bare "Year" may be that of a car. */
export const OWN_PERIOD =
  /^(?:(?:(?:reporting|reference|accounting|financial|fiscal|statement|pay|billing) )?(?:period|quarter|month|week)|(?:reporting|accounting|financial|fiscal) year)(?: (?:covered|under review|ended|ending))?$/i
export const REFERENCE =
  /\b(?:ref(?:erence)?\.?|(?:document|report|notice|letter|memo|order|certificate|permit|licence|invoice) (?:no|number|id)|id|our ref|file(?: no)?|case no|docket)\b/i
export const SUBJECTED =
  /^(?:company|entity|client|(?:prepared |report |produced )?for|commissioned by|(?:permit |licence )?holder|subject|re|project|programme|program|site(?: (?:name|number))?|facility|plant|property|asset|employee|member|passenger|student|participant|full name|borrower|investor|counterparty|issuer name|policyholder|insured|patient|tenant|landlord|tenderer|bidder|applicant|lessee|lessor|licensee|contractor|supplier|vendor|product|study|protocol|vessel|aircraft|target|customer|organisation|organization|operator|regarding|unit|location|station|owner|contract(?: no)?|agreement)\b/i

/** In what the figures of a document are given. */
const AMOUNTS = /^(?:all )?(?:figures|amounts|currency|units?|values)(?: in)?$/i

const FURTHER =
  /^(?:to|cc|classification|distribution|version|revision|status|title|place|venue|present|attendees|attention|attn|instructed by|copy|copies|page|language|confidentiality|email|phone|address|supersedes|replaces)\b/i

/** A label that is one of these and at most says so in two words more: "Site number", not "Site area". */
const WHOLE = new RegExp(`${SUBJECTED.source.replace(/\\b$/, '')}(?:\\s(?:name|number|no\\.?|nr\\.?|id|code|title|[a-z]+ed))?$`, 'i')

const LOCATED = /^(?:property|site|facility|plant|asset|unit|premises) (?:address|location)$/i
/** Whose answer may be a bare number that names one of many: "Site: 04". */
const NUMBERED =
  /^(?:site|unit|facility|plant|station|employee|member|student|participant|patient|client|customer)$|\b(?:number|no\.?|nr\.?|id|code)$/i
/** Whose answer in one word may say of what kind it is: "Contract: Permanent", "Property: Freehold". */
const OF_KIND = /^(?:contract|agreement|property|target|asset|unit|product|subject|re|for)$/i

export const BARE_NUMBER = /^\d{1,6}[a-z]?$/i

/** "Site number: 04", "Employee: Anna Brandt": what a paper is about. "Unit price" and "Employee status" ask something of it. */
export function namesThing(label: string, answer: string): boolean {
  if (!WHOLE.test(label) && !LOCATED.test(label)) return false
  return BARE_NUMBER.test(answer) ? NUMBERED.test(label) : !(OF_KIND.test(label) && /^\p{L}+$/u.test(answer))
}

/** The label of a field inside others: "report · issuer" asks for the issuer. */
export const lastPart = (label: string): string => label.slice(label.lastIndexOf('·') + 1).trim()

/** Whether a label belongs into a header rather than to what the document says. */
export const isHeaderLabel = memo(5_000, (label: string): boolean => {
  const text = lastPart(label)
  if (AMOUNTS.test(text) || DATE.test(text) || PERIOD.test(text) || REFERENCE.test(text) || FURTHER.test(text) || WHOLE.test(text))
    return true
  return (
    ((ISSUER.test(text) || WRITER.test(text) || PARTY.test(text) || HOUSE.test(text)) && text.split(/\s+/).length <= 4) ||
    /\bdate$/i.test(text)
  )
})
