/** The kinds of events, and the shape they have on a stream (CloudEvents 1.0 JSON). */

import { Type } from '../platform/schema.js'

export const eventKinds = [
  'scope.created',
  'scope.reset',
  'scope.deleted',
  'document.registered',
  'document.attached',
  'document.queued',
  'document.requeued',
  'document.processing',
  'document.indexed',
  'document.held',
  'document.rejected',
  'document.quarantined',
  'document.erased',
  'document.reread_queued',
  'document.reread',
  'document.reread_failed',
  'claim.superseded',
  'contradiction.detected',
  'contradiction.resolved',
  'contradiction.reopened',
  'contradiction.assigned',
  'contradiction.unassigned',
  'contradiction.commented',
  'possible_conflict.detected',
  'possible_conflict.promoted',
  'possible_conflict.accepted',
  'possible_conflict.dismissed',
  'possible_conflict.reopened',
  'supersession.objected',
  'supersession.restored',
  'supersession.withdrawn',
  'decision.recorded',
  'convergence.updated',
  'finality.changed',
  'certificate.issued',
  'certificate.withdrawn',
  'legal_hold.set',
  'legal_hold.lifted',
  'scope.changed',
  'scope.signed_off',
  'scope.sign_off_withdrawn',
  'runtime.changed',
  'worker.spawned',
  'worker.drained',
  'worker.restarted',
  'worker.circuit',
  'tenant.removed',
  'webhook.disabled',
  'webhook.test',
  'stream.gap',
] as const

/** What webhooks can subscribe to: events of the service belong to no tenant, and the last two are sent without a subscription. */
type OwnKind = Exclude<(typeof eventKinds)[number], `${'worker' | 'tenant' | 'stream'}.${string}` | 'webhook.test'>
type FamilyOf<Kind extends string> = Kind extends `${infer Family}.${string}` ? `${Family}.*` : never

const ownKinds = eventKinds.filter((kind): kind is OwnKind => !/^(worker\.|tenant\.|stream\.|webhook\.test$)/.test(kind))
const familyOf = (kind: OwnKind) => `${kind.split('.', 1)[0]}.*` as FamilyOf<OwnKind>

/** Kinds, families of kinds, and all of them. */
export const eventPatterns = ['*' as const, ...new Set(ownKinds.map(familyOf)), ...ownKinds]

export const CloudEvent = Type.Object(
  {
    specversion: Type.Literal('1.0'),
    id: Type.String(),
    source: Type.String(),
    type: Type.Enum([...eventKinds]),
    subject: Type.Optional(Type.String()),
    time: Type.String({ format: 'date-time' }),
    datacontenttype: Type.Literal('application/json'),
    data: Type.Object({}, { additionalProperties: true }),
  },
  {
    $id: 'Event',
    additionalProperties: true,
    description:
      'The `data` of a frame. Ids and figures only, never text or quotes. The `name` of a document is looked up when the event is read and null once the document was erased.',
    examples: [
      {
        specversion: '1.0',
        id: '0',
        source: '/scopes/case-1',
        type: 'document.queued',
        subject: 'annual-report',
        time: '2026-01-31T09:00:00.000Z',
        datacontenttype: 'application/json',
        data: { scope_id: 'case-1', document_id: 'annual-report', revision: 1, name: 'Annual report', status: 'queued' },
      },
    ],
  },
)
