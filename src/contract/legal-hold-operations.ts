/** Putting a case or a document on legal hold, lifting it, and listing what is and was on hold. */

import { Type } from '../platform/schema.js'
import { pageQuery } from './common.js'
import { namedDocument } from './documents.js'
import { judgement } from './findings.js'
import { LegalHoldPage, LegalHoldRequest, LegalHoldResult } from './legal-holds.js'
import { defineOperations, forTenants } from './operation.js'

const forbids =
  'Until it is lifted, erasing, resetting and deleting answer 409 `LEGAL_HOLD`, and no retention removes text, original, events, idempotency keys or audit entries. Setting it twice changes nothing.'
const set = {
  audited: true,
  body: { schema: LegalHoldRequest, required: true },
  success: { status: 200, description: 'The hold.', schema: LegalHoldResult },
} as const
const lifted = {
  audited: true,
  success: { status: 200, description: 'The hold, lifted.', schema: LegalHoldResult },
  refusals: ['HOLD_NOT_FOUND'],
} as const
const lifting = 'Recorded with who lifted it and why, and in the audit log, which outlasts the case. Lifting twice changes nothing.'

export const legalHoldOperations = defineOperations(forTenants('Legal holds'), {
  holdScope: {
    route: 'POST /api/scopes/{scopeId}/hold',
    summary: 'Put a case on legal hold',
    description: forbids,
    ...set,
  },
  liftScopeHold: {
    route: 'DELETE /api/scopes/{scopeId}/hold',
    summary: 'Lift the legal hold of a case',
    description: `${lifting} Holds on single documents of it stay.`,
    query: Type.Object(judgement),
    ...lifted,
  },
  listHolds: {
    route: 'GET /api/scopes/{scopeId}/holds',
    summary: 'List the legal holds of a case and its documents, oldest first',
    query: Type.Object({
      standing: Type.Optional(Type.Boolean({ default: false, description: 'Only those that were not lifted.' })),
      ...pageQuery,
    }),
    success: { status: 200, description: 'A page of holds.', schema: LegalHoldPage },
  },
  holdDocument: {
    route: 'POST /api/documents/{documentId}/hold',
    summary: 'Put a document on legal hold',
    description: `${forbids} Its case can then be neither reset nor deleted; other documents of it can be erased.`,
    query: Type.Object(namedDocument),
    ...set,
  },
  liftDocumentHold: {
    route: 'DELETE /api/documents/{documentId}/hold',
    summary: 'Lift the legal hold of a document',
    description: `${lifting} A hold on its case stays.`,
    query: Type.Object({ ...namedDocument, ...judgement }),
    ...lifted,
  },
})
