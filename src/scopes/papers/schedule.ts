/** The schedule of contradictions of a case: each fact with both quotes, where they stand, and what was decided. */

import {
  decidedWords,
  effectWords,
  othersOf,
  placeInFile,
  replacedWords,
  saysWords,
  unnamedWords,
  whyDecided,
} from '../../contract/finding-words.js'
import type { RevisionRef } from '../../store/documents/documents.js'
import { type PaperName, readPaperNames } from '../../store/documents/paper-names.js'
import { listContradictionRows } from '../../store/findings/findings.js'
import type { ScopePlace } from '../../store/scopes/scopes.js'
import { readTenant, type TenantTransaction } from '../../store/server/database.js'
import type { ScopesDeps } from '../deps.js'
import { type ListContradictionsInput, toContradictionRecords } from '../findings/contradictions.js'
import { optionalInstant } from '../instants.js'
import { resolveScope } from '../lifecycle.js'
import { isStorable } from '../storable.js'
import type { ContradictionRecord } from '../types.js'

/** As the desk narrows its list. */
export interface ScheduleInput extends Omit<ListContradictionsInput, 'limit' | 'cursor' | 'status'> {
  status?: ListContradictionsInput['status'] | 'decided'
  /** Only those that say this. */
  words?: string | undefined
}

export interface ScheduledSide {
  quote: string
  paper: string
  /** The revision, and the page, cell or paragraph where it has one; empty where no paper is known. */
  place: string
  issuer: string
  /** The day on the paper. */
  dated: string
  received: string
  /** Papers that said the same and no longer count, and how many others there are where not all are named. */
  replaced: string[]
}

export interface ScheduledFact {
  id: string
  fact: string
  severity: string
  a: ScheduledSide
  b: ScheduledSide
  foundBy: string
  found: string
  status: string
  decision: string
  by: string
  reason: string
  decided: string
}

export interface Schedule {
  scopeId: string
  /** What it was narrowed to, in words; empty where it has all. */
  only: string[]
  facts: ScheduledFact[]
  /** There are more than one paper holds. */
  isCut: boolean
  /** What is quoted, each revision by itself, with its name where it was not erased. */
  cited: CitedPaper[]
}

export interface CitedPaper extends RevisionRef {
  name: string | null
}

export const mostFacts = 2000

export function readSchedule(deps: Pick<ScopesDeps, 'db'>, input: ScheduleInput): Promise<Schedule> {
  const { tenantId, scopeId } = input
  const knownAt = optionalInstant(input.knownAt, '/query/known_at')
  return readTenant(deps.db, tenantId, async tx => {
    const scope = { ...(await resolveScope(tx, scopeId)), scopeId }
    const found = await findAll(tx, scope, { ...input, knownAt })
    const records = found.slice(0, mostFacts)
    const quoted = quotedIn(records)
    const named = [...quoted, ...replacedIn(records)]
    const papers = new Map((await readPaperNames(tx, scope, named)).map(paper => [keyOf(paper), paper]))
    const facts = records.map(record => scheduled(record, papers))
    const cited = quoted.map(({ documentId, revision }) => ({
      documentId,
      revision,
      name: papers.get(keyOf({ document_id: documentId, revision }))?.name ?? null,
    }))
    return { scopeId, only: onlyOf({ ...input, knownAt }), facts, isCut: found.length > mostFacts, cited }
  })
}

type Wanted = Omit<ScheduleInput, 'knownAt'> & { knownAt: string | null }

/** One more than one paper holds, where there are more. */
async function findAll(tx: TenantTransaction, scope: ScopePlace & { scopeId: string }, wanted: Wanted): Promise<ContradictionRecord[]> {
  const { status = 'all', severity = null, documentId = null, foundBy = null, assignedTo = null, knownAt, words = '' } = wanted
  const found: ContradictionRecord[] = []
  if (documentId !== null && !isStorable(documentId)) return found
  for (let after = -1; found.length <= mostFacts; ) {
    const filter = { status, severity, documentId, foundBy, assignedTo, knownAt }
    const rows = await listContradictionRows(tx, scope, { ...filter, after, limit: partRows })
    const records = await toContradictionRecords(tx, scope, rows, { supporters: shownSupporters, knownAt })
    found.push(...records.filter(record => saysWords(record, words)))
    if (rows.length < partRows) break
    after = rows.at(-1)?.contradiction_no ?? after
  }
  return found
}

