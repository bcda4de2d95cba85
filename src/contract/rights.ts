/**
 * What a key of a tenant can be allowed, and what each operation asks for. Reading is the right to every GET; whatever
 * changes something is named here, and what is not named asks for `manage`.
 */

import type { Operation } from './operation.js'

export const rights = ['read', 'ingest', 'decide', 'erase', 'manage', 'hold'] as const
export type Right = (typeof rights)[number]

const byOperation: Record<string, Right | null> = {
  // Each tool behind it asks for its own.
  answerAgent: null,
  ingestDocument: 'ingest',
  ingestBatch: 'ingest',
  ingestFile: 'ingest',
  ingestScopeFile: 'ingest',
  createDocument: 'ingest',
  createContradiction: 'ingest',
  createScope: 'ingest',
  createOwnScope: 'ingest',
  retryDocument: 'ingest',
  attachDocument: 'ingest',
  triggerIngest: 'ingest',
  retryQuarantine: 'ingest',
  resolveContradiction: 'decide',
  reopenContradiction: 'decide',
  assignContradiction: 'decide',
  unassignContradiction: 'decide',
  addComment: 'decide',
  promotePossibleConflict: 'decide',
  withdrawPromotion: 'decide',
  acceptReplacement: 'decide',
  withdrawAcceptance: 'decide',
  decideReplacements: 'decide',
  decidePossibleConflicts: 'decide',
  dismissPossibleConflict: 'decide',
  withdrawDismissal: 'decide',
  objectToSupersession: 'decide',
  withdrawObjection: 'decide',
  reviewDecision: 'decide',
  signOffScope: 'decide',
  withdrawSignOff: 'decide',
  cancelDocument: 'decide',
  discardDocument: 'decide',
  correctWord: 'decide',
  recogniseAgain: 'decide',
  eraseDocument: 'erase',
  eraseDocumentByQuery: 'erase',
  resetScope: 'erase',
  holdScope: 'hold',
  liftScopeHold: 'hold',
  holdDocument: 'hold',
  liftDocumentHold: 'hold',
  dryRunPolicies: 'read',
  dryRunScopePolicies: 'read',
  rereadScope: 'manage',
  deleteOwnScope: 'manage',
  createWebhook: 'manage',
  // Addresses of receivers can hold secrets of theirs.
  listWebhooks: 'manage',
  getWebhook: 'manage',
  changeWebhook: 'manage',
  deleteWebhook: 'manage',
  rotateWebhookSecret: 'manage',
  testWebhook: 'manage',
  listWebhookDeliveries: 'manage',
  redeliverWebhook: 'manage',
  patchScope: 'manage',
  putGlossary: 'manage',
  putDocumentModel: 'manage',
  putPolicies: 'manage',
  putScopePolicies: 'manage',
}

/** Answered with words of documents, which are for who may read. */
const answeredWithWords = new Set([
  'resolveContradiction',
  'reopenContradiction',
  'promotePossibleConflict',
  'withdrawPromotion',
  'acceptReplacement',
  'withdrawAcceptance',
  'dismissPossibleConflict',
  'withdrawDismissal',
  'objectToSupersession',
  'withdrawObjection',
  // The record says how the word was read before.
  'correctWord',
])

/** None where no key of a tenant is asked for, or none of its rights; the first is that of the act itself. */
export function rightsOf(operation: Pick<Operation, 'id' | 'method' | 'credential' | 'tag'>): readonly Right[] {
  const right = rightOf(operation)
  if (right === null) return []
  return answeredWithWords.has(operation.id) ? [right, 'read'] : [right]
}

function rightOf({ id, method, credential, tag }: Pick<Operation, 'id' | 'method' | 'credential' | 'tag'>): Right | null {
  if (credential === 'none' || credential === 'tier' || credential === 'any-key') return null
  if (tag === 'Runtime') return 'manage'
  const named = byOperation[id]
  if (named !== undefined) return named
  return method === 'GET' ? 'read' : 'manage'
}

/** Of one call: who reports passages as contradicting each other judges what documents say, and is answered with their words. */
export function rightsOfCall(operation: Pick<Operation, 'id' | 'method' | 'credential' | 'tag'>, body: unknown): readonly Right[] {
  const { a, b } = (operation.id === 'createContradiction' ? (body ?? {}) : {}) as { a?: unknown; b?: unknown }
  if (a !== undefined || b !== undefined) return ['decide', 'read']
  return rightsOf(operation)
}

/** Whether somebody decided what the operation asks for. */
export function isRightNamed(operation: Pick<Operation, 'id' | 'method' | 'tag'>): boolean {
  return operation.method === 'GET' || operation.tag === 'Runtime' || operation.id in byOperation
}
