/** The report of a case as agents read it: Markdown, with the first of long lists. */

import type { Client } from '../client/client.js'
import { countOf, documentState, finalityWords, words } from '../contract/field-words.js'
import type { Schema } from '../contract/types.js'
import { documentUri } from './addresses.js'
import { pieceOf } from './document-text.js'

export interface CaseData {
  summary: Schema['ScopeSummary']
  documents: Schema['Document'][]
  contradictions: Schema['Contradiction'][]
  possible: Schema['PossibleConflict'][]
}

const most = { documents: 100, contradictions: 40, possible: 20 }
const quoteCharacters = 400

export async function gatherCase(client: Client, scopeId: string): Promise<CaseData> {
  const [summary, documents, contradictions, possible] = await Promise.all([
    client.summary(scopeId),
    client.documents(scopeId, { limit: most.documents }).toArray(most.documents),
    client.contradictions(scopeId, { status: 'all', limit: most.contradictions }).toArray(most.contradictions),
    client.possibleConflicts(scopeId, { limit: most.possible }).toArray(most.possible),
  ])
  return { summary, documents, contradictions, possible }
}

export function reportText({ summary, documents, contradictions, possible }: CaseData): string {
  const missing = summary.finality.gates
    .filter(({ ok }) => !ok)
    .map(({ gate, needs, how }) => `- ${words(gate)}: needs ${line(needs)}. ${line(how)}`)
  return [
    `# ${line(summary.display_name ?? summary.scope_id)}`,
    `Case ${summary.scope_id}: ${finalityWords[summary.finality.status]}. ${[
      countOf(summary.documents.total, 'document'),
      countOf(summary.claims.live, 'statement'),
      countOf(summary.contradictions.open, 'open contradiction'),
      countOf(summary.contradictions.unsure, 'undecided possible conflict'),
    ].join(', ')}.`,
    `${line(summary.examined.words)}; ${line(summary.examined.compared)}.`,
    ...(missing.length === 0 ? [] : ['## What is missing', ...missing]),
    '## Contradictions',
    ...shown(
      contradictions.map(each => finding(each.contradiction_id, each)),
      summary.contradictions.open + summary.contradictions.resolved + summary.contradictions.dismissed,
    ),
    '## Possible conflicts',
    ...shown(
      possible.map(each => finding(each.possible_conflict_id, each)),
      summary.contradictions.unsure,
    ),
    '## Documents',
    ...shown(
      documents.map(
        each =>
          `- [${line(each.name ?? each.document_id)}](${documentUri(summary.scope_id, each.document_id)}), ${documentState(each)}, ${line(each.compared_by.words)}`,
      ),
      summary.documents.total,
    ),
  ].join('\n\n')
}

function shown(entries: string[], total: number): string[] {
  if (entries.length === 0) return ['None.']
  return total <= entries.length ? entries : [...entries, `… and ${total - entries.length} more.`]
}

function finding(id: string, item: Schema['Contradiction'] | Schema['PossibleConflict']): string {
  const about = [item.subject, item.attribute].flatMap(each => (each === null ? [] : [line(each)])).join(', ')
  return [
    `### ${item.severity}, ${item.status}: ${about || item.kind} (${id})`,
    line(item.reason),
    `- ${side(item.a)}`,
    `- ${side(item.b)}`,
  ].join('\n')
}

function side(claim: Schema['Contradiction']['a']): string {
  const from = 'document_id' in claim ? claim.document_id : claim.source
  return `${line(from)}: “${claim.quote === null ? 'erased' : line(claim.quote)}”`
}

/** On one line, so that no quote can look like a part of the report. */
function line(text: string): string {
  const { text: first, next_offset: rest } = pieceOf(text.replaceAll(/\s+/g, ' ').trim(), 0, quoteCharacters)
  return rest === null ? first : `${first}…`
}
