/**
 * The tools. Each stands for operations of the API and takes what they take, so its input is made of their schemas:
 * a parameter the API learns is one the tool knows.
 */

import type { TProperties } from 'typebox'
import { answered } from '../client/api.js'
import type { Client } from '../client/client.js'
import { DocumentId, ScopeId } from '../contract/common.js'
import type { Operation } from '../contract/operation.js'
import { publicOperations as operations } from '../contract/public-operations.js'
import { type Right, rightsOf } from '../contract/rights.js'
import type { Schema } from '../contract/types.js'
import { Type } from '../platform/schema.js'
import { readText } from './document-text.js'
import { type InputSchema, inputOf } from './input.js'
import { pageThatFits } from './pages.js'

export interface Tool {
  name: string
  title: string
  description: string
  rights: readonly Right[]
  changes: boolean
  input: InputSchema
  run(client: Client, input: Record<string, unknown>): Promise<unknown>
}

/** A page an agent can hold in mind; more is a matter of the cursor. */
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20, description: 'Most items of the answer.' }))

const { listOwnScopes, getOwnSummary, listDocuments, listClaims, listContradictions, listPossibleConflicts } = operations

export const tools: readonly Tool[] = [
  list('list_cases', listOwnScopes, 'List cases', 'The cases of the tenant, with how far the review of each is.'),
  {
    ...reading('get_summary', getOwnSummary, 'Sum up a case'),
    description: 'Everything about a case on one page: documents, contradictions, goals, risks, what keeps its review from being complete.',
    input: inputOf({ scope_id: ScopeId }),
    run: (client, { scope_id }) => client.summary(scope_id as string),
  },
  list('list_documents', listDocuments, 'List documents', 'The documents of a case, with their state.'),
  {
    ...reading('read_document', operations.getDocumentText, 'Read a document'),
    description: 'A piece of a document’s text. Offsets count code points, as `start` and `end` of statements do.',
    input: inputOf({
      scope_id: ScopeId,
      document_id: DocumentId,
      revision: Type.Optional(Type.Integer({ minimum: 1, description: 'Omitted: the newest.' })),
      offset: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'Where to begin.' })),
      length: Type.Optional(Type.Integer({ minimum: 1, maximum: 20_000, default: 10_000, description: 'How much to read.' })),
    }),
    run: (client, input) => readText(client, input as unknown as Parameters<typeof readText>[1]),
  },
  list('search_claims', listClaims, 'Search statements', 'What the documents of a case state, each with its exact quote and place.'),
  withPossible(
    list(
      'list_contradictions',
      listContradictions,
      'List contradictions',
      'Where the documents of a case contradict each other. `possible_conflicts` says how many may, undecided: list_possible_conflicts names them.',
    ),
  ),
  list(
    'list_possible_conflicts',
    listPossibleConflicts,
    'List possible conflicts',
    'Where the documents of a case may disagree, best first: for a person to decide.',
  ),
  {
    ...changing('ingest_document', operations.ingestDocument, 'Submit a document'),
    description: 'Queues a text for reading. Read the case again after a while: findings come when it is processed.',
    input: inputOf(operations.ingestDocument.body.schema.properties),
    run: (client, input) => client.ingest(input as Schema['IngestDocumentRequest']),
  },
  {
    ...changing('decide_contradiction', operations.resolveContradiction, 'Decide a contradiction'),
    description: 'Says which side of a contradiction holds. Recorded under the name in `by`; can be decided again.',
    input: inputOf({ contradiction_id: Type.String(), ...operations.resolveContradiction.body.schema.properties }),
    run: (client, { contradiction_id, ...said }) =>
      client.resolve(contradiction_id as string, said as Schema['ResolveContradictionRequest']),
  },
  {
    ...changing('decide_possible_conflict', operations.promotePossibleConflict, 'Decide a possible conflict'),
    description:
      'Promotes a possible conflict to a contradiction, accepts the replacement it proposes, or dismisses it. Recorded under the name in `by`.',
    input: inputOf({
      possible_conflict_id: Type.String(),
      verdict: Type.Enum(['promote', 'accept', 'dismiss']),
      ...operations.promotePossibleConflict.body.schema.properties,
    }),
    run: (client, { possible_conflict_id, verdict, ...said }) => {
      const decide = verdict === 'promote' ? client.promote : verdict === 'accept' ? client.accept : client.dismiss
      return decide(possible_conflict_id as string, said as Schema['FindingRequest'])
    },
  },
]

function reading(name: string, operation: Operation, title: string) {
  return { name, title, rights: rightsOf(operation), changes: false }
}

function changing(name: string, operation: Operation, title: string) {
  return { ...reading(name, operation, title), changes: true }
}

/** A list of the API, of a case where its address names one. */
function list(name: string, operation: Operation, title: string, description: string): Tool {
  const isOfCase = operation.params !== undefined
  const filters = (operation.query?.properties ?? {}) as TProperties
  return {
    ...reading(name, operation, title),
    description: `${description} \`next\` is the cursor of what follows.`,
    input: inputOf({ ...(isOfCase ? { scope_id: ScopeId } : {}), ...filters, limit }),
    run: (client, { scope_id, ...query }) =>
      pageThatFits(query, each =>
        answered(
          // The lists of a case share how they are asked for.
          client.api.GET(operation.path as '/api/scopes/{scopeId}/claims', {
            params: { path: { scopeId: (scope_id ?? '') as string }, query: each as { limit?: number } },
          }),
        ),
      ),
  }
}

/** Whoever asks what is open is told of what may be, too. */
function withPossible(tool: Tool): Tool {
  return {
    ...tool,
    run: async (client, input) => {
      const [page, { contradictions }] = await Promise.all([tool.run(client, input), client.summary(input['scope_id'] as string)])
      return { ...(page as object), possible_conflicts: contradictions.unsure }
    },
  }
}

export function describeTool({ name, title, description, changes, input }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: input,
    annotations: { title, readOnlyHint: !changes, destructiveHint: false, openWorldHint: false },
  }
}
