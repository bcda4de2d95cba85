/** Tenants, their keys and their limits. */

import { Type } from '../platform/schema.js'
import { Count, closed, Nullable, OpenObject, open, PageOf, personName, RecordOf, ScopeId, TenantId, Time, VisibleText } from './common.js'
import { rights } from './rights.js'

export const CreateTenantRequest = Type.Object(
  { name: Type.String({ minLength: 1 }) },
  { $id: 'CreateTenantRequest', ...closed, examples: [{ name: 'Northwind Insurance' }] },
)

const keyOnce = 'Shown once; only its SHA-256 is kept.'
const exampleKey = 'cnk_0123456789abcdefghijklmnopqrstuv012345'

export const CreateTenantResponse = Type.Object(
  {
    tenant_id: TenantId,
    api_key: Type.String({ description: keyOnce }),
    key_prefix: Type.String(),
    message: Type.String(),
    key_id: Type.String(),
    name: Type.String(),
    created_at: Time,
  },
  {
    $id: 'CreateTenantResponse',
    ...open,
    examples: [
      {
        tenant_id: 'ten_0123456789abcdefghijkl',
        api_key: exampleKey,
        key_prefix: 'cnk_01234567',
        message: 'Tenant created. Keep the api_key: it is not shown again.',
        key_id: 'key_0123456789abcdefghijkl',
        name: 'Northwind Insurance',
        created_at: '2026-01-31T09:00:00.000Z',
      },
    ],
  },
)

export const Tenant = Type.Object(
  { tenant_id: TenantId, name: Type.String(), created_at: Time, keys: Count },
  { $id: 'Tenant', ...open, description: '`keys` counts the keys that are not revoked.' },
)
export const TenantPage = PageOf('TenantPage', Tenant)

const Right = Type.Enum([...rights], {
  description:
    '`read` every GET, `ingest` documents, `decide` findings (together with `read`, for the answers quote them; several at once without, since those do not) and reviews, `erase` documents, `hold` cases and documents, `manage` the rest.',
})

export const CreateKeyRequest = Type.Object(
  {
    label: Type.Optional(VisibleText(200)),
    rights: Type.Optional(Type.Array(Right, { minItems: 1, maxItems: rights.length, uniqueItems: true, description: 'Unset: all.' })),
    scopes: Type.Optional(
      Type.Array(ScopeId, {
        minItems: 1,
        maxItems: 200,
        uniqueItems: true,
        description: 'The scopes it reaches; unset: all, those to come included.',
      }),
    ),
    expires_at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'From then on it is not valid, by the clock of the database.',
      }),
    ),
    person: Type.Optional(Type.String({ ...personName, description: 'Whose key it is: the `by` of its acts.' })),
    speak_for: Type.Optional(
      Type.Boolean({ description: 'Whether `by` may name anybody. Unset: only where the key has no person; needs a person when false.' }),
    ),
  },
  {
    $id: 'CreateKeyRequest',
    ...closed,
    examples: [{ label: 'ci' }, { label: 'Ada at the desk', person: 'ada', rights: ['read', 'decide'], scopes: ['case-1'] }],
  },
)

/** What every view of a key says besides its name. */
const permission = {
  rights: Type.Array(Right),
  scopes: Nullable(Type.Array(Type.String(), { description: 'The scopes it reaches; null: all.' })),
  expires_at: Nullable(Time),
  person: Nullable(Type.String()),
  speak_for: Type.Boolean(),
}

export const TenantKey = RecordOf('TenantKey', {
  key_id: Type.String(),
  key_prefix: Type.String(),
  label: Nullable(Type.String()),
  created_at: Time,
  revoked_at: Nullable(Time),
  ...permission,
})
export const TenantKeyPage = PageOf('TenantKeyPage', TenantKey)

export const CreateKeyResponse = RecordOf('CreateKeyResponse', {
  tenant_id: TenantId,
  key_id: Type.String(),
  api_key: Type.String({ description: keyOnce }),
  key_prefix: Type.String(),
  label: Nullable(Type.String()),
  created_at: Time,
  ...permission,
  message: Type.String(),
})

const limit = (description: string) => Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000_000, description })))

