/** What the reader finds between two short letters of two issuers: the smallest case in which one can deny the other. */
import { analyseFolder } from './score-corpus.js'

/** The verdicts between two letters; a week apart unless other dates are given. */
export function verdictsBetween(first: string, second: string, dates = DATES): string[] {
  const letter = (at: 0 | 1, text: string): string => `From: ${ISSUERS[at]}\nDate: ${dates[at]}\nSubject: Winch house\n\n${text}\n`
  return analyseFolder([
    { name: 'a.txt', text: letter(0, first) },
    { name: 'b.txt', text: letter(1, second) },
  ]).findings.map(finding => finding.verdict)
}

const ISSUERS = ['Orbel Marine Ltd', 'Tamsin Surveyors LLP'] as const
const DATES: readonly [string, string] = ['3 March 2031', '9 March 2031']
