/** Two papers, and a passage of each that a person says contradict each other. */

import type { startJourney } from '../support/journey.js'

export const texts = {
  contract: 'Harbour Tower 🏗\n\nThe works shall be finished when the swallows return.',
  letter: 'To the owner\n\nNothing will be finished before the first snow falls on Quillonby.',
}

/** In code points. */
function passage(document: keyof typeof texts, quote: string, revision = 1) {
  const at = texts[document].indexOf(quote)
  const start = [...texts[document].slice(0, at)].length
  return { document_id: document, revision, start, end: start + [...quote].length }
}

export const a = passage('contract', 'finished when the swallows return')
export const b = passage('letter', 'before the first snow falls on Quillonby')
const said = { severity: 'high', by: 'J. Doe', reason: 'Spring and winter.' }

/** In the journey of a file. */
export function reporting(at: ReturnType<typeof startJourney>) {
  const { call, handIn } = at
  async function openCase(scope: string): Promise<void> {
    await handIn(scope, 'contract', texts.contract)
    await handIn(scope, 'letter', texts.letter)
  }
  const report = (scope: string, more: object = {}, headers = at.key) =>
    call('POST', '/api/contradictions', { scope_id: scope, a, b, ...said, ...more }, headers)
  return { openCase, report }
}
