/** The words people of the field read for what the API calls otherwise, the same on the command line, in papers and at the desk. */

import type { Schema } from './types.js'

export function countOf(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
}

export const finalityWords: Record<Schema['FinalityStatus'], string> = {
  active: 'open',
  review: 'needs a person',
  resolved: 'review complete',
  escalated: 'escalated',
  blocked: 'blocked',
}

/** The name of a condition, a score or a target: what is joined in the API is words here. */
export function words(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replace(/\binverse\b/, '(inverse)')
    .replace(/\bclaim\b/, 'statement')
}

/** The state of a document, a contradiction or a certificate; the service's own word where that is one. */
export function statusWords(status: string): string {
  return { indexed: 'read', quarantined: 'could not be read', resolved: 'decided', superseded: 'no longer current' }[status] ?? status
}

/** Of a document: what was erased is that, whatever its state was. */
export function documentState({ status, erased_at: erased }: Pick<Schema['Document'], 'status' | 'erased_at'>): string {
  return erased === null ? statusWords(status) : 'erased'
}

/** What a step of a case, or a decision of its policies, is about. */
export function stepWords(kind: string): string {
  const others: Record<string, string> = {
    ...{ reread: 'reading again', resolution: 'decision', finality: 'standing of the case', settling: 'what follows from it' },
    ...{ sign_off: 'sign-off', given_up: 'reading given up', report: 'reported contradiction' },
  }
  return others[kind] ?? words(kind)
}

/** Policies are asked about a sign-off, and taking one back, as about any decision of a person. */
export function decisionWords({ kind, said }: Pick<Schema['Decision'], 'kind' | 'said'>): string {
  const signs: Record<string, string> = { sign_off: 'sign-off', withdraw_sign_off: 'sign-off taken back' }
  return (kind === 'resolution' ? signs[said?.verdict ?? ''] : undefined) ?? stepWords(kind)
}

/** What came since a certificate, by its `superseded_cause`; null where that is not known. */
export function causeWords(cause: string | null | undefined): string | null {
  const causes: Record<string, string> = {
    ...{ document: 'a document came', arrival: 'a document came', reread: 'documents were read again', erasure: 'a document was erased' },
    ...{ resolution: 'a decision was given or taken back', finding: 'a decision was given or taken back' },
    ...{ sign_off: 'a sign-off was given or taken back', settings: 'settings were changed' },
  }
  return cause == null ? null : (causes[cause] ?? null)
}

/** Advice of the service without the routes it names, which are for programs. */
export function withoutRoutes(advice: string): string {
  return advice.replaceAll(/ \((?:GET|POST|PUT|PATCH|DELETE) [^)]*\)/g, '')
}
