/**
 * Labels by which a document speaks of itself: who wrote it, when, about what, under which reference. Shared by those who
 * read the header and those who must know where it ends.
 */

export const ISSUER =
  /^(?:prepared by|issued by|issuer|author(?:s|ed by|ity)?|kept by|maintained by|compiled by|drafted by|filed by|minutes by|recorded by|on behalf of|contracting authority|from|source(?! of| for)|submitted by|written by|reported by|taken by|agent|report(?:er|ing (?:entity|officer|party))|(?:lead |senior |chief )?(?:analyst|examiner)|auditor|inspector|surveyor|valuer|assessor|adjuster|evaluator|examiner|consultant|investigator|tenderer|applicant|claimant|expert|witness|originator|signed|responsible|department|office)\b(?!.*\b(?:opinion|fee|comment|rating)\b)/i
export const DATE =
  /^(?:date|dated|date of issue|issue date|(?:report |letter |notice )?issued(?: on)?|report date|date issued|date of (?:the )?(?:report|letter|notice|meeting|memo|note|publication|signature|filing|statement|submission)|meeting(?: date)?|(?:decision|notice|letter|order|memo) date|date of (?:the )?(?:decision|order|memo)|date finali[sz]ed|filed(?: on)?|adopted(?: on)?|sent(?: on)?|held(?: on)?|published(?: on)?|publication date|analysis date|review date|submission date|effective date|status date|signed(?: on)?|last updated|exported(?: on)?|generated(?: on)?|printed(?: on)?|extracted(?: on)?)$/i
/** What a report is about took place on this day; it was written then or soon after. */
export const OCCASION =
  /^(?:date of (?:the )?(?:inspection|visit|survey|examination|assessment|audit|test|valuation|interview)|(?:inspection|visit|survey|audit|assessment|examination|test) date)$/i
export const PERIOD =
  /^(?:(?:reporting|reference|valid(?:ity)?|review|accounting|financial|coverage|statement|analysis)\s)?(?:period|quarter|year)\b|^(?:reporting|reference|validity|valuation|accounting|statement|analysis|balance sheet|key|review)\sdate\b|\bperiod (?:covered|under review|ended|ending)|^as[- ](?:of|at)\b|\b(?:data )?cut-?off\b|^(?:fiscal|financial) year|^year end|^position(?: (?:date|as)|$)/i
export const REFERENCE =
  /\b(?:ref(?:erence)?\.?|(?:document|report|notice|letter|memo|order|certificate|permit|licence|invoice) (?:no|number|id)|id|our ref|file(?: no)?|case no|docket)\b/i
export const SUBJECTED =
  /^(?:company|entity|client|(?:prepared |report |produced )?for|commissioned by|(?:permit |licence )?holder|subject|re|project|programme|program|site(?: (?:name|number))?|facility|plant|property|asset|borrower|investor|counterparty|issuer name|policyholder|insured|patient|tenant|landlord|tenderer|bidder|applicant|lessee|lessor|licensee|contractor|supplier|vendor|product|study|protocol|vessel|aircraft|target|customer|organisation|organization|operator|regarding|unit|location|station|owner|contract(?: no)?|agreement)\b/i

/** In what the figures of a document are given. */
export const AMOUNTS = /^(?:all )?(?:figures|amounts|currency|units?|values)(?: in)?$/i

const FURTHER =
  /^(?:to|cc|classification|distribution|version|revision|status|title|place|venue|present|attendees|attention|attn|instructed by|copy|copies|page|language|confidentiality|email|phone|address|supersedes|replaces)\b/i

/** A label that is one of these and at most says so in two words more: "Site number", not "Site area". */
const WHOLE = new RegExp(`${SUBJECTED.source.replace(/\\b$/, '')}(?:\\s(?:name|number|no\\.?|nr\\.?|id|code|title|[a-z]+ed))?$`, 'i')

/** The label of a field inside others: "report · issuer" asks for the issuer. */
export const lastPart = (label: string): string => label.slice(label.lastIndexOf('·') + 1).trim()

/** Whether a label belongs into a header rather than to what the document says. */
export function isHeaderLabel(label: string): boolean {
  const text = lastPart(label.replace(/[*_]/g, ''))
  if (/\p{L}\s(?:no\.?|nr\.?|number|id)$/iu.test(text) && !/^total\b/i.test(text)) return true
  if (AMOUNTS.test(text) || DATE.test(text) || PERIOD.test(text) || REFERENCE.test(text) || FURTHER.test(text) || WHOLE.test(text))
    return true
  return (ISSUER.test(text) && text.split(/\s+/).length <= 4) || /\bdate$/i.test(text)
}
