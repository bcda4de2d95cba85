/** Two reports on one terminal, and what the reader concludes from them. */
import { analyseFolder } from './score-corpus.js'

const head = (title: string, issuer: string, date: string): string => `${title}\n\nPrepared by: ${issuer}\nDate: ${date}\n\n1. Findings\n\n`

export function verdicts(first: string, second: string, issuers: [string, string] = ['Halden Survey', 'Corvin Partners']): string[] {
  const result = analyseFolder([
    { name: '1.txt', text: head('Report on Brackwater Terminal', issuers[0], '2025-03-01') + first },
    { name: '2.txt', text: head('Second report on Brackwater Terminal', issuers[1], '2025-04-10') + second },
  ])
  return [...new Set(result.findings.map(finding => finding.verdict))]
}
