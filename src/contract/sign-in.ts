/** Signing in with an issuer, and the sessions that come of it. */

import { Type } from '../platform/schema.js'
import { closed, Nullable, open, PageOf, RecordOf, TenantId, Time } from './common.js'
import { rights } from './rights.js'

export const SignInOffer = Type.Object(
  {
    oidc: Nullable(Type.Object({ name: Type.String({ description: 'What people call the issuer.' }) }, open)),
    has_session: Type.Boolean({ description: 'Whether the request brought a session cookie, valid or not.' }),
  },
  { $id: 'SignInOffer', ...open, description: '`oidc` is null where people use keys alone.' },
)

export const BegunSignIn = RecordOf('BegunSignIn', {
  authorization_url: Type.String({ description: 'Where the browser goes; it comes back to the desk with `code` and `state`.' }),
  expires_at: Time,
})

const wantedTenant = {
  tenant_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Which tenant, for people who are mapped to several; unset: the first.' }),
  ),
}

export const CreateSessionRequest = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 4000 }),
    state: Type.String({ minLength: 1, maxLength: 200 }),
    iss: Type.Optional(Type.String({ minLength: 1, maxLength: 1000, description: 'As the issuer put it beside the code, if it did.' })),
    ...wantedTenant,
  },
  { $id: 'CreateSessionRequest', ...closed, examples: [{ code: 'SplxlOBeZQQYbYS6WxSbIA', state: 'af0ifjsldkj' }] },
)

export const DeviceSignIn = RecordOf('DeviceSignIn', {
  device_code: Type.String({ description: 'Only for the client that asked.' }),
  user_code: Type.String({ description: 'For the person to type in.' }),
  verification_uri: Type.String({ description: 'Where the person signs in.' }),
  verification_uri_complete: Nullable(Type.String({ description: 'The same with the code in it.' })),
  expires_in: Type.Number({ description: 'Seconds.' }),
  interval: Type.Number({ description: 'Seconds to wait between asking for the session.' }),
})

export const CreateDeviceSessionRequest = Type.Object(
  { device_code: Type.String({ minLength: 1, maxLength: 4000 }), ...wantedTenant },
  { $id: 'CreateDeviceSessionRequest', ...closed, examples: [{ device_code: 'GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS' }] },
)

const session = {
  session_id: Type.String(),
  tenant_id: TenantId,
  kind: Type.Enum(['desk', 'device'], { description: '`desk`: a cookie of a browser; `device`: a token of the command line.' }),
  person: Nullable(Type.String({ description: 'The `by` of its acts; null for one of a key that is nobody’s.' })),
  subject: Type.String({ description: 'What the issuer calls the person, or the id of the key.' }),
  key_id: Nullable(Type.String({ description: 'The tenant key it was exchanged for.' })),
  rights: Type.Array(Type.Enum([...rights])),
  scopes: Nullable(Type.Array(Type.String(), { description: 'The scopes it reaches; null: all.' })),
  created_at: Time,
  used_at: Time,
  expires_at: Time,
  revoked_at: Nullable(Time),
}

export const Session = RecordOf('Session', session)
export const SessionPage = PageOf('SessionPage', Session)

export const CreatedSession = RecordOf('CreatedSession', {
  ...session,
  csrf_token: Type.String({ description: 'Goes into the header X-CSRF-Token of every request that changes something.' }),
})

export const CreatedDeviceSession = RecordOf('CreatedDeviceSession', {
  ...session,
  token: Type.String({ description: 'Used like a tenant key. Shown once; only its SHA-256 is kept.' }),
})