export const TenantLimits = Type.Object(
  {
    documents: limit('Most documents kept; a new revision does not count as a new document. Null is unlimited.'),
    bytes: limit(
      'Most bytes kept: texts of all revisions, and what was found in them at a fixed cost (512 a claim, 1,024 a contradiction, 256 a passage kept for a model).',
    ),
    scopes: limit('Most scopes.'),
    model_tokens_per_day: limit('Most tokens of models a day, from midnight UTC; null: as the service is set.'),
    model: Type.Optional(Nullable(Type.Enum(['off'], { description: 'No model reads documents of the tenant.' }))),
    requests_per_second: limit('Most requests a second of all its credentials together, below the limit of the service.'),
    concurrent_scopes: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, description: 'Most scopes worked on at once.' })),
    weight: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Share of the workers against other tenants.' })),
  },
  { $id: 'TenantLimits', ...closed, examples: [{ documents: 100000, scopes: 500, weight: 2 }] },
)

const quotas = { documents: Nullable(Count), bytes: Nullable(Count), scopes: Nullable(Count), requests_per_second: Nullable(Count) }

export const TenantLimitsView = RecordOf('TenantLimitsView', {
  tenant_id: TenantId,
  limits: OpenObject({
    ...quotas,
    model_tokens_per_day: Nullable(Count),
    model: Nullable(Type.Enum(['off'])),
    concurrent_scopes: Count,
    weight: Count,
  }),
  usage: OpenObject({
    documents: { ...Count, description: 'On record: erased ones too, for their record stays. Those that are read are counted by case.' },
    bytes: Count,
    scopes: Count,
    derived_bytes: Type.Integer({ minimum: 0, description: 'The part of `bytes` that was made of the texts.' }),
    model_tokens_today: { ...Count, description: 'Tokens of models since midnight UTC.' },
  }),
})

export const Me = Type.Object(
  {
    tenant_id: Nullable(TenantId),
    tier: Type.Enum(['public', 'admin', 'internals']),
    rights: Type.Array(Right, { description: 'What a tenant key may do with its tenant’s scopes.' }),
    reach: Nullable(Type.Array(Type.String(), { description: 'The scopes it reaches; null: all.' })),
    person: Nullable(Type.String({ description: 'Whose key it is.' })),
    speak_for: Type.Boolean({ description: 'Whether `by` may name anybody; otherwise the person alone.' }),
    expires_at: Nullable({ ...Time, description: 'When the key or the session ends; null: never by itself.' }),
    session: Nullable(
      Type.Object(
        {
          session_id: Type.String(),
          csrf_token: Nullable(Type.String({ description: 'For the header X-CSRF-Token; null where the session came as a token.' })),
        },
        { ...open, description: 'Of a person who signed in; null for keys.' },
      ),
    ),
    limits: OpenObject({
      text_characters: Type.Integer({ description: 'Longest text of a document, in code points.' }),
      body_bytes: Type.Integer({ description: 'Largest request body other than a file.' }),
      file_bytes: Type.Integer({ description: 'Largest file.' }),
      ...quotas,
    }),
    usage: Nullable(Type.Object({ documents: Count, bytes: Count, scopes: Count }, open)),
    model: Nullable(
      Type.Object(
        { name: Type.String(), tokens_today: Count, tokens_per_day: Nullable(Count) },
        { ...open, description: 'The model that reads the tenant’s documents; null where none does.' },
      ),
    ),
  },
  { $id: 'Me', ...open, description: 'A quota that is null is unlimited.' },
)

export const TenantDeleted = RecordOf('TenantDeleted', { tenant_id: TenantId, deleted_at: Time, message: Type.String() })

export const AuditEntry = RecordOf('AuditEntry', {
  id: Type.String(),
  at: Time,
  tier: Type.String(),
  actor: Type.String({
    description:
      'A fingerprint of the key that acted; `nobody` for counted calls without a valid key, `others` beyond the 5,000 that are told apart in a minute.',
  }),
  action: Type.String(),
  outcome: Type.Enum(['allowed', 'refused', 'counted']),
  status: Nullable(
    Type.Integer({ description: 'Status of the answer; null when the process died or a minute passed before it was known.' }),
  ),
  tenant_id: Nullable(Type.String()),
  scope_id: Nullable(Type.String()),
  request_id: Type.String(),
  address: Nullable(Type.String()),
  detail: Type.Object({}, open),
  prev_hash: Nullable(Type.String()),
  hash: Nullable(Type.String({ description: 'Null until the leader has chained the row.' })),
  object: Nullable(
    Type.String({ description: 'What was read: its kind, case, id and revision; null for acts.', examples: ['document case-1 offer'] }),
  ),
  reader: Nullable(Type.String({ description: 'Who read it: a person, or the key where nobody is known by name.' })),
  hour: Nullable({ ...Time, description: 'However often somebody reads something within it, this is its entry.' }),
})
export const AuditPage = PageOf('AuditPage', AuditEntry)
