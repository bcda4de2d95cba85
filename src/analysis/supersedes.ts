/** What a document says it takes the place of: "This report replaces the initial report of 20 March", "our letter of 4 May is withdrawn". */
import { pattern } from './pattern.js'

const PAPER =
  'reports?|letters?|e-?mails?|notices?|memos?|memorand(?:um|a)|notes?|statements?|schedules?|certificates?|versions?|issues?|editions?|revisions?|drafts?|orders?|decisions?|opinions?|plans?|offers?|quotations?|quotes?|tenders?|invoices?|agreements?|terms|polic(?:y|ies)|guidelines?|guidance|bulletins?|circulars?|advice|assessments?|analys[ei]s|calculations?|figures?|results|forecasts?|estimates?|budgets?|valuations?|registers?|lists?|extracts?|minutes|protocols?|amendments?|instructions?|procedures?|specifications?|drawings?|submissions?|filings?|notifications?|claims?|summar(?:y|ies)|tables?|sections?|annex(?:es)?|appendi(?:x|ces)|paragraphs?|forms?|accounts|prospectus|announcements?|replies|reply|responses?'
const OWNER = '(?:(?:the|our|my|its|their|all|any|both|that|those)\\s){0,2}'
/** Up to the end of the sentence, or to what limits it. */
const OBJECT = `(?:[^.;:()]|(?<=\\b(?:No|Nr|Ref|Rev|Art|Sec))\\.|\\.(?=\\d)){0,120}`

const ACTIVE = pattern(
  new RegExp(
    `\\b(?:supersed(?:es|ing)|replac(?:es|ing)|cancels(?: and (?:replaces|supersedes))?|restates|corrects|withdraws|revokes|rescinds|in place of|instead of|in lieu of|in substitution (?:for|of)|(?:replacement|substitute) (?:for|of)|correction (?:of|to)|corrigendum to|erratum to|please (?:disregard|ignore|discard|destroy))\\s${OWNER}(${OBJECT})`,
    'giu',
  ),
)
const PASSIVE = pattern(
  new RegExp(
    `(?:^|[.;:]\\s{1,3}|\\n)${OWNER}(${OBJECT}?)\\s(?:(?:is|are)(?:\\s(?:hereby|therefore|now|thereby|herewith|accordingly)){0,2}\\s(?:withdrawn|superseded|replaced|cancelled|canceled|void|revoked|rescinded|no longer (?:valid|applicable|in force))|no longer appl(?:y|ies))\\b(?!\\sby\\s(?!this|the present|the following))`,
    'giu',
  ),
)
const NAMES_PAPER = pattern(new RegExp(`(?:^|[\\s(])(?:${PAPER})(?![\\p{L}-])`, 'iu'))
/** "1.1 of 3 May 2031" */
const DATED = /^v?\d.{0,20}\b(?:19|20|21)\d{2}\b/
/** "C-31-014", "TS/22" */
const CODE = /(?:^|\s)[A-Z]{1,6}[\d/-][\w/.-]*\d/

/** What it names, within its paragraph; the last line of it may be the label of what follows. */
function objectIn(match: RegExpExecArray, text: string, last: boolean): string {
  const labels = text[match.index + match[0].length] === ':'
  const object = labels ? match[1]!.replace(/\n[^\n]*$/, '') : match[1]!
  const paragraph = object.split(/\n\s*\n/).at(last ? -1 : 0)!
  return paragraph
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^(?:the|our|my|its|their|all|that|those)\s/i, '')
    .slice(0, 120)
    .trim()
}

/** At most four; a pump that replaces another is no document. */
export function replacedIn(text: string): string[] {
  const found: string[] = []
  for (const form of [ACTIVE, PASSIVE])
    for (const match of form.all(text)) {
      const object = objectIn(match, text, form === PASSIVE)
      const isPaper =
        NAMES_PAPER.test(object.slice(0, 60)) ||
        CODE.test(object.slice(0, 40)) ||
        (/^supersed/i.test(match[0]) && DATED.test(object.slice(0, 40)))
      if (object.length >= 4 && isPaper && found.length < 4) found.push(object)
    }
  return found
}