const partRows = 500
/** Looked at for papers that said the same and were replaced; the one a contradiction was found with comes first of them. */
const shownSupporters = 3

function onlyOf({ status = 'all', severity, documentId, foundBy, assignedTo, knownAt, words = '' }: Wanted): string[] {
  return [
    status === 'all' ? '' : status,
    severity === undefined ? '' : `severity ${severity}`,
    documentId === undefined ? '' : `with document ${documentId}`,
    foundBy === undefined ? '' : `found by ${{ rules: 'rules', model: 'a model', person: 'a person' }[foundBy]}`,
    assignedTo === undefined ? '' : `assigned to ${assignedTo}`,
    words.trim() === '' ? '' : `that say “${words.trim()}”`,
    knownAt === null ? '' : `as known on ${knownAt}`,
  ].filter(Boolean)
}

type Papers = ReadonlyMap<string, PaperName>

const keyOf = ({ document_id, revision }: Pick<PaperName, 'document_id' | 'revision'>) => JSON.stringify([document_id, revision])

/** Each revision once, by document and in the order they came. */
function quotedIn(records: readonly ContradictionRecord[]): RevisionRef[] {
  const sides = records.flatMap(({ a, b }) => [a, b]).flatMap(side => ('claim_id' in side ? [side] : []))
  const quoted = new Map(sides.map(side => [keyOf(side), { documentId: side.document_id, revision: side.revision }]))
  return [...quoted.values()].sort((a, b) => (a.documentId < b.documentId ? -1 : a.documentId > b.documentId ? 1 : a.revision - b.revision))
}

function replacedIn(records: readonly ContradictionRecord[]): RevisionRef[] {
  return records
    .flatMap(record => [...replacedOn(record, 'a'), ...replacedOn(record, 'b')])
    .map(({ document_id: documentId, revision }) => ({ documentId, revision }))
}

function replacedOn(record: ContradictionRecord, letter: 'a' | 'b') {
  return othersOf(record[letter], record[`supporters_${letter}`], record.supporters[letter]).replaced
}

function scheduled(record: ContradictionRecord, papers: Papers): ScheduledFact {
  const { resolution } = record
  return {
    id: record.contradiction_id,
    fact: factOf(record),
    severity: record.severity,
    a: sideOf(record, 'a', papers),
    b: sideOf(record, 'b', papers),
    foundBy: record.found_by,
    found: record.detected_at,
    status: record.status,
    decision: resolution === undefined ? '' : [decidedWords(resolution), effectWords(record)].filter(Boolean).join('. '),
    by: resolution?.by ?? '',
    reason: whyDecided(record),
    decided: resolution?.resolved_at ?? '',
  }
}

/** What both speak of, as somebody would head a line: the attribute, with the thing it is said of. */
function factOf({ subject, attribute, a }: ContradictionRecord): string {
  const named = [attribute, subject].filter(each => each !== null && each !== '').join(' · ')
  const fact = named === '' ? (a.quote ?? '') : named
  return fact.charAt(0).toLocaleUpperCase() + fact.slice(1)
}

function sideOf(record: ContradictionRecord, letter: 'a' | 'b', papers: Papers): ScheduledSide {
  const side = record[letter]
  if (!('claim_id' in side)) return { quote: side.quote, paper: side.source, place: '', issuer: '', dated: '', received: '', replaced: [] }
  const paper = papers.get(keyOf(side))
  const nameOf = (each: { document_id: string; revision: number }) => papers.get(keyOf(each))?.name ?? each.document_id
  return {
    quote: side.quote ?? '(erased)',
    paper: paper?.name ?? side.document_id,
    place: [`revision ${side.revision}`, placeInFile(side)].filter(Boolean).join(', '),
    issuer: paper?.issuer ?? record.evidence?.issuers[letter] ?? '',
    dated: paper?.issued_on ?? '',
    received: paper?.received_at ?? '',
    replaced: [...replacedOn(record, letter).map(each => replacedWords(each, () => nameOf(each))), ...unnamedOn(record, letter)],
  }
}

/** Where some are named, how many more there are. */
function unnamedOn(record: ContradictionRecord, letter: 'a' | 'b'): string[] {
  const others = record.supporters[letter] - record[`supporters_${letter}`].length
  return others > 0 && replacedOn(record, letter).length > 0 ? [unnamedWords(others)] : []
}
